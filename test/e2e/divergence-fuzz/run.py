#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates, compiles and runs random control-flow programs; keeps the ones that fail.

usage: run.py --vxcc=PROGRAM [--generator=FILE] [--first=N] [--count=N] [--levels=03]
              [--directory=DIR] [--all-shapes] [generator options]

For each seed from the first on: the generator, vxcc at each level, vx-objdump --check-divergence (when it
lies next to vxcc) on the image that the program has, run-shapes.py. Files of good seeds are removed. Exit
status 1 when a seed fails.
"""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))

from fuzz.driver import INPUTS, attempt, parser, report, run_seeds  # noqa: E402


def check_seed(seed, options, generator_options):
    """The problems of one seed, and the files it left."""
    base = os.path.join(options.directory, f"fuzz-{seed}")
    source, problems, files = base + ".cu", [], [base + ".cu"]
    with open(source, "w") as file:
        subprocess.run([sys.executable, options.generator, f"--seed={seed}", *generator_options],
                       stdout=file, check=True)
    objdump = os.path.join(os.path.dirname(options.vxcc), "vx-objdump")
    shapes = [] if options.all_shapes else ["--few"]

    def succeeds(command):
        problem = attempt(command)
        if problem:
            problems.append(problem)
        return not problem

    for level in options.levels:
        program, image = f"{base}.O{level}", f"{base}.O{level}.elf"
        files += [program, image]
        with tempfile.TemporaryDirectory(dir=options.directory) as kept:
            if not succeeds([options.vxcc, f"-O{level}", "-I", INPUTS, "--keep", f"--keep-dir={kept}", source,
                             "-o", program]):
                continue
            os.replace(os.path.join(kept, os.path.basename(base) + ".elf"), image)
        if os.path.exists(objdump):
            succeeds([objdump, "--check-divergence", image])
        succeeds([sys.executable, os.path.join(INPUTS, "run-shapes.py"), *shapes, program])
    return problems, files


def main():
    arguments = parser(__doc__, "vx-fuzz")
    arguments.add_argument("--generator", default=os.path.join(HERE, "generate.py"))
    arguments.add_argument("--levels", default="03")
    arguments.add_argument("--all-shapes", action="store_true")
    options, generator_options = arguments.parse_known_args()
    return report(options, run_seeds(
        options, lambda seed: check_seed(seed, options, generator_options)))


if __name__ == "__main__":
    sys.exit(main())
