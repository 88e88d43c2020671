# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tests of a program: a TOML file, or one test that only wants the program to end with 0."""

import dataclasses
import os
import re
import tomllib

from vxgrade.limits import Limits

CHECKERS = ("memcheck", "racecheck", "initcheck", "synccheck")
LOWERINGS = ("auto", "hw", "sw")


class Mistake(Exception):
    """The tests cannot be read; the text says why."""


@dataclasses.dataclass
class Test:
    name: str
    args: list = dataclasses.field(default_factory=list)
    stdin: str = ""
    stdout: str = None            # all of it, but for white space at the ends of lines and of the text
    stdout_matches: str = None    # a regular expression that is found in it
    exit_code: int = 0
    points: float = 1
    checks: list = dataclasses.field(default_factory=lambda: list(CHECKERS))
    leaks: bool = False           # memory that is not freed is an error
    api_errors: bool = True       # a call of the CUDA API that fails is one
    lowering: str = "auto"
    env: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Suite:
    tests: list
    flags: list = dataclasses.field(default_factory=lambda: ["-O2"])
    files: list = dataclasses.field(default_factory=list)  # copied to where the program runs
    limits: Limits = dataclasses.field(default_factory=Limits)


KINDS = {list: "a list", str: "a text", float: "a number", int: "a whole number", bool: "true or false",
         dict: "a table"}


def fill(target, table, where, skip=()):
    """Sets the fields of TARGET, a dataclass, from TABLE."""
    fields = {field.name: field for field in dataclasses.fields(target)}
    for key, value in table.items():
        if key in skip:
            continue
        if key not in fields:
            raise Mistake(f"{where}: there is no `{key}`; there are " + ", ".join(sorted(fields)))
        kind = fields[key].type
        is_right = isinstance(value, kind) or (kind is float and type(value) is int)
        if not is_right or (kind is not bool and isinstance(value, bool)):
            raise Mistake(f"{where}: `{key}` is {KINDS[kind]}")
        setattr(target, key, value)


def read_test(table, number):
    where = f"test {table.get('name', number)}"
    test = Test(name=f"test{number}")
    fill(test, table, where)
    if not all(isinstance(word, str) for word in test.args + list(test.env.values())):
        raise Mistake(f"{where}: `args` and `env` have texts only")
    for check in test.checks:
        if check not in CHECKERS:
            raise Mistake(f"{where}: there is no checker `{check}`; there are " + ", ".join(CHECKERS))
    if test.lowering not in LOWERINGS:
        raise Mistake(f"{where}: `lowering` is one of " + ", ".join(LOWERINGS))
    try:
        re.compile(test.stdout_matches or "")
    except re.error as error:
        raise Mistake(f"{where}: `stdout_matches`: {error}") from error
    return test


def read_suite(path):
    """The suite of the file PATH; without one, a single test."""
    if path is None:
        return Suite([Test("run")])
    try:
        with open(path, "rb") as file:
            table = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Mistake(f"{path}: {error}") from error
    suite = Suite([])
    fill(suite, table, path, skip=("test", "limits"))
    fill(suite.limits, table.get("limits", {}), f"{path}: limits")
    listed = table.get("test", [])
    if not isinstance(listed, list) or not listed:
        raise Mistake(f"{path}: it has no [[test]]")
    suite.tests = [read_test(one, number) for number, one in enumerate(listed, 1)]
    names = [test.name for test in suite.tests]
    if len(set(names)) < len(names):
        raise Mistake(f"{path}: two tests have one name")
    folder = os.path.dirname(os.path.abspath(path))
    suite.files = [os.path.join(folder, name) for name in suite.files]
    for name in suite.files:
        if not os.path.isfile(name):
            raise Mistake(f"{path}: there is no file {name}")
    return suite
