#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program with gdb attached to its kernels.

usage: run-gdb.py [--commands=FILE] [--prefix=GDB] SOURCE PROGRAM [ARGUMENT...]

Once it is connected, gdb executes the lines of SOURCE that begin with "// GDB:"; {name} in them is the
line of SOURCE that ends in "// {name}". --commands: a file of commands that gdb reads first. Prints
what gdb shows, then what the program does and its exit code. Whatever happens, both have ended
afterwards.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

TIMEOUT = 100 # seconds


def wait_for(path, program):
    end = time.monotonic() + TIMEOUT
    while not os.path.exists(path):
        if program.poll() is not None or time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def script_of(source, prefix):
    """The commands that SOURCE has for gdb."""
    with open(source) as file:
        lines = file.read().splitlines()
    places = {}
    for number, line in enumerate(lines, 1):
        match = re.search(r"// \{(\w+)\}$", line)
        if match:
            places[match.group(1)] = f"{os.path.basename(source)}:{number}"
    marker = f"// {prefix}: "
    commands = [line[len(marker):] for line in lines if line.startswith(marker)]
    return "".join(re.sub(r"\{(\w+)\}", lambda m: places[m.group(1)], line) + "\n" for line in commands)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--commands")
    parser.add_argument("--prefix", default="GDB")
    parser.add_argument("source")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    command = options.command
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "gdb")
        script = os.path.join(folder, "script")
        with open(script, "w") as file:
            file.write(script_of(options.source, options.prefix))
        first = ["-x", options.commands] if options.commands else []
        with open(os.path.join(folder, "output"), "w+") as output:
            program = subprocess.Popen(command, env=dict(os.environ, VX_GDB=path), stdout=output,
                                       stderr=subprocess.STDOUT)
            try:
                if not wait_for(path, program):
                    raise SystemExit("the program does not wait for gdb")
                gdb = ["gdb-multiarch", "-nx", "-batch", "-ex", "set width 0", *first,
                       "-ex", "target remote " + path, "-x", script]
                shown = subprocess.run(gdb, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, timeout=TIMEOUT, text=True)
                print(shown.stdout, end="")
                code = program.wait(timeout=TIMEOUT)
            finally:
                program.kill()
            output.seek(0)
            print("--- the program")
            print(output.read(), end="")
            print("exit code", code)


if __name__ == "__main__":
    main()
