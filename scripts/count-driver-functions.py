#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the driver API's functions: all symbols of runtime/driver/Functions.def, and those that only
answer CUDA_ERROR_NOT_SUPPORTED (runtime/driver/Unsupported.cpp).

usage: count-driver-functions.py [--list]     --list also prints the latter
"""

import os
import re
import sys

folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "runtime", "driver")


def rows(name, pattern):
    with open(os.path.join(folder, name)) as file:
        return re.findall(pattern, file.read(), re.M)


symbols = set(rows("Functions.def", r"^VX_CU_(?:STREAM_)?FUNCTION\(\w+, (\w+),"))
missing = rows("Unsupported.cpp", r"^VX_CU_UNSUPPORTED\((\w+),")
print(f"{len(symbols) - len(missing)} of {len(symbols)} functions")
if "--list" in sys.argv[1:]:
    print("\n".join(missing))
