#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the two ways to keep divergent lanes (core.divergence): mask stack and paths.

Compiles examples for both, runs them on the cycle-level model and prints a table: cycles, warp
instructions, active lanes, and how often lanes part. The locks are those of
test/e2e/sync/forward-progress.cu and locked-structures.cu. The mapping is hw for both:
coarsened, which launches may take otherwise, would be compared instead.

usage: compare.py [--vxcc=build/bin/vxcc] [--set=core.num_warps=4,core.num_threads=8] [--only=NAME]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LOCKS = "test/e2e/sync/forward-progress.cu"
STRUCTURES = "test/e2e/sync/locked-structures.cu"
# Row, source, arguments.
PROGRAMS = [(name, f"examples/{name}/{name}.cu", arguments.split()) for name, arguments in (
    ("vector-add", "20000"), ("matmul", "48"), ("transpose", "64 64"), ("stencil3d", "8 8 8 2"),
    ("nbody", "96 2"), ("mandelbrot", "60 40 60"), ("bfs", "1500 3"), ("histogram", "20000 256"),
    ("reduce", "20000 128"), ("scan", "10000 128"), ("bitonic_sort", "5000 128"), ("shuffle", "4000 64"),
    ("vote", "4000 64"), ("aggregated_atomics", "10000 128"), ("match_histogram", "4000 64"))]
PROGRAMS += [(f"lock: {name}", LOCKS, [name]) for name in
             ("inside", "behind", "leftByBreak", "ticket", "handOver", "lookBack")]
PROGRAMS += [(f"locked {name}", STRUCTURES, ["64", "16", name]) for name in ("table", "list", "ranges")]
HEAD = ("program", "cycles, stack", "paths", "ratio", "instructions, stack", "paths", "lanes, stack", "paths",
        "divergent splits", "path splits", "merges", "switches", "paths live")


def statistics(program, arguments, settings, paths):
    """The counters of a run of PROGRAM, or None if it did not end well."""
    env = dict(os.environ, VX_MODE="timing", VX_LOWERING="hw", VX_HW_MAPPING="hw", VX_STATS="json:" + program + ".json",
               VX_SET=settings + ",run.max_cycles=20000000" + (",core.divergence=paths" if paths else ""))
    run = subprocess.run([program] + arguments, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        return None
    with open(program + ".json") as file:
        total = json.load(file)
    counters = {}
    for core in total["cores"]:
        for key, value in core.items():
            counters[key] = counters.get(key, 0) + value if isinstance(value, int) else 0
    counters["cycles"] = total["cycles"]
    return counters


def row(name, stack, paths):
    if not paths:
        return [name, "", "failed"] + [""] * (len(HEAD) - 3)
    lanes = lambda s: f"{100 * s['thread_instructions'] / max(1, s['lane_slots']):.0f} %"
    cells = [name, stack["cycles"] if stack else "hangs", paths["cycles"],
             f"{paths['cycles'] / stack['cycles']:.2f}" if stack else "",
             stack["warp_instructions"] if stack else "", paths["warp_instructions"],
             lanes(stack) if stack else "", lanes(paths), stack["divergent_splits"] if stack else ""]
    cells += [paths[key] for key in ("path_splits", "path_merges", "path_switches")]
    return cells + [f"{paths['paths_live'] / max(1, paths['warp_instructions']):.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vxcc", default=os.path.join(ROOT, "build", "bin", "vxcc"))
    parser.add_argument("--set", default="core.num_warps=4,core.num_threads=8", help="the machine")
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    arguments = parser.parse_args()
    print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD))
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, source, args in PROGRAMS:
            if arguments.only not in name:
                continue
            program = os.path.join(folder, os.path.basename(source))
            if not os.path.exists(program):
                subprocess.run([arguments.vxcc, "-O3", "--vx-isa=warp,paths", os.path.join(ROOT, source), "-o", program],
                               check=True)
            both = [statistics(program, args, arguments.set, paths) for paths in (False, True)]
            failed |= both[1] is None
            print("| " + " | ".join(str(cell) for cell in row(name, *both)) + " |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
