#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes FOLDER/PREFIX__ALL.cpp, which includes all sources that Verilator has left there.

usage: join-sources.py FOLDER PREFIX

How many there are is not known before it has run, and a build has to know its files.
"""

import os
import sys

folder, prefix = sys.argv[1:3]
joined = prefix + "__ALL.cpp"
names = sorted(n for n in os.listdir(folder) if n.startswith(prefix) and n.endswith(".cpp") and n != joined)
with open(os.path.join(folder, joined), "w", encoding="utf-8") as file:
    file.writelines(f'#include "{name}"\n' for name in names)
