#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program with its stderr on a terminal and elsewhere, and shows what it writes there.

usage: progress.py PROGRAM

For each case, a line of the case's name and the last line of progress, or "none". A run is ended by a signal
when the line has come, or after seconds in which it would have.
"""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

WAIT = 5  # seconds; the line comes after two
LINE = re.compile(r"\r([^\r\n]*cycles/s[^\r\n]*)")
CASES = (("terminal", True, ""), ("terminal, off", True, "run.progress=false"),
         ("pipe", False, ""), ("pipe, on", False, "run.progress=true"))


def start(program, on_terminal, settings):
    """The process and the end from which its stderr is read."""
    reader, writer = pty.openpty() if on_terminal else os.pipe()
    env = dict(os.environ, VX_SET=settings)
    process = subprocess.Popen([program], env=env, stdout=subprocess.DEVNULL, stderr=writer)
    os.close(writer)
    return process, reader


def read(reader):
    try:
        return os.read(reader, 4096).decode(errors="replace")
    except OSError:  # of a terminal without a writer
        return ""


def main():
    runs = [start(sys.argv[1], on_terminal, settings) for _, on_terminal, settings in CASES]
    texts = {reader: "" for _, reader in runs}
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        ready, _, _ = select.select(list(texts), [], [], 0.1)
        for reader in ready:
            texts[reader] += read(reader)
    for (name, _, _), (process, reader) in zip(CASES, runs):
        process.send_signal(signal.SIGKILL)
        process.wait()
        found = LINE.findall(texts[reader])
        print(f"{name}: {found[-1].strip() if found else 'none'}")


main()
