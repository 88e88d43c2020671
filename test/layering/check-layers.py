#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks who includes whom, and the licence line of every source file.

usage: check-layers.py [ROOT]

The rules are the arrows of docs/develop/architecture.md, written down once in LAYERS, FOLDERS and NO_LLVM. A
file belongs to the layer with the longest matching folder. Also checks that no pass runs another one
by hand, and that the files of NO_CIRCLES do not include each other in a circle. Prints one line per
violation and exits with 1 if there is any.
"""

import graphlib
import os
import re
import sys

# layer: the project folders whose headers it may include, besides its own.
LAYERS = {
    # The CUDA headers are for user programs: they include each other only.
    "include": [],
    "intrinsics": [],
    "simulator": ["intrinsics"],
    # The harness of the core: the core is compared with the functional simulator, whatever it has.
    "rtl": ["simulator", "intrinsics"],
    # The host side of the runtime sees the simulator through its API only.
    "runtime": ["simulator/api", "intrinsics", "include"],
    "runtime/nvrtc": ["frontend", "passes", "lib/VortexIR", "lib/DeviceCompiler", "intrinsics", "include"],
    # CUDA's libraries are programs of this CUDA: they see its headers as programs do.
    "runtime/libraries": ["include"],
    "lib/VortexIR": ["intrinsics"],
    "lib/PRTransform": ["lib/VortexIR", "intrinsics"],
    "lib/Widening": ["lib/VortexIR", "intrinsics"],
    "lib/DeviceCompiler": ["frontend", "passes", "intrinsics"],
    "lib/Driver": ["frontend", "passes", "lib/DeviceCompiler", "lib/VortexIR", "intrinsics"],
    "passes": ["lib/VortexIR", "lib/PRTransform", "lib/Widening", "intrinsics"],
    "frontend": ["lib/VortexIR", "intrinsics"],
    "tools": ["frontend", "passes", "lib", "runtime", "simulator", "intrinsics"],
    "test": ["frontend", "passes", "lib", "runtime", "rtl", "simulator", "intrinsics", "include", "tools"],
    "bench": ["frontend", "passes", "lib", "runtime", "simulator", "intrinsics", "include", "tools"],
}
# Layers whose folders may not include each other: the other folders whose headers each may include.
# "." is the layer's own folder; where it has no row, its headers are for all. The table has no cycles.
FOLDERS = {
    "passes": {
        "import": [],
        "check": [],
        "optimize": [],
        "regions": [],
        "mappings": ["regions"],
        "warp": [],
        "divergence": [],
        "lower": ["mappings"],
    },
    "simulator": {
        # The folders that compose the others.
        ".": ["api", "check", "config", "debug", "loader", "sampled", "stats", "func", "timing", "trace", "profile"],
        "api": [],
        "config": ["api"],
        "loader": ["api"],
        "stats": ["api"],
        "func": ["api"],
        "check": ["api", "func", "loader", "stats"],
        "debug": ["api", "check", "func", "loader", "stats"],
        "timing": ["api", "func"],
        "sampled": ["api", "func", "timing"],
        "trace": ["api", "config", "func", "loader", "stats", "timing"],
        "profile": ["api", "loader", "stats", "timing", "trace"],
        "vortex": ["api"],
        "training": ["api"],
    },
    "frontend": {
        "clang": ["cuda"],
        "cuda": [],
        "opencl": [],
        "spirv": ["opencl"],
        "mlir": [],
    },
    "runtime": {
        "core": [],
        "plan": ["core"],
        "memory": ["core"],
        "image": ["core", "plan"],
        "launch": ["core", "plan", "memory", "image"],
        "context": ["core", "plan", "memory", "image", "launch"],
        "backends": ["core"],
        "graphs": ["core", "plan", "memory", "image", "launch", "context"],
        "cuda": ["core", "plan", "memory", "image", "launch", "context", "graphs"],
        "driver": ["core", "plan", "memory", "image", "launch", "context", "graphs", "cuda"],
        "device": [],
        # Libraries of their own over the driver API, which they include as programs do.
        "compiler": [],
        "opencl": ["compiler"],
        "mlir": ["compiler"],
        "toolkit": [],
    },
}
# Folders whose files do not need each other in a circle; a header and its source file are one.
NO_CIRCLES = ["runtime/opencl"]
NO_LLVM = ["simulator", "rtl", "runtime", "intrinsics"]
# A pass is run by a pipeline, not by another pass.
RUN_BY_HAND = re.compile(r"\b(\w+Pass)\([^()]*\)\.run\(")
LLVM_HEADER = re.compile(r"^(llvm|llvm-c|clang|clang-c|lld|mlir)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)
SOURCES = (".h", ".hpp", ".c", ".cpp", ".cu", ".cuh", ".def", ".td", ".S", ".cl", ".inc", ".py", ".sh", ".sv")
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SKIPPED = re.compile(r"^(build.*|\..*)$")


def layer_of(path):
    """The layer that PATH (relative to the root) belongs to, or None."""
    names = [name for name in LAYERS if path == name or path.startswith(name + "/")]
    return max(names, key=len, default=None)


def within(path, folders):
    return any(path.startswith(folder + "/") for folder in folders)


def folder_of(path, layer):
    """The folder of LAYER that PATH lies in; ".": LAYER itself."""
    rest = path[len(layer) + 1:].split("/")
    return rest[0] if len(rest) > 1 else "."


def folder_problem(path, layer, header):
    mine, theirs = folder_of(path, layer), folder_of(header, layer)
    folders = FOLDERS.get(layer)
    if folders is None or mine == theirs:
        return None
    if any(folder == "." and folder not in folders for folder in (mine, theirs)):
        return None
    if theirs in folders.get(mine, []):
        return None
    return f"{layer}/{mine} may not include {layer}/{theirs}: {header}"


def resolve(root, path, header):
    """The path of HEADER from ROOT: a bare name is that of a file next to PATH or of a CUDA header."""
    near = os.path.normpath(os.path.join(os.path.dirname(path), header))
    for candidate in (header, near, f"include/{header}"):
        if os.path.isfile(os.path.join(root, candidate)):
            return candidate
    return header


def include_problem(path, layer, header):
    if layer in NO_LLVM and LLVM_HEADER.match(header):
        return f"{layer}/ may not include LLVM: {header}"
    target = layer_of(header)
    if target == layer:
        return folder_problem(path, layer, header)
    if target is None or within(header, LAYERS[layer]):
        return None
    return f"{layer} may not include {target}: {header}"


def circles(folder, includes):
    """The problem of FOLDER if INCLUDES (by paths) has a circle of its files."""
    unit = lambda path: path.rsplit(".", 1)[0]
    graph = {}
    for path, headers in includes.items():
        if path.startswith(folder + "/"):
            others = {unit(h) for h in headers if h.startswith(folder + "/")} - {unit(path)}
            graph.setdefault(unit(path), set()).update(others)
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return [f"{folder} has a circle of files: {' <- '.join(os.path.basename(u) for u in error.args[1])}"]
    return []


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
    problems, count, includes = [], 0, {}
    for folders in FOLDERS.values():
        graphlib.TopologicalSorter(folders).prepare() # raises CycleError
    for path in files_below(root):
        if not is_source(root, path):
            continue
        count += 1
        with open(os.path.join(root, path), errors="replace") as file:
            text = file.read()
        if LICENCE not in text[:400]:
            problems.append(f"{path}: no licence line: {LICENCE}")
        layer = layer_of(path)
        if layer is None:
            continue
        if path.startswith(("passes/", "lib/")):
            for match in RUN_BY_HAND.finditer(text):
                line = text.count("\n", 0, match.start(1)) + 1
                problems.append(f"{path}:{line}: runs {match.group(1)} by hand")
        includes[path] = [resolve(root, path, header) for header in INCLUDE.findall(text)]
        for match in INCLUDE.finditer(text):
            problem = include_problem(path, layer, resolve(root, path, match.group(1)))
            if problem:
                line = text.count("\n", 0, match.start(1)) + 1
                problems.append(f"{path}:{line}: {problem}")
    for folder in NO_CIRCLES:
        problems += circles(folder, includes)
    return problems, count


def main():
    default = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    root = sys.argv[1] if len(sys.argv) > 1 else default
    problems, count = check(root)
    print("\n".join(problems + [f"{count} files, {len(problems)} violations"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
