#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs the OpenCL programs of a Vortex checkout (tests/opencl) on our platform.

    test/campaigns/vortex-opencl.py VORTEX [--build=build] [--only=NAME,...] [--timeout=SECONDS]

Sources, kernels and options are those that each program's Makefile names; they are compiled for the
host as they are. Each program runs in the hardware and in the software lowering. It has passed if it
exits with 0 and prints no failure. Prints a table in Markdown; exits with 1 if a program has failed.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

FAILURE = re.compile(r"\b(FAIL|FAILED|ERROR|mismatch)", re.I)


def variables(makefile, folder):
    """The variables of a Makefile, with SRC_DIR replaced."""
    text = open(makefile).read().replace("\\\n", " ")
    found = {}
    for name, value in re.findall(r"^(\w+) *[?:+]?= *(.*)$", text, re.M):
        found[name] = re.sub(r"\$\(SRC_DIR\)", folder, value).strip()
    found["files"] = [line for line in re.findall(r"^\techo \"(.*)\" > (\S+)$", text, re.M)]
    return found


def build(folder, work, values):
    """Builds the program into WORK; an error message, or None."""
    objects = []
    for source in values["SRCS"].split():
        name = os.path.join(work, os.path.basename(source) + ".o")
        compiler = ["cc"] if source.endswith(".c") else ["c++", "-std=c++17", "-fpermissive"]
        command = compiler + ["-w", "-O2", "-I" + folder, "-c", source, "-o", name]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode and source.endswith(".c"):
            # Vortex compiles C sources as C++.
            command = ["c++", "-x", "c++", "-std=c++17", "-fpermissive"] + command[1:]
            done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return "does not compile: " + first_error(done.stderr)
        objects.append(name)
    command = ["c++"] + objects + ["-o", os.path.join(work, "program"), "-lOpenCL", "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    return "does not link: " + first_error(done.stderr) if done.returncode else None


def first_error(text):
    lines = [line for line in text.splitlines() if "error" in line or "undefined" in line]
    return lines[0][-160:] if lines else text[-160:]


def place_files(folder, work, values):
    for name in values.get("KERNEL_SRCS", "kernel.cl").split():
        source = os.path.join(folder, os.path.basename(name))
        if os.path.exists(source):
            shutil.copy(source, work)
    for header in os.listdir(folder):
        if header.endswith(".h"):
            shutil.copy(os.path.join(folder, header), work)
    for content, name in values["files"]:
        content = content.replace("$(SRC_DIR)", folder).replace("\\n", "\n")
        with open(os.path.join(work, name), "w") as file:
            file.write(content + "\n")


def run(work, options, lowering, environment, timeout):
    """What a run has ended in, and its seconds."""
    begin = time.time()
    try:
        done = subprocess.run(["./program"] + options, cwd=work, capture_output=True, text=True,
                              errors="replace", timeout=timeout,
                              env=dict(environment, VX_LOWERING=lowering))
    except subprocess.TimeoutExpired:
        return f"more than {timeout} s", timeout
    seconds = time.time() - begin
    text = done.stdout + done.stderr
    if done.returncode:
        return f"exit code {done.returncode}: " + first_error(text), seconds
    bad = next((line for line in text.splitlines()
                if FAILURE.search(line) and "0 errors" not in line), None)
    return ("says: " + bad[:120] if bad else "passed"), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("vortex")
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", default="")
    parser.add_argument("--timeout", type=int, default=300)
    arguments = parser.parse_args()
    root = os.path.join(os.path.abspath(arguments.vortex), "tests", "opencl")
    only = [name for name in arguments.only.split(",") if name]
    names = sorted(name for name in os.listdir(root)
                   if os.path.exists(os.path.join(root, name, "Makefile")))
    environment = dict(os.environ)
    environment.setdefault("OCL_ICD_VENDORS",
                           os.path.join(os.path.abspath(arguments.build), "vxcl.icd"))
    failed = 0
    print("| program | options | hw | sw |\n|---|---|---|---|")
    for name in only or names:
        folder = os.path.join(root, name)
        values = variables(os.path.join(folder, "Makefile"), folder)
        values.setdefault("SRCS", os.path.join(folder, "main.cc"))
        with tempfile.TemporaryDirectory() as work:
            place_files(folder, work, values)
            problem = build(folder, work, values)
            options = values.get("OPTS", "").split()
            results = [problem, problem]
            if not problem:
                results = []
                for lowering in ("hw", "sw"):
                    result, seconds = run(work, options, lowering, environment, arguments.timeout)
                    results.append(f"{result}, {seconds:.1f} s" if result == "passed" else result)
        failed += not all(result.startswith("passed") for result in results)
        shown = " ".join(options).replace(folder + "/", "")
        print(f"| {name} | {shown} | {results[0]} | {results[1]} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
