# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which mapping of the sw lowering is the fastest, by the number of blocks and their size.

Every program runs on grids of 1 to 256 blocks of 32 to 1024 threads, in each mapping and in the one
that the runtime chooses by itself. A choice is good that takes at most 10 % longer than the best.
"""

import dataclasses
import math
import os

import sweep

MAPPINGS = ["block-per-lane", "warps-per-lane", "thread-per-lane", "auto"]
FORMER = {"block": "block-per-lane", "spread": "warps-per-lane", "warp": "thread-per-lane"}
GRIDS = [1, 2, 8, 64, 256]
THREADS = [32, 64, 256, 1024]
MOST_THREADS = 8192  # of a grid: larger ones behave like this, and take long
GOOD = 1.1


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
    Subject("aggregated_atomics", lambda blocks, threads: [blocks * threads, threads]),
    Subject("match_histogram", lambda blocks, threads: [blocks * threads, threads]),
]


def programs(examples):
    """A program for each subject and grid; (program, blocks, threads)."""
    found = []
    for subject in SUBJECTS:
        source = os.path.join(examples, subject.name, subject.name + ".cu")
        for threads in THREADS:
            for blocks in GRIDS:
                arguments = subject.arguments(blocks, threads)
                if arguments and blocks * threads <= MOST_THREADS:
                    found.append((sweep.Program(subject.name, source, list(map(str, arguments))),
                                  blocks, threads))
    return found


def write_report(rows, report):
    """ROWS: {(name, blocks, threads): {mapping: row}}."""
    report.add("## The mappings of the sw lowering", "",
               "4 warps of 8 lanes without warp instructions. Cycles of each mapping over those of "
               "the fastest; in brackets: what `auto` took. A mapping that gives way to another "
               "one for a kernel has its cycles.", "",
               "| kernel | blocks x threads | fastest | " + " | ".join(MAPPINGS) + " |",
               "|---|---|---:|---:|---:|---:|---|")
    late = []
    for (name, blocks, threads), row in rows.items():
        if any(row[m]["status"] != sweep.OK for m in MAPPINGS):
            report.lacks(f"{name}, {blocks} x {threads}: " + "; ".join(
                sorted({row[m]["status"] for m in MAPPINGS} - {sweep.OK})))
            continue
        cycles = {m: int(row[m]["cycles"]) for m in MAPPINGS}
        best = min(cycles[m] for m in MAPPINGS)
        ratio = {m: cycles[m] / best for m in MAPPINGS}
        if ratio["auto"] > GOOD:
            late.append(f"{name} {blocks} x {threads} ({ratio['auto']:.2f})")
        report.add(f"| {name} | {blocks} x {threads} | {best} | " +
                   " | ".join(f"{ratio[m]:.2f}" for m in MAPPINGS) +
                   f" ({row['auto']['lowerings']}) |")
    report.add("", f"`auto` takes at most {100 * (GOOD - 1):.0f} % longer than the fastest on "
               f"{len(rows) - len(late)} of {len(rows)} grids" +
               (": not on " + ", ".join(late) + "." if late else "."), "")
