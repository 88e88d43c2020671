#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the CUDA programs of HeCBench with vxcc, by their Makefiles, and runs them in hw and sw.

usage: hecbench.py --suite=DIR --vxcc=FILE [--only=NAME,NAME] [--new] [--failed] [--every=N] [--build-only]
                   [--build-seconds=300] [--seconds=120] [--work=DIR] [--write=FILE]

DIR is a checkout of https://github.com/zjin-lcf/HeCBench. A program is a folder src/NAME-cuda with a Makefile; it
is built by `make CC=vxcc` in a copy. What `make run` would run is made small: the last number, which counts
repetitions, becomes at most 2, and the largest of them is halved until their product is at most 2^15. Where that is
no size that a program can work with, its arguments are a row in hecbench.toml, which also has the reason of each known failure.

--every=3 takes each third program, --new those without a result, --failed those that are not verified.
Builds and runs have limits of processor time. Results are kept in the work folder and, by --write, in
hecbench.csv here, with a page in docs/.
"""

import argparse
import math
import os
import re
import shlex
import sys
import tempfile
import tomllib

from campaign import CONFIGS, Record, Results, TAIL, first_error, judge, link_tree, replace_table, run

HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = Record(os.path.join(HERE, "hecbench.csv"), [
    "program", "built", "build seconds", "arguments",
    *(column for name in CONFIGS for column in (name, name + " seconds"))])
# Of the numbers that a program gets: their product, and the repetitions.
MOST_WORK, MOST_REPETITIONS = 1 << 15, 2


def programs_of(suite):
    source = os.path.join(suite, "src")
    return sorted(name[:-len("-cuda")] for name in os.listdir(source)
                  if name.endswith("-cuda") and os.path.exists(os.path.join(source, name, "Makefile")))


def copy_program(options, name):
    """A copy of the program's folder; its neighbours are links, as programs read files of each other."""
    source, target = os.path.join(options.suite, "src"), os.path.join(options.work, "src")
    os.makedirs(target, exist_ok=True)
    own = name + "-cuda"
    for neighbour in os.listdir(source):
        link = os.path.join(target, neighbour)
        if neighbour != own and not os.path.lexists(link):
            os.symlink(os.path.join(source, neighbour), link)
    folder = os.path.join(target, own)
    if os.path.islink(folder):
        os.remove(folder)
    link_tree(os.path.join(source, own), folder, [])
    return folder


def small(arguments):
    """ARGUMENTS of a program with fewer repetitions and smaller numbers."""
    numbers = {i: int(argument) for i, argument in enumerate(arguments) if re.fullmatch(r"\d+", argument)}
    if len(numbers) > 1:
        numbers[max(numbers)] = min(numbers[max(numbers)], MOST_REPETITIONS)
    while math.prod(max(value, 1) for value in numbers.values()) > MOST_WORK:
        numbers[max(numbers, key=numbers.get)] //= 2
    return [str(numbers.get(i, argument)) for i, argument in enumerate(arguments)]


def command_of(folder, row):
    """The program and arguments of `make run`, made small, or those of ROW."""
    _, output, _ = run(["make", "-n", "run", "CC=true"], 10, cwd=folder)
    commands = [shlex.split(line) for line in output.splitlines() if re.match(r"\s*\./", line)]
    if not commands:
        return None
    program, *arguments = commands[0]
    return [program, *(shlex.split(row["arguments"]) if "arguments" in row else small(arguments))]


def try_program(name, options, rows):
    folder, row = copy_program(options, name), rows.get(name, {})
    run(["make", "clean"], 10, cwd=folder)
    status, output, seconds = run(["make", f"CC={options.vxcc}", f"NVCC={options.vxcc}", "ARCH=sm_80"],
                                  options.build_seconds, cwd=folder)
    result = {"build seconds": round(seconds), "arguments": "", "configs": {}}
    if status != 0:
        result["why"] = "time limit" if status is None else first_error(output)
        result["output"] = output[-TAIL:]
        return result
    command = None if options.build_only else command_of(folder, row)
    if command:
        result["arguments"] = shlex.join(command[1:])
        for config, environment in CONFIGS.items():
            status, output, seconds = run(command, options.seconds, cwd=folder,
                                          environment=dict(environment, VX_MODE="functional"))
            result["configs"][config] = {"verdict": judge(status, output, row.get("expect")),
                                         "seconds": round(seconds), "output": output[-TAIL:]}
    run(["make", "clean"], 10, cwd=folder)
    return result


def write_page(path, rows, count, table):
    built = [row for row in rows.values() if row["built"] == "yes"]
    verified = [sum(row[config] == "verified" for row in built) for config in CONFIGS]
    run_at_all = sum(bool(row["hw"]) for row in built)
    lines = ["| programs | tried | built | run | verified in hw | in sw |", "|---|---|---|---|---|---|",
             f"| {count} | {len(rows)} | {len(built)} | {run_at_all} | {verified[0]} | {verified[1]} |"]
    failures = []
    for name, row in sorted(rows.items()):
        bad = [f"{config}: {row[config]}" for config in CONFIGS if row[config] not in ("", "verified")]
        if row["built"] != "yes":
            bad = ["build: " + row["built"]]
        if bad:
            failures.append(f"| {name} | `{row['arguments']}` | " + "; ".join(bad).replace("|", "\\|") + " | " +
                            table.get(name, {}).get("reason", "") + " |")
    if failures:
        lines += ["", "| not verified | arguments | | reason |", "|---|---|---|---|", *failures]
    replace_table(path, "hecbench.py", lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("suite", "vxcc"):
        parser.add_argument("--" + name, required=True, type=os.path.abspath)
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--new", action="store_true")
    parser.add_argument("--failed", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--build-seconds", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--work", type=os.path.abspath, default=os.path.join(tempfile.gettempdir(), "hecbench"))
    parser.add_argument("--write", help="the page whose table is written")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    with open(os.path.join(HERE, "hecbench.toml"), "rb") as file:
        table = tomllib.load(file)
    results = Results(os.path.join(options.work, "results.json"))
    programs = programs_of(options.suite)
    for name in [n for n in programs if not options.only or n in options.only][::options.every]:
        known = results.known.get(name)
        good = known and known["configs"] and all(c["verdict"] == "verified" for c in known["configs"].values())
        if (options.new and known) or (options.failed and good):
            continue
        result = try_program(name, options, table)
        results.put(name, result)
        print(f"{name} {result['arguments']}: built in {result['build seconds']} s; " + (result.get("why") or "; ".join(
            f"{config}: {c['verdict']} ({c['seconds']} s)" for config, c in result["configs"].items())), flush=True)
    if options.write:
        rows = RECORD.add({name: RECORD.row(name, result, result["configs"]) for name, result in results.known.items()})
        write_page(options.write, rows, len(programs), table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
