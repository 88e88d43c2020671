# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the CSV file of a sweep whose cycles follow from its axes; a run of 3 warps fails.

usage: make-sweep.py FILE AXIS=VALUE,VALUE...
"""

import csv
import itertools
import sys

axes = dict(word.split("=") for word in sys.argv[2:])
with open(sys.argv[1], "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["program", "arguments", "build", *axes, "status", "seconds", "cycles", "ipc"])
    for values in itertools.product(*(text.split(",") for text in axes.values())):
        point = dict(zip(axes, values))
        work = 8000 if point.get("lowering") == "sw" else 4000
        warps, threads = int(point["core.num_warps"]), int(point.get("core.num_threads", 1))
        cycles = work // (warps * threads * int(point.get("num_cores", 1)))
        failed = warps == 3
        writer.writerow(["p", "1 2", "abc", *values, "out of <luck>" if failed else "ok", "0.1",
                         "" if failed else cycles, "" if failed else 100 / cycles])
