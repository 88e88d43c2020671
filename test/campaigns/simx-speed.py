#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many times as fast as the mended SimX our simulator runs Vortex's own kind of programs.

    test/campaigns/simx-speed.py VORTEX SIMX [--build=build] [--before=BUILD] [--only=NAME,...] [--machines=MACHINE,...]
        [--repeat=3] [--threads=N] [--wall]

SIMX is the folder that test/campaigns/build-simx.sh --mended has filled. alu is simx-alu/ beside this file, the others
are programs of tests/regression, built as vortex-regression.py builds them. The same host program and kernel run on
both in turns, SimX first; of each pair the ratio of processor time of the whole process is taken, or with --wall of
wall time, and the median of the pairs is printed. With --before=BUILD, another build of ours takes SimX's place. Cycles have to be
the same; exits with 1 if they are not. --threads is run.host_threads.
"""

import argparse
import math
import os
import resource
import statistics
import sys
import tempfile
import time

import campaign

HERE = os.path.dirname(os.path.abspath(__file__))
MACHINES = ["4x8", "4x32", "4x8x4"]
RUNS = ["alu -n8192", "vecadd -n200000", "sgemm -n96", "sgemm2 -n96"]


SIMX = campaign.load("simx-regression")
REGRESSION = SIMX.REGRESSION


def measure(folder, words, environment, wall):
    """Seconds and cycles of a run."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.monotonic() if wall else usage.ru_utime + usage.ru_stime

    start = used()
    status, output, _ = campaign.run(["./" + words[0], *words[1:]], 600, folder, environment)
    seconds = used() - start
    perf = REGRESSION.PERF.findall(output)
    if status != 0 or not perf:
        raise SystemExit(f"{' '.join(words)}: {REGRESSION.verdict(status, output)}")
    return seconds, perf[-1][1]  # of several cores, their sum comes last


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("vortex")
    parser.add_argument("simx")
    parser.add_argument("--build", default="build")
    parser.add_argument("--before")
    parser.add_argument("--only", default="")
    parser.add_argument("--machines", default=",".join(MACHINES))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--wall", action="store_true")
    options = parser.parse_args()
    build, simx = os.path.abspath(options.build), os.path.abspath(options.simx)
    before = os.path.abspath(options.before) if options.before else None
    only = options.only.split(",") if options.only else []
    ratios, wrong = [], 0

    def ours(build, machine):
        return {"LD_LIBRARY_PATH": os.path.join(build, "lib/vortex") + ":" + os.path.join(build, "lib"),
                "VORTEX_DRIVER": "vx", "VX_SET": f"{SIMX.settings(machine, simx)},run.host_threads={options.threads}"}

    print("| program | machine | cycles | " + ("before" if before else "SimX") + " s | ours s | times as fast |")
    print("|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as work:
        kernels = REGRESSION.Kernels(os.path.abspath(options.vortex), work, 64)
        for run in RUNS:
            words = run.split()
            if only and words[0] not in only:
                continue
            folder = os.path.join(work, words[0])
            REGRESSION.build_program(words[0], kernels, os.path.join(build, "lib/vortex"),
                                     folder=os.path.join(HERE, "simx-alu") if words[0] == "alu" else None)
            os.makedirs(os.path.join(folder, "trace"), exist_ok=True)  # where SimX's DRAM writes
            for machine in options.machines.split(","):
                theirs = ours(before, machine) if before else {
                    "LD_LIBRARY_PATH": os.path.join(simx, "mended-" + machine), "VORTEX_DRIVER": "simx"}
                pairs = [(measure(folder, words, theirs, options.wall),
                          measure(folder, words, ours(build, machine), options.wall)) for _ in range(options.repeat)]
                ratio = statistics.median(other[0] / own[0] for other, own in pairs)
                other, own = (statistics.median(pair[i][0] for pair in pairs) for i in (0, 1))
                cycles = {pair[i][1] for pair in pairs for i in (0, 1)}
                wrong += len(cycles) != 1
                ratios.append(ratio)
                print(f"| {run} | {machine} | {', '.join(sorted(cycles))} | {other:.2f} | {own:.3f} | {ratio:.2f} |",
                      flush=True)
    print(f"\ngeometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}, least {min(ratios):.2f}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
