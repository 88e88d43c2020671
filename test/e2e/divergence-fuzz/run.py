#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates, compiles and runs random control-flow programs; keeps the ones that fail.

usage: run.py --vxcc=PROGRAM [--generator=FILE] [--first=N] [--count=N] [--levels=03]
              [--directory=DIR] [--all-shapes] [generator options]

For each seed from the first on: the generator, vxcc at each level, vx-objdump --check-divergence on the
image (when it lies beside vxcc), run-shapes.py. Files of good seeds are removed. Exit status 1 when a
seed fails.
"""

import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(os.path.dirname(HERE), "Inputs")


def attempt(command, problems):
    """Runs a command; its failure goes into PROBLEMS."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace", timeout=1200)
    except subprocess.TimeoutExpired:
        problems.append(f"$ {' '.join(command)}\nno end after 1200 s")
        return False
    if done.returncode != 0:
        problems.append(f"$ {' '.join(command)}\nexit status {done.returncode}\n{done.stdout}")
    return done.returncode == 0


def check_seed(seed, options, generator_options):
    """The problems of one seed, and the files it left."""
    base = os.path.join(options.directory, f"fuzz-{seed}")
    source, problems, files = base + ".cu", [], [base + ".cu"]
    with open(source, "w") as file:
        subprocess.run([sys.executable, options.generator, f"--seed={seed}", *generator_options],
                       stdout=file, check=True)
    objdump = os.path.join(os.path.dirname(options.vxcc), "vx-objdump")
    shapes = [] if options.all_shapes else ["--few"]
    for level in options.levels:
        program, image = f"{base}.O{level}", f"{base}.O{level}.elf"
        files += [program, image]
        compile_command = [options.vxcc, f"-O{level}", "-I", INPUTS, source]
        if not attempt(compile_command + ["-o", program], problems):
            continue
        if os.path.exists(objdump) and attempt(
                compile_command + ["--emit=elf", "-o", image], problems):
            attempt([objdump, "--check-divergence", image], problems)
        attempt([sys.executable, os.path.join(INPUTS, "run-shapes.py"), *shapes, program], problems)
    return problems, files


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vxcc", required=True)
    parser.add_argument("--generator", default=os.path.join(HERE, "generate.py"))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--levels", default="03")
    parser.add_argument("--directory", default=os.path.join(tempfile.gettempdir(), "vx-fuzz"))
    parser.add_argument("--all-shapes", action="store_true")
    options, generator_options = parser.parse_known_args()
    os.makedirs(options.directory, exist_ok=True)
    failed = []
    for seed in range(options.first, options.first + options.count):
        problems, files = check_seed(seed, options, generator_options)
        print(f"seed {seed}: {'FAIL' if problems else 'ok'}", flush=True)
        if problems:
            failed.append(seed)
            print("\n".join(problems), flush=True)
            continue
        for path in files:
            if os.path.exists(path):
                os.remove(path)
    print(f"{options.count - len(failed)} of {options.count} seeds passed"
          + (f"; failed: {failed}, files in {options.directory}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
