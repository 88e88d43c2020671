#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make-vxbin.py ELF VXBIN: the form in which Vortex's tools leave an image: u64 first address, u64 end
address, and the bytes up to the last one that the file has."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    elf = file.read()
wide = elf[4] == 2
table, = struct.unpack_from("<Q" if wide else "<I", elf, 32 if wide else 28)
size, count = struct.unpack_from("<HH", elf, 54 if wide else 42)
segments = []
for place in range(table, table + size * count, size):
    if wide:
        kind, _, offset, address, _, in_file, in_memory = struct.unpack_from("<IIQQQQQ", elf, place)
    else:
        kind, offset, address, _, in_file, in_memory = struct.unpack_from("<IIIIII", elf, place)
    if kind == 1:
        segments.append((address, elf[offset:offset + in_file], in_memory))
first = min(address for address, _, _ in segments)
data = bytearray()
for address, content, _ in sorted(segments):
    if content:
        data += bytes(address - first - len(data)) + content
end = max(address + in_memory for address, _, in_memory in segments)
with open(sys.argv[2], "wb") as file:
    file.write(struct.pack("<QQ", first, end) + data)
