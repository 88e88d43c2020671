#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of examples/ on another implementation of Vortex's driver through VX_BACKEND, next to our simulator.

    bench/examples/on-driver.py SHAPE=LIBRARY... [--build=build] [--only=NAME,...] [--timeout=SECONDS] [--cycles]

SHAPE is warps x lanes of the device that LIBRARY is, as 4x8=/opt/vortex/libvortex-simx.so: a library with the
functions of vortex.h. All examples run in sw on 4x8, those with warp functions in hw on 4x32, as far as these shapes are
given. With --cycles the cycles of each launch are compared with those of our simulator, which runs the same image on the
same device. Prints a table in Markdown; exits with 1 if a program has failed.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))

import examples  # noqa: E402
import runs  # noqa: E402


def build(options, folder, name):
    program = os.path.join(folder, name)
    # The extension of Vortex 2 has votes and shuffles, but no vx_tile.
    done = subprocess.run([os.path.join(examples.ROOT, options.build, "bin", "vxcc"), "-O3", "--vx-isa=upstream",
                           examples.source(name), "-o", program], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name}: {runs.first_error(done.stderr)}")
    return program


def run(options, program, name, lowering, environment):
    """Status in words (empty: passed), cycles of each launch, seconds."""
    # What SimX really has; so blocks are laid out alike.
    environment = {**environment, "VX_LOCAL_MEMORY": "2048", "VX_LOWERING": lowering}
    with tempfile.TemporaryDirectory() as here:  # SimX leaves a folder `trace`
        log = os.path.join(here, "launches.csv")
        status, output, seconds = runs.run([program, *examples.ARGUMENTS[name]], options.timeout, cwd=here,
                                           environment={**environment, "VX_LAUNCHES": log})
        cycles = []
        if os.path.exists(log):
            with open(log, newline="") as file:
                cycles = [int(row["cycles"]) for row in csv.DictReader(file)]
    if status is None:
        return f"longer than {options.timeout} s", cycles, seconds
    if status or "PASS" not in output:
        return runs.first_error(output) or f"exit status {status}", cycles, seconds
    return "", cycles, seconds


def run_ours(options, program, name, lowering, shape):
    """The same through our library with that interface, so that the very same image runs."""
    warps, lanes = shape.split("x")
    return run(options, program, name, lowering, {
        "VX_BACKEND": os.path.join(examples.ROOT, options.build, "lib", "libvortex-vx.so"),
        "VX_SET": f"core.num_warps={warps},core.num_threads={lanes},isa.warp=upstream"})


def difference(ours, theirs):
    """Where the cycles of launches differ, in words."""
    if len(ours) != len(theirs):
        return f"{len(ours)} against {len(theirs)} launches"
    different = [index for index, (a, b) in enumerate(zip(ours, theirs)) if a != b]
    if not different:
        return "all equal"
    worst = max(abs(ours[i] - theirs[i]) / max(theirs[i], 1) for i in different)
    first = different[0]
    return (f"{len(different)} of {len(ours)} differ, {100 * worst:.2f} % at most; first: launch {first + 1}, "
            f"{ours[first]} against {theirs[first]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("libraries", nargs="+", metavar="SHAPE=LIBRARY")
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", default="")
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("--cycles", action="store_true")
    options = parser.parse_args()
    libraries = dict(text.split("=", 1) if "=" in text else (text, "") for text in options.libraries)
    for shape, library in libraries.items():
        if shape not in {shape for _, shape, _ in examples.RUNS} or not os.path.isfile(library):
            parser.error(f"expected 4x8=LIBRARY or 4x32=LIBRARY, found '{shape}={library}'")
    only = options.only.split(",") if options.only else list(examples.ARGUMENTS)
    failed = different = 0
    print("| example | lowering, device | its driver | seconds |" +
          (" launches | cycles of all | ours |" if options.cycles else ""))
    print("|---|---|---|---|" + ("---|---|---|" if options.cycles else ""), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for lowering, shape, name in examples.RUNS:
            if name not in only or shape not in libraries:
                continue
            program = os.path.join(folder, name)
            if not os.path.exists(program):
                build(options, folder, name)
            problem, theirs, seconds = run(options, program, name, lowering,
                                           {"VX_BACKEND": os.path.abspath(libraries[shape])})
            failed += bool(problem)
            row = f"| {name} | {lowering}, {shape} | {problem or 'pass'} | {seconds:.0f} |"
            if options.cycles:
                wrong, ours, _ = run_ours(options, program, name, lowering, shape)
                words = wrong or difference(ours, theirs)
                different += words != "all equal"
                row += f" {len(theirs)} | {sum(theirs)} | {words} |"
            print(row, flush=True)
    print(f"\n{failed} failed" + (f", {different} differ" if options.cycles else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
