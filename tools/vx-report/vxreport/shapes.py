# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What members the inputs have that pages read, and of what kinds: what is checked once need not be
looked at again."""

import math


class ShapeError(Exception):
    """Where an input has something else than it should, in words."""


def number(value, where):
    """A number that can be drawn."""
    fine = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not fine or not -1e300 < value < 1e300:  # NaN is not, either
        raise ShapeError(f"{where} is not a number")


def count(value, where):
    number(value, where)
    if value < 0:
        raise ShapeError(f"{where} is negative")


def positive(value, where):
    """What one may divide by."""
    number(value, where)
    if value < 1e-300:
        raise ShapeError(f"{where} is not above 0")


def text(value, where):
    if not isinstance(value, str):
        raise ShapeError(f"{where} is not a text")


def scalar(value, where):
    if isinstance(value, (dict, list)) or value is None:
        raise ShapeError(f"{where} is not a value")
    if isinstance(value, float) and not math.isfinite(value):
        raise ShapeError(f"{where} is not a number")


def members(shape):
    """An object: a member of each name in SHAPE ("name?": that may be missing, "*": all others)."""

    def check(value, where):
        if not isinstance(value, dict):
            raise ShapeError(f"{where} has no members")
        for name, kind in shape.items():
            if name != "*" and not name.endswith("?") and name not in value:
                raise ShapeError(f"{where} has no '{name}'")
        for name, item in value.items():
            kind = shape.get(name) or shape.get(name + "?") or shape.get("*")
            if kind:
                kind(item, f"'{name}' of {where}")

    return check


def items(kind):
    """A list of what is of KIND."""

    def check(value, where):
        if not isinstance(value, list):
            raise ShapeError(f"{where} is not a list")
        for index, item in enumerate(value):
            kind(item, f"item {index} of {where}")

    return check


MACHINE = members({"lsu.lanes?": count, "core.num_threads?": count, "coalescer.line_size?": count, "*": scalar})
COUNTERS = {"cycles": count, "cores": items(members({"*": count})), "thread_instructions": count,
            "warp_instructions?": count, "launches?": count, "ipc?": count, "thread_ipc?": count,
            "lane_occupancy?": count, "mode?": text, "memory?": members({"*": count})}
STATISTICS = members({**COUNTERS, "device?": text, "machine?": MACHINE,
                      "peak?": members({"thread_instructions": positive, "dram_bytes": positive,
                                        "dcache_bytes": positive}),
                      "kernels?": items(members({**COUNTERS, "name": text, "lowering": text}))})
PROFILE = members({"kernels": items(members({"name": text, "lines": items(members(
    {"place": text, "source": text, "cycles": count, "stalls": members({"*": count})}))}))})
