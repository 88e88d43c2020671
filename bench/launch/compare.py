#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel launch and its neighbours cost on the host: microseconds of one turn of each case
of launches.cu, in functional mode unless VX_MODE says otherwise.

usage: compare.py [--vxcc=PROGRAM] [--baseline=PROGRAM] [--repeat=N] [--turns=N] [CASE...]

With --baseline, the vxcc of another build tree, the two programs take turns and the ratios are those
of pairs; each figure is a median. Processor time counts all threads; a busy machine distorts it less.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def build(vxcc, output):
    command = [vxcc, "-O2", os.path.join(HERE, "launches.cu"), "-o", output]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")


def run(program, turns, cases):
    """{case: (wall, processor)} in microseconds."""
    done = subprocess.run([program, str(turns), *cases], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{program}: exit status {done.returncode}")
    rows = [line.split() for line in done.stdout.splitlines()]
    return {name: (float(wall), float(processor)) for name, wall, processor in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--vxcc", default=os.path.join(ROOT, "build", "bin", "vxcc"))
    parser.add_argument("--baseline", help="the vxcc of another build tree")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--turns", type=int, default=20000)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    compilers = {"new": options.vxcc}
    if options.baseline:
        compilers["base"] = options.baseline
    with tempfile.TemporaryDirectory() as directory:
        programs = {name: os.path.join(directory, name) for name in compilers}
        for name, vxcc in compilers.items():
            build(vxcc, programs[name])
        runs = [{name: run(program, options.turns, options.cases)
                 for name, program in programs.items()} for _ in range(options.repeat)]
    print(f"{'case':20}{'wall us':>10}{'cpu us':>10}"
          + (f"{'base wall':>12}{'base cpu':>10}{'wall ratio':>12}{'cpu ratio':>11}"
             if options.baseline else ""))
    for case in runs[0]["new"]:
        def median(value):
            return statistics.median(value(turn) for turn in runs)
        line = f"{case:20}" + "".join(
            f"{median(lambda turn: turn['new'][case][kind]):10.2f}" for kind in (0, 1))
        if options.baseline:
            line += "".join(f"{median(lambda turn: turn['base'][case][kind]):{width}.2f}"
                            for kind, width in ((0, 12), (1, 10)))
            line += "".join(
                f"{median(lambda turn: turn['new'][case][kind] / turn['base'][case][kind]):{width}.2f}"
                for kind, width in ((0, 12), (1, 11)))
        print(line)


if __name__ == "__main__":
    main()
