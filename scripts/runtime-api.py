#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which functions of CUDA's runtime API there are: the list against the headers and the library.

usage: runtime-api.py --vxcc=PROGRAM --library=libvxrt.a [--check | --write] [--page=docs/reference/runtime-api.md]

The list is runtime/cuda/functions.txt. A function is there if a C program that includes
cuda_runtime_api.h and cuda_profiler_api.h sees a declaration of it and the library defines it; one
without the other is a mistake; the same holds for the functions of programs with
CUDA_API_PER_THREAD_DEFAULT_STREAM, NAME_ptds and NAME_ptsz. --write writes the table of the page, --check fails if the page or
the list is out of date; without either, the table is printed.
"""

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "runtime", "cuda", "functions.txt")
BEGIN, END = "<!-- begin: runtime-api.py -->", "<!-- end: runtime-api.py -->"
RELEASE = "12.3"


def read_list(path):
    """[(family, [(name, release, error)])]: RELEASE of a later function, ERROR that it always returns."""
    families = []
    with open(path) as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            if line.startswith("["):
                families.append((line.strip("[]"), []))
                continue
            match = re.fullmatch(r"(cuda\w+)(?: (\d+\.\d+))?(?: ! (cudaError\w+))?", line)
            if not match:
                raise SystemExit(f"{path}:{number}: not a function: {line}")
            families[-1][1].append(match.groups())
    return families


def declared_functions(vxcc, *options):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "all.c")
        with open(source, "w") as file:
            file.write("#include <cuda_runtime_api.h>\n#include <cuda_profiler_api.h>\n")
        text = subprocess.run([vxcc, "-E", *options, source], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
    return set(re.findall(r"\b(cuda[A-Z]\w*)\s*\((?!\*)", re.sub(r"^#.*$", "", text, flags=re.M)))


def defined_functions(library):
    text = subprocess.run(["nm", "--defined-only", "--extern-only", library], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return set(re.findall(r" [TW] (cuda[A-Z]\w*)$", text, re.M))


def of_threads(functions):
    """The functions whose stream 0 is the calling thread's own, by their suffixes."""
    return {name for name in functions if name.endswith(("_ptds", "_ptsz"))}


def table(families, there):
    lines = ["| family | functions | there | always an error | missing |", "|---|---|---|---|---|"]
    total = [0, 0, 0]
    for family, functions in families:
        ours = [f for f in functions if f[1] is None]
        missing = [name for name, _, _ in ours if name not in there]
        refused = [name for name, _, error in ours if error and name in there]
        counts = [len(ours), len(ours) - len(missing), len(refused)]
        total = [a + b for a, b in zip(total, counts)]
        if not ours:
            continue
        named = ", ".join(f"`{name}`" for name in missing)
        if len(missing) > 12:
            named = f"`{missing[0]}` … `{missing[-1]}`"
        lines.append(f"| {family} | {counts[0]} | {counts[1]} | {counts[2] or ''} | {named} |")
    lines.append(f"| **all** | **{total[0]}** | **{total[1]}** | **{total[2]}** | |")
    later = sorted(f"`{name}` ({release})" for _, functions in families
                   for name, release, _ in functions if release and name in there)
    refused = [f"`{name}` ({error})" for _, functions in families
               for name, _, error in functions if error and name in there]
    return [f"{total[1]} of the {total[0]} functions of CUDA {RELEASE} are there.", "", *lines, "",
            "Of later releases: " + (", ".join(later) or "none") + ".", "",
            "Always an error, because there is nothing that they could be about: "
            + ", ".join(refused) + "."]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vxcc", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "reference", "runtime-api.md"))
    parser.add_argument("--list", default=LIST)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    families = read_list(options.list)
    listed = {name for _, functions in families for name, _, _ in functions}
    declared, defined = declared_functions(options.vxcc), defined_functions(options.library)
    own_declared = of_threads(declared_functions(options.vxcc, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM"))
    own_defined = of_threads(defined)
    problems = [f"{name} is declared, but not defined" for name in sorted(listed & declared - defined)]
    problems += [f"{name} is defined, but not declared" for name in sorted(listed & defined - declared)]
    problems += [f"{name} is only {'declared' if name in own_declared else 'defined'}"
                 for name in sorted(own_declared ^ own_defined)]
    problems += [f"{name} is not in {os.path.relpath(options.list, ROOT)}"
                 for name in sorted(declared & defined - listed)]
    lines = table(families, declared & defined)
    if not options.check and not options.write:
        print("\n".join(lines + problems))
        return 1 if problems else 0
    with open(options.page) as file:
        page = file.read()
    head, tail = page.split(BEGIN)[0], page.split(END)[1]
    wanted = head + BEGIN + "\n\n" + "\n".join(lines) + "\n\n" + END + tail
    if options.write:
        with open(options.page, "w") as file:
            file.write(wanted)
    elif wanted != page:
        problems += difflib.unified_diff(page.splitlines(), wanted.splitlines(), "the page", "the facts",
                                         lineterm="")
        problems.append("scripts/runtime-api.py --write brings the page up to date")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
