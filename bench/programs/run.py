#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs that vxcc has built, in hw and sw, and says which of them verify their results.

    bench/programs/run.py FOLDER --table=FILE.csv [--only=NAME,...] [--configurations=hw,sw]
                          [--seconds=120] [--write=FILE.csv]

FOLDER holds the executables: FOLDER/NAME, or FOLDER/NAME/NAME, which then runs in FOLDER/NAME. The table has
a row for each: `program`, `arguments` as in a shell, and `expect`, a regular expression for the output of a
program that does not say whether it passed. Programs of FOLDER without a row run without arguments.

A program that says nothing of its results is compared: what it prints in hw with what it prints in sw
(outputs.py). Each run has a limit of processor time and of memory. --write makes a table of the same form with the
verdicts and times of this run. Exits with 1 if a program that ran was wrong.
"""

import argparse
import csv
import os
import shlex
import sys

import outputs
import runs

COLUMNS = ["program", "arguments", "expect"]
# Memory is zero as on a GPU, where the driver gives out zeros: some programs rely on that.
FRESH_MEMORY = ",memory.fresh=0"


def executables(folder):
    """The programs of FOLDER: path by name."""
    found = {}
    for name in sorted(os.listdir(folder)):
        for path in (os.path.join(folder, name), os.path.join(folder, name, name)):
            if os.path.isfile(path) and os.access(path, os.X_OK):
                found[name] = os.path.abspath(path)
    return found


def run_program(path, row, options):
    """The verdict and seconds of the program at PATH, by configuration."""
    arguments, results, printed = shlex.split(row.get("arguments") or ""), {}, {}
    for name in options.configurations:
        environment = runs.CONFIGURATIONS[name]
        environment = dict(environment, VX_MODE="functional", VX_SET=environment["VX_SET"] + FRESH_MEMORY)
        status, output, seconds = runs.run([path, *arguments], options.seconds, cwd=os.path.dirname(path),
                                           environment=environment, memory=options.memory << 30)
        verdict = runs.judge(status, output, row.get("expect"))
        results[name] = [verdict, round(seconds)]
        if verdict == runs.UNCHECKED:
            printed[name] = outputs.results_of(output, arguments)
        if status is None:
            break # it would be over the limit in the others, too
    if len(printed) == len(options.configurations) > 1 and all(printed.values()):
        first, *others = printed.values()
        differences = [text for text in (outputs.difference(first, other) for other in others) if text]
        for result in results.values():
            result[0] = "differ: " + differences[0] if differences else runs.AGREE
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--table", help="CSV with arguments and expected output")
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--configurations", type=lambda text: text.split(","), default=list(runs.CONFIGURATIONS))
    parser.add_argument("--seconds", type=int, default=120, help="of processor time for each run")
    parser.add_argument("--memory", type=int, default=12, help="GiB of address space for each run")
    parser.add_argument("--write", help="CSV that is made of this run")
    options = parser.parse_args()
    unknown = set(options.configurations) - set(runs.CONFIGURATIONS)
    if unknown:
        parser.error(f"expected configurations of {', '.join(runs.CONFIGURATIONS)}, found '{unknown.pop()}'")
    table = {}
    if options.table:
        with open(options.table, newline="") as file:
            table = {row["program"]: row for row in csv.DictReader(file)}
    programs = executables(options.folder)
    missing = sorted(set(options.only or []) - set(programs))
    if missing or not programs:
        parser.error(f"no program {missing[0]} in {options.folder}" if missing else f"no programs in {options.folder}")
    rows, isWrong = [], False
    for name in options.only or programs:
        row = table.get(name, {})
        results = run_program(programs[name], row, options)
        isWrong |= any(verdict not in runs.GOOD for verdict, _ in results.values())
        print(f"{name}: " + "; ".join(f"{c}: {verdict} ({seconds} s)" for c, (verdict, seconds) in results.items()),
              flush=True)
        rows.append({"program": name, **{column: row.get(column) or "" for column in COLUMNS[1:]}} |
                    {key: value for c, (verdict, seconds) in results.items()
                     for key, value in ((c, verdict), (c + " seconds", seconds))})
    if options.write:
        with open(options.write, "w", newline="") as file:
            columns = COLUMNS + [key for c in options.configurations for key in (c, c + " seconds")]
            writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return int(isWrong)


if __name__ == "__main__":
    sys.exit(main())
