# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads lines `xlen word text`, assembles the texts with llvm-mc, and compares the words."""
import re
import subprocess
import sys

FEATURES = "-mattr=+m,+a,+f,+d,+zicond,+zifencei"
lines = [line.split(None, 2) for line in open(sys.argv[1])]
bad = 0
for xlen in ("32", "64"):
    mine = [(word, text.strip()) for width, word, text in lines if width == xlen]
    # Branch targets are absolute in the text: instruction i stands at 4 * i.
    source = "\n".join(text for word, text in mine) + "\n"
    out = subprocess.run(["llvm-mc", "-triple=riscv" + xlen, FEATURES, "-show-encoding",
                          "-M", "no-aliases"], input=source, capture_output=True, text=True)
    if out.returncode:
        sys.exit(out.stderr[:2000])
    encodings = re.findall(r"encoding: \[(.*?)\]", out.stdout)
    if len(encodings) != len(mine):
        sys.exit("xlen %s: %d texts, %d encodings" % (xlen, len(mine), len(encodings)))
    for (word, text), encoding in zip(mine, encodings):
        bytes_ = [int(b, 16) for b in re.sub(r"A$|0x|'", "", encoding).replace("A", "").split(",")]
        theirs = "%08x" % int.from_bytes(bytes(bytes_), "little")
        if theirs != word:
            bad += 1
            print("xlen %s: %s is %s, LLVM assembles %s" % (xlen, text, word, theirs))
sys.exit(1 if bad else 0)
