#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for Slurm's sbatch and squeue, by the name it is called by: tasks run here, two at a time.

STAND_IN_FOLDER has jobs.txt, a line for each call of sbatch, and a folder for each job. A task whose
worker was killed has failed and is not started again, as in Slurm; with REQUEUE=1 it is started once more
under its number, as Slurm does when a node fails.
"""

import concurrent.futures
import os
import re
import subprocess
import sys

FOLDER = os.environ["STAND_IN_FOLDER"]


def sbatch(words):
    if os.environ.get("REFUSE"):
        sys.exit("sbatch: error: " + os.environ["REFUSE"])
    values = dict(word[2:].split("=", 1) for word in words if "=" in word)
    with open(os.path.join(FOLDER, "jobs.txt"), "a+") as file:
        file.seek(0)
        job = str(100 + len(file.readlines()))
        file.write(" ".join(word for word in words if not word.startswith("--wrap")) + "\n")
    os.mkdir(os.path.join(FOLDER, job))
    subprocess.Popen([sys.executable, __file__, "run", job, values["array"], values["output"],
                      values["wrap"]], start_new_session=True, stdin=subprocess.DEVNULL,
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print(job + ";cluster")


def run(job, array, output, wrapped):
    first, last = map(int, re.fullmatch(r"(\d+)-(\d+)(?:%\d+)?", array).groups())

    def task(number):
        env = dict(os.environ, SLURM_ARRAY_TASK_ID=str(number))
        for _ in range(2):
            name = re.sub("%[%a]", lambda found: str(number) if found[0] == "%a" else "%", output)
            with open(name, "a") as log:
                done = subprocess.run(["sh", "-c", wrapped], env=env, stdout=log, stderr=log)
            if done.returncode >= 0 or not os.environ.get("REQUEUE"):
                return

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(task, range(first, last + 1)))
    open(os.path.join(FOLDER, job, "ended"), "w").close()


def squeue(words):
    job = next(word.split("=")[1] for word in words if word.startswith("--jobs="))
    if not os.path.isdir(os.path.join(FOLDER, job)):
        sys.exit("slurm_load_jobs error: Invalid job id specified")
    if not os.path.exists(os.path.join(FOLDER, job, "ended")):
        print("RUNNING None\nPENDING Resources")


if len(sys.argv) > 1 and sys.argv[1] == "run":
    run(*sys.argv[2:])
else:
    {"sbatch": sbatch, "squeue": squeue}[os.path.basename(sys.argv[0])](sys.argv[1:])
