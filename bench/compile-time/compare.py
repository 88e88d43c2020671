#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile times of vxcc and nvcc, file by file: small.cu and all examples, from source to program.

usage: compare.py [--vxcc=PROGRAM] [--before=PROGRAM] [--nvcc=PROGRAM] [--repeat=N] [--json=FILE]
                  [--suite=NAME=CHECKOUT...] [--only=NAME...] [FILE.cu...]

The compilers take turns; each figure is the median of N runs (5) after one that warms the file
cache: processor time (user and system, of all processes and threads), wall time, and the median of
the ratios of the runs' processor times, turn by turn. nvcc is looked for on the path and in
/usr/local/cuda/bin; without it only vxcc is timed. --before is another vxcc to compare with. All get
-O3 -std=c++17, nvcc -arch=sm_80 as well: one architecture, which is its fastest case.

--suite names a checkout of a public suite; its files are those that public.txt lists, from source to
object. --only leaves out what is not named there. The last line has the geometric means of the ratios.
"""

import argparse
import glob
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


class Source(NamedTuple):
    name: str
    path: str
    options: list


class Taken(NamedTuple):
    cpu: float
    wall: float


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compile_once(command, source, directory):
    wall, cpu = time.perf_counter(), cpu_of_children()
    command = [*command, *source.options, source.path, "-o", os.path.join(directory, "program")]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          errors="replace")
    taken = Taken(cpu_of_children() - cpu, time.perf_counter() - wall)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")
    return taken


def measure(compilers, source, repeat):
    """What each compiler takes, turn by turn."""
    taken = {name: [] for name in compilers}
    with tempfile.TemporaryDirectory() as directory:
        for turn in range(repeat + 1):
            for name, command in compilers.items():
                once = compile_once(command, source, directory)
                if turn > 0 or repeat == 0:
                    taken[name].append(once)
    return taken


def read_suites(suites):
    """The files that public.txt lists: a line each, `suite name path options...`; $SUITE in options
    is the checkout."""
    checkouts = dict(text.split("=", 1) for text in suites)
    sources, known = [], set()
    with open(os.path.join(HERE, "public.txt")) as lines:
        for line in lines:
            fields = line.split("#")[0].split()
            if not fields:
                continue
            suite, name, path, *options = fields
            known.add(suite)
            if suite in checkouts:
                root = os.path.abspath(checkouts[suite])
                options = ["-c", "-w", *(o.replace("$SUITE", root) for o in options)]
                sources.append(Source(name, os.path.join(root, path), options))
    if unknown := set(checkouts) - known:
        sys.exit(f"--suite: there is no {', '.join(sorted(unknown))}, only {', '.join(sorted(known))}")
    return sources


def find_sources(options):
    files = options.files
    if not files and not options.suite:
        files = [os.path.join(HERE, "small.cu"),
                 *sorted(glob.glob(os.path.join(ROOT, "examples", "*", "*.cu")))]
    sources = [Source(os.path.basename(path), path, []) for path in files]
    sources += read_suites(options.suite)
    for source in sources:
        if not os.path.exists(source.path):
            sys.exit(f"compare.py: there is no file {source.path}")
    if unknown := set(options.only) - {s.name for s in sources}:
        sys.exit(f"--only: there is no {', '.join(sorted(unknown))}, only {', '.join(s.name for s in sources)}")
    return [s for s in sources if not options.only or s.name in options.only]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vxcc", default=os.path.join(ROOT, "build", "bin", "vxcc"))
    parser.add_argument("--before")
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json")
    parser.add_argument("--suite", action="append", default=[])
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    compilers = {"vxcc": [options.vxcc, "-O3", "-std=c++17"]}
    if options.before:
        compilers["before"] = [options.before, "-O3", "-std=c++17"]
    if os.path.exists(options.nvcc):
        compilers["nvcc"] = [options.nvcc, "-O3", "-std=c++17", "-arch=sm_80"]
    results = {}
    print(f"{'file':24}" + "".join(f"{name + ' cpu':>12}{'wall (s)':>10}" for name in compilers)
          + "".join(f"{'vxcc/' + name:>13}" for name in compilers if name != "vxcc"))
    for source in find_sources(options):
        taken = measure(compilers, source, options.repeat)
        medians = {name: Taken(*(statistics.median(column) for column in zip(*all_turns)))
                   for name, all_turns in taken.items()}
        ratios = {name: statistics.median(own.cpu / other.cpu
                                          for own, other in zip(taken["vxcc"], turns))
                  for name, turns in taken.items() if name != "vxcc"}
        results[source.name] = {name: {**median._asdict(), "vxcc/this": ratios.get(name)}
                                for name, median in medians.items()}
        print(f"{source.name:24}"
              + "".join(f"{median.cpu:12.2f}{median.wall:10.2f}" for median in medians.values())
              + "".join(f"{ratio:13.2f}" for ratio in ratios.values()), flush=True)
    if len(results) > 1 and len(compilers) > 1:
        means = [statistics.geometric_mean(result[name]["vxcc/this"] for result in results.values())
                 for name in compilers if name != "vxcc"]
        print(f"{'geometric mean':24}" + " " * 22 * len(compilers) + "".join(f"{mean:13.2f}" for mean in means))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
