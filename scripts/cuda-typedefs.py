#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes frontend/include/cudaTypedefs.h from the driver API's list of functions
(runtime/driver/Functions.def).

usage: cuda-typedefs.py [--check]     --check writes nothing and fails if the header is not up to date
"""

import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEADER = os.path.join(TOP, "frontend", "include", "cudaTypedefs.h")
BEGIN = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of pointers to the driver API's functions, as cuGetProcAddress and cudaGetDriverEntryPoint
// give them. Written by scripts/cuda-typedefs.py.

#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H

#include <cuda.h>
#include <cudaProfiler.h>

"""
END = "\n#endif // CUDATYPEDEFS_H\n"


def typedef(name, version, symbol, suffix=""):
    return f"typedef __typeof__(&{symbol}) PFN_{name}_v{version}{suffix};\n"


def text():
    with open(os.path.join(TOP, "runtime", "driver", "Functions.def")) as file:
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


def main():
    if "--check" not in sys.argv[1:]:
        with open(HEADER, "w") as file:
            file.write(text())
        return 0
    with open(HEADER) as file:
        if file.read() == text():
            return 0
    print("frontend/include/cudaTypedefs.h is not what scripts/cuda-typedefs.py writes")
    return 1


if __name__ == "__main__":
    sys.exit(main())
