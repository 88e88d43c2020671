#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles public SPIR-V kernel modules with vxcc, and says of each that it refuses why.

usage: spirv-modules.py [--tests=NAME=DIR]... [--kernels=NAME=DIR]... [--vxcc=build/bin/vxcc]
                        [--llvm-as=llvm-as-15] [--work=DIR] [--only=TEXT] [--jobs=2] [--write=FILE]

--tests is the folder test/ of a checkout of SPIRV-LLVM-Translator: .spvasm is assembled by SPIRV-Tools,
.spt by llvm-spirv-15, LLVM IR is translated by llvm-spirv-15 with the options of the test's RUN lines,
or, where it is too new for that, by LLVM's own back end (llc-22). --kernels is a folder of OpenCL C,
compiled by clang-22 for spirv64. --llvm-as is a program of LLVM 15 (Debian: llvm-15), as the older
tests have typed pointers.

Each module that has a kernel goes through vxcc in both lowerings. A crash, an end by a signal or more
than the time limit is a failure, and the exit status 1. --write puts the tables into a page of docs/.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import struct
import subprocess
import sys
import tempfile

from campaign import replace_table, run

SECONDS = 120
MEMORY = 4 << 30  # bytes that a tool may take
OP_ENTRY_POINT = 15
HEADER = 5
# Why modules are refused, from what vxcc says; other reasons stand in its words.
CLASSES = [
    (r"pointers must have 64 bits", "pointers of 32 bits"),
    (r"module for graphics", "a module for graphics"),
    (r"^(instruction \d+ \(\w+\)|header|at the end)", "SPIRV-Tools finds it not valid: extensions that it does not "
     "know, tests that are wrong on purpose"),
    (r"the SPIR-V translator cannot read", "the translator fails on it"),
    (r"' is (not supported by vxcc|declared but not defined|neither in this|not defined in this)",
     "calls a function that neither it has nor OpenCL C as "
     "the device supports it"),
]


def tool(command, seconds=60):
    """Whether a tool succeeds."""
    # The translator takes all memory for some of the modules that are wrong on purpose.
    status, output, _ = run(["prlimit", f"--as={MEMORY}"] + command, seconds)
    return status == 0, output


def has_kernel(path):
    with open(path, "rb") as file:
        data = file.read()
    words = struct.unpack(f"<{len(data) // 4}I", data[:len(data) // 4 * 4])
    at = HEADER
    while at < len(words) and words[at] >> 16:
        if words[at] & 0xffff == OP_ENTRY_POINT:
            return True
        at += words[at] >> 16
    return False


def from_ir(path, out, llvm_as):
    """LLVM IR as SPIR-V."""
    with open(path, errors="replace") as file:
        text = file.read()
    line = next((l for l in re.findall(r"RUN:(.*)", text) if "llvm-spirv" in l and " -r " not in l), "")
    options = re.findall(r"\s(--?spirv-\S+)", line)
    options = [o for o in options if "%" not in o and "-text" not in o]
    bitcode = out + ".bc"
    if (tool([llvm_as, path, "-o", bitcode])[0] and
            tool(["llvm-spirv-15"] + (options or ["--spirv-ext=+all"]) + [bitcode, "-o", out])[0]):
        return True
    # Newer than LLVM 15: what was meant to be translated is what LLVM's back end can write, too.
    return bool(line) and "not llvm-spirv" not in line and tool(
        ["llc-22", "-mtriple=spirv64-unknown-unknown", "--spirv-ext=all", "-filetype=obj", path, "-o",
         out])[0]


def from_opencl(path, out, _):
    folder = os.path.dirname(path)
    return any(tool(["clang-22", "--target=spirv64", "-cl-std=" + std, "-O2", "-w", "-I" + folder, "-I" +
                     os.path.dirname(folder), "-c", path, "-o", out])[0] for std in ("CL3.0", "CL1.2"))


def from_assembly(path, out, _):
    return any(tool(["spirv-as", "--target-env", "spv" + version, path, "-o", out])[0]
               for version in ("1.2", "1.6"))


def from_text(path, out, _):
    return tool(["llvm-spirv-15", "-to-binary", path, "-o", out])[0]


MAKERS = {".ll": from_ir, ".cl": from_opencl, ".spvasm": from_assembly, ".spt": from_text}


def compile_module(vxcc, path):
    """None if the module goes in, else why not; and whether that is a failure of ours."""
    status, output, _ = run([vxcc, path, "-o", path + ".fatbin"], SECONDS)
    if status == 0:
        return None, False
    lines = [l for l in output.splitlines() if "error: " in l]
    said = lines[0].split("error: ", 1)[1] if lines else output.strip().split("\n")[0]
    said = re.sub(r"^'[^']*\.spv': ", "", said)
    crashed = re.search(r"PLEASE submit|Stack dump|LLVM ERROR|terminate called", output)
    return said, status not in (1, 2) or bool(crashed) or not lines


def general(said):
    """The class of the reason SAID."""
    for pattern, name in CLASSES:
        if re.search(pattern, said):
            return name
    return re.sub(r"^<unknown>:0:0: ", "", said)[:140]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tests", action="append", default=[])
    parser.add_argument("--kernels", action="append", default=[])
    parser.add_argument("--vxcc", default="build/bin/vxcc")
    parser.add_argument("--llvm-as", default="llvm-as-15")
    parser.add_argument("--work", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", default="")
    options = parser.parse_args()
    top = options.work or tempfile.mkdtemp(prefix="spirv-modules-")
    rows, reasons, failures = [], collections.defaultdict(list), []

    def one(job):
        name, folder, path, work = job
        stem = os.path.relpath(path, folder)
        out = os.path.join(work, stem.replace("/", "-") + ".spv")
        if not os.path.exists(out):
            if not MAKERS[os.path.splitext(path)[1]](path, out, options.llvm_as):
                return stem, "no module", None, False
        if not has_kernel(out):
            return stem, "no kernel", None, False
        said, failed = compile_module(options.vxcc, out)
        return stem, "kernel", said, failed

    sources = [(given, (".ll", ".cl", ".spvasm", ".spt")) for given in options.tests]
    sources += [(given, (".cl",)) for given in options.kernels]
    for given, endings in sources:
        name, folder = given.split("=", 1)
        work = os.path.join(top, re.sub(r"\W", "-", name))
        os.makedirs(work, exist_ok=True)
        paths = sorted(os.path.join(where, file) for where, _, files in os.walk(folder) for file in files
                       if os.path.splitext(file)[1] in endings and options.only in file)
        counts = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for stem, kind, said, failed in pool.map(one, [(name, folder, p, work) for p in paths]):
                counts[kind] += 1
                if kind != "kernel":
                    continue
                counts["in" if said is None else "refused"] += 1
                if said is not None:
                    reasons[general(said)].append(f"{name}: {stem}")
                    print(f"{'FAILED' if failed else 'refused'} {name}: {stem}: {said[:200]}", flush=True)
                if failed:
                    failures.append(stem)
        rows.append(f"| {name} | {len(paths)} | {counts['no module']} | {counts['no kernel']} | "
                    f"{counts['kernel']} | {counts['in']} | {counts['refused']} |")
    table = ["| source | files | no module can be made | no kernel in it | kernel modules | go in | refused |",
             "|---|---:|---:|---:|---:|---:|---:|"] + rows
    table += ["", "| why modules are refused | |", "|---|---:|"]
    for reason, which in sorted(reasons.items(), key=lambda item: -len(item[1])):
        table.append(f"| {reason.replace('|', chr(92) + '|')} | {len(which)} |")
    print("\n".join(table))
    print(f"{len(failures)} failures" + ("".join("\n  " + name for name in failures)))
    if options.write:
        replace_table(options.write, "spirv-modules.py", table)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
