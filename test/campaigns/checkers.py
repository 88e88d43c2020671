#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checkers on programs that are wrong on purpose, and on programs that are right.

usage: checkers.py [--build=BUILD] [--configurations=hw,sw,...] cases        all of test/e2e/check
       checkers.py [--build=BUILD] [--configurations=hw,sw,...] programs [FILE or FOLDER...]
                                                    examples/ and test/e2e, which have no findings

Both print what is not as it should be, and exit with 1 then. `programs` compiles with -fvx-check as
the first RUN line of a test says, runs what that builds under all checkers, and compares its exit
code with that of a run without; with --times it prints how much longer the checked run takes. It
leaves out tests that need more than a program: inputs, libraries, another target. A configuration is a
lowering or a mapping. With --plain it compiles without -fvx-check and looks with memcheck and initcheck;
mapping coarsened is only in such code.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from campaign import CHECKERS, finding_text

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
CHECKS = os.path.join(ROOT, "test", "e2e", "check")
# Source, checkers, what it is compiled with, and what else its cases need.
CASES = [
    ("memcheck.cu", "memcheck", ["-O1"], []),
    ("initcheck.cu", "initcheck", ["-O1"], []),
    ("variables.cu", "memcheck,initcheck", ["-O2", "-fvx-check"], []),
    ("racecheck.cu", "racecheck", ["-O2", "-fvx-check"], ["--set=core.num_warps=8"]),
    ("synccheck.cu", "synccheck", ["-O2", "-fvx-check"],
     ["--set=core.num_warps=8", "--set=run.max_instructions=2000000"]),
]
SW_MAPPINGS = ("block-per-lane", "warps-per-lane", "thread-per-lane")
# Of the lit suite, which say themselves what they are about, those that launch data or wait for ever, and one whose
# warps count on a fence of all lanes before one of them releases a lock, which in CUDA is a race.
NOT_PROGRAMS = ("/check/", "/faults/", "/report", "/device-launch-errors", "/forward-progress", "/warp-locks")
LIMIT = 300  # seconds a run


def vxcc(build):
    return os.path.join(build, "bin", "vxcc")


def way(config):
    """The environment of a configuration: hw, sw or a mapping of one of them."""
    if config in ("hw", "sw"):
        return {"VX_LOWERING": config}
    if config in SW_MAPPINGS:
        return {"VX_LOWERING": "sw", "VX_SW_MAPPING": config}
    return {"VX_LOWERING": "hw", "VX_HW_MAPPING": config}


def run_cases(options):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source, tool, flags, extra in CASES:
            path = os.path.join(CHECKS, source)
            program = os.path.join(folder, source + ".out")
            subprocess.run([vxcc(options.build), *flags, path, "-o", program], check=True)
            done = subprocess.run([sys.executable, os.path.join(CHECKS, "run-cases.py"),
                                   "--tool=" + tool, "--configurations=" + options.configs, *extra, program,
                                   path])
            failed += done.returncode != 0
    return failed


def compile_flags(path):
    """What the first RUN line that compiles says; None: it is no program by itself."""
    with open(path) as text:
        for line in text:
            match = re.match(r"// RUN: %vxcc (.*?)%s -o %t(\S*)(.*)", line)
            if not match:
                continue
            flags = match.group(1).replace("%inputs", os.path.join(ROOT, "test/e2e/Inputs"))
            rest = match.group(3).split("&&")[0].split()
            if "%" in flags or "%" in " ".join(rest) or "--target" in flags or "--emit" in flags:
                return None
            return [f for f in flags.split() + rest if not f.startswith("--lower")]
    return None


def find_programs(places):
    """The programs among PLACES, files and folders."""
    for place in map(os.path.realpath, places):
        tree = sorted(os.walk(place)) if os.path.isdir(place) else [("", [], [place])]
        for at, _, files in tree:
            for file in sorted(files):
                path = os.path.join(at, file)
                if file.endswith(".cu") and not any(part in path for part in NOT_PROGRAMS):
                    yield path


def timed(program, env):
    start = time.monotonic()
    try:
        done = subprocess.run([program], env=env, capture_output=True, text=True, timeout=LIMIT)
        return done.returncode, time.monotonic() - start
    except subprocess.TimeoutExpired:
        return "timeout", time.monotonic() - start


def check_program(path, folder, options):
    """Problems; None: it is left out."""
    name = os.path.relpath(path, ROOT)
    flags = ["-O2"] if name.startswith("examples") else compile_flags(path)
    if flags is None:
        return None
    program = os.path.join(folder, "program")
    checked_code = [] if options.plain else ["-fvx-check"]
    done = subprocess.run([vxcc(options.build), *flags, *checked_code, path, "-o", program],
                          capture_output=True, text=True)
    if done.returncode:
        return None
    problems = []
    for config in options.configs.split(","):
        env = dict(os.environ, **way(config))
        code, plain = timed(program, env)
        if code == "timeout":
            problems.append(f"{name} ({config}): takes more than {LIMIT} s without checkers")
            continue
        saved = os.path.join(folder, "findings.json")
        if os.path.exists(saved):
            os.remove(saved)
        env.update(VX_CHECK=options.tool, VX_SET="check.save=" + saved)
        checked_exit, checked = timed(program, env)
        if options.times:
            print(f"{name} ({config}): {plain:.2f} s, checked {checked:.2f} s, {checked / plain:.1f}")
        if checked_exit != code:
            problems.append(f"{name} ({config}): ends with {checked_exit}, not {code}")
        if not os.path.exists(saved) or not os.path.getsize(saved):
            problems.append(f"{name} ({config}): nothing was checked")
        else:
            with open(saved) as file:
                problems += [f"{name} ({config}): {finding_text(f)}" for f in json.load(file)["findings"]]
    return problems


def run_programs(options):
    count = left_out = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in find_programs(options.files or [os.path.join(ROOT, "examples"), os.path.join(ROOT, "test/e2e")]):
            problems = check_program(path, folder, options)
            if problems is None:
                left_out += 1
                print(os.path.relpath(path, ROOT) + ": left out", flush=True)
                continue
            count += 1
            failed += len(problems)
            for problem in problems:
                print(problem, flush=True)
    print(f"{count} programs, {left_out} left out, {failed} problems")
    return failed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--configurations", dest="configs", default="hw,sw")
    parser.add_argument("--tool")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("what", choices=["cases", "programs"])
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if not options.tool:
        options.tool = "memcheck,initcheck" if options.plain else CHECKERS
    failed = run_cases(options) if options.what == "cases" else run_programs(options)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
