#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates, compiles and runs random kernels in all configurations; keeps and reduces what fails.

usage: run.py --vxcc=PROGRAM [--first=N] [--count=N] [--levels=3] [--rotate]
              [--configurations=NAME,NAME] [--directory=DIR] [--reduce] [generator options]

For each seed from the first on: the generator, one program for each build and level, one run for each
configuration (see CONFIGURATIONS). A program compares each kernel with fibers on the host by itself.
With --rotate, each seed has one of the levels, and some of the configurations (see PERIODS).
--reduce makes the first kernel that failed small, as long as it fails as before and another
configuration still passes: by statements of the generator, then by its text. The result stays in DIR.
Files of good seeds are removed. Exit status 1 when a seed fails.
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GENERATOR = os.path.join(HERE, "generate.py")
sys.path.append(os.path.dirname(HERE))

from fuzz.driver import INPUTS, attempt, parser, remove, report, run_seeds  # noqa: E402
from fuzz.shrink import shrink  # noqa: E402

# Statements of a kernel, and attempts to make its text smaller, at most.
STATEMENTS = 150
ATTEMPTS = 300


def machine(warps, lanes, cores=1, more=""):
    return f"num_cores={cores},core.num_warps={warps},core.num_threads={lanes}{more}"


def software(mapping, warps, lanes, cores, more=""):
    return {"VX_LOWERING": "sw", "VX_SW_MAPPING": mapping,
            "VX_SET": machine(warps, lanes, cores, ",isa.warp=off" + more)}


# The options of each build.
BUILDS = {"vx": [], "upstream": ["--vx-isa=upstream"], "host": ["--target=host"], "rv32": ["--vx-xlen=32"],
          "branches": ["--vx-zicond=false"], "paths": ["--vx-isa=paths", "-DPATHS"]}

# Name, build, environment.
CONFIGURATIONS = {
    "hw-1x32": ("vx", {"VX_SET": machine(1, 32)}),
    "hw-2x32": ("vx", {"VX_SET": machine(2, 32)}),
    "hw-4x32": ("vx", {"VX_SET": machine(4, 32, 2)}),
    "hw-4x8": ("vx", {"VX_SET": machine(4, 8)}),
    "hw-coarsened-4x8": ("vx", {"VX_HW_MAPPING": "coarsened", "VX_SET": machine(4, 8)}),
    "hw-coarsened-2x8": ("vx", {"VX_HW_MAPPING": "coarsened", "VX_SET": machine(2, 8, 2)}),
    "hw-merged-4x8": ("vx", {"VX_HW_MAPPING": "hw", "VX_SET": machine(4, 8)}),
    "hw-4x16": ("vx", {"VX_SET": machine(4, 16, 2)}),
    "hw-8x4": ("vx", {"VX_SET": machine(8, 4)}),
    "sw-1x1": ("vx", software("auto", 1, 1, 1)),
    "sw-4x8": ("vx", software("auto", 4, 8, 1)),
    "sw-16x4": ("vx", software("auto", 16, 4, 2)),
    "sw-block-per-lane-4x8": ("vx", software("block-per-lane", 4, 8, 1)),
    "sw-block-per-lane-16x4": ("vx", software("block-per-lane", 16, 4, 1)),
    "sw-thread-per-lane-4x8": ("vx", software("thread-per-lane", 4, 8, 1)),
    "sw-thread-per-lane-2x32": ("vx", software("thread-per-lane", 2, 32, 1)),
    "sw-thread-per-lane-4x32": ("vx", software("thread-per-lane", 4, 32, 2)),
    "sw-thread-per-lane-8x4": ("vx", software("thread-per-lane", 8, 4, 1)),
    "sw-thread-per-lane-8x8": ("vx", software("thread-per-lane", 8, 8, 2)),
    "sw-warps-per-lane-4x8": ("vx", software("warps-per-lane", 4, 8, 1)),
    "sw-warps-per-lane-2x32": ("vx", software("warps-per-lane", 2, 32, 2)),
    "sw-warps-per-lane-16x4": ("vx", software("warps-per-lane", 16, 4, 1)),
    "host": ("host", {"VX_HOST_THREADS": "2"}),
    "upstream-2x32": ("upstream", {"VX_SET": machine(2, 32, 1, ",isa.warp=upstream")}),
    "hw-3x8": ("vx", {"VX_SET": machine(3, 8)}),
    "hw-coarsened-3x8": ("vx", {"VX_HW_MAPPING": "coarsened", "VX_SET": machine(3, 8)}),
    "hw-5x16": ("vx", {"VX_SET": machine(5, 16, 3)}),
    "sw-3x8": ("vx", software("auto", 3, 8, 2)),
    "sw-thread-per-lane-5x16": ("vx", software("thread-per-lane", 5, 16, 1)),
    "timing-4x8": ("vx", {"VX_MODE": "timing", "VX_SET": machine(4, 8)}),
    "sampled-4x8": ("vx", {"VX_MODE": "sampled", "VX_SET": machine(4, 8, 1, ",sample.whole=1000")}),
    "rv32-4x8": ("rv32", {"VX_SET": machine(4, 8, 1, ",isa.xlen=32")}),
    "rv32-sw-2x32": ("rv32", software("auto", 2, 32, 1, ",isa.xlen=32")),
    "branches-4x32": ("branches", {"VX_SET": machine(4, 32, 1, ",isa.zicond=false")}),
    "paths-2x32": ("paths", {"VX_SET": machine(2, 32, 1, ",core.divergence=paths")}),
    "paths-4x8": ("paths", {"VX_SET": machine(4, 8, 1, ",core.divergence=paths")}),
}

# With --rotate: a configuration runs for one of so many seeds.
PERIODS = {"host": 4, "upstream-2x32": 8, "timing-4x8": 12, "rv32-4x8": 8, "rv32-sw-2x32": 8, "branches-4x32": 8,
           "paths-2x32": 8, "paths-4x8": 8}
USUAL_PERIOD = 3


def select(options, seed):
    """The levels and configurations of a seed."""
    if not options.rotate:
        return options.levels, options.configurations
    names = [name for index, name in enumerate(options.configurations)
             if (seed + index) % PERIODS.get(name, USUAL_PERIOD) == 0]
    return options.levels[seed // 2 % len(options.levels)], names


class Program:
    """One source and what became of it."""

    def __init__(self, options, name):
        self.options = options
        self.base = os.path.join(options.directory, name)
        self.source = self.base + ".cu"
        self.files = [self.source]
        self.built = {}

    def generate(self, generator_options):
        command = [sys.executable, GENERATOR, *generator_options]
        with open(self.source, "w") as file:
            subprocess.run(command, stdout=file, check=True)

    def write(self, text):
        with open(self.source, "w") as file:
            file.write(text)
        self.built = {}

    def text(self):
        with open(self.source) as file:
            return file.read()

    def build(self, build, level):
        if (build, level) not in self.built:
            program = f"{self.base}.{build}.O{level}"
            self.files.append(program)
            # All mappings, of however many kernels.
            command = [self.options.vxcc, "-w", "--vx-mapping-budget=0", "--vx-defer-sw=0",
                       f"-O{level}", "-I", INPUTS, *BUILDS[build], self.source, "-o", program]
            self.built[build, level] = program, attempt(command)
        return self.built[build, level]

    def run(self, configuration, level):
        """What is wrong in one configuration at one level, or None."""
        build, environment = CONFIGURATIONS[configuration]
        program, problem = self.build(build, level)
        return problem or attempt([program], environment)


def kind_of(problem):
    """What has to stay the same while a program is made smaller."""
    if not problem:
        return "good"
    if "threads that wait for each other" in problem or "do not take part" in problem:
        return "invalid"
    if "wrong:" in problem:
        return "wrong"
    return "compiler" if " -o " in problem.splitlines()[0] else "run"


class Reduction:
    """Makes the program of a seed small that fails in a configuration at a level."""

    def __init__(self, options, seed, generator_options, failure, passes):
        self.program = Program(options, f"reduced-{seed}")
        self.seed, self.generator_options = seed, generator_options
        self.configuration, self.level, problem = failure
        self.passes = passes     # a configuration and level that may have passed, or None
        self.kind = kind_of(problem)

    def still_fails(self):
        self.program.built = {}
        if kind_of(self.program.run(self.configuration, self.level)) != self.kind:
            return False
        return not self.passes or not self.program.run(*self.passes)

    def drop_statements(self, kernel):
        """Leaves out what the generator has written, biggest parts first. The options for it."""
        def fails(drop):
            command = [*self.generator_options, f"--only={kernel}", f"--drop={','.join(map(str, drop))}"]
            self.program.generate(command)
            return command if self.still_fails() else None
        command, drop = fails([]), []
        if not command and self.passes:
            self.passes = None
            command = fails([])
        if not command:
            return None
        step = 16
        while step:
            for first in range(1, STATEMENTS, step):
                more = sorted(set(drop) | set(range(first, first + step)))
                if more != drop and (smaller := fails(more)):
                    command, drop = smaller, more
            step //= 4
        self.program.generate(command)
        return command

    def shrink_text(self):
        def fails(text):
            self.program.write(text)
            return self.still_fails()
        text = self.program.text()
        frozen = frozen_lines(text)
        self.program.write(shrink(text, lambda line: line in frozen, fails, ATTEMPTS))

    def run(self, kernels):
        for kernel in kernels:
            command = self.drop_statements(kernel)
            if command:
                self.shrink_text()
                lines = re.search(r"void body\d+\(.*?\n}", self.program.text(), re.DOTALL)
                return (f"reduced: generate.py {' '.join(command)}\n"
                        f"reduced: {self.program.source}, {lines[0].count(chr(10)) + 1} lines; "
                        f"fails: {self.configuration} -O{self.level}, passes: {self.passes}")
        return "reduced: no kernel fails by itself"


def frozen_lines(text):
    """What has to stay when the text is made smaller: the comparison, and what the validity of a
    program hangs on."""
    lines, launcher = text.splitlines(), False
    frozen = set()
    for line in lines:
        launcher = launcher or line.startswith("typedef void (*Kernel)")
        launcher = launcher and not line.startswith("int main")
        if launcher or re.search(r"[sS]ync|\*out =|out \+=|int main|return finish|alive", line):
            frozen.add(line)
    return frozen - {"", "}", "  }", "    }"}


def first_wrong_kernels(problem, kernels):
    """The kernel that a run's output blames, or all."""
    found = re.search(r"kernel(\d+) \w+ wrong|__vx_entry\.\w+\._Z\d+kernel(\d+)", problem)
    if found:
        return [int(found.group(1) or found.group(2))]
    return range(kernels)


def check_seed(options, seed, generator_options):
    generator_options = [f"--seed={seed}", f"--kernels={options.kernels}", *generator_options]
    program = Program(options, f"kernels-{seed}")
    program.generate(generator_options)
    levels, configurations = select(options, seed)
    failures, passed = [], []
    for level in levels:
        for configuration in configurations:
            problem = program.run(configuration, level)
            options.runs += 1
            if problem:
                failures.append((configuration, level, problem))
            else:
                passed.append((configuration, level))
    problems = []
    if failures:
        problem = failures[0][2]
        problems = [problem, "failed: " + " ".join(f"{c}-O{l}" for c, l, _ in failures),
                    "passed: " + " ".join(f"{c}-O{l}" for c, l in passed)]
        if options.reduce:
            passes = passed[-1] if passed else ("host", "0") if level != "0" else None
            problems.append(Reduction(options, seed, generator_options, failures[0], passes).run(
                first_wrong_kernels(problem, options.kernels)))
        remove([path for path in program.files if path != program.source])
    return problems, program.files


def main():
    arguments = parser(__doc__, "vx-kernels")
    arguments.add_argument("--levels", default="3")
    arguments.add_argument("--rotate", action="store_true")
    arguments.add_argument("--configurations", type=lambda text: text.split(","),
                           default=list(CONFIGURATIONS))
    arguments.add_argument("--reduce", action="store_true")
    arguments.add_argument("--kernels", type=int, default=4)
    options, generator_options = arguments.parse_known_args()
    options.runs = 0
    failed = run_seeds(options, lambda seed: check_seed(options, seed, generator_options))
    good = options.count - len(failed)
    return report(options, failed, f", {good * options.kernels} kernels, {options.runs} runs in "
                  f"{len(options.configurations)} configurations,")


if __name__ == "__main__":
    sys.exit(main())
