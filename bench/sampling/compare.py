#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sampled mode compared with timing mode on the examples: cycles, error, confidence interval, time.

usage: compare.py [-o FILE.md] [--vxcc PATH] [--only EXAMPLE,...] [--set=KEY=VALUE,...] [--repeat=N] [--scale=X] [--vary]

Compiles each example, runs it in functional, timing and sampled mode and prints a table in Markdown. Times are
processor time while kernels run; of sampled and functional mode the least of N runs (3).
--set applies to all modes, also what begins with sample. The sizes make runs of 7 to 35 million warp
instructions on the default machine; --scale multiplies the first argument of each example. --vary runs those of one
dimension with eight sizes within 0.3 % of each other instead, and compares means and standard deviations of the cycles
per instruction: what a single run is a sample of.
"""

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RUNS = [line.split() for line in """
vector-add 8000000
matmul 256
matrix-multiply 256 256 256
nbody 2048 1
mandelbrot 512 512
stencil3d 160 160 160 1
transpose 2400 2400
histogram 12000000
match_histogram 2000000
scan 2000000
shuffle 600000
vote 2000000
mse_forward 6000000
reduce 24000000
reduce_tile 16000000
""".strip().splitlines()]
HEAD = ("example", "warp instructions", "cycles", "sampled", "error", "95 % interval", "in detail", "timing", "functional",
        "sampled", "speed-up")
VARY_HEAD = ("example", "timing", "standard deviation", "sampled", "standard deviation", "error of the mean", "in detail",
             "speed-up")
VARIATIONS = (0, 0.0001, 0.0003, 0.0006, 0.0013, 0.0026, -0.0006, -0.0020)  # of the size
LEAST_VARIED = 100000  # a smaller size is one of several dimensions


def run(command, mode, settings):
    """The statistics of a run, and the processor time in seconds that its kernels took."""
    with tempfile.TemporaryDirectory() as folder:
        path, launches = os.path.join(folder, "stats.json"), os.path.join(folder, "launches.csv")
        env = dict(os.environ, VX_MODE=mode, VX_STATS="json:" + path, VX_LAUNCHES=launches, VX_SET=settings)
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(command)} ({mode}) has failed:\n{done.stdout}")
        with open(path, encoding="utf-8") as file, open(launches, encoding="utf-8", newline="") as lines:
            return json.load(file), sum(float(row["seconds"]) for row in csv.DictReader(lines))


def fastest(command, mode, settings, repeat):
    """As run(), with the least time of REPEAT runs, whose cycles must be equal."""
    results = [run(command, mode, settings) for _ in range(repeat)]
    if len({stats["cycles"] for stats, _ in results}) != 1:
        sys.exit(f"{' '.join(command)}: runs in mode {mode} differ")
    return results[0][0], min(seconds for _, seconds in results)


def compare(words, program, options):
    command = [program] + words[1:]
    exact, timing = run(command, "timing", options.set)
    _, functional = fastest(command, "functional", options.set, options.repeat)
    estimate, sampled = fastest(command, "sampled", options.set, options.repeat)
    if estimate["warp_instructions"] != exact["warp_instructions"]:
        print(f"{words[0]}: not the same instructions in both modes", file=sys.stderr)
    cycles = estimate["cycles"]
    return [" ".join(words), f"{exact['warp_instructions'] / 1e6:.1f} M", f"{exact['cycles'] / 1e6:.2f} M",
            f"{cycles / 1e6:.2f} M", f"{100 * (cycles / exact['cycles'] - 1):+.2f} %",
            f"± {100 * estimate['cycles_confidence95'] / cycles:.2f} %",
            f"{100 * estimate['sample_detailed'] / estimate['warp_instructions']:.1f} %",
            f"{timing:.2f} s", f"{functional:.2f} s", f"{sampled:.2f} s", f"{timing / sampled:.1f}"]


def vary(words, program, options):
    size = int(words[1])
    cycles, seconds, parts = {"timing": [], "sampled": []}, {"timing": 0, "sampled": 0}, []
    for variation in VARIATIONS:
        command = [program, str(size + round(size * variation / 32) * 32)] + words[2:]
        for mode, found in cycles.items():
            stats, time = run(command, mode, options.set)
            found.append(stats["cycles"] / stats["warp_instructions"])
            seconds[mode] += time
        parts.append(stats["sample_detailed"] / stats["warp_instructions"])
    columns, means = [], []
    for found in cycles.values():
        means.append(statistics.mean(found))
        columns += [f"{means[-1]:.3f}", f"{100 * statistics.stdev(found) / means[-1]:.1f} %"]
    return [" ".join(words), *columns, f"{100 * (means[1] / means[0] - 1):+.2f} %", f"{100 * statistics.mean(parts):.1f} %",
            f"{seconds['timing'] / seconds['sampled']:.1f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="output", help="file for the table; default: stdout")
    parser.add_argument("--vxcc", default=os.path.join(ROOT, "build", "bin", "vxcc"))
    parser.add_argument("--only", default="", help="examples, joined by commas")
    parser.add_argument("--set", default="", help="settings of the simulator")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--vary", action="store_true", help="sizes near each other instead of one")
    options = parser.parse_args()
    only = [name for name in options.only.split(",") if name]
    unknown = set(only) - {words[0] for words in RUNS}
    if unknown:
        sys.exit(f"compare.py: no example of the table: {', '.join(sorted(unknown))}")
    out = open(options.output, "w", encoding="utf-8") if options.output else sys.stdout
    head = VARY_HEAD if options.vary else HEAD
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|", file=out, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for words in RUNS:
            if only and words[0] not in only or options.vary and int(words[1]) < LEAST_VARIED:
                continue
            program = os.path.join(folder, words[0])
            source = os.path.join(ROOT, "examples", words[0], words[0] + ".cu")
            subprocess.run([options.vxcc, source, "-o", program], check=True)
            scaled = [words[0], str(max(1, int(int(words[1]) * options.scale)))] + words[2:]
            row = vary(scaled, program, options) if options.vary else compare(scaled, program, options)
            print("| " + " | ".join(row) + " |", file=out, flush=True)


if __name__ == "__main__":
    main()
