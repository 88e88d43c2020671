# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The texture unit against software, by filter, size and number of cores.

After figure 3.16 of the Vortex thesis, whose benchmarks draw an RGBA texture of 1080p into an image of
the same size, in hardware and in software, with point sampling, a bilinear and a trilinear filter.
textures.cu is that with smaller images. Each runs three ways: on a machine with the texture unit,
on one without it, where the same program samples with the device library, and with software that is
written for this one format and addressing mode in the kernel itself.
"""

import concurrent.futures
import os

import plot
import sweep
from explain import value

FILTERS = ["point", "bilinear", "trilinear"]
UNIT, LIBRARY, WRITTEN = "texture unit", "library", "written"
WAYS = [UNIT, LIBRARY, WRITTEN]
SIZES = [32, 64, 128]  # elements in each direction, on one core
CORES = [1, 2, 4, 8]
CORES_SIZE = 64  # on several cores
SHAPE = {"core.num_warps": "4", "core.num_threads": "8"}


def points():
    """What is measured: (filter, size, cores)."""
    places = [(size, 1) for size in SIZES] + [(CORES_SIZE, cores) for cores in CORES[1:]]
    return [(name, size, cores) for name in FILTERS for size, cores in places]


def run(path, point, way, timeout):
    name, size, cores = point
    program = sweep.Program("textures", "", [str(size), name,
                                             "written" if way == WRITTEN else "texture"], path)
    settings = dict(SHAPE, num_cores=str(cores), lowering="hw")
    settings["isa.texture"] = "true" if way == UNIT else "false"
    return sweep.run_point(program, settings, "", timeout)


def measure(path, jobs, timeout, say):
    """{(point, way): row of results}"""
    found = {}
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        futures = {pool.submit(run, path, point, way, timeout): (point, way)
                   for point in points() for way in WAYS}
        for count, future in enumerate(concurrent.futures.as_completed(futures), 1):
            point, way = futures[future]
            found[point, way] = row = future.result()
            say(f"[{count}/{len(futures)}] {point[0]} {point[1]}, cores: {point[2]}, {way}: " +
                (f"{value(row, 'cycles'):.0f} cycles" if row["status"] == sweep.OK
                 else row["status"]))
    return found


def speed_up(found, point, way):
    """Of the texture unit over WAY; None: not known."""
    unit, other = found[point, UNIT], found[point, way]
    if unit["status"] != sweep.OK or other["status"] != sweep.OK:
        return None
    return value(other, "cycles") / value(unit, "cycles")


def shown(found, point, way):
    row = found[point, way]
    return f"{value(row, 'cycles'):.0f}" if row["status"] == sweep.OK else "not run"


def ratio(number):
    return f"{number:.2f}" if number else ""


def quotient(a, b, form="{:.1f}"):
    return form.format(a / b) if b else ""


def share(row, what, of):
    return quotient(100 * value(row, what), value(row, of), "{:.0f} %")


def write_report(found, report):
    for (point, way), row in found.items():
        if row["status"] != sweep.OK:
            report.lacks(f"{point[0]}, {point[1]} x {point[1]}, {point[2]} cores, {way}: "
                         f"{row['status']}")
    report.add("Cores of 4 warps of 8 lanes; an image of RGBA bytes is drawn into one of the same size. "
               "Cycles with the texture unit, with the sampling of the device library, and with software "
               "that is written for this format into the kernel; speed-up of the unit over both.", "",
               "| filter | size | cores | unit | library | written | over library | over written |",
               "|---|---|---:|---:|---:|---:|---:|---:|")
    for point in points():
        name, size, cores = point
        report.add(f"| {name} | {size} x {size} | {cores} | " +
                   " | ".join(shown(found, point, way) for way in WAYS) +
                   "".join(f" | {ratio(speed_up(found, point, way))}" for way in WAYS[1:]) + " |")
    write_counters(found, report)
    write_figure(found, report)


def write_counters(found, report):
    report.add("", "## What the unit did", "",
               "Words read for each channel of an element that a lane wanted, words of records "
               "and levels among them; cycles that batches waited for another one, of all; reads of "
               "the data cache that missed; thread instructions of each way over those with the unit.",
               "",
               "| filter | size | cores | words / channel | waiting | misses | library | written |",
               "|---|---|---:|---:|---:|---:|---:|---:|")
    for point in points():
        if any(found[point, way]["status"] != sweep.OK for way in WAYS):
            continue
        unit = found[point, UNIT]
        instructions = [value(found[point, way], "thread_instructions") for way in WAYS]
        words = quotient(value(unit, "core.tex_reads"), value(unit, "core.tex_lane_reads"), "{:.2f}")
        report.add(f"| {point[0]} | {point[1]} x {point[1]} | {point[2]} | {words} | "
                   f"{share(unit, 'core.tex_stalls', 'core.cycles')} | "
                   f"{share(unit, 'dcache_read_misses', 'dcache_reads')} | "
                   f"{quotient(instructions[1], instructions[0])} | "
                   f"{quotient(instructions[2], instructions[0])} |")
    report.add("")


def write_figure(found, report):
    groups = [f"{name}, {cores}" for name in FILTERS for cores in CORES]
    at = [(name, CORES_SIZE, cores) for name in FILTERS for cores in CORES]
    report.write("textures.svg", plot.bar_chart(
        f"Texture unit over software, {CORES_SIZE} x {CORES_SIZE}, by filter and cores",
        "speed-up (cycles of software / of the unit)", groups,
        {f"over {what}": [speed_up(found, point, way) or "not run" for point in at]
         for what, way in (("the device library", LIBRARY), ("software written for it", WRITTEN))},
        baseline=1))
    report.add("![Speed-up by filter and number of cores](textures.svg)", "")
