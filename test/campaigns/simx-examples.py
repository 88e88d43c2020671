#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of examples/ on Vortex's SimX through VX_BACKEND, beside our simulator.

    test/campaigns/simx-examples.py SIMX [--build=build] [--only=NAME,...] [--timeout=SECONDS] [--cycles]

SIMX is the folder that test/campaigns/build-simx.sh has filled: SIMX/4x8 and SIMX/4x32 for the untouched
simulator; with --cycles SIMX/mended-4x8 and SIMX/mended-4x32, and the cycles of each launch beside those of
our simulator with the same device and image. All examples run in sw on 4 warps x 8 lanes, those with warp
functions in hw on 4 x 32, too. Prints a table in Markdown; exits with 1 if a program has failed.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile

import campaign

SIMX = campaign.load("simx-regression")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "examples")
# Arguments of runs of a minute at most on SimX, with several blocks and launches; without: the example's own.
ARGUMENTS = {
    "aggregated_atomics": ["3000", "64"],
    "bfs": ["600", "3"],
    "bitonic_sort": ["1001", "32"],
    "histogram": ["12000", "100"],
    "mandelbrot": ["40", "30", "40"],
    "match_histogram": ["1001", "64", "7"],
    "matmul": ["32", "64"],
    "matrix-multiply": ["33", "29", "37"],
    "mse_forward": ["3000", "64", "2"],
    "nbody": ["50", "2"],
    "reduce": ["3000", "64", "3"],
    "reduce_tile": ["3000", "64", "32", "3"],
    "scan": ["1000", "64"],
    "shuffle": ["512", "64", "5"],
    "stencil3d": ["19", "17", "9", "2"],
    "transpose": ["61", "90"],
    "vector-add": ["10007"],
    "vote": ["512", "64", "9"],
}
WARP = ["aggregated_atomics", "bitonic_sort", "match_histogram", "mse_forward", "reduce", "reduce_tile",
        "scan", "shuffle", "vote"]
RUNS = [("sw", "4x8", name) for name in ARGUMENTS] + [("hw", "4x32", name) for name in WARP]


def build(options, folder, name):
    source = os.path.join(EXAMPLES, name, name + ".cu")
    program = os.path.join(folder, name)
    # SimX has votes and shuffles, but no vx_tile.
    done = subprocess.run([os.path.join(ROOT, options.build, "bin", "vxcc"), "-O3", "--vx-isa=upstream",
                           source, "-o", program], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name}: {campaign.first_error(done.stderr)}")
    return program


def run(options, program, name, lowering, shape, backend):
    """Status in words (empty: passed), cycles of each launch, seconds. BACKEND: a folder of SIMX, or "ours"."""
    if backend == "ours":  # through the same interface, so that the very same image runs
        env = {"VX_BACKEND": os.path.join(ROOT, options.build, "lib", "libvortex-vx.so"),
               "VX_SET": SIMX.settings(shape, options.simx) + ",isa.warp=upstream"}
    else:
        env = {"VX_BACKEND": "simx", "LD_LIBRARY_PATH": os.path.join(os.path.abspath(options.simx), backend)}
    env["VX_LOCAL_MEMORY"] = "2048"  # what SimX really has; so blocks are laid out alike
    with tempfile.TemporaryDirectory() as here:  # SimX leaves a folder `trace`
        log = os.path.join(here, "launches.csv")
        status, output, seconds = campaign.run(
            [program, *ARGUMENTS[name]], options.timeout, cwd=here,
            environment={**env, "VX_LOWERING": lowering, "VX_LAUNCHES": log})
        cycles = []
        if os.path.exists(log):
            with open(log, newline="") as file:
                cycles = [int(row["cycles"]) for row in csv.DictReader(file)]
    if status is None:
        return f"longer than {options.timeout} s", cycles, seconds
    if status or "PASS" not in output:
        return campaign.first_error(output) or f"exit status {status}", cycles, seconds
    return "", cycles, seconds


def difference(ours, theirs):
    """Where the cycles of launches differ, in words."""
    if len(ours) != len(theirs):
        return f"{len(ours)} against {len(theirs)} launches"
    apart = [index for index, (a, b) in enumerate(zip(ours, theirs)) if a != b]
    if not apart:
        return "all equal"
    worst = max(abs(ours[i] - theirs[i]) / max(theirs[i], 1) for i in apart)
    first = apart[0]
    return (f"{len(apart)} of {len(ours)} differ, {100 * worst:.2f} % at most; first: launch {first + 1}, "
            f"{ours[first]} against {theirs[first]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("simx")
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", default="")
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("--cycles", action="store_true")
    options = parser.parse_args()
    only = options.only.split(",") if options.only else list(ARGUMENTS)
    failed = different = 0
    print("| example | lowering, device | SimX | seconds |" +
          (" launches | cycles of all | ours beside the mended SimX |" if options.cycles else ""))
    print("|---|---|---|---|" + ("---|---|---|" if options.cycles else ""), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for lowering, shape, name in RUNS:
            if name not in only:
                continue
            program = os.path.join(folder, name)
            if not os.path.exists(program):
                build(options, folder, name)
            backend = ("mended-" if options.cycles else "") + shape
            problem, theirs, seconds = run(options, program, name, lowering, shape, backend)
            failed += bool(problem)
            row = f"| {name} | {lowering}, {shape} | {problem or 'pass'} | {seconds:.0f} |"
            if options.cycles:
                wrong, ours, _ = run(options, program, name, lowering, shape, "ours")
                words = wrong or difference(ours, theirs)
                different += words != "all equal"
                row += f" {len(theirs)} | {sum(theirs)} | {words} |"
            print(row, flush=True)
    print(f"\n{failed} failed" + (f", {different} differ" if options.cycles else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
