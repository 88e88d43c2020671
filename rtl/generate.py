#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the SystemVerilog packages of the core from the project's tables.

usage: generate.py --root ROOT --shape WARPSxLANES [--exchange crossbar|serial] [--without PART,...] --out FOLDER

vx_isa_pkg.sv    the rows of intrinsics/isa that a core of 32-bit registers has: operation, unit, operands and a
                 decoder; the numbers of the CSRs and of the memory map
vx_shape_pkg.sv  warps, lanes, the kind of the exchange unit, and the parts of the core that are there: without `exchange` it
                 has no votes and shuffles, without `tiles` no vx_tile, without `float` no floating point

An instruction is one row of VortexInsns.def or RiscvInsns.def: nothing here names one.
"""

import argparse
import os
import re
import sys

# What the core does not have, by the columns xlen and extension of a row.
LEFT_OUT_XLEN = {"Only64"}
LEFT_OUT_EXTENSIONS = {"D", "VxClone", "VxTexture"}
LICENCE = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
PARTS = ("exchange", "tiles", "float")
SOURCE_FIELDS = ("Rs1", "Rs2", "Rs3")


def macro_rows(text, macro):
    """The arguments of each use of MACRO at the begin of a line, without quotes."""
    for match in re.finditer(rf"^{macro}\((.*)\)", text, re.M):
        yield [a.strip().strip('"') for a in re.split(r',(?=(?:[^"]*"[^"]*")*[^"]*$)', match.group(1))]


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def enumerators(header, name):
    """The enumerators of `enum class NAME` in a C++ header."""
    body = re.search(rf"enum class {name} : \w+ {{(.*?)}};", header, re.S).group(1)
    return re.findall(r"^\s*(\w+)", re.sub(r"//.*", "", body).replace(",", "\n"), re.M)


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


class Formats:
    """The formats of Formats.def and VortexInsns.def: what an instruction reads, writes and computes with."""

    def __init__(self, texts):
        self.operands = {row[0]: row[1:3] for text in texts for row in macro_rows(text, "VX_OPERAND")}
        self.rows = {row[0]: row[1:4] for text in texts for row in macro_rows(text, "VX_FORMAT")}

    def fields(self, name):
        """What the decoder says of an instruction of the format NAME."""
        operands, memory, flow = self.rows[name]
        facts = {"reads": set(), "floats": set(), "writes_x": 0, "writes_f": 0, "immediate": "None", "rounds": 0,
                 "memory": memory, "flow": flow}
        for word in re.findall(r"[a-z0-9]+", operands):
            role, field = self.operands[word]
            if role in ("ReadX", "ReadF"):
                facts["reads"].add(field)
                if role == "ReadF":
                    facts["floats"].add(field)
            elif role == "WriteX":
                facts["writes_x"] = 1
            elif role == "WriteF":
                facts["writes_f"] = 1
            elif role == "Immediate":
                facts["immediate"] = field
            elif field == "Rounding":
                facts["rounds"] = 1
        return facts


def instructions(texts):
    for text in texts:
        for row in macro_rows(text, "VX_INSN"):
            name, _, form, match, mask, latency, _, xlen, extension = row
            if name != "id" and xlen not in LEFT_OUT_XLEN and extension not in LEFT_OUT_EXTENSIONS:
                yield name, form, int(match, 16), int(mask, 16), latency


def pattern(match, mask):
    bits = "".join(str(match >> i & 1) if mask >> i & 1 else "?" for i in reversed(range(32)))
    return "32'b" + "_".join([bits[0:7], bits[7:12], bits[12:17], bits[17:20], bits[20:25], bits[25:32]])


def enum(name, prefix, names):
    width = max(1, (len(names) - 1).bit_length())
    body = ",\n".join(f"    {prefix}{n}" for n in names)
    return f"  typedef enum logic [{width - 1}:0] {{\n{body}\n  }} {name};\n"


def decoder(rows, formats):
    lines = []
    for name, form, match, mask, latency in rows:
        facts = formats.fields(form)
        if facts["immediate"] == "Shamt":
            mask |= 1 << 25  # the sixth bit of a shift amount is for 64-bit registers
        flags = "".join(str(int(f in facts["reads"])) for f in reversed(SOURCE_FIELDS))
        floats = "".join(str(int(f in facts["floats"])) for f in reversed(SOURCE_FIELDS))
        lines.append(
            f"      {pattern(match, mask)}: return '{{OP_{name}, LATENCY_{snake(latency)}, "
            f"MEMORY_{snake(facts['memory'])}, FLOW_{snake(facts['flow'])}, FIELD_{snake(facts['immediate'])}, "
            f"3'b{flags}, 3'b{floats}, 1'b{facts['writes_x']}, 1'b{facts['writes_f']}, 1'b{facts['rounds']}}};")
    return "\n".join(lines)


def constants(root):
    lines = []
    for row in macro_rows(read(root, "intrinsics/isa/Csrs.def"), "VX_CSR"):
        if row[0] != "id":
            lines.append(f"  localparam logic [11:0] CSR_{snake(row[0])} = 12'h{int(row[2], 16):03x};")
    for name, value in re.findall(r"^#define VX_(\w+) (0x[0-9A-Fa-f]+|\d+)$", read(root, "intrinsics/abi/AddressMap.h"),
                                  re.M):
        if not name.startswith(("CSR_", "DCR_", "HINT_")) and int(value, 0) < 1 << 32:
            lines.append(f"  localparam logic [31:0] {name} = 32'h{int(value, 0):08x};")
    return "\n".join(lines)


def isa_package(root):
    formats_text = read(root, "intrinsics/isa/Formats.def")
    vortex = read(root, "intrinsics/isa/VortexInsns.def")
    formats = Formats([formats_text, vortex])
    rows = list(instructions([read(root, "intrinsics/isa/RiscvInsns.def"), vortex]))
    latencies = [snake(n) for n in enumerators(read(root, "intrinsics/isa/InsnTable.h"), "Latency")]
    header = read(root, "intrinsics/isa/Formats.h")
    kinds = {kind: [snake(n) for n in enumerators(header, kind)] for kind in ("Memory", "Flow", "Field")}
    return f"""{LICENCE}
//
// The instruction set as the core decodes it. Made by rtl/generate.py from intrinsics/isa and
// intrinsics/abi/AddressMap.h: change those.

package vx_isa_pkg;

  // One for each row of the instruction table.
{enum("op_e", "OP_", ["INVALID"] + [row[0] for row in rows])}
  // The latency class of a row; the unit that executes it follows (unit_of in vx_pkg).
{enum("latency_e", "LATENCY_", latencies)}
{enum("memory_e", "MEMORY_", kinds["Memory"])}
{enum("flow_e", "FLOW_", kinds["Flow"])}
{enum("field_e", "FIELD_", kinds["Field"])}
  typedef struct packed {{
    op_e op;
    latency_e latency;
    memory_e memory;
    flow_e flow;
    field_e immediate;   // where the constant is that it computes with
    logic [2:0] reads;   // bit i: the register in field rs(i+1)
    logic [2:0] floats;  // which of these are floating-point registers
    logic writes_x;      // the integer register in field rd
    logic writes_f;
    logic rounds;        // it has a rounding mode
  }} insn_t;

  localparam insn_t INVALID_INSN =
      '{{OP_INVALID, LATENCY_SFU, MEMORY_NONE, FLOW_TRAP, FIELD_NONE, 3'b0, 3'b0, 1'b0, 1'b0, 1'b0}};

  function automatic insn_t decode(logic [31:0] word);
    unique casez (word)
{decoder(rows, formats)}
      default: return INVALID_INSN;
    endcase
  endfunction

{constants(root)}

endpackage
"""


def shape_package(warps, lanes, exchange, without):
    parts = "\n".join(f"  localparam bit HAS_{part.upper()} = {int(part not in without)};" for part in PARTS)
    return f"""{LICENCE}
//
// The shape of the core. Made by rtl/generate.py.

package vx_shape_pkg;
  localparam int NUM_WARPS = {warps};
  localparam int NUM_LANES = {lanes};
  localparam bit SERIAL_EXCHANGE = {int(exchange == "serial")};
{parts}
endpackage
"""


def parse_shape(text):
    match = re.fullmatch(r"(\d+)x(\d+)", text)
    warps, lanes = (int(n) for n in match.groups()) if match else (0, 0)
    if warps not in (1, 2, 4, 8, 16, 32) or lanes not in (4, 8, 16, 32):
        sys.exit(f"generate.py: the shape is '{text}'; it must be WARPSxLANES, powers of two, 1 to 32 warps of 4 to 32 lanes")
    return warps, lanes


def write_if_changed(path, text):
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description="Makes the SystemVerilog packages of the core.")
    parser.add_argument("--root", required=True)
    parser.add_argument("--shape", required=True)
    parser.add_argument("--exchange", choices=("crossbar", "serial"), default="crossbar")
    parser.add_argument("--without", default="", help="parts of the core that are left out: " + ", ".join(PARTS))
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    warps, lanes = parse_shape(args.shape)
    without = set(filter(None, args.without.split(",")))
    if without - set(PARTS):
        sys.exit(f"generate.py: --without={args.without}: the parts are {', '.join(PARTS)}")
    os.makedirs(args.out, exist_ok=True)
    write_if_changed(os.path.join(args.out, "vx_isa_pkg.sv"), isa_package(args.root))
    write_if_changed(os.path.join(args.out, "vx_shape_pkg.sv"), shape_package(warps, lanes, args.exchange, without))


if __name__ == "__main__":
    main()
