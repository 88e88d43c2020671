#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the tests of CUB and Thrust with vxcc and runs them in hw and sw.

usage: cccl.py --cub=DIR --thrust=DIR --vxcc=FILE [--only=TEXT,TEXT] [--new] [--failed] [--every=N]
               [--build-seconds=600] [--seconds=120] [--sizes=small] [--work=DIR] [--write=FILE]

DIR is a checkout of https://github.com/NVIDIA/cub or thrust, at the tag of Debian's version (1.17.2).
A test is a program: a source of cub/test with one choice of its %PARAM%s, as CUB's CMake files make them,
or a source of thrust/testing with Thrust's test framework. --every=3 takes each third test, --new
those without a result in the work folder or in cccl.csv, --failed those that are not verified.

CUB's tests of whole devices work on millions of items: they run with the arguments of SIZES here, or are copied
with the smaller constants of SMALLER; Thrust's run with --sizes and without those for 2^31 items (BIG). Builds and runs have limits of processor time. Results are kept in the work folder and, by
--write, in cccl.csv here, with a page in docs/; cccl.toml has the reason of each known failure.
"""

import argparse
import itertools
import os
import re
import sys
import tempfile
import tomllib

from campaign import CONFIGS, Record, Results, TAIL, first_error, last_line, replace_table, run

HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = Record(os.path.join(HERE, "cccl.csv"), [
    "test", "built", "build seconds", "arguments",
    *(column for way in CONFIGS for column in (way, way + " seconds"))])
# Arguments of CUB's tests that would work on more than a simulator can.
SIZES = {
    "device_reduce": "--n=2000 --s=20", "device_radix_sort": "--n=300 --s=2", "device_scan": "--n=1000",
    "device_scan_by_key": "--n=1000", "device_select_if": "--n=1000", "device_select_unique": "--n=1000",
    "device_select_unique_by_key": "--n=1000", "device_reduce_by_key": "--n=1000",
    "device_run_length_encode": "--n=1000", "grid_barrier": "--i=10", "allocator": "--i=1",
}
# Those that take no argument for it: what is replaced in a copy of the source, which is there once.
SMALLER = {
    "device_adjacent_difference": {"power_of_two < 20": "power_of_two < 13",
                                   "  TestAdjacentDifferenceWithBigIndexes();": "",  # 2^30 to 2^33 items
                                   "num_items < 4096": "num_items < 1500"},
    "device_merge_sort": {"pow2 < 22": "pow2 < 14"},
    "device_radix_sort": {"    if (WITH_PRE_SORTED)\n    {": "    if (false)\n    {"},  # 4350000007 items
    "device_segmented_sort": {"TestEmptySegments(1 << 22)": "TestEmptySegments(1 << 14)",
                              "{ 1, 1024, 24 * 1024 }": "{ 1, 300 }", "{ 1, 1024 }": "{ 1, 6 }",
                              "  RandomTest<KeyT, ValueT>(1 << 9, 1 << 19);": "",
                              "RandomTest<KeyT, ValueT>(1 << 2, 1 << 8)": "RandomTest<KeyT, ValueT>(1 << 2, 1 << 3)",
                              "const int max_segment_size = 6000": "const int max_segment_size = 600",
                              "const int a_few = 2": "const int a_few = 1",
                              "const int a_bunch_of = 42": "const int a_bunch_of = 1",
                              "const int a_lot_of = 420": "const int a_lot_of = 6"},
    "device_spmv": {"max_num_elems = 100000": "max_num_elems = 4000"},
    "device_three_way_partition": {"num_items < 1000000": "num_items < 5000"},
}
PARAMETER = re.compile(r"^\s*//\s+%PARAM%\s+(\w+)\s+(\w+)\s+([\w:]+)\s*$", re.M)
# Tests of Thrust that work on 2^31 items and more, whatever --sizes says.
BIG = re.compile(r"WithBigInd(ex|ic)es|large_indices")
# What CMake files beside a test add to its flags.
FLAGS = {"cuda/stream_per_thread": ["--default-stream=per-thread"]}
TOTALS = re.compile(r"Totals: (\d+) failures, (\d+) known failures, (\d+) errors, and (\d+) passes")
FAILED_TEST = re.compile(r"^(?:FAILURE|ERROR): (\S+)$", re.M)


class Test:
    """NAME: suite/test; SOURCE: its file; FLAGS and ARGUMENTS: for vxcc, and for the program."""
    def __init__(self, name, source, flags, arguments=""):
        self.name, self.source, self.flags, self.arguments = name, source, flags, arguments


def smaller_copy(source, name, options):
    """The file that is compiled for SOURCE: itself, or a copy with the constants of SMALLER."""
    if name not in SMALLER:
        return source
    with open(source) as file:
        text = file.read()
    for old, new in SMALLER[name].items():
        if text.count(old) != 1:
            raise SystemExit(f"{source}: {old!r} is there {text.count(old)} times")
        text = text.replace(old, new)
    copy = os.path.join(options.work, os.path.basename(source))
    with open(copy, "w") as file:
        file.write(text)
    return copy


def cub_tests(options):
    folder = os.path.join(options.cub, "test")
    for file in sorted(os.listdir(folder)):
        if not re.fullmatch(r"test_\w+\.cu", file):
            continue
        name = file[len("test_"):-len(".cu")]
        with open(os.path.join(folder, file), errors="replace") as source:
            parameters = PARAMETER.findall(source.read())
        choices = [[(macro, label, value) for value in values.split(":")]
                   for macro, label, values in parameters]
        for choice in itertools.product(*choices):
            label = "".join(f".{label}_{value}" for _, label, value in choice)
            yield Test(f"cub/{name}{label}", smaller_copy(os.path.join(folder, file), name, options),
                       ["-std=c++14", "-I" + options.cub, "-I" + folder,
                        *(f"-D{macro}={value}" for macro, _, value in choice)], SIZES.get(name, ""))


def thrust_tests(options):
    folder = os.path.join(options.thrust, "testing")
    flags = ["-std=c++14", "-I" + options.thrust, "-I" + folder, "-I" + options.cub]
    for place in ("", "cuda", "async/exclusive_scan", "async/inclusive_scan"):
        for file in sorted(os.listdir(os.path.join(folder, place))):
            if file.endswith(".cu") and not BIG.search(file):
                name = os.path.join(place, file[:-len(".cu")])
                yield Test("thrust/" + name, os.path.join(folder, place, file), flags + FLAGS.get(name, []),
                           "--sizes=" + options.sizes)


def build_framework(options):
    """The objects that each of Thrust's tests is linked with."""
    folder, objects = os.path.join(options.thrust, "testing"), []
    for file in ("unittest/testframework.cu", "unittest/cuda/testframework.cu"):
        objects.append(os.path.join(options.work, file.replace("/", ".") + ".o"))
        status, output, _ = run([options.vxcc, "-std=c++14", "-O2", "-w", "-I" + options.thrust, "-I" + folder,
                                 "-I" + options.cub, "-c", os.path.join(folder, file), "-o", objects[-1]],
                                options.build_seconds)
        if status != 0:
            raise SystemExit(f"{file}: {first_error(output)}")
    return objects


def judge(test, status, output):
    """'passed', or why not. Thrust's programs count their tests; CUB's end at the first failure."""
    totals = TOTALS.search(output)
    if totals:
        failures, known, errors, passes = map(int, totals.groups())
        if failures + errors:
            return f"failed: {' '.join(sorted(set(FAILED_TEST.findall(output))))}; {passes} passed"
        if status == 0:
            return f"passed {passes}" + (f", {known} known failures" if known else "")
    if status is None:
        return "time limit"
    if status != 0:
        return f"exit status {status}: {last_line(output)}"
    return "passed" if test.name.startswith("cub/") else "no totals"


def choose_tests(test, program):
    """The names to run of the tests in a program of Thrust's, if not all; and words about the others."""
    if not test.name.startswith("thrust/"):
        return [], ""
    names = re.findall(r"^\s*(\w+)$", run([program, "--list"], 60)[1], re.M)
    chosen = [name for name in names if not BIG.search(name)]
    if not chosen or len(chosen) == len(names):
        return [], ""
    return chosen, f", {len(names) - len(chosen)} left out"


def try_test(test, objects, options):
    program = os.path.join(options.work, test.name.replace("/", "."))
    status, output, seconds = run([options.vxcc, "-O2", "-w", *test.flags, test.source, *objects, "-o", program],
                                  options.build_seconds)
    result = {"arguments": test.arguments, "build seconds": round(seconds), "ways": {}}
    if status != 0:
        result["why"] = "time limit" if status is None else first_error(output)
        result["output"] = output[-TAIL:]
        return result
    chosen, left_out = choose_tests(test, program)
    for way, environment in CONFIGS.items():
        status, output, seconds = run([program, *test.arguments.split(), *chosen], options.seconds,
                                      environment=dict(environment, VX_MODE="functional"))
        result["ways"][way] = {"verdict": judge(test, status, output) + left_out, "seconds": round(seconds),
                               "output": output[-TAIL:]}
    os.remove(program)
    return result


def is_passed(verdict):
    return verdict.startswith("passed")


def reason_for(name, reasons):
    """Why a test fails, from the table: a regular expression for its name, and the reason."""
    return next((reason for key, reason in reasons.items() if re.fullmatch(key, name)), "unknown")


def write_page(path, rows, counts):
    """COUNTS: how many tests each suite has."""
    with open(os.path.join(HERE, "cccl.toml"), "rb") as file:
        reasons = tomllib.load(file)["reasons"]
    lines = ["| suite | tests | tried | built | passed in hw | passed in sw | over the time limit in hw | in sw |",
             "|---|---|---|---|---|---|---|---|"]
    failures = []
    for suite, count in counts.items():
        mine = [row for name, row in sorted(rows.items()) if name.startswith(suite + "/")]
        built = [row for row in mine if row["built"] == "yes"]
        passed = [sum(is_passed(row[way]) for row in built) for way in CONFIGS]
        late = [sum(row[way] == "time limit" for row in built) for way in CONFIGS]
        lines.append(f"| {suite} | {count} | {len(mine)} | {len(built)} | " +
                     " | ".join(map(str, passed + late)) + " |")
        for row in mine:
            bad = [f"{way}: {row[way]}" for way in CONFIGS if row[way] and not is_passed(row[way])]
            if row["built"] != "yes":
                bad = ["build: " + row["built"]]
            if bad:
                failures.append(f"| `{row['test']}` | " + "; ".join(bad).replace("|", "\\|") + " | " +
                                reason_for(row["test"], reasons) + " |")
    if failures:
        lines += ["", "| not passed | | reason |", "|---|---|---|", *failures]
    replace_table(path, "cccl.py", lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("cub", "thrust", "vxcc"):
        parser.add_argument("--" + name, required=True, type=os.path.abspath)
    parser.add_argument("--only", type=lambda text: text.split(","), default=[""])
    parser.add_argument("--new", action="store_true")
    parser.add_argument("--failed", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--build-seconds", type=int, default=600)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--sizes", default="small")
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "cccl"))
    parser.add_argument("--write", help="the page whose table is written")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    results = Results(os.path.join(options.work, "results.json"))
    suites = {"cub": list(cub_tests(options)), "thrust": list(thrust_tests(options))}
    chosen = [test for tests in suites.values() for test in tests
              if any(text in test.name for text in options.only)][::options.every]
    objects, recorded = None, RECORD.read()
    for test in chosen:
        known = results.known.get(test.name)
        passed = known and known["ways"] and all(is_passed(w["verdict"]) for w in known["ways"].values())
        if (options.new and (known or test.name in recorded)) or (options.failed and passed):
            continue
        if test.name.startswith("thrust/") and objects is None:
            objects = build_framework(options)
        result = try_test(test, objects if test.name.startswith("thrust/") else [], options)
        results.put(test.name, result)
        print(f"{test.name}: built in {result['build seconds']} s; " + (result.get("why") or "; ".join(
            f"{way}: {known['verdict']} ({known['seconds']} s)" for way, known in result["ways"].items())),
              flush=True)
    if options.write:
        rows = RECORD.add({name: RECORD.row(name, result, result["ways"]) for name, result in results.known.items()})
        write_page(options.write, rows, {suite: len(tests) for suite, tests in suites.items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
