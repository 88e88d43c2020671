# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a copy of a 64-bit ELF file with one field changed.

usage: corrupt.py IN OUT TYPE FIELD VALUE
       corrupt.py IN OUT TYPE entry+OFFSET:SIZE VALUE

TYPE is the number of a section type; the first section of it is meant. FIELD is one of its header.
entry+OFFSET:SIZE are bytes of the last entry of the section.
"""

import struct
import sys

FIELDS = {"name": (0, 4), "flags": (8, 8), "offset": (24, 8), "size": (32, 8), "link": (40, 4),
          "info": (44, 4), "entsize": (56, 8)}


def main():
    source, target, kind, field, value = sys.argv[1:]
    data = bytearray(open(source, "rb").read())
    table, = struct.unpack_from("<Q", data, 40)
    count, = struct.unpack_from("<H", data, 60)
    headers = [table + 64 * i for i in range(count)]
    header = next(h for h in headers if struct.unpack_from("<I", data, h + 4)[0] == int(kind, 0))
    if field in FIELDS:
        offset, size = FIELDS[field]
        at = header + offset
    else:
        offset, size = (int(n) for n in field.removeprefix("entry+").split(":"))
        begin, length = struct.unpack_from("<QQ", data, header + 24)
        entry, = struct.unpack_from("<Q", data, header + 56)
        at = begin + length - entry + offset
    data[at:at + size] = int(value, 0).to_bytes(size, "little")
    open(target, "wb").write(data)


main()
