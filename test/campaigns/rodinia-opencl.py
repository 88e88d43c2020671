#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs Rodinia's OpenCL programs, unmodified, on our platform in hw and sw.

usage: rodinia-opencl.py --rodinia=DIR [--build=build] [--only=TEXT,TEXT] [--configurations=hw,sw] [--seconds=120]
                         [--work=DIR] [--write=FILE]

DIR is a checkout of https://github.com/yuhc/gpu-rodinia. Each program is built by its own Makefile
against the system's OpenCL loader. Hardly one checks its results, so what a program reads from the
device is recorded (opencl-reads.c) and compared with what it reads when it runs on PoCL (Debian:
pocl-opencl-icd): as floats if it looks like that, else exactly.

rodinia-opencl.toml says for programs by name: `folder`, if it is another; `command`; `inputs`, which
are files, functions of rodinia_data.py and their arguments; `make`, what its Makefile is told besides
where OpenCL is; `expect`, a regular expression for the output of a program that checks itself, and
whose reads are not compared; `reads`, how many are; `doubles`, if they are; `absolute`, how far numbers may
differ, in proportion to the largest one; `why` it is left out. Results are kept in the work folder; --write
writes the table of a page in docs/ from all that there are.
"""

import argparse
import array
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import tomllib

import rodinia_data
from campaign import (CONFIGS, Results, TAIL, first_error, is_verified, last_line, link_tree, replace_table,
                      run)

HERE = os.path.dirname(os.path.abspath(__file__))
# Differences that other orders of additions and other libraries of functions make; the second one in
# proportion to the largest number of a read.
RELATIVE, ABSOLUTE = 2e-3, 1e-6
# What tells numbers from integers of the same size: few of them are below the first of these, and
# arithmetic makes but one NaN.
TINY = {"f": 1e-37, "d": 1e-300}
NAN = {"f": ("I", 0x7fc00000), "d": ("L", 0x7ff8 << 48)}


def records(path):
    """The data of each read of a recorded run."""
    found = []
    with open(path, "rb") as file:
        while size := file.read(8):
            found.append(file.read(struct.unpack("<Q", size)[0]))
    return found


def elements(code, data):
    """DATA as an array of CODE; None if that is not what it is."""
    if len(data) % array.array(code).itemsize:
        return None
    values = array.array(code, data)
    bits, nan = NAN[code]
    sign = 1 << 8 * values.itemsize - 1
    if any(value != value and bit & sign - 1 != nan for value, bit in zip(values, array.array(bits, data))):
        return None
    tiny = sum(0 < abs(value) < TINY[code] for value in values)
    return values if 10 * tiny <= len(values) else None


def agree(mine, theirs, code, absolute):
    """Whether two reads are equal, or near if they are numbers of CODE; ABSOLUTE is in proportion to the largest."""
    if mine == theirs:
        return True
    if len(mine) != len(theirs):
        return False

    def near(a, b):
        if math.isfinite(a) and math.isfinite(b):
            return abs(a - b) <= max(least, RELATIVE * max(abs(a), abs(b)))
        return a == b or a != a and b != b

    a, b = elements(code, mine), elements(code, theirs)
    if a is None or b is None:
        return False
    least = absolute * max((abs(value) for value in b if math.isfinite(value)), default=0)
    return all(near(x, y) for x, y in zip(a, b))


def compare(mine, theirs, code, absolute, reference):
    """'verified', or where two recorded runs differ."""
    if not theirs:
        return "reads nothing from the device"
    if len(mine) != len(theirs):
        return f"{len(mine)} reads, {reference} {len(theirs)}"
    for number, (a, b) in enumerate(zip(mine, theirs)):
        if not agree(a, b, code, absolute):
            return f"read {number + 1} of {len(mine)} is not that of {reference}"
    return "verified"


def record(settings, copy, environment, options):
    """A recorded run: exit status, output, seconds and reads."""
    path = os.path.join(options.work, "reads")
    if os.path.exists(path):
        os.remove(path)
    # Programs send memory that they have not initialized; malloc gives zeros on each platform.
    environment = dict(environment, LD_PRELOAD=options.recorder, OPENCL_READS=path, MALLOC_PERTURB_="255")
    status, output, seconds = run(settings["command"].split(), options.seconds, cwd=copy,
                                  environment=environment)
    return status, output, seconds, records(path) if os.path.exists(path) else []


def build(name, settings, options):
    """The folder of the built program, and what the build said if it failed."""
    copy = os.path.join(options.work, "opencl", settings.get("folder", name))
    shutil.rmtree(copy, ignore_errors=True)
    link_tree(os.path.join(options.rodinia, "opencl", settings.get("folder", name)), copy, [])
    for shared in ("common", "opencl/util"):
        link = os.path.join(options.work, shared)
        if not os.path.lexists(link):
            os.symlink(os.path.join(options.rodinia, shared), link)
    status, output, _ = run(["make", "NV_OPENCL_DIR=/usr", "NV_OPENCL_LIB=" + options.libraries,
                             *settings.get("make", [])], 300, cwd=copy)
    for path, function, *arguments in settings.get("inputs", []):
        path = os.path.join(copy, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        getattr(rodinia_data, function)(path, *arguments)
    return copy, None if status == 0 else output


def try_program(name, settings, options):
    if "why" in settings:
        return {"why": settings["why"]}
    copy, failure = build(name, settings, options)
    if failure is not None:
        return {"why": first_error(failure), "output": failure[-TAIL:]}
    result, expected = {"built": True, "configs": {}}, []
    ours = os.path.join(options.build, "vxcl.icd")
    reference = settings.get("reference", "PoCL")
    if "expect" not in settings:
        environment = {"OCL_ICD_VENDORS": "pocl.icd"}
        if reference == "host":
            environment = {"OCL_ICD_VENDORS": ours, "VX_OPENCL_OPTIONS": "--target=host", "VX_BACKEND": "host"}
        status, output, _, expected = record(settings, copy, environment, options)
        if status != 0:
            result["why"] = f"does not run on {reference} either: exit status {status}: {last_line(output)}"
    for config in options.configs:
        environment = dict(CONFIGS[config] | settings.get(config, {}), VX_MODE="functional",
                           OCL_ICD_VENDORS=ours)
        status, output, seconds, reads = record(settings, copy, environment, options)
        if status != 0:
            verdict = "time limit" if status is None else f"exit status {status}: {last_line(output)}"
        elif "expect" in settings:
            verdict = "verified" if re.search(settings["expect"], output) else "not the expected output"
        else:
            verdict = compare(reads[:settings.get("reads")], expected[:settings.get("reads")],
                              "d" if settings.get("doubles") else "f", settings.get("absolute", ABSOLUTE), reference)
        result["configs"][config] = {"verdict": verdict, "seconds": round(seconds, 1), "output": output[-TAIL:]}
    return result


def write_table(path, results, table):
    done = sum(is_verified(r) for r in results.known.values())
    lines = [f"Of {len(results.known)} programs, {done} are verified.", "",
             "| program | command | by | hw | sw |", "|---|---|---|---|---|"]
    for name, settings in table.items():
        result = results.known.get(name)
        if not result:
            continue
        configs = result.get("configs", {})
        cells = [f"{configs[w]['seconds']} s" if w in configs and configs[w]["verdict"] == "verified" else
                 configs[w]["verdict"] if w in configs else "no" for w in CONFIGS]
        by = result.get("why") or ("itself" if "expect" in settings else settings.get("reference", "PoCL"))
        command = settings.get("command", "")
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in
                                       [name, f"`{command}`", by, *cells]) + " |")
    replace_table(path, "rodinia-opencl.py", lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rodinia", required=True)
    parser.add_argument("--build", default="build")
    parser.add_argument("--libraries", default="/usr/lib/x86_64-linux-gnu", help="where libOpenCL.so is")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[""])
    parser.add_argument("--configurations", "--ways", dest="configs",
                        type=lambda text: [config for config in CONFIGS if config in text], default=list(CONFIGS))
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "rodinia-opencl"))
    parser.add_argument("--write", help="the page whose table is written")
    options = parser.parse_args()
    for name in ("rodinia", "build", "work"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    os.makedirs(os.path.join(options.work, "opencl"), exist_ok=True)
    options.recorder = os.path.join(options.work, "libopencl-reads.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-w", os.path.join(HERE, "opencl-reads.c"), "-o",
                    options.recorder, "-ldl"], check=True)
    with open(os.path.join(HERE, "rodinia-opencl.toml"), "rb") as file:
        table = tomllib.load(file)
    results = Results(os.path.join(options.work, "results.json"))
    for name, settings in table.items():
        if not any(text in name for text in options.only):
            continue
        result = try_program(name, settings, options)
        results.put(name, result)
        verdicts = "; ".join(f"{config}: {known['verdict']} ({known['seconds']} s)"
                             for config, known in result.get("configs", {}).items())
        print(f"{name}: " + "; ".join(text for text in (result.get("why"), verdicts) if text), flush=True)
    print(f"{sum(is_verified(r) for r in results.known.values())} of {len(results.known)} programs verified")
    if options.write:
        write_table(options.write, results, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
