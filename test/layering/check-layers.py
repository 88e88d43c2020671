#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks who includes whom, and the licence line of every source file.

usage: check-layers.py [ROOT]

The rules are the arrows of docs/architecture.md, written down once in LAYERS and NO_LLVM. A file
belongs to the layer with the longest matching folder. Prints one line per offence and exits with 1
if there is any.
"""

import os
import re
import sys

# layer: the project folders whose headers it may include, besides its own.
LAYERS = {
    "intrinsics": [],
    "simulator": ["intrinsics"],
    # The host side of the runtime sees the simulator through its API only.
    "runtime": ["simulator/api", "intrinsics"],
    "lib/VortexIR": ["intrinsics"],
    "lib/PRTransform": ["lib/VortexIR", "intrinsics"],
    "passes": ["lib", "intrinsics"],
    "frontend": ["lib/VortexIR", "intrinsics"],
    "nvrtc": ["frontend", "passes", "intrinsics"],
    "doors": ["frontend", "lib", "runtime", "intrinsics"],
    "tools": ["doors", "frontend", "passes", "lib", "runtime", "simulator", "intrinsics"],
    "test": ["frontend", "passes", "lib", "runtime", "simulator", "intrinsics", "tools"],
    "bench": ["frontend", "passes", "lib", "runtime", "simulator", "intrinsics", "tools"],
}
NO_LLVM = ["simulator", "runtime", "intrinsics"]
LLVM_HEADER = re.compile(r"^(llvm|llvm-c|clang|clang-c|lld|mlir)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)
SOURCES = (".h", ".hpp", ".c", ".cpp", ".cu", ".cuh", ".def", ".td", ".S", ".cl", ".inc", ".py", ".sh")
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SKIPPED = re.compile(r"^(build.*|\..*)$")


def layer_of(path):
    """The layer that PATH (relative to the root) belongs to, or None."""
    names = [name for name in LAYERS if path == name or path.startswith(name + "/")]
    return max(names, key=len, default=None)


def within(path, folders):
    return any(path.startswith(folder + "/") for folder in folders)


def include_problem(path, layer, header):
    if layer in NO_LLVM and LLVM_HEADER.match(header):
        return f"{layer}/ may not include LLVM: {header}"
    target = layer_of(header)
    if target is None or target == layer or within(header, LAYERS[layer]):
        return None
    return f"{layer} may not include {target}: {header}"


def files_below(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not SKIPPED.match(name))
        for name in sorted(names):
            yield os.path.relpath(os.path.join(folder, name), root)


def is_source(root, path):
    if path.endswith(SOURCES):
        return True
    with open(os.path.join(root, path), "rb") as file:
        return file.read(2) == b"#!"


def check(root):
    problems, count = [], 0
    for path in files_below(root):
        if not is_source(root, path):
            continue
        count += 1
        with open(os.path.join(root, path), errors="replace") as file:
            text = file.read()
        if LICENCE not in text[:400]:
            problems.append(f"{path}: no licence line: {LICENCE}")
        layer = layer_of(path)
        if layer is None or path.startswith("frontend/include/"):
            continue # the CUDA headers are for user programs: they include each other only
        for match in INCLUDE.finditer(text):
            problem = include_problem(path, layer, match.group(1))
            if problem:
                line = text.count("\n", 0, match.start(1)) + 1
                problems.append(f"{path}:{line}: {problem}")
    return problems, count


def main():
    default = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    root = sys.argv[1] if len(sys.argv) > 1 else default
    problems, count = check(root)
    print("\n".join(problems + [f"{count} files, {len(problems)} offences"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
