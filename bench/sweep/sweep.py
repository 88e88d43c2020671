#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs CUDA programs on many configurations of the simulator, in parallel, into one CSV file.

usage: sweep.py SPEC.toml [-o RESULTS.csv] [--jobs N] [--timeout SECONDS] [--vxcc PATH] [--fresh]
                [--engine=local|slurm] [--chunk N] [--sbatch=OPTION ...] [--work FOLDER]

The specification names programs and axes; every program runs on every combination:

    config = "simulator/configs/simx.toml"     # optional: what all runs share
    options = ["-O3"]                          # of vxcc; this is the default

    [programs.matmul]
    source = "examples/matmul/matmul.cu"       # relative to the specification, or to the repository
    arguments = ["32", "1024"]

    [axes]                                     # knobs of the simulator, "lowering" (hw, sw), and
                                               # "mapping" of it (hw, …, block-per-lane, …, auto)
    "core.num_warps" = [1, 2, 4]
    "core.num_threads" = [4, 8]

A program has to end with status 0. The CSV has a row per run: program, arguments, build (a hash of
the program and of what all runs share), the axes, status, what the run counted, and the seconds it
took. Rows are written as runs end. If the file is there already, runs whose row says `ok` for the
same build are not repeated; --fresh starts anew. Exit status: 0 when every row is ok, 1 when some run
failed (its row and stderr say why), 2 when nothing could be run.

--engine=slurm submits the runs as an array job, --chunk of them to a task, and waits for it; --jobs is
then how many tasks may run at once, and --sbatch passes an option on (--sbatch=--partition=long). Runs
whose worker has ended are submitted again. Interrupted, the job continues, and the same command takes up
its rows later. --work (default: RESULTS.csv.slurm) has to be a folder that the nodes share, as must be
the repository; slurm.py says what is in it. Chunks, and how often a run is tried, are there, too.
"""

import argparse
import concurrent.futures
import contextlib
import csv
import dataclasses
import hashlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

import slurm

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OK = "ok"
NO_KNOBS = ("lowering", "mapping")  # axes that the runtime reads


class SpecError(Exception):
    """What is wrong with a specification, in words."""


@dataclasses.dataclass
class Program:
    """A CUDA source and the arguments of its program."""

    name: str
    source: str
    arguments: list
    path: str = ""  # of the executable, once it is built
    build: str = ""  # a hash of it


@dataclasses.dataclass
class Spec:
    programs: list
    axes: dict  # name -> values
    config: str = ""
    options: tuple = ("-O3",)

    def points(self):
        """Every run, as (program, {axis: value})."""
        for program in self.programs:
            for values in itertools.product(*self.axes.values()):
                yield program, dict(zip(self.axes, map(str, values)))


def find_file(name, folder):
    """NAME relative to FOLDER, or else to the repository."""
    for base in (folder, ROOT):
        path = os.path.join(base, name)
        if os.path.exists(path):
            return os.path.abspath(path)
    raise SpecError(f"there is no file '{name}' in {folder} or {ROOT}")


def load_spec(path):
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise SpecError(f"{path}: {error}") from error
    unknown = set(data) - {"config", "options", "programs", "axes"}
    if unknown:
        raise SpecError(f"{path}: unknown keys: {', '.join(sorted(unknown))}")
    folder = os.path.dirname(os.path.abspath(path))
    programs = []
    for name, entry in data.get("programs", {}).items():
        if "source" not in entry:
            raise SpecError(f"{path}: program '{name}' has no source")
        programs.append(Program(name, find_file(entry["source"], folder),
                                [str(a) for a in entry.get("arguments", [])]))
    axes = data.get("axes", {})
    for name, values in axes.items():
        if not isinstance(values, list) or not values:
            raise SpecError(f"{path}: axis '{name}' is not a list of values")
    if not programs:
        raise SpecError(f"{path}: no programs")
    config = find_file(data["config"], folder) if "config" in data else ""
    return Spec(programs, axes, config, tuple(data.get("options", ["-O3"])))


def build_program(program, spec, vxcc, folder):
    """Compiles PROGRAM; an error text, or empty."""
    path = os.path.join(folder, program.name)
    done = subprocess.run([vxcc, program.source, "-o", path, *spec.options], text=True,
                          capture_output=True, errors="replace")
    if done.returncode:
        return f"{program.name}: {last_line(done.stderr) or 'vxcc failed'}"
    hashed = hashlib.sha256()
    for part in [path] + ([spec.config] if spec.config else []):
        with open(part, "rb") as file:
            hashed.update(file.read())
    program.path, program.build = path, hashed.hexdigest()[:12]
    return ""


def runtime_message(text):
    """The first message of the simulator or the runtime, or empty."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if line.startswith(("vxrt:", "kernel `"))), "")


def last_line(text):
    """The last line that says something; a message of the simulator goes before the program's own."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return runtime_message(text) or (lines[-1] if lines else "")


def flatten(stats):
    """One level of names and numbers of a JSON report; those of all cores are added up."""
    flat = {key: value for key, value in stats.items() if not isinstance(value, (list, dict))}
    for core in stats.get("cores", []):
        for key, value in core.items():
            flat["core." + key] = flat.get("core." + key, 0) + value
    flat.update(stats.get("memory", {}))
    # The way the kernels ran: "hw", "sw, thread-per-lane", …
    flat["lowerings"] = "; ".join(sorted({kernel["lowering"] for kernel in stats.get("kernels", [])}))
    return flat


def run_point(program, settings, config="", timeout=600.0, mode="timing", launches=None):
    """Runs PROGRAM with SETTINGS. Returns a row without the columns that identify it; appends a
    dictionary for each launch to LAUNCHES: its cycles, lowering and kernel."""
    knobs = {key: value for key, value in settings.items() if key not in NO_KNOBS}
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        report, log = os.path.join(folder, "stats"), os.path.join(folder, "launches")
        env = dict(os.environ, VX_STATS="json:" + report, VX_MODE=mode,
                   VX_SET=",".join(f"{key}={value}" for key, value in knobs.items()))
        for name in ("VX_TRACE", "VX_PROFILE", "VX_CONFIG", "VX_BACKEND"):
            env.pop(name, None)
        if config:
            env["VX_CONFIG"] = config
        if launches is not None:
            env["VX_LAUNCHES"] = log
        env["VX_LOWERING"] = settings.get("lowering", "hw")
        if "mapping" in settings:
            name = "VX_HW_MAPPING" if env["VX_LOWERING"] == "hw" else "VX_SW_MAPPING"
            env[name] = settings["mapping"]
        row = {"status": OK}
        try:
            done = subprocess.run([program.path, *program.arguments], env=env, text=True,
                                  capture_output=True, timeout=timeout, errors="replace")
        except subprocess.TimeoutExpired:
            return {"status": f"longer than {timeout:g} s"}
        except OSError as error:
            return {"status": str(error)}
        if done.returncode:
            row["status"] = last_line(done.stderr) or last_line(done.stdout) or "no message"
            row["status"] += f" (exit status {done.returncode})"
        else:
            try:
                with open(report) as file:
                    row.update(flatten(json.load(file)))
                if launches is not None:
                    with open(log, newline="") as file:
                        launches += csv.DictReader(file)
            except (OSError, ValueError) as error:
                # A program that ignores errors ends well also where the simulator did not start.
                row["status"] = runtime_message(done.stderr) or f"no statistics: {error}"
    row["seconds"] = f"{time.perf_counter() - begin:.3f}"
    return row


class Results:
    """The CSV file. Columns may be added by later runs; rows of earlier ones are kept."""

    def __init__(self, path, axes, fresh=False):
        self.path, self.axes = path, list(axes)
        self.key_columns = ["program", "arguments", "build"] + self.axes
        self.columns = self.key_columns + ["status", "seconds"]
        self.rows = {}
        self.lock = threading.Lock()
        if path and os.path.exists(path) and not fresh:
            self.load()

    def load(self):
        with open(self.path, newline="") as file:
            reader = csv.DictReader(file)
            missing = set(self.key_columns + ["status"]) - set(reader.fieldnames or [])
            if missing:
                raise SpecError(f"{self.path} is of another sweep (no column "
                                f"{', '.join(sorted(missing))}); --fresh overwrites it")
            self.columns = list(reader.fieldnames)
            for row in reader:
                if None not in row and None not in row.values():  # else: cut off while it was written
                    self.rows[self.key(row)] = row
        self.rewrite()

    def key(self, row):
        return tuple(row[column] for column in self.key_columns)

    def is_done(self, identity):
        return self.rows.get(self.key(identity), {}).get("status") == OK

    def add(self, row):
        with self.lock:
            row = {key: str(value) for key, value in row.items()}
            new = [column for column in row if column not in self.columns]
            repeated = self.key(row) in self.rows
            self.rows[self.key(row)] = row
            if not self.path:
                return
            if new or repeated or not os.path.exists(self.path):
                self.columns += new
                self.rewrite()
            else:
                with open(self.path, "a", newline="") as file:
                    csv.DictWriter(file, self.columns, restval="").writerow(row)

    def in_order(self, identities):
        """The rows of IDENTITIES, which become the first of the file."""
        keys = [self.key(identity) for identity in identities]
        rows = {key: self.rows[key] for key in keys}
        self.rows = {**rows, **self.rows}
        if self.path:
            self.rewrite()
        return list(rows.values())

    def rewrite(self):
        part = self.path + ".part"
        with open(part, "w", newline="") as file:
            writer = csv.DictWriter(file, self.columns, restval="")
            writer.writeheader()
            writer.writerows(self.rows.values())
        os.replace(part, self.path)


def run_here(spec, todo, jobs, timeout):
    """Yields the rows of TODO as they come from JOBS processes."""
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        futures = {pool.submit(run_point, program, settings, spec.config, timeout): identity
                   for program, settings, identity in todo}
        try:
            for future in concurrent.futures.as_completed(futures):
                yield {**futures[future], **future.result()}
        except (KeyboardInterrupt, GeneratorExit):
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def run_on_slurm(cluster, spec, todo, results, timeout):
    """Yields the rows of TODO as they come from CLUSTER."""
    paths = {program.name: cluster.keep(program.path, os.path.join("programs", program.name))
             for program in spec.programs}
    config = cluster.keep(spec.config, "config.toml") if spec.config else ""
    points = [{"program": paths[program.name], "arguments": program.arguments, "settings": settings,
               "identity": identity} for program, settings, identity in todo]
    yield from cluster.run(points, results.key, config, timeout)


def run_sweep(spec, results, jobs, timeout, say=lambda text: None, cluster=None):
    """Runs what RESULTS lacks, here or on CLUSTER. Returns the rows of all points of SPEC that were
    built, in the order of the specification, which is then that of the file, too."""
    todo, wanted = [], []
    for program, settings in spec.points():
        identity = {"program": program.name, "arguments": " ".join(program.arguments),
                    "build": program.build, **settings}
        wanted.append(identity)
        if not results.is_done(identity):
            todo.append((program, settings, identity))
    if len(todo) < len(wanted):
        say(f"{len(wanted) - len(todo)} of {len(wanted)} runs are done already")
    rows = (run_on_slurm(cluster, spec, todo, results, timeout) if cluster
            else run_here(spec, todo, jobs, timeout))
    with contextlib.closing(rows):
        for count, row in enumerate(rows, 1):
            results.add(row)
            what = " ".join([row["program"]] + [f"{k}={row[k]}" for k in spec.axes])
            cost = f"{row['cycles']} cycles" if row["status"] == OK else row["status"]
            say(f"[{count}/{len(todo)}] {what}: {cost}")
    return results.in_order(wanted)


def default_vxcc():
    return os.path.join(ROOT, "build", "bin", "vxcc")


def main():
    title, _, text = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(description=title, epilog=text,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spec", metavar="SPEC.toml", help="the specification; see below")
    parser.add_argument("-o", "--output", metavar="RESULTS.csv", help="default: the specification's name with .csv")
    parser.add_argument("--jobs", type=int, metavar="N",
                        help="runs, or tasks of Slurm, at once; default: one per processor")
    parser.add_argument("--timeout", type=float, default=600.0, metavar="SECONDS",
                        help="of a run; default: %(default)g")
    parser.add_argument("--vxcc", default=default_vxcc(), metavar="PATH",
                        help="the compiler; default: %(default)s")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--engine", choices=("local", "slurm"), default="local",
                        help="where runs are run; default: %(default)s")
    parser.add_argument("--chunk", type=int, default=0, metavar="N", help="slurm: runs of a task")
    parser.add_argument("--sbatch", action="append", default=[], metavar="OPTION",
                        help="slurm: a further option of sbatch")
    parser.add_argument("--work", metavar="FOLDER", help="slurm: a folder that the nodes share")
    options = parser.parse_args()
    jobs = options.jobs or os.cpu_count()
    output = options.output or os.path.splitext(options.spec)[0] + ".csv"

    def say(text):
        print(text, file=sys.stderr, flush=True)

    try:
        spec = load_spec(options.spec)
        results = Results(output, spec.axes, options.fresh)
        with tempfile.TemporaryDirectory() as folder:
            with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
                errors = [e for e in pool.map(
                    lambda p: build_program(p, spec, options.vxcc, folder), spec.programs) if e]
            for error in errors:
                say("not built: " + error)
            spec.programs = [p for p in spec.programs if p.path]
            if not spec.programs:
                return 2
            cluster = None
            if options.engine == "slurm":
                cluster = slurm.Cluster(options.work or output + ".slurm", options.sbatch, options.chunk,
                                        options.jobs or 0, say, options.fresh)
            rows = run_sweep(spec, results, jobs, options.timeout, say, cluster)
    except (SpecError, slurm.SlurmError, OSError) as error:
        say(f"sweep.py: {error}")
        return 2
    except KeyboardInterrupt:
        jobs_go_on = " and its jobs continue" if options.engine == "slurm" else ""
        say(f"interrupted; {output} has what was finished{jobs_go_on}, start again to continue")
        return 130
    failed = [row for row in rows if row["status"] != OK]
    if cluster and not failed:
        cluster.clear()
    say(f"{len(rows) - len(failed)} of {len(rows)} runs ok: {output}")
    return 1 if failed or errors else 0


if __name__ == "__main__":
    sys.exit(main())
