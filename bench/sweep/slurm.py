#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of a sweep on the nodes of a Slurm cluster, as tasks of an array job.

usage of the worker, which a task of the job is: slurm.py WORK/submission-N.json

The work folder has to be one that the nodes share. What is in it:

    programs/NAME-HASH, config-HASH.toml   what the runs need, kept as they were when submitted
    submission-N.json                      the chunks of job N: lists of runs, a task runs one list
    submission-N.id                        Slurm's number of the job
    parts/N-TASK.jsonl                     a row for each run that has ended, written by the task
    logs/N-TASK.txt                        what the task printed

Rows name the run in full, so a part is valid whatever has happened since: a task that Slurm starts
again continues after its last row, and a sweep that is started again takes what is there and waits
for the job that is still queued. Runs without a row, once their job has left the queue, are
submitted again: the one that was under way in a task of its own, because it may be what ended the
worker. It is given up after ATTEMPTS times, and everything if so many jobs in a row give no row.
"""

import hashlib
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

ATTEMPTS = 3
CHUNK = 10  # runs of a task, unless the array would be larger than MOST_TASKS
MOST_TASKS = 1000  # Slurm's MaxArraySize is 1001 by default
LONGEST_PAUSE = 5.0  # seconds between two looks at the queue


class SlurmError(Exception):
    """Why the cluster cannot be used, in words."""


def command(words):
    try:
        return subprocess.run(words, text=True, capture_output=True, errors="replace")
    except OSError as error:
        raise SlurmError(f"{words[0]}: {error.strerror}") from error


def read_rows(path, offset=0):
    """The rows of a part file from OFFSET on, and the offset after them. A line that was cut off when its
    worker ended does not count."""
    try:
        with open(path, "rb") as file:
            file.seek(offset)
            data = file.read()
    except FileNotFoundError:
        return [], offset
    data = data[:data.rfind(b"\n") + 1]
    rows = []
    for line in data.splitlines():
        try:
            rows.append(json.loads(line))
        except ValueError:
            pass
    return rows, offset + len(data)


class Cluster:
    """Executes runs as array jobs. OPTIONS are further options of sbatch."""

    def __init__(self, folder, options=(), chunk=0, most_tasks_at_once=0, say=print, fresh=False):
        """FRESH: what is in FOLDER of earlier starts is forgotten."""
        self.folder, self.options = os.path.abspath(folder), list(options)
        self.chunk, self.most_at_once, self.say = chunk, most_tasks_at_once, say
        os.makedirs(self.folder, exist_ok=True)
        if fresh:
            jobs = ", ".join(map(self.job, self.running_jobs()))
            if jobs:
                raise SlurmError(f"job {jobs} of an earlier start is still running; scancel it, or leave out --fresh")
            self.clear()
        for name in ("programs", "parts", "logs"):
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    # ---- What the runs need.

    def keep(self, source, name):
        """A copy of SOURCE in the work folder that later builds do not replace."""
        with open(source, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()[:12]
        base, extension = os.path.splitext(name)
        path = self.path(f"{base}-{digest}{extension}")
        if not os.path.exists(path):
            part = f"{path}.part"
            shutil.copy2(source, part)
            os.replace(part, path)
        return path

    # ---- Jobs.

    def numbers(self):
        """Of the submissions so far."""
        found = (re.fullmatch(r"submission-(\d+)\.json", name) for name in os.listdir(self.folder))
        return sorted(int(match.group(1)) for match in found if match)

    def submit(self, chunks, config, timeout):
        """Queues a job with a task for each chunk; the number of its submission."""
        number = max(self.numbers(), default=0) + 1
        task_file = self.path(f"submission-{number}.json")
        with open(task_file + ".part", "w") as file:
            json.dump({"config": config, "timeout": timeout, "chunks": chunks}, file)
        os.replace(task_file + ".part", task_file)
        array = f"0-{len(chunks) - 1}" + (f"%{self.most_at_once}" if self.most_at_once else "")
        worker = shlex.join([sys.executable, os.path.abspath(__file__), task_file])
        # Slurm reads % in the name of a file, which a folder may have.
        log = self.path("logs", "").replace("%", "%%") + f"{number}-%a.txt"
        done = command(["sbatch", "--parsable", f"--array={array}", "--job-name=vx-sweep", "--ntasks=1",
                        "--cpus-per-task=1", "--requeue", "--open-mode=append", f"--output={log}",
                        *self.options, f"--wrap=exec {worker}"])
        job = done.stdout.strip().split(";")[0]
        if done.returncode or not job.isdigit():
            os.remove(task_file)
            raise SlurmError("sbatch: " + (done.stderr.strip() or "has given no job number"))
        with open(self.path(f"submission-{number}.id"), "w") as file:
            file.write(job)
        self.say(f"job {job}: {sum(map(len, chunks))} runs in {len(chunks)} tasks")
        return number

    def job(self, number):
        try:
            with open(self.path(f"submission-{number}.id")) as file:
                return file.read().strip()
        except FileNotFoundError:  # this process ended between sbatch and writing it
            return ""

    def queued(self, job):
        """States of the tasks that have not ended, with Slurm's reasons. None: it does not answer."""
        done = command(["squeue", "--noheader", "--array", f"--jobs={job}", "--format=%T %r"])
        if done.returncode:
            return [] if "Invalid job id" in done.stderr else None
        return [line.strip() for line in done.stdout.splitlines() if line.strip()]

    def running_jobs(self):
        """Numbers of submissions with tasks that have not ended."""
        return [number for number in self.numbers() if self.job(number) and self.queued(self.job(number))]

    # ---- Rows.

    def new_rows(self, seen):
        """(submission, row) for all rows after SEEN, an offset by file, which is brought up to date."""
        rows = []
        for name in sorted(os.listdir(self.path("parts"))):
            new, seen[name] = read_rows(self.path("parts", name), seen.get(name, 0))
            rows += [(int(name.split("-")[0]), row) for row in new]
        return rows

    def last_words(self, number, task):
        """The last line of a task's log."""
        try:
            with open(self.path("logs", f"{number}-{task}.txt"), errors="replace") as file:
                lines = [line.strip() for line in file if line.strip()]
        except OSError:
            lines = []
        return lines[-1] if lines else "it left no message"

    def wait(self, number, seen):
        """Yields the rows of new_rows as they come, until no task of the job is queued."""
        job, shown, silent, pause = self.job(number), "", False, 0.2
        while True:
            states = self.queued(job)
            yield from self.new_rows(seen)
            if states is None and not silent:
                self.say("squeue gives no answer; waiting for it")
            silent = states is None
            if states is not None:
                if not states:
                    break
                # The reasons that a user has to know when nothing runs: Resources, Priority, a hold, …
                text = "" if any(s.startswith(("RUNNING", "COMPL")) for s in states) else states[0]
                if text and text != shown:
                    self.say(f"job {job}: {len(states)} tasks wait: {text.lower()}")
                shown = text
            time.sleep(pause)
            pause = min(1.5 * pause, LONGEST_PAUSE)
        yield from self.new_rows(seen)

    def chunks_of(self, number):
        with open(self.path(f"submission-{number}.json")) as file:
            return json.load(file)["chunks"]

    def run(self, points, key, config, timeout):
        """Yields a row for each of POINTS, {"program", "arguments", "settings", "identity"}.

        KEY turns an identity or a row into what identifies it. A failure of an earlier start is not a row:
        such a run is repeated.
        """
        missing = {key(point["identity"]): point for point in points}
        jobs = self.running_jobs()
        attempts, seen, fruitless = {}, {}, 0
        for number, row in self.new_rows(seen):
            if row["status"] == "ok" or number in jobs:
                yield from self.take(row, missing, key)
        if missing and jobs:
            self.say("waiting for what was submitted earlier: job " + ", ".join(map(self.job, jobs)))
        while missing:
            jobs = jobs or [self.submit(self.chunks(missing, attempts), config, timeout)]
            fruitless += 1
            for number in jobs:
                for _, row in self.wait(number, seen):
                    fruitless = 0
                    yield from self.take(row, missing, key)
                for task, chunk in enumerate(self.chunks_of(number)):
                    left = [k for k in (key_or_none(key, point["identity"]) for point in chunk)
                            if k in missing]
                    if not left:
                        continue
                    # Runs of a task are in order: the first without a row was under way.
                    words, suspect = self.last_words(number, task), left[0]
                    attempts[suspect] = attempts.get(suspect, 0) + 1
                    if attempts[suspect] == ATTEMPTS:
                        yield lost(missing.pop(suspect), words)
                    else:
                        self.say(f"task {self.job(number)}_{task} ended without {len(left)} of its "
                                 f"{len(chunk)} runs, which are submitted again: {words}")
            if fruitless == ATTEMPTS:
                for point in missing.values():
                    yield lost(point, self.last_words(jobs[-1], 0))
                return
            jobs = []

    @staticmethod
    def take(row, missing, key):
        """ROW, if it is one of those that are MISSING."""
        if missing.pop(key_or_none(key, row), None):
            yield row

    def chunks(self, missing, attempts):
        """Lists of runs for tasks: those that may have ended their worker are alone."""
        suspects = [[p] for k, p in missing.items() if attempts.get(k)][:MOST_TASKS // 2]
        others = [p for k, p in missing.items() if not attempts.get(k)]
        size = max(self.chunk or CHUNK, math.ceil(len(others) / (MOST_TASKS - len(suspects))))
        return suspects + [others[i:i + size] for i in range(0, len(others), size)]

    def clear(self):
        """Removes what is in the work folder, once it is no longer needed."""
        for name in ("programs", "parts", "logs"):
            shutil.rmtree(self.path(name), ignore_errors=True)
        for name in os.listdir(self.folder):
            if re.fullmatch(r"submission-\d+\.(json|id)|config-\w+\.toml", name):
                os.remove(self.path(name))
        if not os.listdir(self.folder):
            os.rmdir(self.folder)


def key_or_none(key, row):
    """None: ROW is of a sweep with other axes."""
    try:
        return key(row)
    except KeyError:
        return None


def lost(point, words):
    return {**point["identity"], "status": f"its worker ended {ATTEMPTS} times without a result: {words}"}


def work(submission, task, run_point):
    """Runs the chunk of TASK, but what is in its part already."""
    with open(submission) as file:
        data = json.load(file)
    folder, name = os.path.split(submission)
    number = re.search(r"\d+", name).group(0)
    path = os.path.join(folder, "parts", f"{number}-{task}.jsonl")
    done, _ = read_rows(path)
    with open(path, "a+b") as part:
        # A line that was cut off ends here.
        if part.tell():
            part.seek(-1, os.SEEK_END)
            if part.read(1) != b"\n":
                part.write(b"\n")
        for point in data["chunks"][task]:
            identity = point["identity"]
            if any(all(row.get(k) == v for k, v in identity.items()) for row in done):
                continue
            row = run_point(point["program"], point["arguments"], point["settings"], data["config"],
                            data["timeout"])
            part.write((json.dumps({**identity, **row}) + "\n").encode())
            part.flush()
            os.fsync(part.fileno())


def main():
    if len(sys.argv) != 2 or "SLURM_ARRAY_TASK_ID" not in os.environ:
        sys.exit(__doc__)
    import sweep  # only a worker needs it

    def run_point(path, arguments, settings, config, timeout):
        program = sweep.Program(os.path.basename(path), "", arguments, path)
        return sweep.run_point(program, settings, config, timeout)

    work(sys.argv[1], int(os.environ["SLURM_ARRAY_TASK_ID"]), run_point)


if __name__ == "__main__":
    main()
