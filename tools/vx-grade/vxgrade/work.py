# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is done with a program: it is compiled for the checkers, and each test runs twice, without the
checkers for its output and with them."""

import dataclasses
import json
import os
import re
import shutil
import tempfile

from vxgrade import limits as bounds

PASSED, WRONG, FOUND, NOT_COMPILED, STOPPED, BROKEN = "passed", "wrong", "found", "compile", "stopped", "broken"

# The exit codes of the tool, by the worst that has happened. 2 is for wrong usage.
EXIT_CODES = {PASSED: 0, WRONG: 1, FOUND: 3, STOPPED: 4, NOT_COMPILED: 5, BROKEN: 6}


@dataclasses.dataclass
class Check:
    """One thing that a test looks at: its output, or what a checker says."""
    name: str
    status: str = PASSED
    message: str = ""                                        # why it has not passed, in a line
    details: str = ""                                        # more of it
    findings: list = dataclasses.field(default_factory=list) # of a checker, as check.save has them


@dataclasses.dataclass
class Result:
    """A test that has run."""
    name: str
    points: float
    checks: list
    seconds: float = 0

    def status(self):
        return max((check.status for check in self.checks), key=lambda one: EXIT_CODES[one], default=PASSED)


@dataclasses.dataclass
class Grade:
    """A program that has been graded."""
    source: str
    compilation: Check
    results: list = dataclasses.field(default_factory=list)
    possible: float = 0
    seconds: float = 0

    def points(self):
        return sum(result.points for result in self.results if result.status() == PASSED)

    def status(self):
        all_of_them = [self.compilation.status] + [result.status() for result in self.results]
        return max(all_of_them, key=lambda one: EXIT_CODES[one])


def lines_of(text):
    return [line.rstrip() for line in text.strip().splitlines()]


def first_difference(wanted, got):
    for number, (one, other) in enumerate(zip(wanted, got), 1):
        if one != other:
            return f"line {number} of the output is `{other}`, not `{one}`"
    return f"the output has {len(got)} lines, not {len(wanted)}"


def check_output(test, outcome, limits):
    """What the program does by itself."""
    check = Check("output")
    check.details = (outcome.stdout + outcome.stderr).strip()
    if ending := outcome.ending(limits):
        check.status, check.message = STOPPED, ending
    elif "stopped: no forward progress" in outcome.stderr or "stopped: barrier deadlock" in outcome.stderr:
        check.status, check.message = STOPPED, "a kernel waits for ever"
    elif outcome.code != test.exit_code:
        check.status, check.message = WRONG, f"the exit code is {outcome.code}, not {test.exit_code}"
    elif test.stdout is not None and lines_of(test.stdout) != lines_of(outcome.stdout):
        check.status, check.message = WRONG, first_difference(lines_of(test.stdout), lines_of(outcome.stdout))
    elif test.stdout_matches is not None and not re.search(test.stdout_matches, outcome.stdout, re.M):
        check.status, check.message = WRONG, f"the output has nothing that matches `{test.stdout_matches}`"
    if check.status == PASSED:
        check.details = ""
    return check


def place(finding):
    """Where a finding is: "vector.cu:12", or its kernel."""
    if finding.get("file"):
        return f"{os.path.basename(finding['file'])}:{finding.get('line', 0)}"
    return next((os.path.basename(line.split()[-1]) for line in reversed(finding["notes"])
                 if re.search(r"\.\w+:\d+$", line)), finding.get("kernel", ""))


def check_finding(tool, report, outcome, limits, factor):
    """What checker TOOL says; REPORT: of all of them, None if there is none."""
    check = Check(tool)
    if report is not None:
        check.findings = [one for one in report["findings"] if one["tool"] == tool]
    if check.findings:
        first = check.findings[0]
        more = len(check.findings) - 1
        check.status = FOUND
        check.message = f"{place(first)}: {first['message']}" + (f", and {more} more" if more else "")
    elif ending := outcome.ending(limits, factor):
        check.status, check.message = STOPPED, "under the checkers, " + ending
    elif report is None:
        check.status, check.message = BROKEN, "nothing was checked: the program used no device to its end"
    elif report["unchecked"]:
        check.status = BROKEN
        check.message = "it could not look at " + ", ".join(report["unchecked"])
    return check


class Grader:
    """Grades programs with the tools in folder BIN."""

    def __init__(self, suite, bin_folder):
        self.suite = suite
        self.bin = bin_folder

    def tool(self, name):
        return os.path.join(self.bin, name)

    def compile(self, source, folder):
        program = os.path.join(folder, "program")
        command = [self.tool("vxcc"), "-g", "-fvx-check", *self.suite.flags, source, "-o", program]
        # The compiler is not the student's: its time is limited, its memory is not.
        outcome = bounds.run(command, os.path.dirname(source), dict(os.environ),
                             dataclasses.replace(self.suite.limits, seconds=300), confined=False)
        check = Check("compile", details=(outcome.stdout + outcome.stderr).strip())
        if outcome.code:
            first = next((line for line in outcome.stderr.splitlines() if "error:" in line), "")
            check.status = NOT_COMPILED
            check.message = first.replace(source, os.path.basename(source)) or "it does not compile"
        return check, program

    def run(self, test, program, folder, settings=None, factor=1.0):
        env = dict(os.environ, **test.env)
        for name in ("VX_CHECK", "VX_BACKEND"):
            env.pop(name, None)
        if test.lowering != "auto":
            env["VX_LOWERING"] = test.lowering
        if settings:
            env["VX_CHECK"] = ",".join(test.checks)
            env["VX_SET"] = ",".join(filter(None, [env.get("VX_SET"), *settings]))
        return bounds.run([program, *test.args], folder, env, self.suite.limits, factor, test.stdin)

    def check(self, test, program, folder, saved):
        factor = self.suite.limits.checked_factor
        flags = {"check.save": saved, "check.log": saved + ".txt",
                 "check.leaks": str(test.leaks).lower(), "check.api_errors": str(test.api_errors).lower()}
        outcome = self.run(test, program, folder, [f"{key}={value}" for key, value in flags.items()], factor)
        try:
            with open(saved) as file:
                report = json.load(file)
        except (OSError, ValueError):
            report = None
        checks = [check_finding(tool, report, outcome, self.suite.limits, factor) for tool in test.checks]
        text = self.read(saved + ".txt")
        for check in checks:
            if check.status != PASSED:
                check.details = text
        return checks, outcome.seconds

    @staticmethod
    def read(path):
        try:
            with open(path, errors="replace") as file:
                return file.read().strip()
        except OSError:
            return ""

    def grade_test(self, test, program, outer):
        with tempfile.TemporaryDirectory(dir=outer) as folder:
            for name in self.suite.files:
                shutil.copy(name, folder)
            outcome = self.run(test, program, folder)
            result = Result(test.name, test.points, [check_output(test, outcome, self.suite.limits)])
            result.seconds = outcome.seconds
        if test.checks:
            with tempfile.TemporaryDirectory(dir=outer) as folder:
                for name in self.suite.files:
                    shutil.copy(name, folder)
                checks, seconds = self.check(test, program, folder, os.path.join(outer, "findings.json"))
                result.checks += checks
                result.seconds += seconds
        return result

    def grade(self, source):
        with tempfile.TemporaryDirectory(prefix="vx-grade-") as outer:
            compilation, program = self.compile(os.path.abspath(source), outer)
            grade = Grade(source, compilation, possible=sum(test.points for test in self.suite.tests))
            if compilation.status == PASSED:
                for test in self.suite.tests:
                    grade.results.append(self.grade_test(test, program, outer))
                    saved = os.path.join(outer, "findings.json")
                    for left in (saved, saved + ".txt"):
                        if os.path.exists(left):
                            os.remove(left)
            grade.seconds = sum(result.seconds for result in grade.results)
            return grade
