# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the profile of profile-mapping.cu has its cycles on source lines.

usage: check-profile.py PROFILE.txt
"""

import re
import sys

ROW = re.compile(r"^ *\d+ +([\d.]+) +\d+ .*  (\S.*)$")
percent = {"entry": 0.0, "opening": 0.0, "written": 0.0, "read": 0.0}
for line in open(sys.argv[1]):
    row = ROW.match(line)
    if not row:
        continue
    share = float(row[1])
    if re.search(r"\) \[\w+\]$", line.rstrip()):
        percent["entry"] += share
    for name, mark in (("opening", "// the kernel opens"), ("written", "// written"),
                       ("read", "// read")):
        if mark in line:
            percent[name] += share
print(percent)
good = percent["entry"] < 5 and all(percent[name] > 1 for name in ("opening", "written", "read"))
sys.exit(not good)
