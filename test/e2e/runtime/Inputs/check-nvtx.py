# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the trace and the statistics of nvtx.cu: check-nvtx.py TRACE STATS."""
import json
import sys

with open(sys.argv[1]) as file:
    events = json.load(file)["traceEvents"]
with open(sys.argv[2]) as file:
    stats = json.load(file)

runs = [(e["ts"], e["ts"] + e["dur"]) for e in events if e.get("cat") == "run"]
assert len(runs) == 7, runs
ranges = {}
for e in events:
    if e.get("cat") == "range" and e["ph"] == "X":
        ranges.setdefault(e["name"], []).append((e["ts"], e["ts"] + e["dur"], e["tid"]))
begin = [e for e in events if e.get("cat") == "range" and e["ph"] == "b"]
end = [e for e in events if e.get("cat") == "range" and e["ph"] == "e"]
outer, = ranges["outer"]
assert outer[:2] == (runs[1][0], runs[3][1]), (outer, runs)
steps = ranges["solver: step"]
assert [s[:2] for s in steps] == runs[2:4] and all(s[2] == outer[2] for s in steps), steps
other, = ranges["of the other thread"]
assert other[:2] == runs[4] and other[2] != outer[2], other
assert [e["name"] for e in begin] == ["über alles"] and begin[0]["id"] == end[0]["id"]
assert (begin[0]["ts"], end[0]["ts"]) == (runs[4][0], runs[5][1])
mark, = [e for e in events if e["ph"] == "i"]
assert mark["name"] == "half-way" and mark["ts"] == runs[4][0], mark
names = [e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"]
assert 'ranges of the "main" thread' in names, names
cycles = {r["name"]: r for r in stats["ranges"]}
assert cycles["outer"]["cycles"] == outer[1] - outer[0] and cycles["outer"]["launches"] == 3
assert cycles["solver: step"]["cycles"] == sum(s[1] - s[0] for s in steps)
