#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cycles of Vortex's own programs (tests/regression) on our simulator beside the mended SimX.

    test/campaigns/simx-regression.py VORTEX SIMX [--build=build] [--only=NAME,...] [--machines=MACHINE,...]
        [--timeout=SECONDS]

SIMX is the folder that test/campaigns/build-simx.sh --mended has filled, with a folder for each of MACHINES.
Programs are built as vortex-regression.py builds them, and the same kernel runs in both. Prints a table in
Markdown: one row per program, one column per machine with the cycles that the program prints, and ours behind
them where they differ; exits with 1 if any do.

Input that programs draw with rand() is drawn with a generator of their own: SimX draws the first values of
registers (warp_t::reset) from the same one in between, so that both would get different input.
"""

import argparse
import os
import re
import sys
import tempfile

import campaign

MACHINES = ["4x8", "4x4", "16x16", "4x8x4", "4x8-l2", "4x8x4-l2-l3", "4x32", "4x32-l2", "4x32x4", "32x4"]
# io_addr is not among them: it writes over the words where programs leave their cycles.
RUNS = ["vecadd -n5000", "vecadd -n1000", "sgemm -n32", "sgemm2 -n32", "conv3 -n16", "conv3 -n16 -l", "sort -n2",
        "relu -n256", "fence -n64", "basic -n256", "madmax -n16", "mstress -n16", "cta"]
OWN_RAND = """#pragma once
#include <cstdlib>
inline int ownRand() {
  static unsigned long state = 50;
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return int(state >> 33);
}
inline void ownSrand(unsigned) {}
namespace std {
using ::ownRand;
using ::ownSrand;
}
#define rand ownRand
#define srand ownSrand
"""


REGRESSION = campaign.load("vortex-regression")


def lanes_of_units(folder, threads):
    """Lanes of the units of the SimX in FOLDER where warps have THREADS; some revisions have 16 at most."""
    try:
        with open(os.path.join(folder, "build", "hw", "VX_config.h"), encoding="utf-8") as file:
            limit = re.search(r"#define SIMD_WIDTH\s+MIN\(NUM_THREADS, (\d+)\)", file.read())
    except FileNotFoundError:
        return threads
    return min(threads, int(limit[1])) if limit else threads


def settings(machine, simx):
    """MACHINE, as build-simx.sh names it, for VX_SET, as the mended SimX in folder SIMX has it."""
    shape, *caches = machine.split("-")
    counts = shape.split("x") + ["1"]
    keys = [f"core.num_warps={counts[0]}", f"core.num_threads={counts[1]}", f"num_cores={counts[2]}"]
    lanes = lanes_of_units(os.path.join(simx, "mended-" + machine), int(counts[1]))
    if lanes < int(counts[1]):
        keys += [f"{unit}.lanes={lanes}" for unit in ("alu", "fpu", "lsu", "sfu")]
    return ",".join(keys + [f"{cache}.enabled=true" for cache in caches])


def cycles_of(folder, words, environment, timeout):
    """What program WORDS[0] in FOLDER says it took, or how it failed."""
    status, output, _ = campaign.run(["./" + words[0], *words[1:]], timeout, folder, environment)
    perf = REGRESSION.PERF.findall(output)
    if status != 0 or not perf:
        return REGRESSION.verdict(status, output)
    return perf[-1][1]  # of several cores, their sum comes last


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("vortex")
    parser.add_argument("simx")
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", default="")
    parser.add_argument("--machines", default=",".join(MACHINES))
    parser.add_argument("--timeout", type=int, default=600)
    options = parser.parse_args()
    only, machines = options.only.split(","), options.machines.split(",")
    runs = [run for run in RUNS if not options.only or run.split()[0] in only]
    build, simx = os.path.abspath(options.build), os.path.abspath(options.simx)
    library = os.path.join(build, "lib/vortex")
    total = different = 0
    print("| program | " + " | ".join(machines) + " |\n" + "|---" * (len(machines) + 1) + "|", flush=True)
    with tempfile.TemporaryDirectory() as work:
        kernels = REGRESSION.Kernels(os.path.abspath(options.vortex), work, 64)
        REGRESSION.put(os.path.join(kernels.include, "own-rand.h"), OWN_RAND)
        built = set()
        for run in runs:
            words = run.split()
            folder = os.path.join(work, words[0])
            if words[0] not in built:
                REGRESSION.build_program(words[0], kernels, library, ["-include", "own-rand.h"])
                os.makedirs(os.path.join(folder, "trace"), exist_ok=True)  # where SimX's DRAM writes
                built.add(words[0])
            cells = []
            for machine in machines:
                theirs = cycles_of(folder, words, {"LD_LIBRARY_PATH": os.path.join(simx, "mended-" + machine),
                                                   "VORTEX_DRIVER": "simx"}, options.timeout)
                ours = cycles_of(folder, words, {"LD_LIBRARY_PATH": library + ":" + os.path.join(build, "lib"),
                                                 "VORTEX_DRIVER": "vx", "VX_SET": settings(machine, simx)},
                                 options.timeout)
                total += 1
                different += ours != theirs
                cells.append(theirs if ours == theirs else f"{theirs}, ours {ours}")
            print(f"| {run} | " + " | ".join(cells) + " |", flush=True)
    print(f"\n{total - different} of {total} runs take the same cycles")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
