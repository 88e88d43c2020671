# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of bench/evaluation."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
FOLDER = os.path.join(ROOT, "bench", "evaluation")
sys.path.insert(0, FOLDER)

import run  # noqa: E402,F401  (adds bench/sweep to the path)
import explain  # noqa: E402
import mappings  # noqa: E402
import plot  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


def points_of(text, group):
    """The points of the path with id GROUP of an SVG, as pairs of numbers; y grows downwards."""
    element = next(e for e in ElementTree.fromstring(text).iter() if e.get("id") == group)
    path = next(element.iter(SVG + "path")).get("d")
    return [tuple(map(float, pair)) for pair in re.findall(r"[ML] (\S+) (\S+)", path)]


def height_of(text, bar):
    ys = [y for _, y in points_of(text, bar)]
    return max(ys) - min(ys)


class PlotTest(unittest.TestCase):
    def test_bars(self):
        text = plot.bar_chart("a < b & c", "y", ["k1", "k2"],
                              {"ours": [2.0, "not run"], "paper": [4.0, 1.0]}, baseline=1)
        self.assertAlmostEqual(height_of(text, "bar-0-0") / height_of(text, "bar-1-0"), 0.5, delta=0.01)
        self.assertAlmostEqual(height_of(text, "bar-1-0") / height_of(text, "bar-1-1"), 4, delta=0.05)
        self.assertNotIn('"bar-0-1"', text)
        self.assertIn("not run", text)
        self.assertIn("a &lt; b &amp; c", text)

    def test_lines(self):
        for log in (False, True):
            text = plot.line_chart("t", "x", "y", [1, 2, 4], {"a": [1, 10, 100], "b": [5, None, 7]},
                                   log=log)
            ys = [y for _, y in points_of(text, "line-0")]
            self.assertTrue(ys[0] > ys[1] > ys[2])  # upwards
            if log:
                self.assertAlmostEqual(ys[0] - ys[1], ys[1] - ys[2], delta=0.2)
            self.assertEqual(len(points_of(text, "line-1")), 2)
        ElementTree.fromstring(plot.line_chart("t", "x", "y", [1], {"a": [None]}))


class ExplainTest(unittest.TestCase):
    HW = {"cycles": "100", "core.cycles": "100", "thread_instructions": "800",
          "warp_instructions": "100", "core.loads": "10", "core.stall_memory": "70",
          "core.stall_fetch": "10", "lane_occupancy": "0.5", "dram_bytes": "1000"}
    SW = {"cycles": "400", "core.cycles": "400", "thread_instructions": "3200",
          "warp_instructions": "400", "core.loads": "200", "core.stall_scoreboard": "100",
          "lane_occupancy": "1", "dram_bytes": "1000"}

    def test_sentences(self):
        text = explain.explain(self.HW, self.SW)
        self.assertTrue(text.startswith("Sw executes 4 times the thread instructions (3.2 k "
                                        "against 800) and 20 times the memory accesses"), text)
        self.assertIn("with hw the core waits for loads in 70 % and issues in 20 %", text)
        self.assertIn("with sw it issues in 75 % and waits for results of operations in 25 %", text)
        self.assertIn("in hw 50 % of the lanes are idle", text)
        self.assertNotIn("DRAM", text)

    def test_the_other_way(self):
        text = explain.explain(self.SW, dict(self.HW, dram_bytes="9000000"))
        self.assertTrue(text.startswith("Sw needs 25 % of the thread instructions"), text)
        self.assertIn("DRAM moves 9 MB in sw and 1 kB in hw", text)


class MappingsTest(unittest.TestCase):
    # The launches of a program: how each ran, and its cycles.
    HW = [("hw", 10), ("hw", 60)]
    COARSENED = [("hw, coarsened", 20), ("hw, coarsened", 30)]
    SERIAL = [("sw, block-per-lane", 100), ("sw, block-per-lane", 100)]

    def measured(self, choices):
        row = mappings.Row(None, 1, 32, "4x8")
        timed = []

        def run(choice, mode, timeout):
            lowering, mapping = choice
            runs = choices.get(choice) or (self.SERIAL if lowering == "sw" else self.HW)
            row.ran[choice] = [how for how, _ in runs]
            if mode == "timing":
                timed.append(mapping)
                row.cycles.update(((n, how), c) for n, (how, c) in enumerate(runs))

        row.run = run
        row.measure(1)
        return row, timed

    def test_choices_are_looked_up(self):
        mixed = [self.HW[0], self.COARSENED[1]]
        row, timed = self.measured({("hw", "coarsened"): self.COARSENED, ("auto", "auto"): mixed})
        self.assertEqual(timed, ["hw", "coarsened", "block-per-lane"])
        self.assertEqual(row.of(("auto", "auto")), 40)
        self.assertEqual(row.best("hw"), 40, "a mixture of mappings is ahead of all of them")
        self.assertEqual(row.over(("hw", "auto")), 70 / 40)
        self.assertEqual(row.of(("sw", "warps-per-lane")), None, "another took its place")
        self.assertEqual(row.best("sw"), 200)
        self.assertEqual(row.says(("auto", "auto")), "hw; hw, coarsened")

    def test_choices_that_were_not_seen_are_run(self):
        unseen = [("hw", 10), ("hw, coarsened", 7)]
        row, timed = self.measured({("auto", "auto"): unseen})
        self.assertEqual(timed[-1], "auto")
        self.assertEqual(row.of(("auto", "auto")), 17)


class RunTest(unittest.TestCase):
    def test_what_cannot_be_run_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            vxcc = os.path.join(folder, "vxcc")
            with open(vxcc, "w") as file:
                # Compiles everything but `vote`; programs cannot be run in sw.
                file.write('#!/bin/sh\ncase "$1" in *vote*) echo "error: no" >&2; exit 1;; esac\n'
                           "cat > $3 <<'END'\n#!/bin/sh\n"
                           '[ $VX_LOWERING = sw ] && { echo "vxrt: no sw here" >&2; exit 3; }\n'
                           'echo \'{"cycles": 1000, "cores": [], "memory": {}}\' > '
                           "${VX_STATS#json:}\nEND\nchmod +x $3\n")
            os.chmod(vxcc, 0o700)
            done = subprocess.run([sys.executable, os.path.join(FOLDER, "run.py"), "--vxcc", vxcc,
                                   "-o", os.path.join(folder, "out"), "--jobs", "2"],
                                  text=True, capture_output=True)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            self.assertIn("not compiled: vote: error: no", done.stdout)
            self.assertIn("- matmul, sw: vxrt: no sw here (exit status 3)", done.stdout)
            self.assertIn("| 4 | 1000 (1.0) |", done.stdout)
            for name in ("figure5.svg", "figure7.svg", "figure8.svg"):
                ElementTree.parse(os.path.join(folder, "out", name))

    def test_textures(self):
        with tempfile.TemporaryDirectory() as folder:
            vxcc = os.path.join(folder, "vxcc")
            with open(vxcc, "w") as file:
                # The unit takes a quarter of the cycles; software in the kernel does not run.
                file.write('#!/bin/sh\ncat > $3 <<\'END\'\n#!/bin/sh\n'
                           '[ $3 = written ] && { echo "vxrt: no" >&2; exit 3; }\n'
                           'case $VX_SET in *isa.texture=true*) c=1000;; *) c=4000;; esac\n'
                           'echo "{\\"cycles\\": $c, \\"cores\\": [], \\"memory\\": {}}" > '
                           "${VX_STATS#json:}\nEND\nchmod +x $3\n")
            os.chmod(vxcc, 0o700)
            done = subprocess.run([sys.executable, os.path.join(FOLDER, "run.py"), "--vxcc", vxcc,
                                   "-o", folder, "--jobs", "2", "--textures"],
                                  text=True, capture_output=True)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            self.assertIn("| bilinear | 64 x 64 | 8 | 1000 | 4000 | not run | 4.00 |  |", done.stdout)
            self.assertIn("- point, 32 x 32, 1 cores, written: vxrt: no (exit status 3)",
                          done.stdout)
            ElementTree.parse(os.path.join(folder, "textures.svg"))


if __name__ == "__main__":
    unittest.main()
