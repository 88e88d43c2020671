# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What vx-report reads: statistics and profiles of runs, the CSV file of a sweep."""

import csv
import dataclasses
import difflib
import json
import os
import re

from vxreport import shapes

STALLS = ["fetch", "control", "barrier", "scoreboard", "memory", "operands"]


# Characters that cannot stand in the page, whatever is escaped: control characters and halves of surrogate
# pairs.
UNPRINTABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class InputError(Exception):
    """What is wrong with an input or an option, in words."""


def nearest(name, names):
    """" (did you mean …?)", if there is something like NAME among NAMES."""
    found = difflib.get_close_matches(name, list(names), 1)
    return f" (did you mean '{found[0]}'?)" if found else ""


@dataclasses.dataclass
class Run:
    """A program's statistics: the whole run, and a dictionary of the same form for each kernel."""

    name: str
    total: dict
    kernels: list
    profile: list  # kernels of a profile; empty: there is none


def printable(data):
    """DATA with a mark in the place of each character that cannot be shown."""
    if isinstance(data, str):
        return UNPRINTABLE.sub("\ufffd", data)
    if isinstance(data, list):
        return [printable(item) for item in data]
    if isinstance(data, dict):
        return {printable(name): printable(item) for name, item in data.items()}
    return data


def read_json(path, what):
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not {what}: it is not text") from error
    if not text.strip():
        raise InputError(f"{path} is empty")
    try:
        return printable(json.loads(text))
    except ValueError as error:
        raise InputError(f"{path} is not {what}: {error}") from error
    except RecursionError as error:
        raise InputError(f"{path} is not {what}: it is nested too deep") from error


def check(path, data, shape, what):
    """DATA, of the file PATH, has all that pages read."""
    try:
        shape(data, "it")
    except shapes.ShapeError as error:
        raise InputError(f"{path} is not {what}: {error}") from error


def core_sum(stats, key):
    """A counter of all cores."""
    return sum(core.get(key, 0) for core in stats["cores"])


def load_run(word):
    name, equals, files = word.partition("=")
    if not equals:
        name, files = "", word
    paths = files.split(",")
    if len(paths) > 2 or not all(paths):
        raise InputError(f"'{word}' is not [NAME=]STATS.json[,PROFILE.json]")
    total = read_json(paths[0], "statistics of VX_STATS=json")
    check(paths[0], total, shapes.STATISTICS, "statistics of VX_STATS=json")
    profile = []
    if len(paths) == 2:
        data = read_json(paths[1], "a profile of VX_PROFILE")
        check(paths[1], data, shapes.PROFILE, "a profile of VX_PROFILE")
        profile = data["kernels"]
    if not name:
        name = os.path.splitext(os.path.basename(paths[0]))[0]
    if total.get("device"):
        name += ", " + total["device"]
    return Run(name, total, total.get("kernels", []), profile)


def load_runs(words):
    runs = [load_run(word) for word in words]
    names = [run.name for run in runs]
    for run in runs:
        if names.count(run.name) > 1:
            raise InputError(f"two runs are called '{run.name}'; write NAME=FILE")
    return runs


@dataclasses.dataclass
class Sweep:
    name: str
    axes: dict  # name -> values as they are written, in the order of numbers if they are numbers
    rows: list
    columns: list


def number(text):
    """TEXT as a number that can be drawn, or None."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if abs(value) < 1e300 else None


def in_order(values):
    """The different VALUES: numbers by size, others as they come."""
    unique = list(dict.fromkeys(values))
    return sorted(unique, key=number) if all(number(v) is not None for v in unique) else unique


def load_sweep(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            columns = printable(list(reader.fieldnames or []))
            reader.fieldnames = columns
            rows = [printable(row) for row in reader if None not in row and None not in row.values()]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} is not the result of a sweep: {error}") from error
    if not columns:
        raise InputError(f"{path} is empty")
    if columns[:3] != ["program", "arguments", "build"] or "status" not in columns:
        raise InputError(f"{path} is not the result of a sweep: it does not begin with the columns program, "
                         "arguments, build")
    if not rows:
        raise InputError(f"{path} has no runs")
    axes = columns[3:columns.index("status")]
    return Sweep(os.path.splitext(os.path.basename(path))[0],
                 {axis: in_order(row[axis] for row in rows) for axis in axes}, rows, columns)
