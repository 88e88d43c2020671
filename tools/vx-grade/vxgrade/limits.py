# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of a program with limits of time, memory and output."""

import dataclasses
import os
import resource
import signal
import subprocess
import tempfile
import time


@dataclasses.dataclass
class Limits:
    seconds: float = 10     # of the clock, for a run without checkers; with them it has checked_factor as much
    memory_mb: int = 4096   # of private memory
    output_kb: int = 1024   # of stdout and of stderr, each, and of each file that is written
    checked_factor: float = 6


@dataclasses.dataclass
class Outcome:
    code: int               # as a shell has it: 128 + the number of a signal
    stdout: str
    stderr: str
    seconds: float
    is_late: bool = False   # it was ended when its time was over
    is_loud: bool = False   # it has written more than it may

    def ending(self, limits, factor=1.0):
        """How it ended, in words, if that was not by itself."""
        if self.is_late:
            return f"it did not end within {limits.seconds * factor:g} s"
        if self.is_loud:
            return f"it writes more than {limits.output_kb} KiB"
        if self.code > 128:
            try:
                return f"it was ended by {signal.Signals(self.code - 128).name}"
            except ValueError:
                pass
        return ""


def confine(limits):
    """Called in the child: limits of the processes that it begins."""
    def apply():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (limits.memory_mb << 20,) * 2)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limits.output_kb << 10,) * 2)
    return apply


def read(file, limits):
    file.seek(0)
    return file.read(limits.output_kb << 10).decode(errors="replace")


def run(command, folder, env, limits, factor=1.0, stdin="", confined=True):
    """Runs COMMAND in FOLDER. What it has started ends with it."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
        given.write(stdin.encode())
        given.seek(0)
        child = subprocess.Popen(command, cwd=folder, env=env, stdin=given, stdout=out, stderr=err,
                                 preexec_fn=confine(limits) if confined else os.setsid)
        is_late = False
        try:
            child.wait(timeout=limits.seconds * factor)
        except subprocess.TimeoutExpired:
            is_late = True
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
        code = child.returncode if child.returncode >= 0 else 128 - child.returncode
        is_loud = not is_late and code == 128 + signal.SIGXFSZ
        return Outcome(code, read(out, limits), read(err, limits), time.monotonic() - begin, is_late, is_loud)
