#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the cycle counts of vx-sim with those that a folder of reference programs states.

The folder has: reference.tsv (program, args, warps, lanes, cores, cycles, warp_instrs, thread_instrs,
checksum), bin/PROGRAM.bin, the input files in inputs/ (or gen_inputs.py, which writes them), and for
the latencies bin/lat.bin, gen_lat.py and lat_x64_w4_t8.txt.

usage: compare.py FOLDER [--vx-sim PATH] [--config FILE] [--only TEXT] [--latencies] [--jobs N]

Exit status: 0 when the mean absolute error is at most 5 %, none is above 15 %, and no latency (with
--latencies) is off by more than a cycle; 1 otherwise.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MEAN_LIMIT, WORST_LIMIT, LATENCY_LIMIT = 5.0, 15.0, 1.0
UNROLLED = 128  # instructions of a latency loop


class Machine:
    """Runs vx-sim on an image."""

    def __init__(self, vx_sim, config, inputs):
        self.command = [vx_sim] + (["--config", config] if config else [])
        self.inputs = inputs

    def run(self, image, arguments, shape):
        """Returns the statistics and the bytes of the last output buffer."""
        with tempfile.TemporaryDirectory() as folder:
            stats, out = os.path.join(folder, "stats"), os.path.join(folder, "out")
            words = []
            for option, value in arguments:
                if option == "--in":
                    value = os.path.join(self.inputs, value) if self.inputs else value
                elif option == "--out":
                    value += ":" + out
                words += [option, value]
            warps, lanes, cores = shape
            settings = f"core.num_warps={warps},core.num_threads={lanes},num_cores={cores}"
            command = self.command + ["--set", settings, "--stats", "json:" + stats, image] + words
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{' '.join(command)}\n{done.stderr}")
            with open(stats) as f:
                result = json.load(f)
            data = open(out, "rb").read() if os.path.exists(out) else b""
            return result, data


def arguments_of(text):
    names = {"-u64": "--arg", "-i": "--in", "-o": "--out"}
    words = text.split()
    return [(names[words[i]], words[i + 1]) for i in range(0, len(words), 2)]


def checksum_of(data):
    words = struct.unpack(f"<{len(data) // 8}Q", data[: len(data) // 8 * 8])
    return "%016x" % (sum(w * (2 * i + 1) for i, w in enumerate(words)) % 2**64)


def inputs_of(folder):
    """The input files; generated in a temporary folder when the folder has none."""
    present = os.path.join(folder, "inputs")
    if os.path.isdir(present):
        return present
    work = tempfile.mkdtemp(prefix="simx-inputs-")
    shutil.copy(os.path.join(folder, "gen_inputs.py"), work)
    subprocess.run([sys.executable, os.path.join(work, "gen_inputs.py")], check=True)
    return os.path.join(work, "inputs")


def compare_programs(folder, machine, only, pool):
    with open(os.path.join(folder, "reference.tsv")) as f:
        rows = list(csv.DictReader(f, delimiter="\t"))
    rows = [r for r in rows if only in f"{r['program']} {r['args']}"]

    def run(row):
        shape = row["warps"], row["lanes"], row["cores"]
        image = os.path.join(folder, "bin", row["program"] + ".bin")
        return machine.run(image, arguments_of(row["args"]), shape)

    print(f"{'program':10} {'args':34} {'shape':8} {'cycles':>9} {'reference':>9} {'error':>8}")
    errors, wrong = [], 0
    for row, (stats, data) in zip(rows, pool.map(run, rows)):
        reference = int(row["cycles"])
        error = 100.0 * (stats["cycles"] - reference) / reference
        notes = ""
        if checksum_of(data) != row["checksum"]:
            notes += " WRONG RESULT"
        if stats["warp_instructions"] != int(row["warp_instrs"]):
            notes += f" {stats['warp_instructions']} instructions, not {row['warp_instrs']}"
        wrong += bool(notes)
        errors.append(abs(error))
        shape = f"{row['warps']}x{row['lanes']}x{row['cores']}"
        print(f"{row['program']:10} {row['args'][:34]:34} {shape:8} {stats['cycles']:9} "
              f"{reference:9} {error:7.2f}%{notes}")
    mean, worst = sum(errors) / len(errors), max(errors)
    print(f"mean absolute error {mean:.2f} %, worst {worst:.2f} %, {len(rows)} runs")
    return mean <= MEAN_LIMIT and worst <= WORST_LIMIT and not wrong


def latency_rows(path):
    """The table's columns as (warps, mask), and its rows as (name, values)."""
    with open(path) as f:
        lines = f.read().splitlines()
    columns = [(int(w), int(m, 16)) for w, m in re.findall(r"nw=(\d+) tm=([0-9a-f]+)", lines[0])]
    rows = [re.split(r"\s{2,}", line.strip()) for line in lines[1:] if line.strip()]
    return columns, [(r[0], [float(v) for v in r[1:]]) for r in rows]


def compare_latencies(folder, machine, shape, table, pool):
    columns, rows = latency_rows(os.path.join(folder, table))
    image = os.path.join(folder, "bin", "lat.bin")
    zeros = tempfile.NamedTemporaryFile(delete=False)
    zeros.write(bytes(8 << 20))
    zeros.close()

    def cycles(op, iterations, warps, mask):
        arguments = [("--arg", str(v)) for v in (op, iterations, warps, mask)]
        return machine.run(image, arguments + [("--in", zeros.name)], shape)[0]["cycles"]

    def slot(job):
        op, (warps, mask) = job
        first, second = ITERATIONS.get((table, rows[op][0]), (10, 30))
        spent = cycles(op, second, warps, mask) - cycles(op, first, warps, mask)
        return spent / ((second - first) * UNROLLED)

    jobs = [(op, column) for op in range(len(rows)) for column in columns]
    measured = list(pool.map(slot, jobs))
    os.unlink(zeros.name)
    print(f"\n{table}: cycles per instruction and warp: ours / reference")
    print(f"{'':34}" + "".join(f"{f'{w} warps, mask {m:x}':>26}" for w, m in columns))
    worst = 0.0
    for op, (name, values) in enumerate(rows):
        ours = measured[op * len(columns): (op + 1) * len(columns)]
        worst = max([worst] + [abs(o - r) for o, r in zip(ours, values)])
        print(f"{name:34}" + "".join(f"{o:15.2f} /{r:8.2f} " +
                                     ("*" if abs(o - r) > LATENCY_LIMIT else " ")
                                     for o, r in zip(ours, values)))
    print(f"largest difference {worst:.2f} cycles")
    return worst <= LATENCY_LIMIT


# Iterations that a row of a table was measured with, where not 10 and 30.
ITERATIONS = {}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--vx-sim", default=os.path.join(ROOT, "build", "bin", "vx-sim"))
    parser.add_argument("--config", default=os.path.join(ROOT, "simulator", "configs", "simx.toml"))
    parser.add_argument("--only", default="", help="programs whose name and arguments contain this")
    parser.add_argument("--latencies", action="store_true", help="the latency table, too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    inputs = inputs_of(options.folder)
    machine = Machine(options.vx_sim, options.config, inputs)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        good = compare_programs(options.folder, machine, options.only, pool)
        if options.latencies:
            machine.inputs = ""
            good &= compare_latencies(options.folder, machine, ("4", "8", "1"),
                                      "lat_x64_w4_t8.txt", pool)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
