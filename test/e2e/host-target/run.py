#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the examples and the self-checking end-to-end programs with --target=host and runs them.

usage: run.py --vxcc=PROGRAM [--levels=03] [--every=N] [--directory=DIR] EXAMPLES TESTS

With --every=N, every Nth program. A program is good when it ends with status 0 and its last line is
PASS. Exit status 1 when one is not.
"""

import argparse
import glob
import os
import re
import subprocess
import sys

FOLDERS = ["atomics", "divergence", "language", "math", "runtime", "sync", "warp"]
# Programs that look at the simulated machine or hold its assembly, whose threads wait for each other
# without a barrier, whose test passes arguments or links more, or that run until they are stopped.
OTHERS = {"clock", "forward-progress", "library-backend", "per-thread-streams", "printf", "progress", "properties", "statistics",
          "vortex-asm"}


def programs(examples, tests):
    """Source, further sources and options of each program."""
    for source in sorted(glob.glob(os.path.join(examples, "*", "*.cu"))):
        yield source, [], []
    for folder in FOLDERS:
        for source in sorted(glob.glob(os.path.join(tests, folder, "*.cu"))):
            text = open(source).read()
            if "int main(" not in text or os.path.basename(source)[:-3] in OTHERS:
                continue
            if "%S/Inputs/other-object.cu" in text:
                yield source, [os.path.join(tests, folder, "Inputs", "other-object.cu")], []
                continue
            options = re.findall(r"-std=\S+|-fmad=\S+|--extended-lambda", text.split("\n//\n")[0])
            yield source, [], sorted(set(options))


def check(command, environment=None):
    """What is wrong with a run of COMMAND, or None."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=120,
                              env=dict(os.environ, **(environment or {})))
    except subprocess.TimeoutExpired:
        return "no end after 120 s"
    good = done.returncode == 0
    if good and environment is not None:
        good = done.stdout.rstrip().split("\n")[-1] == "PASS"
    return None if good else f"exit status {done.returncode}\n{done.stdout}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vxcc", required=True)
    parser.add_argument("--levels", default="3")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--directory", default="/tmp/vx-host")
    parser.add_argument("examples")
    parser.add_argument("tests")
    options = parser.parse_args()
    os.makedirs(options.directory, exist_ok=True)
    count = bad = 0
    for source, more, flags in list(programs(options.examples, options.tests))[::options.every]:
        for level in options.levels:
            program = os.path.join(options.directory, os.path.basename(source)[:-3])
            includes = ["-I", os.path.join(options.tests, "Inputs"),
                        "-I", os.path.join(os.path.dirname(source), "Inputs")]
            command = [options.vxcc, "--target=host", f"-O{level}", *flags, *includes, source,
                       *more, "-o", program]
            problem = check(command)
            for threads in ("4", "1"):
                problem = problem or check([program], {"VX_HOST_THREADS": threads})
            count += 1
            bad += problem is not None
            if problem:
                print(f"$ {' '.join(command)}\n{problem}", flush=True)
    print(f"{count - bad} of {count} programs passed")
    return 1 if bad or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
