# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of sweep.py --engine=slurm with a compiler that copies, programs that are scripts, and stand-ins
for sbatch and squeue."""

import csv
import os
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, *[os.pardir] * 3))
SWEEP = os.path.join(ROOT, "bench", "sweep", "sweep.py")
sys.path.insert(0, os.path.dirname(SWEEP))

import slurm  # noqa: E402

VXCC = """#!/bin/sh
cp "$1" "$3" && chmod +x "$3"
"""

# Counts its runs. At the settings that the file `kill` has, it kills the worker that runs it, and takes
# them out of the file if they are followed by `once`. Waits while there is a file `hold`.
PROGRAM = """#!/usr/bin/env python3
import json, os, signal, sys, time
folder = {folder!r}
path = lambda name: os.path.join(folder, name)
settings = os.environ["VX_SET"]
with open(path("runs"), "a") as f:
    f.write(settings + "\\n")
while os.path.exists(path("hold")):
    time.sleep(0.05)
kill = open(path("kill")).read().split()
if settings in kill:
    if "once" in kill:
        open(path("kill"), "w").close()
    os.kill(os.getppid(), signal.SIGKILL)
    sys.exit(1)
if settings in open(path("bad")).read().split():
    sys.exit("out of luck")
a, b = (int(word.split("=")[1]) for word in settings.split(","))
json.dump({{"cycles": 1000 * a + b, "cores": [], "memory": {{}}}}, open(os.environ["VX_STATS"][5:], "w"))
"""

SPEC = """
[programs.one]
source = "one.cu"
[axes]
a = [1, 2, 3]
b = [1, 2, 3, 4]
"""


class SlurmTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = os.path.join(self.temporary.name, "a b%a")  # a name that has to be quoted
        os.makedirs(self.path("bin"))
        for name in ("kill", "bad", "runs", "jobs.txt"):
            self.write(name, "")
        self.write("spec.toml", SPEC)
        self.write("one.cu", PROGRAM.format(folder=self.folder))
        self.write("vxcc", VXCC)
        os.chmod(self.path("vxcc"), 0o700)
        for name in ("sbatch", "squeue"):
            os.symlink(os.path.join(HERE, "slurm-stand-in.py"), self.path("bin", name))

    def tearDown(self):
        self.temporary.cleanup()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def text(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def start(self, *options, output="spec.csv", engine="slurm", **env):
        env = dict(os.environ, STAND_IN_FOLDER=self.folder,
                   PATH=self.path("bin") + os.pathsep + os.environ["PATH"], **env)
        return subprocess.Popen([sys.executable, SWEEP, self.path("spec.toml"), "--vxcc", self.path("vxcc"),
                                 "-o", self.path(output), f"--engine={engine}", *options], env=env,
                                text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                # lit ignores the signal, and its children would.
                                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def sweep(self, *options, **more):
        process = self.start(*options, **more)
        _, errors = process.communicate(timeout=60)
        self.assertNotIn("Traceback", errors)
        return process.returncode, errors

    def rows(self, name="spec.csv"):
        with open(self.path(name), newline="") as file:
            return [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(file)]

    def check_complete(self):
        """The result is that of the local engine, row by row."""
        self.write("kill", "")
        self.assertEqual(self.sweep(engine="local", output="local.csv")[0], 0)
        self.assertEqual(self.rows(), self.rows("local.csv"))
        self.assertEqual(len(self.rows()), 12)
        self.assertEqual([row["cycles"] for row in self.rows()][:5],
                         ["1001", "1002", "1003", "1004", "2001"])

    def test_all_runs_once(self):
        code, errors = self.sweep("--chunk=5", "--jobs=2", "--sbatch=--partition=long")
        self.assertEqual(code, 0, errors)
        self.assertIn("job 100: 12 runs in 3 tasks", errors)
        self.assertIn("12 of 12 runs ok", errors)
        self.assertEqual(len(self.text("runs").splitlines()), 12)
        self.assertIn("--array=0-2%2", self.text("jobs.txt"))
        self.assertIn("--partition=long", self.text("jobs.txt"))
        self.assertFalse(os.path.exists(self.path("spec.csv.slurm")))
        self.check_complete()
        self.assertIn("12 of 12 runs are done already", self.sweep()[1])
        self.assertEqual(len(self.text("jobs.txt").splitlines()), 1)

    def test_runs_of_a_killed_worker_are_submitted_again(self):
        self.write("kill", "a=2,b=3 once")
        code, errors = self.sweep("--chunk=4")
        self.assertEqual(code, 0, errors)
        self.assertIn("task 100_1 ended without 2 of its 4 runs, which are submitted again: it left no "
                      "message", errors)
        self.assertIn("job 101: 2 runs in 2 tasks", errors)
        self.assertEqual(len(self.text("runs").splitlines()), 13)
        self.check_complete()

    def test_a_task_that_is_started_again_goes_on(self):
        self.write("kill", "a=2,b=3 once")
        code, errors = self.sweep("--chunk=4", REQUEUE="1")
        self.assertEqual(code, 0, errors)
        self.assertEqual(len(self.text("jobs.txt").splitlines()), 1)
        self.assertEqual(len(self.text("runs").splitlines()), 13)
        self.check_complete()

    def test_a_run_that_kills_its_worker_is_given_up(self):
        self.write("kill", "a=1,b=1")
        code, errors = self.sweep()
        self.assertEqual(code, 1)
        self.assertIn("11 of 12 runs ok", errors)
        self.assertEqual(self.rows()[0]["status"],
                         "its worker ended 3 times without a result: it left no message")
        self.assertEqual({row["status"] for row in self.rows()[1:]}, {"ok"})
        self.assertTrue(os.path.exists(self.path("spec.csv.slurm", "logs")))
        # The next start tries it again.
        self.write("kill", "")
        self.assertEqual(self.sweep()[0], 0)
        self.check_complete()

    def test_failures_are_named_and_tried_again(self):
        self.write("bad", "a=3,b=2")
        code, errors = self.sweep()
        self.assertEqual(code, 1)
        self.assertIn("one a=3 b=2: out of luck (exit status 1)", errors)
        self.assertEqual(len(self.text("runs").splitlines()), 12)
        self.write("bad", "")
        self.assertEqual(self.sweep()[0], 0)
        self.assertEqual(len(self.text("runs").splitlines()), 13)
        self.check_complete()

    def test_an_interrupted_sweep_takes_up_its_job(self):
        self.write("hold", "")
        process = self.start()
        while "job 100" not in process.stderr.readline():
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("its jobs continue", errors)
        code, errors = self.sweep("--fresh")
        self.assertEqual(code, 2)
        self.assertIn("job 100 of an earlier start is still running", errors)
        process = self.start()
        self.assertIn("waiting for what was submitted earlier: job 100", process.stderr.readline())
        os.remove(self.path("hold"))
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(len(self.text("jobs.txt").splitlines()), 1)
        self.assertEqual(len(self.text("runs").splitlines()), 12)
        self.check_complete()

    def test_what_slurm_refuses(self):
        code, errors = self.sweep(REFUSE="invalid partition specified: long")
        self.assertEqual(code, 2)
        self.assertIn("sweep.py: sbatch: sbatch: error: invalid partition specified: long", errors)

    def test_no_slurm(self):
        with self.assertRaisesRegex(slurm.SlurmError, "no-such-sbatch: No such file"):
            slurm.command(["no-such-sbatch"])

    def test_a_worker_goes_on_behind_its_last_whole_row(self):
        points = [{"program": "p", "arguments": [], "settings": {}, "identity": {"n": str(n)}}
                  for n in range(3)]
        os.mkdir(self.path("parts"))
        self.write("submission-7.json", slurm.json.dumps({"config": "", "timeout": 1, "chunks": [points]}))
        self.write("parts/7-0.jsonl", '{"n": "0", "status": "ok"}\n{"n": "1", "sta')
        ran = []

        def run_point(*arguments):
            ran.append(arguments)
            return {"status": "ok"}

        slurm.work(self.path("submission-7.json"), 0, run_point)
        self.assertEqual(len(ran), 2)
        rows, _ = slurm.read_rows(self.path("parts/7-0.jsonl"))
        self.assertEqual([row["n"] for row in rows], ["0", "1", "2"])


if __name__ == "__main__":
    unittest.main()
