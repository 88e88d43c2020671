#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sweep of 300 runs on a Slurm cluster of this machine, one worker and one node killed in the middle.

    test/bench/slurm-cluster.py [--build=build] [--work=DIR] [--chunk=N] [--keep]

Needs root and Debian's slurm-wlm and munge. Starts munged, slurmctld and two slurmds of its own, with
their configuration, sockets and state in DIR (default: a temporary folder) and ports that the system's do
not use; nothing of the system's Slurm is touched, and the daemons end with the script. The sweep runs with
--engine=local, then with --engine=slurm: a worker is killed after a third of the runs, a slurmd with all
that it runs after two thirds. Passes if both files are the same except for the seconds.
"""

import argparse
import contextlib
import csv
import glob
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NODES = ["vx1", "vx2"]
POINTS = 300
SPEC = """
options = ["-O2"]
[programs.matmul]
source = "examples/matmul/matmul.cu"
arguments = ["16", "64"]
[axes]
"core.num_warps" = [1, 2, 4, 8, 16]
"core.num_threads" = [2, 4, 8, 16, 32]
"dcache.size" = [4096, 16384]
num_cores = [1, 2, 3]
lowering = ["hw", "sw"]
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """Slurm on this machine, in FOLDER."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = {}
        host = socket.gethostname()
        ports = free_ports(1 + len(NODES))
        lines = [
            "ClusterName=vx", f"SlurmctldHost={host}(127.0.0.1)", "SlurmUser=root", "SlurmdUser=root",
            f"SlurmctldPort={ports[0]}", f"AuthInfo=socket={folder}/munge.socket",
            "AuthType=auth/munge", "CredType=cred/munge", f"StateSaveLocation={folder}/state",
            f"SlurmdSpoolDir={folder}/spool.%n", f"SlurmctldPidFile={folder}/slurmctld.pid",
            f"SlurmdPidFile={folder}/slurmd.%n.pid", "ProctrackType=proctrack/linuxproc",
            "TaskPlugin=task/none", "SelectType=select/cons_tres", "SelectTypeParameters=CR_CPU",
            "SlurmdParameters=config_overrides", "MpiDefault=none", "ReturnToService=2",
            "SlurmdTimeout=10", "SlurmctldTimeout=10", "KillWait=2", "MinJobAge=30", "InactiveLimit=0",
            "AccountingStorageType=accounting_storage/none", "JobAcctGatherType=jobacct_gather/none",
        ]
        lines += [f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 State=UNKNOWN"
                  for name, port in zip(NODES, ports[1:])]
        lines.append("PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP")
        self.env = dict(os.environ, SLURM_CONF=os.path.join(folder, "slurm.conf"))
        with open(self.env["SLURM_CONF"], "w") as file:
            file.write("\n".join(lines) + "\n")
        for name in ["state"] + [f"spool.{node}" for node in NODES]:
            os.mkdir(os.path.join(folder, name))

    def start(self, name, *words):
        log = open(os.path.join(self.folder, name + ".log"), "ab")
        self.daemons[name] = subprocess.Popen(words, env=self.env, stdout=log, stderr=log,
                                              start_new_session=True)
        log.close()

    def start_node(self, name):
        self.start(name, "slurmd", "-D", "-N", name)

    def up(self):
        key = os.path.join(self.folder, "munge.key")
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o400), "wb") as file:
            file.write(secrets.token_bytes(128))
        where = [f"--{option}={self.folder}/munge.{option.split('-')[0]}"
                 for option in ("socket", "pid-file", "log-file", "seed-file")]
        self.start("munged", "munged", "--foreground", "--force", f"--key-file={key}", *where)
        wait_for("munged", lambda: os.path.exists(os.path.join(self.folder, "munge.socket")))
        self.start("slurmctld", "slurmctld", "-D", "-c")
        for name in NODES:
            self.start_node(name)
        wait_for("the nodes", lambda: self.idle() == len(NODES))

    def idle(self):
        done = subprocess.run(["sinfo", "--noheader", "--Node", "--format=%T"], env=self.env, text=True,
                              capture_output=True)
        return done.stdout.split().count("idle")

    def kill_node(self, name):
        """A node that is gone: its slurmd, and the steps that were its."""
        processes = [pid for pid, words in commands()
                     if "slurmstepd" in words[0] and parent_session(pid, name, self.folder)]
        for pid in [self.daemons[name].pid] + processes + [c for p in processes for c in descendants(p)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.daemons.pop(name).wait()

    def down(self):
        for name in reversed(list(self.daemons)):
            self.daemons[name].terminate()
        for name, daemon in self.daemons.items():
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()


def commands():
    """(process, words of its command) of all processes."""
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                words = file.read().decode(errors="replace").split("\0")
        except OSError:
            continue
        yield int(path.split("/")[2]), words


def descendants(process):
    try:
        with open(f"/proc/{process}/task/{process}/children") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        return []
    return children + [d for child in children for d in descendants(child)]


def parent_session(step, node, folder):
    """Whether a slurmstepd is one of NODE's of the cluster in FOLDER: it has a socket in its spool."""
    with contextlib.suppress(OSError):
        with open(f"/proc/{step}/environ", "rb") as file:
            if f"SLURM_CONF={folder}/slurm.conf".encode() not in file.read():
                return False
        words = dict(commands()).get(step, [""])
        sockets = glob.glob(os.path.join(folder, f"spool.{node}", f"{node}_*"))
        jobs = {name.rsplit("_", 1)[1].split(".")[0] for name in sockets}
        return any(f"[{job}." in words[0] for job in jobs)
    return False


def wait_for(what, condition, seconds=120):
    """What CONDITION gives once it holds."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise RuntimeError(f"{what}: not there after {seconds} s")
        time.sleep(0.2)
    return found


def sweep(options, folder, engine, env):
    return subprocess.Popen(
        [sys.executable, os.path.join(ROOT, "bench", "sweep", "sweep.py"), os.path.join(folder, "spec.toml"),
         f"--engine={engine}", "-o", os.path.join(folder, engine + ".csv"), "--timeout=300",
         "--vxcc", os.path.join(ROOT, options.build, "bin", "vxcc"), f"--chunk={options.chunk}"],
        env=env, text=True, stderr=subprocess.PIPE)


def kill_worker(folder):
    """Kills a worker of the sweep, the next one if there is none between two tasks; its number."""
    name = os.path.join(folder, "slurm.csv.slurm", "submission-")

    def kill():
        for pid, words in commands():
            if "python" in words[0] and any(word.startswith(name) for word in words):
                with contextlib.suppress(ProcessLookupError):  # it may have just ended
                    os.kill(pid, signal.SIGKILL)
                    return pid
        return None

    return wait_for("a worker to kill", kill)


def run_on_slurm(options, folder, cluster):
    """The sweep on CLUSTER, with what is killed during it; its exit status."""
    process = sweep(options, folder, "slurm", cluster.env)
    ended, plan = 0, {POINTS // 3: "worker", 2 * POINTS // 3: "node"}
    for line in process.stderr:
        print("  " + line, end="", flush=True) if not line.startswith("[") else None
        ended += line.startswith("[")
        what = plan.pop(ended, None)
        if what == "worker":
            print(f"-- {ended} runs: killed worker {kill_worker(folder)}", flush=True)
        elif what == "node":
            cluster.kill_node(NODES[0])
            print(f"-- {ended} runs: killed node {NODES[0]}; starting it again", flush=True)
            cluster.start_node(NODES[0])
    if plan:
        raise RuntimeError(f"the sweep ended before {', '.join(plan.values())} was killed")
    return process.wait()


def rows(path):
    with open(path, newline="") as file:
        return [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(file)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--work", help="an empty folder")
    parser.add_argument("--chunk", type=int, default=25)
    parser.add_argument("--keep", action="store_true", help="keep the folder")
    options = parser.parse_args()
    missing = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if not shutil.which(name)]
    if missing or os.geteuid():
        sys.exit("slurm-sweep.py: " + ("needs root" if os.geteuid() else
                                       f"no {', '.join(missing)} (apt-get install slurm-wlm munge)"))
    folder = os.path.abspath(options.work or tempfile.mkdtemp(prefix="vx-slurm-"))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "spec.toml"), "w") as file:
        file.write(SPEC)
    begin = time.monotonic()
    local = sweep(options, folder, "local", os.environ)
    print(local.communicate()[1].splitlines()[-1])
    print(f"local: {time.monotonic() - begin:.0f} s", flush=True)
    os.mkdir(os.path.join(folder, "cluster"))
    cluster = Cluster(os.path.join(folder, "cluster"))
    begin = time.monotonic()
    try:
        cluster.up()
        status = run_on_slurm(options, folder, cluster)
    finally:
        cluster.down()
    print(f"slurm: {time.monotonic() - begin:.0f} s")
    ours, reference = rows(os.path.join(folder, "slurm.csv")), rows(os.path.join(folder, "local.csv"))
    same = ours == reference and len(ours) == POINTS and status == 0 and local.returncode == 0
    print(f"{len(ours)} rows, {sum(a == b for a, b in zip(ours, reference))} of them equal to the local "
          f"engine's: {'PASS' if same else 'FAIL'}")
    if same and not options.keep:
        shutil.rmtree(folder)
    elif not same:
        print(f"what is left is in {folder}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
