# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of vx-grade."""

import argparse
import os
import subprocess
import sys

from vxgrade import reports, tests
from vxgrade.work import EXIT_CODES, Grader

WRONG_USAGE = 2


def parse(words):
    parser = argparse.ArgumentParser(
        prog="vx-grade", allow_abbrev=False,
        description="Compiles CUDA programs for the checkers, runs their tests, and says what is wrong.",
        epilog="Exit code: 0 all tests have passed; 1 an output or exit code is wrong; 2 wrong usage; 3 a checker has "
               "found something; 4 a program was stopped, or waits for ever; 5 one does not compile; 6 something "
               "could not be checked. The highest counts.")
    parser.add_argument("sources", nargs="+", metavar="PROGRAM.cu", help="the programs, a file each")
    parser.add_argument("--tests", metavar="FILE", help="the tests, as TOML; without it, programs must end with 0")
    parser.add_argument("--json", metavar="FILE", help="write everything to FILE, as JSON")
    parser.add_argument("--junit", metavar="FILE", help="write what has passed and failed to FILE, as JUnit XML")
    parser.add_argument("--seconds", type=float, metavar="N", help="the most that a run may take (default: 10)")
    parser.add_argument("--memory", type=int, metavar="MB", help="the most memory of a run (default: 4096)")
    parser.add_argument("--flags", metavar="WORDS", help="options for vxcc, in one word (default: -O2)")
    parser.add_argument("--verbose", action="store_true", help="print reports in full")
    parser.add_argument("--version", action="store_true", help="print the version")
    return parser


def version_of(folder):
    done = subprocess.run([os.path.join(folder, "vxcc-check"), "--version"], capture_output=True, text=True,
                          check=False)
    return done.stdout.split()[-1] if done.stdout else "unknown"


def set_up(options):
    """The suite that the command line asks for."""
    suite = tests.read_suite(options.tests)
    if options.seconds is not None:
        suite.limits.seconds = options.seconds
    if options.memory is not None:
        suite.limits.memory_mb = options.memory
    if options.flags is not None:
        suite.flags = options.flags.split()
    if suite.limits.seconds <= 0 or suite.limits.memory_mb <= 0 or suite.limits.output_kb <= 0:
        raise tests.Mistake("limits are more than 0")
    for source in options.sources:
        if not os.path.isfile(source):
            raise tests.Mistake(f"there is no file {source}")
    return suite


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(words, folder):
    if words == ["--version"]:
        print("vx-grade", version_of(folder))
        return 0
    options = parse(words).parse_args(words)
    try:
        grader = Grader(set_up(options), folder)
    except tests.Mistake as mistake:
        print(f"vx-grade: error: {mistake}", file=sys.stderr)
        return WRONG_USAGE
    grades = []
    for source in options.sources:
        grades.append(grader.grade(source))
        print(reports.words(grades[-1], options.verbose), end="", flush=True)
    try:
        if options.json:
            write(options.json, reports.as_json(grades, version_of(folder)))
        if options.junit:
            write(options.junit, reports.as_junit(grades))
    except OSError as error:
        print(f"vx-grade: error: {error}", file=sys.stderr)
        return WRONG_USAGE
    return max(EXIT_CODES[grade.status()] for grade in grades)
