#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of examples/ on four cores with 1, 2, 3 and 8 host threads and compares what they leave.

    bench/examples/host-threads.py [--build=build] [--runtime=BUILD] [--only=NAME,...] [--threads=1,2,3,8]

Output, cycles of each launch, all statistics and traces of 2,000 cycles have to be equal, byte by byte, to those of
the first number of threads. All examples run in sw on four cores of 4 warps x 8 lanes, those with warp functions in hw
on four cores of 4 x 32, too, in timing mode. --runtime=build-tsan takes the runtime and the simulator from there and
links the host side of the programs with the thread sanitizer; kernels are compiled by BUILD in any case. Prints a row
for each run and exits with 1 if one has failed or differs.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))

import examples  # noqa: E402
import runs  # noqa: E402

# Statistics have the machine's settings, this one among them, and lines of launches end with the host's time.
VARYING = re.compile(rb'"run.host_threads": *\d+|,[0-9.]+$', re.MULTILINE)


def build(options, folder, name):
    """The program, linked with the runtime of options.runtime."""
    program = os.path.join(folder, name)
    vxcc = [os.path.join(examples.ROOT, options.build, "bin", "vxcc"), "-O3", examples.source(name)]
    steps = [[*vxcc, "-o", program]]
    if options.runtime:
        steps = [[*vxcc, "-c", "-o", program + ".o"],
                 ["clang++-22", "-fsanitize=thread", program + ".o", "-o", program,
                  os.path.join(examples.ROOT, options.runtime, "lib", "libcudart_static.a"), "-lpthread", "-ldl"]]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{name}: {runs.first_error(done.stderr)}")
    return program


def run(program, name, lowering, shape, threads):
    """Problem in words (empty: passed), and what the run has left, by name."""
    warps, lanes = shape.split("x")
    with tempfile.TemporaryDirectory() as here:
        machine = f"num_cores=4,core.num_warps={warps},core.num_threads={lanes}"
        environment = {"VX_MODE": "timing", "VX_LOWERING": lowering, "VX_STATS": "json:stats", "VX_LAUNCHES": "launches",
                       "VX_TRACE": "konata:konata,commit:commit",
                       "VX_SET": f"{machine},run.host_threads={threads},trace.cycles=200:2200"}
        status, output, _ = runs.run([program, *examples.ARGUMENTS[name]], 3000, cwd=here, environment=environment)
        left = {"output": output.encode()}
        for file in sorted(os.listdir(here)):
            with open(os.path.join(here, file), "rb") as bytes_of:
                left[file] = VARYING.sub(b"", bytes_of.read())
    if status is None:
        return "longer than 3000 s", left
    if status or "PASS" not in output:
        return runs.first_error(output) or f"exit status {status}", left
    return "", left


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--runtime", default="")
    parser.add_argument("--only", default=",".join(examples.ARGUMENTS))
    parser.add_argument("--threads", default="1,2,3,8")
    options = parser.parse_args()
    wrong = count = 0
    print("| example | lowering, cores | bytes compared | result |\n|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for lowering, shape, name in examples.RUNS:
            if name not in options.only.split(","):
                continue
            program = os.path.join(folder, name)
            if not os.path.exists(program):
                build(options, folder, name)
            first, words = None, []
            for threads in options.threads.split(","):
                problem, left = run(program, name, lowering, shape, threads)
                first = first or left
                count += 1
                if problem:
                    words.append(f"{threads} threads: {problem}")
                apart = [file for file in sorted({*first, *left}) if first.get(file) != left.get(file)]
                if apart:
                    words.append(f"{threads} threads: {', '.join(apart)} differ")
            wrong += bool(words)
            print(f"| {name} | {lowering}, 4 x {shape} | {sum(map(len, first.values()))} | "
                  f"{'; '.join(words) or 'equal'} |", flush=True)
    print(f"\n{count} runs, {wrong} rows with a problem")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
