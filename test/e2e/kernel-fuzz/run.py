#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates, compiles and runs random kernels in every way there is; keeps and reduces what fails.

usage: run.py --vxcc=PROGRAM [--first=N] [--count=N] [--levels=3] [--ways=NAME,NAME] [--directory=DIR]
              [--reduce] [generator options]

For each seed from the first on: the generator, one program for each build and level, one run for each
way (see WAYS) that the program is executed in. A program compares each kernel with fibers on the host
by itself. --reduce leaves statements out of the first kernel that failed as long as it fails, and
prints the command that generates it. Files of good seeds are removed. Exit status 1 when a seed fails.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(os.path.dirname(HERE), "Inputs")
GENERATOR = os.path.join(HERE, "generate.py")
SECONDS = 120


def machine(warps, lanes, cores=1, more=""):
    return f"num_cores={cores},core.num_warps={warps},core.num_threads={lanes}{more}"


# The options of each build.
BUILDS = {"hw": [], "upstream": ["--vx-isa=upstream"], "host": ["--target=host"]}

# Name, build, environment.
WAYS = {
    "hw-1x32": ("hw", {"VX_SET": machine(1, 32)}),
    "hw-4x32": ("hw", {"VX_SET": machine(4, 32, 2)}),
    "hw-4x8": ("hw", {"VX_SET": machine(4, 8)}),
    "hw-4x16": ("hw", {"VX_SET": machine(4, 16, 2)}),
    "hw-8x4": ("hw", {"VX_SET": machine(8, 4)}),
    "sw-1x1": ("hw", {"VX_LOWERING": "sw", "VX_SET": machine(1, 1, 1, ",isa.warp=off")}),
    "sw-4x8": ("hw", {"VX_LOWERING": "sw", "VX_SET": machine(4, 8, 1, ",isa.warp=off")}),
    "sw-16x4": ("hw", {"VX_LOWERING": "sw", "VX_SET": machine(16, 4, 2, ",isa.warp=off")}),
    "spread-4x8": ("hw", {"VX_LOWERING": "sw", "VX_SW_MAPPING": "spread",
                          "VX_SET": machine(4, 8, 1, ",isa.warp=off")}),
    "spread-2x32": ("hw", {"VX_LOWERING": "sw", "VX_SW_MAPPING": "spread",
                           "VX_SET": machine(2, 32, 2, ",isa.warp=off")}),
    "spread-16x4": ("hw", {"VX_LOWERING": "sw", "VX_SW_MAPPING": "spread",
                           "VX_SET": machine(16, 4, 1, ",isa.warp=off")}),
    "host": ("host", {"VX_HOST_THREADS": "2"}),
    "upstream-2x32": ("upstream", {"VX_SET": machine(2, 32, 1, ",isa.warp=upstream")}),
}


class Program:
    """One generated source and what became of it."""

    def __init__(self, options, seed, generator_options, name):
        self.options, self.seed, self.generator_options = options, seed, generator_options
        self.base = os.path.join(options.directory, name)
        self.source = self.base + ".cu"
        self.files = [self.source]
        self.built = {}

    def generate(self):
        command = [sys.executable, GENERATOR, f"--seed={self.seed}", *self.generator_options]
        with open(self.source, "w") as file:
            subprocess.run(command, stdout=file, check=True)
        return command

    def attempt(self, command, environment):
        """What is wrong with a run of COMMAND, or None."""
        try:
            done = subprocess.run(command, env=dict(os.environ, **environment), text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                                  timeout=SECONDS)
        except subprocess.TimeoutExpired as late:
            return f"no end after {SECONDS} s\n{(late.stdout or b'').decode(errors='replace')}"
        return f"exit status {done.returncode}\n{done.stdout}" if done.returncode else None

    def build(self, build, level):
        if (build, level) not in self.built:
            program = f"{self.base}.{build}.O{level}"
            self.files.append(program)
            command = [self.options.vxcc, f"-O{level}", "-I", INPUTS, *BUILDS[build], self.source,
                       "-o", program]
            problem = self.attempt(command, {})
            self.built[build, level] = program, problem and f"$ {' '.join(command)}\n{problem}"
        return self.built[build, level]

    def run(self, way, level):
        """What is wrong with one way at one level, or None."""
        build, environment = WAYS[way]
        program, problem = self.build(build, level)
        if problem:
            return problem
        problem = self.attempt([program], environment)
        settings = " ".join(f"{key}={value}" for key, value in environment.items())
        return problem and f"$ {settings} {program}\n{problem}"

    def remove(self):
        for path in self.files:
            if os.path.exists(path):
                os.remove(path)


def first_wrong_kernel(problem, kernels):
    """The kernel that a run's output blames."""
    found = re.search(r"kernel(\d+) \w+ wrong|__vx_entry\.\w+\._Z\d+kernel(\d+)", problem)
    if found:
        return [int(found.group(1) or found.group(2))]
    return range(kernels)


def reduce_kernel(options, seed, generator_options, kernels, way, level, problem):
    """Leaves out statements, biggest parts first, as long as WAY fails."""
    def fails(kernel, drop):
        more = [*generator_options, f"--only={kernel}", f"--drop={','.join(map(str, drop))}"]
        program = Program(options, seed, more, f"reduced-{seed}")
        command = program.generate()
        return command if program.run(way, level) else None
    for kernel in first_wrong_kernel(problem, kernels):
        command, drop = fails(kernel, []), []
        if not command:
            continue
        step = 16
        while step:
            for first in range(1, 120, step):
                attempt = sorted(set(drop) | set(range(first, first + step)))
                if attempt != drop and (smaller := fails(kernel, attempt)):
                    command, drop = smaller, attempt
            step //= 4
        return " ".join(command)
    return "no kernel fails by itself"


def check_seed(options, seed, generator_options, kernels):
    program = Program(options, seed, generator_options, f"kernels-{seed}")
    program.generate()
    problems = []
    for level in options.levels:
        for way in options.ways:
            problem = program.run(way, level)
            if problem and problem not in problems:
                problems.append(problem)
                if options.reduce and len(problems) == 1:
                    print("reduced: " + reduce_kernel(options, seed, generator_options, kernels, way,
                                                      level, problem), flush=True)
    if not problems:
        program.remove()
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vxcc", required=True)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--levels", default="3")
    parser.add_argument("--ways", type=lambda text: text.split(","), default=list(WAYS))
    parser.add_argument("--directory", default=os.path.join(tempfile.gettempdir(), "vx-kernels"))
    parser.add_argument("--reduce", action="store_true")
    parser.add_argument("--kernels", type=int, default=4)
    options, generator_options = parser.parse_known_args()
    generator_options.append(f"--kernels={options.kernels}")
    os.makedirs(options.directory, exist_ok=True)
    failed = []
    for seed in range(options.first, options.first + options.count):
        problems = check_seed(options, seed, generator_options, options.kernels)
        print(f"seed {seed}: {'FAIL' if problems else 'ok'}", flush=True)
        if problems:
            failed.append(seed)
            print("\n".join(problems), flush=True)
    good = options.count - len(failed)
    print(f"{good} of {options.count} seeds, {good * options.kernels} kernels passed"
          + (f"; failed: {failed}, files in {options.directory}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
