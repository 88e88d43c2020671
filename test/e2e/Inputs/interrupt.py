#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program until it has printed a line to stderr, interrupts it half a second later as Ctrl-C
does, and prints what it printed and how it ended.

usage: interrupt.py PROGRAM
"""

import signal
import subprocess
import sys
import time

SECONDS = 60  # for the program to end


def main(arguments):
    # A shell's background jobs ignore the signal.
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    process.stderr.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        print("does not end")
        return 1
    print(out + err)
    code = process.returncode
    print(f"ended by signal {-code}" if code < 0 else f"exit status {code}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
