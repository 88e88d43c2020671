# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which mapping is the fastest, by the machine, the number of blocks and their size.

Every program runs on grids of 1 to 256 blocks of 32 to 1024 threads, on machines of several shapes,
in each mapping that is possible there. What the runtime chooses by itself is taken from a run
without timing: its cycles are those of the mappings that it took, launch by launch. A choice is good that
takes at most 5 % longer than the best.
"""

import concurrent.futures
import dataclasses
import math
import os

import sweep

SHAPES = ["4x8", "8x8", "4x32", "16x16"]  # warps x lanes, of one core
HW = ["hw", "coarsened"]
SW = ["block-per-lane", "warps-per-lane", "thread-per-lane"]
MAPPINGS = SW + ["auto"]  # of the option --mapping
# The mappings that are measured, and the three choices of the runtime: VX_LOWERING and a mapping.
CANDIDATES = [("hw", m) for m in HW] + [("sw", m) for m in SW]
CHOICES = [("auto", "auto"), ("hw", "auto"), ("sw", "auto")]
GRIDS = [1, 2, 8, 64, 256]
THREADS = [32, 64, 256, 1024]
MOST_THREADS = 8192  # of a grid: larger ones behave like this, and take long
GOOD = 1.05


@dataclasses.dataclass
class Subject:
    """A program of examples/ and its arguments for a grid of so many blocks of so many threads."""

    name: str
    arguments: object  # (blocks, threads) -> list, or None if there is no such grid


def matmul(blocks, threads):
    """Tiles of the matrix are blocks: those of 32 and 64 threads have 8 x 8 elements."""
    side = math.isqrt(blocks)
    tile = {32: 8, 64: 8, 256: 16, 1024: 32}[threads]
    return [side * tile, threads] if side * side == blocks and blocks * threads <= 4096 else None


SUBJECTS = [
    Subject("mse_forward", lambda blocks, threads: [4 * threads, threads, blocks]),
    Subject("matmul", matmul),
    Subject("shuffle", lambda blocks, threads: [blocks * threads, threads, 2]),
    Subject("vote", lambda blocks, threads: [blocks * threads, threads, 2]),
    Subject("reduce", lambda blocks, threads: [4 * blocks * threads, threads, blocks]),
    Subject("reduce_tile", lambda blocks, threads: [4 * blocks * threads, threads, 32, blocks]),
    Subject("aggregated_atomics", lambda blocks, threads: [4 * blocks * threads, threads]),
    Subject("match_histogram", lambda blocks, threads: [4 * blocks * threads, threads]),
]


def programs(examples, kernels):
    """A program for each subject of KERNELS (None: all) and grid; (program, blocks, threads)."""
    found = []
    for subject in SUBJECTS:
        if kernels and subject.name not in kernels:
            continue
        source = os.path.join(examples, subject.name, subject.name + ".cu")
        for threads in THREADS:
            for blocks in GRIDS:
                arguments = subject.arguments(blocks, threads)
                if arguments and blocks * threads <= MOST_THREADS:
                    found.append((sweep.Program(subject.name, source, list(map(str, arguments))),
                                  blocks, threads))
    return found


@dataclasses.dataclass
class Row:
    """A program on a grid and a machine."""

    program: sweep.Program
    blocks: int
    threads: int
    shape: str
    # (number of launch, how it ran) -> cycles; candidate or choice -> how each launch ran
    cycles: dict = dataclasses.field(default_factory=dict)
    ran: dict = dataclasses.field(default_factory=dict)
    kernels: list = dataclasses.field(default_factory=list)  # of the launches
    problems: set = dataclasses.field(default_factory=set)

    def name(self):
        return f"{self.program.name} {self.blocks} x {self.threads}"

    def run(self, choice, mode, timeout):
        lowering, mapping = choice
        warps, lanes = self.shape.split("x")
        settings = {"core.num_warps": warps, "core.num_threads": lanes, "lowering": lowering,
                    "mapping": mapping}
        launches = []
        row = sweep.run_point(self.program, settings, "", timeout, mode, launches)
        if row["status"] != sweep.OK:
            self.problems.add(f"{lowering}, {mapping}: {row['status']}")
            return
        self.ran[choice] = [launch["lowering"] for launch in launches]
        self.kernels = [launch["kernel"] for launch in launches]
        if mode == "timing":
            for number, launch in enumerate(launches):
                self.cycles[number, launch["lowering"]] = int(launch["cycles"])

    def measure(self, timeout):
        """Runs every choice without timing, and with it those in which some launch is new."""
        for choice in CANDIDATES + CHOICES:
            if choice[1] != "coarsened" or self.shape.endswith("x8"):
                self.run(choice, "functional", timeout)
            if any(launch not in self.cycles for launch in enumerate(self.ran.get(choice, []))):
                self.run(choice, "timing", timeout)

    def of(self, choice):
        """The cycles of a candidate or choice; None: it is another one here."""
        ran = self.ran.get(choice)
        if not ran or (choice in CANDIDATES and not any(
                how.split(", ")[-1] == choice[1] for how in ran)):
            return None
        return sum(self.cycles[launch] for launch in enumerate(ran))

    def best(self, lowering):
        """Of what ran in LOWERING; auto: of all."""
        cycles = [self.of(choice) for choice, ran in self.ran.items()
                  if lowering == "auto" or all(how.split(",")[0] == lowering for how in ran)]
        return min(c for c in cycles if c)

    def over(self, choice):
        """The cycles of a choice over those of the best that it could have taken."""
        return self.of(choice) / self.best(choice[0])

    def says(self, choice):
        """How the kernels ran, in words."""
        return "; ".join(dict.fromkeys(self.ran[choice]))


def measure(rows, jobs, timeout, say):
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        futures = {pool.submit(row.measure, timeout): row for row in rows}
        for count, future in enumerate(concurrent.futures.as_completed(futures), 1):
            future.result()
            row = futures[future]
            say(f"[{count}/{len(rows)}] {row.shape} {row.name()}: " +
                ("; ".join(sorted(row.problems)) or f"{row.best('auto')} cycles"))


def write_csv(rows, path):
    """Every launch in every mapping that it ran in."""
    with open(path, "w") as file:
        file.write("shape,program,blocks,threads,launch,kernel,how,cycles\n")
        for row in rows:
            for (number, how), cycles in row.cycles.items():
                file.write(f"{row.shape},{row.program.name},{row.blocks},{row.threads},{number},"
                           f'"{row.kernels[number]}","{how}",{cycles}\n')


def write_shape(rows, report):
    report.add("| kernel | blocks x threads | fastest | " + " | ".join(HW + SW) +
               " | hw / sw | `hw` | `sw` | `auto` |",
               "|---|---|---:|" + "---:|" * len(CANDIDATES) + "---:|---:|---:|---|")
    for row in rows:
        best = row.best("auto")

        def ratio(choice):
            cycles = row.of(choice)
            return f"{cycles / best:.2f}" if cycles else ""

        report.add(f"| {row.program.name} | {row.blocks} x {row.threads} | {best} | " +
                   " | ".join(ratio(c) for c in CANDIDATES) +
                   f" | {row.best('hw') / row.best('sw'):.2f}" +
                   "".join(f" | {row.over(c):.2f}" for c in CHOICES[1:]) +
                   f" | {ratio(CHOICES[0])} ({row.says(CHOICES[0])}) |")
    report.add("")


def say_which(what, all_rows, rows, value, report):
    listed = ", ".join(f"{row.shape} {row.name()} ({value(row):.2f})" for row in rows)
    report.add(f"- {what} on {len(all_rows) - len(rows)} of {len(all_rows)} rows" +
               (f"; not on {listed}." if rows else "."))


def write_report(rows, report):
    report.add("One core of so many warps x lanes. Cycles of each mapping over those of the "
               "fastest; empty: the kernel does not have the mapping there, and another takes its "
               "place. "
               "hw / sw: the best of the hw lowering over the best of the sw lowering. "
               "Then what the runtime chooses by itself: with `VX_LOWERING=hw` and `sw` over the best "
               "of that lowering, by default (`auto`) over the fastest; in brackets: what it took.", "")
    for row in rows:
        if row.problems:
            report.lacks(f"{row.shape}, {row.name()}: " + "; ".join(sorted(row.problems)))
    rows = [row for row in rows if not row.problems]
    for shape in SHAPES:
        if some := [row for row in rows if row.shape == shape]:
            report.add(f"## {shape}", "")
            write_shape(some, report)
    report.add("## What was chosen", "")
    for choice in CHOICES:
        say_which(f"`{choice[0]}` takes at most {100 * (GOOD - 1):.0f} % longer than the best",
                  rows, [row for row in rows if row.over(choice) > GOOD],
                  lambda row, choice=choice: row.over(choice), report)

    def versus(row):
        return row.best("hw") / row.best("sw")

    say_which("The best mapping of hw is at least as fast as the best of sw", rows,
              [row for row in rows if versus(row) > 1], versus, report)
    report.add("")
