#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints cudaTypedefs.h, made from the driver API's list of functions (Functions.def)."""

import os
import re

FUNCTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Functions.def")
BEGIN = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of pointers to the driver API's functions, as cuGetProcAddress and cudaGetDriverEntryPoint
// give them. Made by the build: runtime/driver/cuda-typedefs.py.

#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H

#include <cuda.h>
#include <cudaProfiler.h>

"""
END = "\n#endif // CUDATYPEDEFS_H\n"


def typedef(name, version, symbol, suffix=""):
    return f"typedef __typeof__(&{symbol}) PFN_{name}_v{version}{suffix};\n"


def text():
    with open(FUNCTIONS) as file:
        rows = re.findall(r"^VX_CU_(?:STREAM_)?FUNCTION\((\w+), (\w+), (\d+)(?:, (\w+), \d+)?\)", file.read(), re.M)
    lines, newest = [], {}
    for name, symbol, version, suffix in rows:
        if suffix:
            function = f"VX_CU_{suffix.upper()}({symbol})"
            lines.append(typedef(name, version, function))
            lines.append(typedef(name, max(int(version), 7000), function, "_" + suffix))
        else:
            lines.append(typedef(name, version, symbol))
        newest[name] = max(int(version), newest.get(name, 0))
    lines.append("\n")
    lines += [f"#define PFN_{name} PFN_{name}_v{version}\n" for name, version in newest.items()]
    return BEGIN + "".join(lines) + END


print(text(), end="")
