#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of some pages of docs/, from the files that the sources are made of.

usage: reference-tables.py [--check]

A page marks the place of a table by `<!-- table NAME -->` and `<!-- end -->`; what is between them is
replaced. With --check nothing is written: prints what differs, or what a page should describe and does
not, and exits with 1 if there is anything.
"""

import difflib
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = ["docs/reference/isa.md", "docs/reference/abi.md", "docs/develop/compiler.md", "docs/develop/lowering.md"]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


# --- Reading .def files and headers ---

def arguments(text):
    """The arguments of a macro call, TEXT being what is between its parentheses."""
    found, depth, quoted, word = [], 0, False, ""
    for i, c in enumerate(text):
        if c == '"' and text[i - 1] != "\\":
            quoted = not quoted
        depth += 0 if quoted else {"(": 1, ")": -1}.get(c, 0)
        if c == "," and depth == 0 and not quoted:
            found.append(word.strip())
            word = ""
        else:
            word += c
    found.append(word.strip())
    return [unquoted(word) for word in found]


def unquoted(word):
    """String literals joined; other words as they are."""
    return "".join(re.findall(r'"([^"]*)"', word)) if word.startswith('"') else word


def rows(path, macro):
    """The calls of MACRO at the begin of lines of PATH, as lists of arguments."""
    return [arguments(call) for call in
            re.findall(rf"^{macro}\(((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*)\)", read(path), re.M)]


SIZES = {"uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8}


class Struct:
    """A struct of PATH whose members are integers, enumerations of 32 bits and other structs."""

    def __init__(self, path, name, known):
        text = read(path)
        match = re.search(rf"^struct {name} {{\n(.*?)^}};", text, re.M | re.S)
        if not match:
            sys.exit(f"{path}: no struct {name}")
        self.name, self.members, self.align, offset = name, [], 4, 0
        for line in match[1].splitlines():
            member = re.match(r"\s*(\w+) (\w+(?:, \w+)*)(?:\[(\w+)\])?;\s*(?://(.*))?$", line)
            more = re.match(r"\s*//(.*)", line)
            if more and self.members:
                self.members[-1][4] += " " + more[1].strip()
            if not member:
                continue
            kind, fields, count, comment = member.groups()
            size = known[kind].size if kind in known else SIZES.get(kind, 4)
            align = known[kind].align if kind in known else size
            count = int(count) if count else 1
            offset = (offset + align - 1) // align * align
            shown = kind + (f"[{count}]" if count > 1 else "")
            for field in fields.split(", "):
                self.members.append([offset, size * count, shown, field, (comment or "").strip()])
                offset += size * count
            self.align = max(self.align, align)
        self.size = (offset + self.align - 1) // self.align * self.align


def table(heads, lines):
    out = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for line in lines:
        out.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |")
    return "\n".join(out)


# --- The tables ---

FORMATS = {row[0]: row[1] for row in rows("intrinsics/isa/VortexInsns.def", "VX_FORMAT") +
           rows("intrinsics/isa/Formats.def", "VX_FORMAT")}
UNITS = {latency: unit.upper() for cases, unit in
         re.findall(r"((?:  case Latency::\w+:\n)+)    return Unit::(\w+);", read("intrinsics/isa/InsnTable.h"))
         for latency in re.findall(r"Latency::(\w+)", cases)}
OPCODES = {0x0B: "CUSTOM0", 0x2B: "CUSTOM1", 0x5B: "CUSTOM2", 0x7B: "CUSTOM3"}
FIELDS = [("rd", 7, 5), ("rs1", 15, 5), ("rs2", 20, 5), ("funct7", 25, 7)]


def encoding(match, mask):
    """The fixed fields of an instruction word."""
    fixed = [OPCODES[match & 0x7F], f"funct3 = {match >> 12 & 7}"]
    for name, shift, width in FIELDS:
        ones = (1 << width) - 1
        if mask >> shift & ones == ones:
            fixed.append(f"{name} = {match >> shift & ones}")
    if mask >> 25 == 0x40:
        fixed.append("bit 31 = 0")
    return ", ".join(fixed)


def vortex_instructions():
    def line(row):
        _, mnemonic, form, match, mask, latency, _, _, extension = row
        return [f"`{mnemonic}`", FORMATS[form], encoding(int(match, 16), int(mask, 16)),
                f"`{match}`", UNITS[latency], extension]
    return table(["instruction", "operands", "fixed fields", "match", "unit", "extension"],
                 [line(row) for row in rows("intrinsics/isa/VortexInsns.def", "VX_INSN")])


def riscv_instructions():
    groups = {}
    for _, mnemonic, _, _, _, _, _, xlen, extension in rows("intrinsics/isa/RiscvInsns.def", "VX_INSN"):
        groups.setdefault((extension, xlen), []).append(f"`{mnemonic}`")
    return table(["extension", "registers", "instructions"],
                 [[extension, "64 bits only" if xlen == "Only64" else "32 and 64 bits", " ".join(names)]
                  for (extension, xlen), names in groups.items()])


def csrs():
    def line(row):
        _, name, number, xlen, text = row
        access = "read only" if int(number, 16) >> 10 & 3 == 3 else "read and write"
        return [number, f"`{name}`", access + (", 32-bit registers" if xlen == "Only32" else ""), text]
    return table(["number", "name", "access", "meaning"],
                 [line(row) for row in rows("intrinsics/isa/Csrs.def", "VX_CSR")])


def counters():
    lines = []
    for macro, number in (("VX_COUNTER", 1), ("VX_MEMORY_COUNTER", 2)):
        found = [row for row in rows("intrinsics/isa/PerfCounters.def", macro) if row[3] != "0"]
        lines += [[number, row[3], f"`{row[2]}`", row[4]]
                  for row in sorted(found, key=lambda row: int(row[3], 16))]
    return table(["class", "CSR", "counter", "meaning"], lines)


def defines(prefix):
    """The macros of AddressMap.h whose names start with PREFIX: name, value."""
    return re.findall(rf"^#define ({prefix}\w*) (\S+)", read("intrinsics/abi/AddressMap.h"), re.M)


def addresses():
    skipped = ("VX_CSR", "VX_DCR", "VX_ECALL", "VX_HINT")
    return table(["name", "value"], [[f"`{name}`", value] for name, value in defines("VX_")
                                     if not name.startswith(skipped)])


def named(prefix):
    return lambda: table(["name", "value"], [[f"`{name}`", value] for name, value in defines(prefix)])


STRUCTS = {}


def struct(path, name):
    def make():
        STRUCTS[name] = Struct(path, name, STRUCTS)
        found = STRUCTS[name]
        return table(["offset", "bytes", "field", "type", "meaning"],
                     [[offset, size, f"`{field}`", f"`{kind}`", text]
                      for offset, size, kind, field, text in found.members]) + \
            f"\n\n{found.size} bytes."
    return make


def kernel_record():
    lines, offset = [], 0
    text = read("intrinsics/abi/KernelFields.def")
    for macro, call in re.findall(r"^KERNEL_(ENTRY|LAYOUT|FIELD|COST)\(((?:[^()\"]|\"[^\"]*\")*)\)", text, re.M):
        found = arguments(call)
        size = STRUCTS["EntryCost"].size if macro == "COST" else 8 if macro == "ENTRY" else 4
        lines.append([offset, size, f"`{found[0]}`", found[-1]])
        offset += size
    return table(["offset", "bytes", "field", "meaning"], lines) + f"\n\n{offset} bytes."


def kernel_flags():
    return table(["bit", "flag", "meaning"],
                 [[bit, f"`kKernel{name}`", text]
                  for name, bit, _, text in rows("intrinsics/abi/KernelFields.def", "KERNEL_FLAG")])


def mappings():
    return table(["mapping", "lowering", "a lane runs", "a hardware warp runs", "of the kernel, it takes",
                  "of the device, it takes"],
                 [[f"`{name}`", lowering.lower(), *cells]
                  for _, name, lowering, *cells in rows("intrinsics/abi/Mappings.def", "MAPPING")])


def stages():
    return table(["stage", "after it"],
                 [[f"`{name}`", after] for _, name, after in rows("passes/Stages.def", "STAGE")])


LAUNCH = "intrinsics/abi/LaunchDescriptor.h"
TABLES = {
    "vortex-instructions": vortex_instructions,
    "riscv-instructions": riscv_instructions,
    "csrs": csrs,
    "counters": counters,
    "addresses": addresses,
    "dcrs": named("VX_DCR"),
    "ecalls": named("VX_ECALL"),
    "hints": named("VX_HINT"),
    "group-fields": struct(LAUNCH, "GroupFields"),
    "logical-warp-fields": struct(LAUNCH, "LogicalWarpFields"),
    "serial-fields": struct(LAUNCH, "SerialFields"),
    "mapping-fields": struct(LAUNCH, "MappingFields"),
    "launch-descriptor": struct(LAUNCH, "LaunchDescriptor"),
    "control-block": struct(LAUNCH, "ThreadControlBlock"),
    "status-block": struct(LAUNCH, "StatusBlock"),
    "printf-buffer": struct(LAUNCH, "PrintfBuffer"),
    "printf-record": struct(LAUNCH, "PrintfRecord"),
    "device-heap": struct(LAUNCH, "DeviceHeap"),
    "kernel-table-header": struct("intrinsics/abi/KernelTable.h", "KernelTableHeader"),
    "level-cost": struct("intrinsics/abi/KernelTable.h", "LevelCost"),
    "entry-cost": struct("intrinsics/abi/KernelTable.h", "EntryCost"),
    "kernel-record": kernel_record,
    "kernel-flags": kernel_flags,
    "fat-binary-header": struct("intrinsics/abi/FatBinary.h", "FatBinaryHeader"),
    "fat-binary-entry": struct("intrinsics/abi/FatBinary.h", "FatBinaryEntry"),
    "mappings": mappings,
    "stages": stages,
}


def filled(path, made):
    """The text of the page with its tables as they should be."""
    def fill(match):
        return f"<!-- table {match[1]} -->\n{made[match[1]]}\n<!-- end -->"
    return re.sub(r"<!-- table ([\w-]+) -->\n.*?<!-- end -->", fill, read(path), flags=re.S)


def omissions(pages):
    """What the pages should say and do not."""
    text = "".join(pages.values())
    for name in TABLES:
        if f"<!-- table {name} -->" not in text:
            yield f"no page has the table {name}"
    semantics = text.partition("## What the instructions do")[2].partition("\n## ")[0]
    for row in rows("intrinsics/isa/VortexInsns.def", "VX_INSN"):
        if not re.search(rf"`{row[1]}[ `]", semantics):
            yield f"docs/reference/isa.md does not say what {row[1]} does"


def main():
    made = {name: make() for name, make in TABLES.items()}
    pages = {path: filled(path, made) for path in PAGES}
    problems = list(omissions(pages))
    for path, text in pages.items():
        if "--check" not in sys.argv:
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(text)
        elif text != read(path):
            problems += difflib.unified_diff(read(path).splitlines(), text.splitlines(), path,
                                             "scripts/reference-tables.py", lineterm="")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
