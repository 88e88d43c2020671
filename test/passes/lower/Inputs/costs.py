# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the output of vx-objdump --kernels: the parts of the entries of each variant that cost
anything, and how kernels `loop` and `stack` differ from `plain` for each block."""

import re
import sys

kernel = mappings = cost = None
parts, blocks = {}, {}
for line in sys.stdin:
    if found := re.match(r"(\w+)\(", line):
        kernel = found[1]
    elif found := re.match(r"  mappings +(\S+)", line):
        mappings = found[1]
    elif found := re.match(r"  (\w+Cost) ", line):
        cost = kernel, mappings, found[1]
        parts[cost] = []
    elif found := re.match(r"    (start|once|a (?:block|warp|thread)) .* ([\d.]+) far, ([\d.]+) on", line):
        unit = found[1].removeprefix("a ")
        parts[cost].append(unit)
        if unit == "block" and cost[1:] == ("hw", "directCost"):
            blocks[kernel] = float(found[2]), float(found[3])

for mapping in ("hw", "block-per-lane"):
    for name in ("directCost", "chunkedCost"):
        print("plain", mapping, name + ":", ", ".join(parts["plain", mapping, name]))
for mapping in ("hw", "block-per-lane"):
    print("exchange", mapping, "directCost:", ", ".join(parts["exchange", mapping, "directCost"]))
print(f"loop over plain, hw: far accesses {blocks['loop'][0] / blocks['plain'][0]:g} times")
print(f"stack over plain, hw: on the stack {blocks['stack'][1] - blocks['plain'][1]:g}")
