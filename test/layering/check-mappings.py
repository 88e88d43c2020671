#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that each mapping of intrinsics/abi/Mappings.def is built, planned and tested.

usage: check-mappings.py [ROOT]

A row of the registry has one class in passes/mappings, one planner in runtime/plan and a lit test that asks for it
by name. Other code names no mapping. Prints one line per violation and exits with 1 if there is any.
"""

import glob
import os
import re
import sys

COLUMNS = ["ENUM", "NAME", "LOWERING", "LANE", "WARP", "KERNEL", "DEVICE"]


def read(path):
    with open(path, errors="replace") as file:
        return file.read()


def rows_of(registry):
    """The rows of the registry, as dictionaries."""
    for row in re.finditer(r"^MAPPING\((.*?)\)$", registry, re.M | re.S):
        cells = re.findall(r'"((?:[^"\\]|\\.)*)"|(\w+)', row.group(1))
        yield dict(zip(COLUMNS, (text or word for text, word in cells)))


def check(root):
    problems = []
    rows = list(rows_of(read(os.path.join(root, "intrinsics/abi/Mappings.def"))))
    if not rows:
        return ["Mappings.def has no rows"]
    classes = {folder: "".join(map(read, glob.glob(os.path.join(root, folder, "*.cpp"))))
               for folder in ("passes/mappings", "runtime/plan")}
    tests = "".join(
        read(path)
        for folder in ("test/passes", "test/e2e")
        for suffix in ("ll", "cu", "test")
        for path in glob.glob(os.path.join(root, folder, "**/*." + suffix), recursive=True))
    for row in rows:
        name = row["NAME"]
        for folder, kind in (("passes/mappings", "Mapping"), ("runtime/plan", "Planner")):
            count = len(re.findall(rf"^class {row['ENUM']}{kind}\b", classes[folder], re.M))
            if count != 1:
                problems.append(f"{name}: {count} classes {row['ENUM']}{kind} in {folder}")
        asks = rf"(RUN: .*VX_(?:SW|HW)_MAPPING={name}|RUN: .*VX_LOWERING={name})\b"
        if not re.search(asks, tests):
            problems.append(f"{name}: no lit test asks for it")
    return problems + special_cases(root, [row["ENUM"] for row in rows])


def special_cases(root, enums):
    """Places outside the classes that name one mapping, where all are to be asked."""
    named = re.compile(rf"\bMapping::({'|'.join(enums)})\b")
    problems = []
    for folder in ("passes", "lib", "runtime", "simulator", "frontend", "tools"):
        for path in glob.glob(os.path.join(root, folder, "**/*.[ch]*"), recursive=True):
            place = os.path.relpath(path, root)
            if place.startswith(("passes/mappings/", "runtime/plan/Plan")):
                continue
            problems += [f"{place}: names Mapping::{found}" for found in named.findall(read(path))]
    return problems


def main():
    default = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    problems = check(sys.argv[1] if len(sys.argv) > 1 else default)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
