# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks pages of vx-report. They are well-formed XML, so that a parser reads them.

usage: check-page.py CHECK PAGE [FILE...]
"""

import json
import math
import re
import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"


class Page:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        # Nothing is loaded from anywhere, and there are no scripts.
        assert "<script" not in text and not re.search(r'(src|href)="(?!#|data:)', text), path
        ids = re.findall(r'\bid="([^"]*)"', text)
        assert len(ids) == len(set(ids)), "ids stand twice"
        used = re.findall(r'(?:href="#|url\(#)([^")]*)', text)
        assert set(used) <= set(ids), set(used) - set(ids)
        self.root = ElementTree.fromstring(text.replace("<!DOCTYPE html>", ""))
        self.title = self.root.find("head/title").text

    def table(self, name):
        """Rows of texts, the head first."""
        found = self.root.find(f".//table[@id='{name}']")
        assert found is not None, "no table " + name
        return [["".join(c.itertext()) for c in row] for row in found.iter("tr")]

    def rows(self, name):
        head, *rows = self.table(name)
        return [dict(zip(head, row)) for row in rows]

    def charts(self):
        return [svg.get("aria-label") for svg in self.root.iter(SVG + "svg")]

    def chart(self, label):
        return next(svg for svg in self.root.iter(SVG + "svg") if svg.get("aria-label") == label)

    def parts(self, label, prefix):
        """Elements of a chart whose id, without the chart's own part of it, begins with PREFIX."""
        return {e.get("id").split("-", 1)[1]: e for e in self.chart(label).iter()
                if e.get("id") and e.get("id").split("-", 1)[1].startswith(prefix)}


def value(text):
    return float(text.replace("\u202f", ""))


def position(group):
    """Of a marker."""
    use = next(group.iter(SVG + "use"))
    return float(use.get("x")), float(use.get("y"))


def same(a, b, what):
    assert abs(a - b) <= 0.01 * max(abs(a), abs(b), 1e-9), (what, a, b)


def runs(path, *files):
    page = Page(path)
    hw, sw, profile = (json.load(open(name)) for name in files)
    summary = page.rows("summary")
    assert [row["run"] for row in summary] == ["hw", "small"]
    for row, stats in zip(summary, (hw, sw)):
        assert value(row["cycles"]) == stats["cycles"]
        same(value(row["speed-up"]), hw["cycles"] / stats["cycles"], "speed-up")
    differ = {row["knob"]: (row["hw"], row["small"]) for row in page.rows("machines")}
    assert differ == {"num_cores": ("1", "1"), "core.num_warps": ("4", "4"),
                      "core.num_threads": ("32", "4"), "dram.channels": ("2", "1")}, differ
    assert len(page.rows("knobs")) > 80
    # The two launches in sw have different mappings, so they are two records.
    records = hw["kernels"] + sw["kernels"]
    kernels = page.rows("kernels")
    assert [row["run"] for row in kernels] == ["hw", "small", "small"]
    assert [row["lowering"] for row in kernels] == [kernel["lowering"] for kernel in records]
    assert [value(row["cycles"]) for row in kernels] == [kernel["cycles"] for kernel in records]
    same(value(kernels[1]["speed-up"]), hw["cycles"] / sw["cycles"], "speed-up")
    assert kernels[2]["speed-up"] == "–"
    assert sorted(page.parts("Cycles of each kernel", "bar-")) == ["bar-0-0", "bar-1-0"]
    for row in page.rows("causes"):
        same(sum(float(text.rstrip(" %")) for text in list(row.values())[1:]), 100, "causes")
    roofs = page.rows("roofline-dram")
    assert len(roofs) == 3
    for row, kernel, stats in zip(roofs, records, (hw, sw, sw)):
        intensity = kernel["thread_instructions"] / kernel["memory"]["dram_bytes"]
        most = min(stats["peak"]["thread_instructions"], intensity * stats["peak"]["dram_bytes"])
        same(value(row["at most"]), most, "roof")
        speed = kernel["thread_instructions"] / kernel["cycles"]
        assert 0 < speed <= most
        same(float(row["of that"].rstrip(" %")), 100 * speed / most, "part of the roof")
    assert hw["peak"] == {"thread_instructions": 32, "dcache_bytes": 256, "dram_bytes": 16}, hw["peak"]
    assert sw["peak"] == {"thread_instructions": 4, "dcache_bytes": 32, "dram_bytes": 8}, sw["peak"]
    points = page.parts("Roofline, DRAM", "point-")
    assert sorted(points) == ["point-0", "point-1", "point-2"]
    assert len(page.parts("Roofline, DRAM", "roof-")) == 2
    # Logarithmic axes: distances are those of the logarithms, in one scale for each axis.
    (x0, y0), (x1, y1) = position(points["point-0"]), position(points["point-1"])
    values = [(value(r["instructions for a byte"]), value(r["instructions a cycle"])) for r in roofs]
    assert (x1 - x0) * math.log(values[1][0] / values[0][0]) > 0
    assert (y1 - y0) * math.log(values[1][1] / values[0][1]) < 0  # upwards
    lines = {row["line"]: value(row["small: core cycles"]) for row in page.rows("profile-0")
             if row["small: core cycles"] != "–"}
    for line in profile["kernels"][0]["lines"][:3]:
        same(lines[line["place"]], line["cycles"], line["place"])
    counters = {row["counter"]: row for row in page.rows("counters")}
    assert value(counters["loads"]["small"]) == sw["cores"][0]["loads"]
    same(value(counters["dram_bytes"]["small / hw"]),
         sw["memory"]["dram_bytes"] / hw["memory"]["dram_bytes"], "ratio")


def functional(path):
    page = Page(path)
    assert page.title == 'A < B & "C"', page.title
    text = "".join(page.root.itertext())
    assert "Cycles of functional mode count instructions" in text
    assert len(page.rows("roofline-dram")) == 1 and len(page.rows("causes")) == 1


def strip(source, target):
    """Statistics without kernels, from those of a program."""
    stats = json.load(open(source))
    json.dump({**stats, "kernels": []}, open(target, "w"))


def two_axes(path):
    page = Page(path)
    assert page.charts() == ["p 1 2"], page.charts()
    best = page.rows("best")[0]
    assert (best["core.num_warps"], best["core.num_threads"], best["cycles"]) == ("4", "8", "125"), best
    cells = page.parts("p 1 2", "cell-")
    # Rows and columns in the order of numbers: the cell of 1 warp, 4 lanes is the first.
    texts = {name: "".join(e.itertext()).strip() for name, e in cells.items()}
    assert texts == {"cell-0-0": "1000", "cell-0-1": "500", "cell-1-0": "500", "cell-1-1": "250",
                     "cell-2-0": "250", "cell-2-1": "125"}, texts
    marked = page.root.findall(".//table[@id='runs']//tr[@class='best']")
    assert len(marked) == 1 and "".join(marked[0].itertext()).startswith("p1 248125")
    assert len(page.rows("runs")) == 6


def three_axes(path):
    page = Page(path)
    assert page.charts() == ["p 1 2", "ipc by num_cores"], page.charts()
    best = page.rows("best")[0]
    assert (best["lowering"], best["core.num_warps"], best["num_cores"], best["ipc"]) == \
        ("hw", "4", "2", "0.2"), best
    texts = {name: "".join(e.itertext()).strip() for name, e in page.parts("p 1 2", "cell-").items()}
    assert texts["cell-1-0"] == "0.025" and texts["cell-0-2"] == "0.2", texts  # the best over num_cores
    assert len(page.rows("runs")) == 12


def one_axis(path):
    page = Page(path)
    assert page.charts() == ["cycles by core.num_warps"], page.charts()
    line = page.parts("cycles by core.num_warps", "line-")["line-0"]
    heights = [float(use.get("y")) for use in line.iter(SVG + "use")]
    assert len(heights) == 4 and heights == sorted(heights), heights  # 4000, 2000, 1000, 500: downwards
    same(heights[1] - heights[0], 2 * (heights[2] - heights[1]), "scale")


if __name__ == "__main__":
    globals()[sys.argv[1].replace("-", "_")](*sys.argv[2:])
