#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How near the six kernels of the paper come to the limits of the machine, with hardware warp functions.

usage: limits.py [-o FILE.md] [--vxcc PATH] [--only KERNEL] [--set=core.num_warps=4,core.num_threads=8]

Runs each example at its default size on the cycle-level simulator, in the mapping that the runtime takes
and with merged hardware warps (VX_HW_MAPPING=hw), and prints a table in Markdown. Three lower bounds of
its cycles, each from what the simulator counts:

  issue   slots that its instructions take, one for each hardware warp of the group that executes it
          (lane_slots / lanes), over the instructions issued in a cycle
  DRAM    bytes that it has to move, over the peak of the DRAM model: each line that it reads or writes,
          once; counted in another run, with caches that hold everything and allocate for writes (dram_reads)
  chain   the longest sequence of instructions of one hardware warp (group), from the commit trace: a warp
          fetches its next instruction no sooner than FETCH cycles after the last one, and CONTROL cycles
          after branches, jumps and warp control. Launches follow each other, so theirs are added up.
          Waits for data are not in it.

"moved" is what DRAM has really moved, over the same peak. "reached" is the largest of the three bounds over
the cycles.

"before" has the cycles of before-coarsening.csv, which were counted by the compiler before mapping
coarsened was added, and the bounds of merged warps today: that compiler is not there to be counted again.
"""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

from explain import where_cycles_go  # noqa: E402

KERNELS = ("mse_forward", "matmul", "shuffle", "vote", "reduce", "reduce_tile")
# Cycles of the pipeline (docs/architect/simulator.md, measured costs): between two instructions of a warp,
# and after control.
FETCH, CONTROL = 7, 15
IS_CONTROL = re.compile(r"b(eq|ne|lt|ge)u?|jalr?|ecall|ebreak|vx_(tmc|wspawn|split|split_n|join|bar|pred|pred_n|tile)")
# Everything fits, and a write fetches its line: what DRAM is asked for is asked for the first time.
ALL_FITS = "icache.size=67108864,dcache.size=67108864,dcache.write=back"
HEAD = ("kernel", "mapping", "cycles", "issue", "DRAM", "moved", "chain", "reached", "the core")


def run(program, settings, mapping, **environment):
    """The counters of a run in timing mode, those of the one core added."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stats")
        env = dict(os.environ, VX_LOWERING="hw", VX_HW_MAPPING=mapping, VX_MODE="timing", VX_STATS="json:" + path,
                   VX_SET=settings, **environment)
        subprocess.run([program], env=env, stdout=subprocess.DEVNULL, check=True)
        with open(path) as file:
            total = json.load(file)
    row = {key: value for key, value in total.items() if not isinstance(value, (dict, list))}
    row.update(total["memory"])
    row.update({"core." + key: value for key, value in total["cores"][0].items()})
    # The way the kernels ran, "hw, coarsened": the mappings' names.
    row["mapping"] = ", ".join(sorted({kernel["lowering"].split(", ")[-1] for kernel in total["kernels"]}))
    return row


def knobs(vx_sim, settings):
    """The machine, {"section.knob": value}."""
    text = subprocess.run([vx_sim, "--set", settings, "--dump-config"], capture_output=True, text=True, check=True).stdout
    found, section = {}, ""
    for line in text.splitlines():
        if match := re.match(r"\[(.+)\]$", line):
            section = match[1] + "."
        elif match := re.match(r"(\w+) = (\S+)$", line):
            found[section + match[1]] = match[2]
    return found


def peak_of_dram(machine):
    """Bytes in a cycle: one access enters the channels, and each data bus takes one in a burst's cycles."""
    access, buses = int(machine["dram.access_size"]), int(machine["dram.channels"]) * int(machine["dram.pseudo_channels"])
    return access * min(1, buses / int(machine["dram.burst"]))


def issue_width(machine):
    return int(machine["core.issue_width"]) or max(1, int(machine["core.num_warps"]) // 16)


def longest_chain(program, settings, mapping):
    """Cycles that the longest warp of each launch cannot do without, added up; functional mode has the same warps."""
    total = longest = chain = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace")
        env = dict(os.environ, VX_LOWERING="hw", VX_HW_MAPPING=mapping, VX_MODE="functional", VX_TRACE="commit:" + path,
                   VX_SET=settings)
        subprocess.run([program], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        with open(path) as file:
            for line in file:
                if line.startswith("#"):
                    longest, chain = max(longest, chain), 0
                    if line.startswith("# run"):
                        total, longest = total + longest, 0
                else:
                    chain += CONTROL if IS_CONTROL.fullmatch(line.split(None, 3)[2]) else FETCH
    return total + max(longest, chain)


def blocks_to_move(program, settings, mapping):
    """Lines of DRAM that the kernels read or write, of each launch."""
    return run(program, settings + "," + ALL_FITS, mapping)["dram_reads"]


def bounds(program, mapping, machine, settings):
    """(counters, {bound: cycles})"""
    row = run(program, settings, mapping)
    peak, block = peak_of_dram(machine), int(machine["dcache.line_size"])
    found = {"issue": row["core.lane_slots"] / int(machine["core.num_threads"]) / issue_width(machine),
             "DRAM": blocks_to_move(program, settings, mapping) * block / peak,
             "moved": (row["dram_reads"] + row["dram_writes"]) * block / peak,
             "chain": longest_chain(program, settings, mapping)}
    return row, found


def cells(kernel, mapping, cycles, found, remark):
    percent = lambda name: f"{found[name]:.0f} ({100 * found[name] / cycles:.0f} %)"
    reached = max(found[name] for name in ("issue", "DRAM", "chain")) / cycles
    return [kernel, mapping, cycles, *map(percent, ("issue", "DRAM", "moved", "chain")), f"{100 * reached:.0f} %", remark]


def table(options):
    machine = knobs(options.vx_sim, options.set)
    with open(os.path.join(HERE, "before-coarsening.csv")) as file:
        before = {row["kernel"]: int(row["cycles"]) for row in csv.DictReader(file)}
    yield "| " + " | ".join(HEAD) + " |"
    yield "|---|---|" + "---:|" * (len(HEAD) - 3) + "---|"
    with tempfile.TemporaryDirectory() as folder:
        for kernel in filter(lambda name: options.only in name, KERNELS):
            program = os.path.join(folder, kernel)
            source = os.path.join(ROOT, "examples", kernel, kernel + ".cu")
            subprocess.run([options.vxcc, "-O3", source, "-o", program], check=True)
            merged, limits = bounds(program, "hw", machine, options.set)
            taken, limits_now = bounds(program, "auto", machine, options.set)
            rows = [cells(kernel, "before", before[kernel], limits, ""),
                    cells("", "hw", merged["cycles"], limits, where_cycles_go(merged))]
            if taken["mapping"] != merged["mapping"] or taken["cycles"] != merged["cycles"]:
                rows.append(cells("", taken["mapping"], taken["cycles"], limits_now, where_cycles_go(taken)))
            for row in rows:
                yield "| " + " | ".join(map(str, row)) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", help="the table goes there, too")
    parser.add_argument("--vxcc", default=os.path.join(ROOT, "build", "bin", "vxcc"))
    parser.add_argument("--only", default="", help="kernels whose name has this in it")
    parser.add_argument("--set", default="core.num_warps=4,core.num_threads=8", help="the machine")
    options = parser.parse_args()
    options.vx_sim = os.path.join(os.path.dirname(options.vxcc), "vx-sim")
    lines = []
    for line in table(options):
        print(line, flush=True)
        lines.append(line)
    if options.output:
        with open(options.output, "w") as file:
            file.write("<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n# Limits\n\n"
                       "Written by `bench/evaluation/limits.py`.\n\n" + "\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"limits.py: {error}")
