# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of bench/sweep/sweep.py with a compiler that copies and programs that are scripts."""

import csv
import os
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
SWEEP = os.path.join(ROOT, "bench", "sweep", "sweep.py")

VXCC = """#!/bin/sh
case "$1" in *broken*) echo "broken.cu:1: error: no" >&2; exit 2;; esac
cp "$1" "$3" && chmod +x "$3"
"""

# Counts its runs; fails for the settings that are listed in the file `bad` next to it.
PROGRAM = """#!/usr/bin/env python3
import json, os, sys
folder = {folder!r}
settings = os.environ["VX_SET"]
with open(os.path.join(folder, "runs"), "a") as f:
    f.write(settings + " " + os.environ["VX_LOWERING"] + "\\n")
if settings in open(os.path.join(folder, "bad")).read().split():
    print("warning: something else", file=sys.stderr)
    sys.exit("out of luck")
warps = int(settings.split("warps=")[1].split(",")[0])
stats = {{"cycles": 1000 // warps, "ipc": 0.5, "cores": [{{"loads": 3}}, {{"loads": 4}}],
         "memory": {{"dram_reads": 9}}}}
json.dump(stats, open(os.environ["VX_STATS"].split(":", 1)[1], "w"))
"""

SPEC = """
[programs.one]
source = "one.cu"
arguments = ["7"]
[axes]
"core.num_warps" = [1, 2, 4]
lowering = ["hw", "sw"]
"""


class SweepTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.write("vxcc", VXCC, executable=True)
        self.write("one.cu", PROGRAM.format(folder=self.folder))
        self.write("bad", "")
        self.write("runs", "")
        self.write("spec.toml", SPEC)

    def tearDown(self):
        self.temporary.cleanup()

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text, executable=False):
        with open(self.path(name), "w") as file:
            file.write(text)
        if executable:
            os.chmod(self.path(name), stat.S_IRWXU)

    def sweep(self, *options):
        return subprocess.run(
            [sys.executable, SWEEP, self.path("spec.toml"), "--vxcc", self.path("vxcc"), "--jobs",
             "2", *options], text=True, capture_output=True)

    def rows(self):
        with open(self.path("spec.csv"), newline="") as file:
            return list(csv.DictReader(file))

    def runs(self):
        with open(self.path("runs")) as file:
            return sorted(file.read().split("\n"))[1:]

    def test_help_says_what_a_specification_is(self):
        text = subprocess.run([sys.executable, SWEEP, "--help"], capture_output=True, text=True,
                              check=True).stdout
        for part in ("usage: sweep.py", "SPEC.toml", "[programs.matmul]", "Exit status: 0",
                     "of a run; default: 600"):
            self.assertIn(part, text)

    def test_every_combination_once(self):
        done = self.sweep()
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.rows()
        self.assertEqual(sorted((r["core.num_warps"], r["lowering"], r["cycles"]) for r in rows),
                         [("1", "hw", "1000"), ("1", "sw", "1000"), ("2", "hw", "500"),
                          ("2", "sw", "500"), ("4", "hw", "250"), ("4", "sw", "250")])
        self.assertEqual({r["core.loads"] for r in rows}, {"7"})  # of both cores
        self.assertEqual({r["dram_reads"] for r in rows}, {"9"})
        self.assertEqual({r["status"] for r in rows}, {"ok"})
        self.assertEqual({r["arguments"] for r in rows}, {"7"})
        self.assertEqual(len(self.runs()), 6)
        self.assertIn("[6/6]", done.stderr)

    def test_second_start_repeats_nothing(self):
        self.sweep()
        done = self.sweep()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("6 of 6 runs are done already", done.stderr)
        self.assertEqual(len(self.runs()), 6)
        self.assertEqual(self.sweep("--fresh").returncode, 0)
        self.assertEqual(len(self.runs()), 12)

    def test_goes_on_after_a_file_that_was_cut(self):
        self.sweep()
        with open(self.path("spec.csv")) as file:
            lines = file.read().splitlines()
        self.write("spec.csv", "\n".join(lines[:3]) + "\n" + lines[3][:20])
        self.write("runs", "")
        done = self.sweep()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.runs()), 4)
        self.assertEqual([r["status"] for r in self.rows()], ["ok"] * 6)

    def test_failures_are_named_and_tried_again(self):
        self.write("bad", "core.num_warps=2")
        done = self.sweep()
        self.assertEqual(done.returncode, 1)
        self.assertIn("core.num_warps=2 lowering=sw: out of luck (exit status 1)", done.stderr)
        self.assertIn("4 of 6 runs ok", done.stderr)
        bad = [r for r in self.rows() if r["status"] != "ok"]
        self.assertEqual([r["core.num_warps"] for r in bad], ["2", "2"])
        self.write("bad", "")
        done = self.sweep()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.runs()), 8)
        self.assertEqual(len(self.rows()), 6)

    def test_what_the_simulator_says_comes_before_missing_statistics(self):
        self.write("one.cu", """#!/bin/sh
echo "about to start" >&2
echo "vxrt: VX_SET: configuration: there is no knob 'core.num_warp'" >&2
exit 0
""")
        done = self.sweep()
        self.assertEqual(done.returncode, 1)
        self.assertIn("lowering=sw: vxrt: VX_SET: configuration: there is no knob 'core.num_warp'\n",
                      done.stderr)
        self.assertNotIn("no statistics", done.stderr)
        self.write("one.cu", "#!/bin/sh\nexit 0\n")
        self.assertIn("no statistics: ", self.sweep().stderr)

    def test_a_changed_program_is_run_again(self):
        self.sweep()
        self.write("one.cu", PROGRAM.format(folder=self.folder) + "# changed\n")
        self.assertEqual(self.sweep().returncode, 0)
        self.assertEqual(len(self.runs()), 12)

    def test_what_cannot_be_compiled(self):
        self.write("broken.cu", "")
        self.write("spec.toml", SPEC + '[programs.two]\nsource = "broken.cu"\n')
        done = self.sweep()
        self.assertEqual(done.returncode, 1)
        self.assertIn("not built: two: broken.cu:1: error: no", done.stderr)
        self.assertEqual(len(self.rows()), 6)  # the other program was run

    def test_bad_specifications(self):
        for text, message in [("[programs.a]\n", "has no source"), ("x = 1\n", "unknown keys: x"),
                              ("", "no programs"), ("[", "spec.toml"),
                              ('[programs.a]\nsource = "none.cu"\n', "no file 'none.cu'"),
                              ('[programs.a]\nsource = "one.cu"\n[axes]\nx = 3\n', "not a list")]:
            self.write("spec.toml", text)
            done = self.sweep()
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(message, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_results_of_another_sweep_are_kept(self):
        self.sweep()
        self.write("spec.toml", SPEC.replace("core.num_warps", "core.num_threads"))
        done = self.sweep()
        self.assertEqual(done.returncode, 2)
        self.assertIn("of another sweep", done.stderr)
        self.assertEqual(len(self.rows()), 6)


if __name__ == "__main__":
    unittest.main()
