#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds programs of the Khronos OpenCL conformance tests and runs each of their tests on our platform.

usage: opencl-cts.py --cts=DIR --headers=DIR --spirv=DIR [--build=build] [--programs=basic,api,...]
                     [--only=NAME,...] [--failed] [--new] [--way=hw|sw|host] [--seconds=300] [--patience=10]
                     [--reduction=4096] [--work=DIR] [--jobs=2] [--built] [--write=FILE]

The folders are checkouts of https://github.com/KhronosGroup/OpenCL-CTS (tag v2026-07-09-00), of
OpenCL-Headers and of SPIRV-Headers from the same organisation, of that time. Every test runs in a
process of its own, in functional mode; the mathematical functions (bruteforce) each with few values
(-w) in float and double: of the 2^32 values that a float can have, one in 8 times --reduction, half
as many of double. A test has passed, was skipped (what it tests is not reported as
supported), has failed, or did not end in --seconds of processor time (or --patience times as long).

Results are kept in the work folder, with outputs, and by --write in opencl-cts.csv here, so that a
campaign of many hours can be run in parts, on several machines: --new runs tests without a result,
--failed those that have not passed, --only some (--built: without a look whether the programs are up to
date). opencl-cts.toml has the reason of each known failure. --write writes counts and failures to a
page in docs/.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor, as_completed

from campaign import Results, replace_table, run

HERE = os.path.dirname(os.path.abspath(__file__))
# Name, folder below test_conformance.
PROGRAMS = {"basic": "basic", "api": "api", "subgroups": "subgroups", "bruteforce": "math_brute_force",
            "svm": "SVM"}
# One lowering is compiled, not both; in hw sub-groups want a device whose warps hold one.
CONFIGS = {"hw": {"VX_OPENCL_OPTIONS": "--lower=hw", "VX_LOWERING": "hw",
               "VX_SET": "core.num_warps=32,core.num_threads=32"},
        "sw": {"VX_OPENCL_OPTIONS": "--lower=sw", "VX_LOWERING": "sw",
               "VX_SET": "core.num_warps=32,core.num_threads=32,isa.warp=off"},
        "host": {"VX_OPENCL_OPTIONS": "--target=host", "VX_BACKEND": "host"}}
# The largest image that these draw is a quarter of the device's memory, up to 16384 times 16384: on a
# device of 256 MiB, 4096 times 4096.
SMALL_MEMORY = re.compile(r"imagedim_(non_)?pow2")
SKIPPED = re.compile(r"skipp(ing|ed)|not supported|does not support", re.I)
BAD = ("failed", "time limit")
RECORD = os.path.join(HERE, "opencl-cts.csv")
TAIL = 3000


def build(options):
    tree = os.path.join(options.work, "build")
    if not options.built:
        run_build(tree, options)
    return {name: os.path.join(tree, "test_conformance", PROGRAMS[name], "test_" + name)
            for name in options.programs}


def run_build(tree, options):
    subprocess.run(["cmake", "-G", "Ninja", "-S", options.cts, "-B", tree, "-DCMAKE_BUILD_TYPE=Release",
                    "-DCL_INCLUDE_DIR=" + options.headers, "-DCL_LIB_DIR=" + options.libraries,
                    "-DOPENCL_LIBRARIES=OpenCL", "-DSPIRV_INCLUDE_DIR=" + options.spirv],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", tree, f"-j{options.jobs}",
                    *("test_" + name for name in options.programs)], check=True)


def environment(options, test=""):
    settings = dict(CONFIGS[options.config], VX_MODE="functional",
                    OCL_ICD_VENDORS=os.path.join(options.build, "vxcl.icd"))
    if SMALL_MEMORY.fullmatch(test) and "VX_SET" in settings:
        settings["VX_SET"] += f",memory.capacity={1 << 28}"
    return settings


def tests_of(name, program, options):
    """The names of the tests in PROGRAM."""
    _, output, _ = run([program, "-p" if name == "bruteforce" else "--list"], 60,
                       environment=environment(options))
    if name == "bruteforce":
        listed = output.split("Math function names:")[-1]
        return re.findall(r"^\s*(\w+)\s*$", listed, re.M)
    return re.findall(r"^\t(\w+)\s*$", output, re.M)


def verdict(test, status, output):
    if status is None:
        return "time limit"
    if status != 0 or "FAILED" in output:
        return "failed"
    # A test that skips itself counts as passed there: its last two lines say why. One that only
    # leaves out a type has tested the others.
    said = output.split("PASSED sub-test.")[0].rstrip().splitlines()[-2:]
    said = [line for line in said if not line.startswith("Data type not supported")]
    return "skipped" if SKIPPED.search("\n".join(said)) else "passed"


def try_test(name, program, test, options):
    command = [program, *(["-w", f"-[{options.reduction}]"] if name == "bruteforce" else []), test]
    with tempfile.TemporaryDirectory() as folder:
        status, output, seconds = run(command, options.seconds, cwd=folder,
                                      environment=environment(options, test), patience=options.patience)
    return {"verdict": verdict(test, status, output), "status": status, "seconds": round(seconds, 1),
            "output": output[-TAIL:]}


def reason_for(name, reasons):
    """Why a test fails, from the table: by its name, or by that of a group it belongs to."""
    for key, reason in reasons.items():
        if re.fullmatch(key, name):
            return reason
    return "unknown"


def read_record():
    """What RECORD says: verdicts by config and test."""
    known = {config: {} for config in CONFIGS}
    if os.path.exists(RECORD):
        with open(RECORD, newline="") as file:
            for row in csv.DictReader(file):
                for config in CONFIGS:
                    if row[config]:
                        known[config][row["test"]] = row[config]
    return known


def write_record(known):
    with open(RECORD, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["test", *CONFIGS])
        for name in sorted(set().union(*known.values())):
            writer.writerow([name, *(known[config].get(name, "") for config in CONFIGS)])


def write_page(path, known, reasons):
    """KNOWN: the verdicts by config and test."""
    lines = ["| program | lowering | tests run | passed | skipped | failed | over the time limit |",
             "|---|---|---|---|---|---|---|"]
    failures = {}
    for program in PROGRAMS:
        for config, found in known.items():
            mine = {name: v for name, v in found.items() if name.startswith(program + "/")}
            if not mine:
                continue
            counts = [list(mine.values()).count(v) for v in ("passed", "skipped", *BAD)]
            lines.append(f"| `test_{program}` | {config} | {len(mine)} | " + " | ".join(map(str, counts)) + " |")
            for name, v in mine.items():
                if v in BAD:
                    failures.setdefault(name, []).append(f"{config}: {v}")
    if failures:
        lines += ["", "| test | | reason |", "|---|---|---|"]
        lines += [f"| {name} | {', '.join(what)} | {reason_for(name, reasons)} |"
                  for name, what in sorted(failures.items())]
    replace_table(path, "opencl-cts.py", lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("cts", "headers", "spirv"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--build", default="build")
    parser.add_argument("--libraries", default="/usr/lib/x86_64-linux-gnu", help="where libOpenCL.so is")
    parser.add_argument("--programs", type=lambda text: text.split(","), default=list(PROGRAMS))
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--failed", action="store_true", help="those that have not passed before")
    parser.add_argument("--new", action="store_true", help="those without a result")
    parser.add_argument("--configuration", "--way", dest="config", choices=CONFIGS, default="hw")
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--patience", type=int, default=10, help="wall time, in --seconds")
    parser.add_argument("--reduction", type=int, default=4096, help="of the mathematical functions, a power of two")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--built", action="store_true", help="take the programs as they are")
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "opencl-cts"))
    parser.add_argument("--write", help="the page whose tables are written")
    options = parser.parse_args()
    for name in ("cts", "headers", "spirv", "build", "work"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    os.makedirs(options.work, exist_ok=True)
    results = {config: Results(os.path.join(options.work, f"results-{config}.json")) for config in CONFIGS}
    known = read_record()
    for config, found in results.items():
        known[config] |= {name: r["verdict"] for name, r in found.known.items()}
    mine = known[options.config]
    jobs = []
    for name, program in build(options).items():
        for test in tests_of(name, program, options):
            before = mine.get(f"{name}/{test}")
            if options.only and test not in options.only or options.new and before or \
                    options.failed and before in ("passed", "skipped"):
                continue
            jobs.append((name, program, test))
    with ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(try_test, *job, options): job for job in jobs}
        for done in as_completed(running):
            (name, _, test), result = running[done], done.result()
            results[options.config].put(f"{name}/{test}", result)
            mine[f"{name}/{test}"] = result["verdict"]
            print(f"{name}/{test}: {result['verdict']} ({result['seconds']} s)", flush=True)
    for program in PROGRAMS:
        verdicts = [v for name, v in mine.items() if name.startswith(program + "/")]
        if verdicts:
            print(f"{program}: " + ", ".join(f"{verdicts.count(v)} {v}" for v in sorted(set(verdicts))))
    if options.write:
        write_record(known)
        with open(os.path.join(HERE, "opencl-cts.toml"), "rb") as file:
            write_page(options.write, known, tomllib.load(file))
    return 0


if __name__ == "__main__":
    sys.exit(main())
