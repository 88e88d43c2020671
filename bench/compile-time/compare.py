#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile times of vxcc and nvcc, file by file: small.cu and all examples, from source to program.

usage: compare.py [--vxcc=PROGRAM] [--nvcc=PROGRAM] [--repeat=N] [--json=FILE] [FILE.cu...]

The two compilers take turns; each figure is the median of N runs (5) after one that warms the file
cache. nvcc is looked for on the path and in /usr/local/cuda/bin; without it only vxcc is timed. Both
get -O3 -std=c++17, nvcc -arch=sm_80 as well: one architecture, which is its fastest case.
"""

import argparse
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def compile_seconds(command, source, directory):
    begin = time.perf_counter()
    done = subprocess.run(command + [source, "-o", os.path.join(directory, "program")],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    seconds = time.perf_counter() - begin
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} {source}: exit status {done.returncode}\n{done.stdout}")
    return seconds


def measure(compilers, source, repeat):
    """The median seconds of each compiler."""
    seconds = {name: [] for name in compilers}
    with tempfile.TemporaryDirectory() as directory:
        for turn in range(repeat + 1):
            for name, command in compilers.items():
                taken = compile_seconds(command, source, directory)
                if turn > 0:
                    seconds[name].append(taken)
    return {name: statistics.median(values) for name, values in seconds.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vxcc", default=os.path.join(ROOT, "build", "bin", "vxcc"))
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    compilers = {"vxcc": [options.vxcc, "-O3", "-std=c++17"]}
    if os.path.exists(options.nvcc):
        compilers["nvcc"] = [options.nvcc, "-O3", "-std=c++17", "-arch=sm_80"]
    files = options.files or [os.path.join(HERE, "small.cu"),
                              *sorted(glob.glob(os.path.join(ROOT, "examples", "*", "*.cu")))]
    results = {}
    print(f"{'file':24}" + "".join(f"{name + ' (s)':>12}" for name in compilers) + "   ratio")
    for path in files:
        seconds = measure(compilers, path, options.repeat)
        results[os.path.relpath(path, ROOT)] = seconds
        ratio = f"{seconds['vxcc'] / seconds['nvcc']:8.2f}" if "nvcc" in seconds else ""
        print(f"{os.path.basename(path):24}"
              + "".join(f"{value:12.2f}" for value in seconds.values()) + ratio, flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
