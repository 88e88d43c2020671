#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How compile time grows with the size of a program: generated kernels, each large in one way.

    bench/compile-time/growth.py [--vxcc=build/bin/vxcc] [--only=SHAPE,...] [--ways=hw,sw,host] [--levels=0,3]
                                 [--scale=1] [--limit=1.3] [--seconds=1000] [--check] [--keep=FOLDER]

Compiles each shape of shapes.py at a quarter, half and all of its size times SCALE, and prints the processor
seconds and how they grow: the exponent from half to all, of what the compiler takes above an empty kernel. n log n is
1.1 at these sizes. Exits with 1 if an exponent is above LIMIT twice, or if a program is not compiled in SECONDS of
processor time. Times below a quarter of a second have no exponent.

--check compiles small programs of each shape instead, and runs them on machines of two shapes: they compare what their
threads have computed with what Python has.
"""

import argparse
import math
import os
import resource
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))

import runs  # noqa: E402
import shapes  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OPTIONS = {"hw": ["--lower=hw"], "sw": ["--lower=sw"], "host": ["--target=host"]}
MACHINES = ("core.num_warps=4,core.num_threads=8", "core.num_warps=8,core.num_threads=32")
LEAST = 0.25  # seconds that say how time grows


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def build(options, way, level, name, size, folder):
    """The program, what is wrong with its compilation (empty: nothing), and its processor seconds."""
    program = os.path.join(folder, f"{name}-{size}")
    with open(program + ".cu", "w") as file:
        file.write(shapes.program(name, size))
    before = processor_time()
    command = [options.vxcc, f"-O{level}", *OPTIONS[way], program + ".cu", "-o", program]
    status, output, _ = runs.run(command, options.seconds)
    seconds = processor_time() - before
    if status is None:
        return program, f"longer than {options.seconds} s", seconds
    return program, runs.first_error(output) or "error" if status else "", seconds


def check(options, way, level, name, folder):
    """What is wrong with the small program of a shape; empty: nothing."""
    program, problem, _ = build(options, way, level, name, shapes.SHAPES[name].small, folder)
    for machine in MACHINES if not problem else ():
        status, output, _ = runs.run([program], 100, environment={"VX_SET": machine})
        if status or not output.endswith("PASS\n"):
            problem = problem or f"{machine}: {runs.last_line(output)}"
    return problem


def exponent(half, full, base):
    return math.log2((full - base) / max(half - base, 0.01)) if full - base >= LEAST else None


def measure(options, way, level, name, base, folder):
    """Cells of the table, and whether time grows too fast."""
    size = int(shapes.SHAPES[name].size * options.scale)
    cells, seconds = [str(size)], []
    for part in (size // 4, size // 2, size):
        _, problem, taken = build(options, way, level, name, part, folder)
        if problem:
            return [*cells, f"{part}: {problem}"], True
        seconds.append(taken)
        cells.append(f"{taken:.2f}")
    grows = exponent(*seconds[1:], base)
    if grows and grows > options.limit:  # other work on the machine
        seconds[1:] = [min(old, build(options, way, level, name, part, folder)[2])
                       for old, part in zip(seconds[1:], (size // 2, size))]
        grows = exponent(*seconds[1:], base)
    return [*cells, f"{grows:.2f}" if grows else ""], bool(grows and grows > options.limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vxcc", default=os.path.join(ROOT, "build", "bin", "vxcc"))
    parser.add_argument("--only", default=",".join(shapes.SHAPES))
    parser.add_argument("--ways", default=",".join(OPTIONS))
    parser.add_argument("--levels", default="0,3")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--limit", type=float, default=1.3)
    parser.add_argument("--seconds", type=int, default=1000)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--keep", default="")
    options = parser.parse_args()
    if not options.check:
        print("| shape | way | level | size | a quarter | half | all | exponent |\n|---|---|---|---|---|---|---|---|")
    wrong = rows = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        os.makedirs(folder, exist_ok=True)
        for way in options.ways.split(","):
            for level in options.levels.split(","):
                base = 0 if options.check else min(build(options, way, level, "straight", 1, folder)[2] for _ in "123")
                for name in options.only.split(","):
                    rows += 1
                    if options.check:
                        problem = check(options, way, level, name, folder)
                        print(f"{name}, {way}, -O{level}: {problem or 'right'}", flush=True)
                        wrong += bool(problem)
                    else:
                        cells, bad = measure(options, way, level, name, base, folder)
                        print(f"| {name} | {way} | {level} | {' | '.join(cells)} |", flush=True)
                        wrong += bad
    print(f"{rows} rows, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
