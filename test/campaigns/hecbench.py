#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the CUDA programs of HeCBench with vxcc, by their Makefiles, and runs them in hw and sw.

usage: hecbench.py --suite=DIR --vxcc=FILE [--only=NAME,NAME] [--new] [--failed] [--every=N] [--build-only] [--keep]
                   [--build-seconds=300] [--seconds=120] [--work=DIR] [--write=FILE]

DIR is a checkout of https://github.com/zjin-lcf/HeCBench. A program is a folder src/NAME-cuda with a Makefile; it
is built by `make CC=vxcc` in a copy. What `make run` would run is made small: numbers that count repetitions become
at most 2, and the largest of the others is halved until their product is at most 2^15. What a number is for is told by
the program's usage line, or by the option before it; without either, the last number counts repetitions. Where that is
no size that a program can work with, its arguments are a row in hecbench.toml, as are edits of sources whose sizes are
constants; it also has the reasons of known failures. `files` there are inputs that the suite does not have: they are
made by hecbench_data.py.

A program that does not check itself is compared: what it prints in hw with what it prints in sw, and both with what
NAME-omp of the suite, built by g++, prints with the same arguments (outputs.py says what is compared).

--every=3 takes each third program, --new those without a result, --failed those that are not verified. --keep leaves
what is built in the work folder, and builds it only where it is missing or older than its sources.
Builds and runs have limits of processor time and of memory. Results are kept in the work folder and, by --write, in
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

import hecbench_data
import outputs
from campaign import CONFIGS, Record, Results, TAIL, UNCHECKED, first_error, judge, link_tree, replace_table, run

HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = Record(os.path.join(HERE, "hecbench.csv"), [
    "program", "built", "build seconds", "arguments",
    *(column for name in CONFIGS for column in (name, name + " seconds"))])
# Of the numbers that a program gets: their product, and the repetitions.
MOST_WORK, MOST_REPETITIONS = 1 << 15, 2
# What arguments are for: repetitions, a check of the results, and what has few right values.
REPETITIONS = re.compile(r"repeat|repetition|iter|passes|steps|runs|loop|itmax", re.I)
CHECKS = re.compile(r"verify|<?check", re.I)
GIVEN = re.compile(r"block|thread|work-?group|wgsize|implementation|0 or 1|mode|choice|top|head|number of dimensions|seed|"
                   r"merge", re.I)
# As on a GPU, where the driver gives out zeros: some programs rely on that.
FRESH_MEMORY = ",memory.fresh=0"
# Bytes of address space of a program.
MOST_MEMORY = 12 << 30
# Verdicts of programs that do not check themselves, and what counts as verified.
AGREE, REFERENCE_AGREES = "agrees", "agrees with OpenMP"
GOOD = ("verified", AGREE, REFERENCE_AGREES)


def programs_of(suite):
    source = os.path.join(suite, "src")
    return sorted(name[:-len("-cuda")] for name in os.listdir(source)
                  if name.endswith("-cuda") and os.path.exists(os.path.join(source, name, "Makefile")))


def copy_program(options, own, edits=()):
    """A copy of the folder OWN of the suite, with EDITS; its neighbours are links, as programs read files of each other."""
    source, target = os.path.join(options.suite, "src"), os.path.join(options.work, "src")
    os.makedirs(target, exist_ok=True)
    for neighbour in os.listdir(source):
        link = os.path.join(target, neighbour)
        if neighbour != own and not os.path.lexists(link):
            os.symlink(os.path.join(source, neighbour), link)
    folder = os.path.join(target, own)
    if os.path.islink(folder):
        os.remove(folder)
    link_tree(os.path.join(source, own), folder, edits)
    return folder


def make_files(folder, files):
    """Writes FILES into FOLDER: by path the function of hecbench_data.py and its arguments."""
    for path, (maker, *arguments) in files.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.lexists(path):
            os.remove(path)
        getattr(hecbench_data, maker)(path, *arguments)


def usage_names(folder):
    """What the usage line of the program in FOLDER calls its arguments; empty if it has none."""
    for place, _, files in os.walk(folder):
        for file in sorted(files):
            if not re.search(r"\.(cu|cuh|h|hpp|c|cc|cpp)$", file):
                continue
            with open(os.path.join(place, file), errors="replace") as source:
                for usage in re.findall(r'"[^"\n]*usage.*?(?:return|exit|})', source.read(), re.I | re.S):
                    names = re.findall(r"[<\[]([^<>\[\]\n]+)[>\]]", "".join(re.findall(r'"([^"\n]*)"', usage)))
                    if names:
                        return names
    return []


def small(arguments, names=()):
    """ARGUMENTS of a program with fewer repetitions and smaller numbers; NAMES: what they are for, if it is known.

    >>> small(["8192", "8192", "100"], ["rows", "columns", "repeat"])
    ['128', '256', '2']
    >>> small(["in.txt", "100000", "256", "0"], ["file", "length", "block size", "verify"])
    ['in.txt', '25000', '256', '1']
    >>> small(["100000", "50"]), small(["100"]), small(["1000000"])
    (['12500', '2'], ['2'], ['31250'])
    >>> small(["--dim=512", "--iterations", "90"])
    ['--dim=512', '--iterations', '2']
    """
    if len(names) != len(arguments):
        names = [None] * len(arguments)
    changed, sizes, last = list(arguments), {}, None
    for i, argument in enumerate(arguments):
        match = re.fullmatch(r"(--?[\w-]+=)?(\d+)", argument)
        if not match:
            continue
        option = match.group(1) or (arguments[i - 1] if i and arguments[i - 1].startswith("-") else "")
        name, number, put = names[i] or option, int(match.group(2)), (match.group(1) or "") + "{}"
        if REPETITIONS.search(name):
            changed[i] = put.format(min(number, MOST_REPETITIONS))
        elif CHECKS.search(name):
            changed[i] = put.format(1)
        elif not GIVEN.search(name):
            sizes[i] = [number, put]
            last = i if not name else last
    if last is not None and (len(sizes) > 1 or sizes[last][0] <= 1000):
        sizes[last][0] = min(sizes[last][0], MOST_REPETITIONS)
    while math.prod(max(value, 1) for value, _ in sizes.values()) > MOST_WORK:
        largest = max(sizes.values(), key=lambda size: size[0])
        largest[0] //= 2
    for i, (number, put) in sizes.items():
        changed[i] = put.format(number)
    return changed


def command_of(folder, row):
    """The program and arguments of `make run`, made small, or those of ROW."""
    _, output, _ = run(["make", "-n", "run", "CC=true"], 10, cwd=folder)
    commands = [shlex.split(line) for line in output.replace("\\\n", " ").splitlines()
                if re.match(r"\s*\./", line)]
    if not commands:
        return None
    program, *arguments = commands[0]
    return [program, *(shlex.split(row["arguments"]) if "arguments" in row else
                     small(arguments, usage_names(folder)))]


def reference_output(options, name, command, folder):
    """What NAME-omp prints when it is run as COMMAND in FOLDER; None if there is none that builds and ends with 0, or
    if it counts on as many threads as it asks for: the host has fewer, and its results are others then."""
    own = name + "-omp"
    source = os.path.join(options.suite, "src", own)
    if not os.path.exists(os.path.join(source, "Makefile.aomp")) or run(
            ["grep", "-rqE", r"omp_get_(thread|team)_num", source], 10)[0] == 0:
        return None
    copy = copy_program(options, own)
    status, _, _ = run(["make", "-f", "Makefile.aomp", "CC=g++", "DEVICE=cpu"], options.build_seconds, cwd=copy)
    program = os.path.normpath(os.path.join(copy, command[0]))
    if status != 0 or not os.path.exists(program):
        return None
    status, output, _ = run([program, *command[1:]], options.seconds, cwd=folder, memory=MOST_MEMORY)
    return output if status == 0 else None


def compare(printed, reference, arguments):
    """The verdict on a program that PRINTED, by configuration, what does not say whether it is right. REFERENCE is
    what another implementation has printed, or None."""
    first, *others = (outputs.results_of(output, arguments) for output in printed.values())
    if not first:
        return UNCHECKED
    for other in others:
        difference = outputs.difference(first, other)
        if difference:
            return f"{' and '.join(printed)} differ: {difference}"
    count, difference = outputs.common_difference(first, outputs.results_of(reference or "", arguments))
    if difference:
        return "differs from OpenMP: " + difference
    return REFERENCE_AGREES if count else AGREE


def run_program(name, options, row, folder, result):
    """Runs the program that is built in FOLDER in all configurations, and adds them to RESULT."""
    command = command_of(folder, row)
    if not command:
        return
    result["arguments"] = shlex.join(command[1:])
    printed = {}
    for config, environment in CONFIGS.items():
        status, output, seconds = run(command, options.seconds, cwd=folder, memory=MOST_MEMORY,
                                      environment=dict(environment, VX_MODE="functional",
                                                       VX_SET=environment["VX_SET"] + FRESH_MEMORY))
        output = output.replace(options.work + os.sep, "")
        verdict = judge(status, output, row.get("expect"))
        result["configs"][config] = {"verdict": verdict, "seconds": round(seconds), "output": output[-TAIL:]}
        if verdict == UNCHECKED:
            printed[config] = output
        if status is None:
            break # it would be over the limit in the others, too
    if len(printed) == len(CONFIGS):
        reference = None if "edits" in row or "no_reference" in row else reference_output(options, name, command, folder)
        verdict = compare(printed, reference, command[1:])
        for config in CONFIGS:
            result["configs"][config]["verdict"] = verdict


def try_program(name, options, rows, known):
    """The result of a program; KNOWN is the one before, if any."""
    row = rows.get(name, {})
    folder = copy_program(options, name + "-cuda", row.get("edits", ()))
    make_files(folder, row.get("files", {}))
    edits = row.get("edits", [])
    if not options.keep or (known and known.get("edits", []) != edits):
        run(["make", "clean"], 10, cwd=folder)
    command = ["make", f"CC={options.vxcc}", f"NVCC={options.vxcc}"]
    with open(os.path.join(folder, "Makefile"), errors="replace") as makefile:
        if re.search(r"^ARCH\s*[:?]?=\s*sm_", makefile.read(), re.M):
            command.append("ARCH=sm_80")
    status, output, seconds = run(command, options.build_seconds, cwd=folder)
    if options.keep and known and "why" not in known:
        seconds = max(seconds, known["build seconds"])
    result = {"build seconds": round(seconds), "arguments": "", "edits": edits, "configs": {}}
    if status != 0:
        result["why"] = "time limit" if status is None else first_error(output)
        result["output"] = output[-TAIL:]
        return result
    if not options.build_only:
        run_program(name, options, row, folder, result)
    if not options.keep:
        run(["make", "clean"], 10, cwd=folder)
    return result


def is_done(result, options):
    """Whether --new or --failed leaves a program with RESULT out."""
    if not result:
        return False
    good = len(result["configs"]) == len(CONFIGS) and all(c["verdict"] in GOOD for c in result["configs"].values())
    known = "why" in result or result["configs"] or options.build_only
    return (options.new and known) or (options.failed and good)


def reason_for(name, bad, table):
    """Why a program is not verified: its own reason in TABLE, or that of the first pattern that what is BAD matches."""
    own = table.get(name, {}).get("reason")
    return own or next((reason for pattern, reason in table["reasons"].items()
                        if any(re.search(pattern, text) for text in bad)), "")


def write_page(path, rows, count, table):
    built = [row for row in rows.values() if row["built"] == "yes"]
    run_at_all = sum(bool(row["hw"]) for row in built)
    lines = ["| programs | tried | built | run |", "|---|---|---|---|",
             f"| {count} | {len(rows)} | {len(built)} | {run_at_all} |", "",
             "| | in hw | in sw |", "|---|---|---|"]
    for label, verdicts in (("verified", GOOD), ("by themselves", GOOD[:1]), ("hw and sw agree with OpenMP", GOOD[2:]),
                            ("hw and sw agree, there is nothing else to compare with", GOOD[1:2])):
        numbers = (sum(row[config] in verdicts for row in built) for config in CONFIGS)
        lines.append(f"| {label} | " + " | ".join(map(str, numbers)) + " |")
    failures = []
    for name, row in sorted(rows.items()):
        bad = [f"{config}: {row[config]}" for config in CONFIGS if row[config] not in ("", *GOOD)]
        if row["built"] != "yes":
            bad = ["build: " + row["built"]]
        if bad:
            failures.append(f"| {name} | `{row['arguments']}` | " + "; ".join(bad).replace("|", "\\|") + " | " +
                            reason_for(name, bad, table) + " |")
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
    parser.add_argument("--keep", action="store_true")
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
    for name in [n for n in options.only or programs if n in programs][::options.every]:
        known = results.known.get(name)
        if is_done(known, options):
            continue
        result = try_program(name, options, table, known)
        results.put(name, result)
        print(f"{name} {result['arguments']}: built in {result['build seconds']} s; " + (result.get("why") or "; ".join(
            f"{config}: {c['verdict']} ({c['seconds']} s)" for config, c in result["configs"].items())), flush=True)
    if options.write:
        rows = RECORD.add({name: RECORD.row(name, result, result["configs"]) for name, result in results.known.items()})
        write_page(options.write, rows, len(programs), table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
