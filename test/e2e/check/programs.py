#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checkers on programs that are wrong on purpose, and on programs that are right.

usage: programs.py [--build=BUILD] [--configurations=hw,sw,...] cases        all of test/e2e/check
       programs.py [--build=BUILD] [--configurations=hw,sw,...] programs [FILE or FOLDER...]
                                                    examples/ and test/e2e, which have no findings

Both print what is not as it should be, and exit with 1 then. `programs` compiles with -fvx-check as
the first RUN line of a test says, runs what that builds under all checkers, and wants it to end with 0 as it
does without; with --times it prints how much longer the checked run takes. It
leaves out tests that need more than a program: inputs, libraries, another target. A configuration is a
lowering or a mapping. With --plain it compiles without -fvx-check and looks with memcheck and initcheck;
mapping coarsened is only in such code.
"""

import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

CHECKS = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(CHECKS)))
CHECKERS = "memcheck,racecheck,synccheck"
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
# Tests of the lit suite, which say themselves what they are about: those that launch data, wait for ever or
# for a debugger, need to choose how they are lowered, ask what their code needs, or are compiled in a folder
# of their own; and two that are races in CUDA: warps that count on a fence of all lanes before one of them
# releases a lock, and code of before CUDA 9 for warps in lockstep.
NOT_PROGRAMS = ("/Inputs/", "/check/", "/course/", "/debug/", "/faults/", "/report", "/cluster-limits.", "/device-launch-errors",
                "/forward-progress", "/lock-idioms", "/nvrtc/check.", "/nvrtc/source-folder.", "/progress.",
                "/runtime/lowering.", "/stack-size.", "/volatile-in-step.", "/warp-locks")
# Free on purpose what is not an allocation, and want the error.
FREES_WRONGLY = ("/managed-variables.", "/driver/contexts.", "/driver/memory.")
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


def command_of(path):
    """How a test is compiled and run: options and other sources, arguments, environment. As the first RUN lines say
    that do; None: it is not a program by itself."""
    with open(path) as file:
        lines = [line for line in file if line.startswith("// RUN:")]
    for at, line in enumerate(lines):
        match = re.match(r"// RUN: %vxcc (.*?)%s (.*?)-o %t(\S*)(.*)", line)
        if match:
            break
    else:
        return None
    text = " ".join(match.group(1, 2)) + re.split(r"&&|\||2?>", match.group(4))[0]
    text = text.replace("%inputs", os.path.join(ROOT, "test/e2e/Inputs")).replace("%S", os.path.dirname(path))
    flags = text.replace("--target=vortex,host", "").split()
    if "%" in text or any(flag.startswith(("--target", "--emit")) or flag == "-c" for flag in flags):
        return None
    arguments, settings = run_of(lines[at:], match.group(3))
    if any("%" in argument for argument in arguments):
        return None
    return [flag for flag in flags if not flag.startswith("--lower")], arguments, settings


def run_of(lines, suffix):
    """Arguments and environment of the first run of %t with SUFFIX in LINES: on the default device, or else on another."""
    pattern = r"(?:env ((?:\w+=\S+ )+))?(?:%run|%shapes)((?: --\S+)*) %t" + re.escape(suffix)
    runs = list(re.finditer(pattern + r"(?=\s)((?: (?!\d?>)[^\s&|>;]+)*)", "".join(lines)))
    if not runs:
        return [], {}
    chosen = next((run for run in runs if "VX_SET" not in (run[1] or "")), runs[0])
    pairs = [pair.split("=", 1) for pair in (chosen[1] or "").split()]
    settings = {name: value for name, value in pairs if name in ("VX_DEVICES", "VX_SET") and "%" not in value}
    if "--xlen=32" in chosen[2]:
        settings["VX_SET"] = "isa.xlen=32"
    return chosen[3].split(), settings


def find_programs(places):
    """The programs among PLACES, files and folders."""
    for place in map(os.path.realpath, places):
        tree = sorted(os.walk(place)) if os.path.isdir(place) else [("", [], [place])]
        for at, _, files in tree:
            for file in sorted(files):
                path = os.path.join(at, file)
                if file.endswith(".cu") and not any(part in path for part in NOT_PROGRAMS):
                    yield path


def timed(command, env):
    """The exit status and the time of a program, in the folder where it is."""
    start = time.monotonic()
    try:
        done = subprocess.run(command, env=env, cwd=os.path.dirname(command[0]), capture_output=True, text=True,
                              timeout=LIMIT)
        return done.returncode, time.monotonic() - start
    except subprocess.TimeoutExpired:
        return "timeout", time.monotonic() - start


def checking(env, tool, report):
    """ENV for a run under the checkers TOOL that leaves REPORT.json, and REPORT.device1.json of a second device."""
    for old in glob.glob(glob.escape(report) + "*"):
        os.remove(old)
    settings = [env["VX_SET"]] if env.get("VX_SET") else []
    settings += ["check.save=" + report + ".json", "check.log=" + report + ".log"]
    settings.append("check.api_errors=false")  # many provoke errors, and ask for them
    return dict(env, VX_CHECK=tool, VX_SET=",".join(settings))


def findings_of(report):
    """One text for each finding of the run that left REPORT; None: nothing was checked."""
    files = [path for path in sorted(glob.glob(glob.escape(report) + "*.json")) if os.path.getsize(path)]
    texts = []
    for path in files:
        with open(path) as file:
            for finding in json.load(file)["findings"]:
                text = f"{finding['kind']} {os.path.basename(finding.get('file', ''))}:{finding.get('line', 0)}"
                if "other-line" in finding:
                    text += f" and {os.path.basename(finding['other-file'])}:{finding['other-line']}"
                texts.append(f"{text} ({finding['message']})")
    return texts if files else None


def check_program(path, folder, options):
    """Problems; None: it is left out."""
    name = os.path.relpath(path, ROOT)
    command = (["-O2"], [], {}) if name.startswith("examples") else command_of(path)
    if command is None:
        return None
    flags, arguments, settings = command
    program = os.path.join(folder, "program")
    checked_code = [] if options.plain else ["-fvx-check"]
    done = subprocess.run([vxcc(options.build), *checked_code, path, *flags, "-o", program],
                          capture_output=True, text=True)
    if done.returncode:
        return None
    problems = []
    for config in options.configs.split(","):
        env = dict(os.environ, **way(config), **settings)
        code, plain = timed([program, *arguments], env)
        if code:
            problems.append(f"{name} ({config}): ends with {code} without checkers")
            continue
        report = os.path.join(folder, config)
        checked_exit, checked = timed([program, *arguments], checking(env, options.tool, report))
        if options.times:
            print(f"{name} ({config}): {plain:.2f} s, checked {checked:.2f} s, {checked / plain:.1f}")
        if checked_exit:
            problems.append(f"{name} ({config}): ends with {checked_exit}")
        findings = findings_of(report)
        if findings and any(part in path for part in FREES_WRONGLY):
            findings = [text for text in findings if not text.startswith("invalid-free")]
        problems += [f"{name} ({config}): {text}"
                     for text in (["nothing was checked"] if findings is None else findings)]
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
