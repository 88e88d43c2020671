#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a module with one small function for each operation that code generation might turn into a
branch.

usage: operations.py [--xlen=64|32] [--no-zicond]

For --no-zicond the module flag vx.zicond is 0.
"""

import argparse

LAYOUTS = {64: "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128", 32: "e-m:e-p:32:32-i64:64-n32-S128"}


class ModuleWriter:
    def __init__(self, xlen, zicond):
        self.functions, self.declarations = [], set()
        self.widths = [8, 16, 32, 64]
        self.zicond, self.xlen = zicond, xlen

    def function(self, name, result, parameters, *body):
        text = "\n  ".join(body)
        self.functions.append(f"define {result} @{name}({parameters}) {{\n  {text}\n}}\n")

    def intrinsic(self, name, result, types, overload, *constants):
        """A call of llvm.NAME with an argument of each type, and CONSTANTS after them."""
        callee = f"@llvm.{name}.{overload}"
        arguments = [f"{t} %a{i}" for i, t in enumerate(types)]
        self.declarations.add(
            f"declare {result} {callee}({', '.join(list(types) + [c.split()[0] for c in constants])})")
        self.function(f"{name}_{overload}_{len(self.functions)}".replace(".", "_"), result,
                      ", ".join(arguments),
                      f"%r = call {result} {callee}({', '.join(arguments + list(constants))})",
                      f"ret {result} %r")

    def binary(self, op, t):
        self.function(f"{op}_{t}", t, f"{t} %x, {t} %y", f"%r = {op} {t} %x, %y", f"ret {t} %r")

    def select(self, t):
        name = "".join(c if c.isalnum() else "_" for c in t)
        self.function(f"select_{name}", t, f"i1 %c, {t} %x, {t} %y",
                      f"%r = select i1 %c, {t} %x, {t} %y", f"ret {t} %r")

    def integer(self, t):
        for op in ("abs", "ctlz", "cttz"):
            self.intrinsic(op, t, [t], t, "i1 false")
        for op in ("ctlz", "cttz"):
            self.intrinsic(op, t, [t], t, "i1 true")
        for op in ("ctpop", "bitreverse"):
            self.intrinsic(op, t, [t], t)
        for op in ("smin", "smax", "umin", "umax"):
            self.intrinsic(op, t, [t, t], t)
        for op in ("scmp", "ucmp"):
            self.intrinsic(op, "i8", [t, t], f"i8.{t}")
        for op in ("fshl", "fshr"):
            self.intrinsic(op, t, [t] * 3, t)
        for op in ("sadd", "uadd", "ssub", "usub", "smul", "umul"):
            self.intrinsic(f"{op}.with.overflow", f"{{{t}, i1}}", [t, t], t)
        for op in ("sadd", "uadd", "ssub", "usub", "sshl", "ushl"):
            self.intrinsic(f"{op}.sat", t, [t, t], t)
        for op in ("sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr"):
            self.binary(op, t)
        for op in ("sdiv", "srem"):
            self.function(f"{op}_16_{t}", t, f"{t} %x", f"%r = {op} {t} %x, 16", f"ret {t} %r")
        self.select(t)
        self.function(f"compare_{t}", t, f"{t} %a, {t} %b, {t} %x, {t} %y",
                      f"%c = icmp slt {t} %a, %b", f"%r = select i1 %c, {t} %x, {t} %y", f"ret {t} %r")
        self.function(f"constants_{t}", t, f"{t} %a, {t} %b", f"%c = icmp ult {t} %a, %b",
                      f"%r = select i1 %c, {t} 77, {t} -3", f"ret {t} %r")

    def floating(self, t, m):
        for op in ("floor", "ceil", "trunc", "rint", "nearbyint", "roundeven", "round", "fabs", "sqrt"):
            self.intrinsic(op, t, [t], m)
        for op in ("minnum", "maxnum", "minimum", "maximum", "minimumnum", "maximumnum", "copysign"):
            self.intrinsic(op, t, [t, t], m)
        for op in ("fma", "fmuladd"):
            self.intrinsic(op, t, [t] * 3, m)
        self.intrinsic("is.fpclass", "i1", [t], m, "i32 504")
        for predicate in ("oeq", "ogt", "one", "ord", "ueq", "ugt", "une", "uno", "ule"):
            self.function(f"fcmp_{predicate}_{m}", t, f"{t} %x, {t} %y",
                          f"%c = fcmp {predicate} {t} %x, %y",
                          f"%r = select i1 %c, {t} %x, {t} %y", f"ret {t} %r")
        for width in [1] + self.widths:
            for op in ("fptosi", "fptoui"):
                self.function(f"{op}_{m}_{width}", f"i{width}", f"{t} %x",
                              f"%r = {op} {t} %x to i{width}", f"ret i{width} %r")
                if self.zicond or width <= self.xlen: # vx-lower-wide replaces the others
                    self.intrinsic(f"{op}.sat", f"i{width}", [t], f"i{width}.{m}")
            for op in ("sitofp", "uitofp"):
                self.function(f"{op}_{m}_{width}", t, f"i{width} %x", f"%r = {op} i{width} %x to {t}",
                              f"ret {t} %r")
        self.select(t)
        self.function(f"constants_{m}", t, "i1 %c", f"%r = select i1 %c, {t} 2.0, {t} 3.0",
                      f"ret {t} %r")
        self.function(f"truth_{m}", t, f"i1 %c, {t} %x", "%w = zext i1 %c to i32",
                      f"%b = uitofp i32 %w to {t}", f"%r = fmul {t} %b, %x", f"ret {t} %r")

    def others(self):
        for t in ("ptr", "half", "bfloat", "{i32, float}", "[3 x double]", "<2 x float>", "i1"):
            self.select(t)
        self.function("select_lanes", "<2 x float>", "<2 x i1> %c, <2 x float> %x, <2 x float> %y",
                      "%r = select <2 x i1> %c, <2 x float> %x, <2 x float> %y", "ret <2 x float> %r")
        self.function("and_or", "i1", "i1 %c, i1 %d, i1 %e", "%a = select i1 %c, i1 %d, i1 false",
                      "%r = select i1 %a, i1 true, i1 %e", "ret i1 %r")
        # What code generation likes to sink into a branch.
        self.function("expensive_arm", "i32", "i32 %a, ptr %p", "%c = icmp eq i32 %a, 0",
                      "%v = load i32, ptr %p", "%w = sdiv i32 %v, %a",
                      "%r = select i1 %c, i32 %v, i32 %w", "ret i32 %r")
        self.function("two_loads", "i32", "i1 %c, ptr %p, ptr %q", "%x = load i32, ptr %p",
                      "%y = load i32, ptr %q", "%r = select i1 %c, i32 %x, i32 %y", "ret i32 %r")
        self.function("nested_select", "float", "i32 %a, i32 %b, float %x, float %y, float %z",
                      "%c = icmp slt i32 %a, %b", "%d = fcmp olt float %x, %y",
                      "%s = select i1 %c, float %x, float %z", "%t = select i1 %d, float %s, float %y",
                      "ret float %t")

    def module(self, xlen):
        for width in self.widths:
            self.integer(f"i{width}")
        if xlen == 64 or not self.zicond:
            for op in ("shl", "lshr", "ashr", "add", "mul"):
                self.binary(op, "i128")
            self.select("i128")
        self.floating("float", "f32")
        self.floating("double", "f64")
        self.others()
        head = [f'target datalayout = "{LAYOUTS[xlen]}"', f'target triple = "riscv{xlen}-unknown-elf"', ""]
        flags = [] if self.zicond else ["!llvm.module.flags = !{!0}", '!0 = !{i32 7, !"vx.zicond", i32 0}']
        return "\n".join(head + self.functions + sorted(self.declarations) + flags)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--xlen", type=int, choices=sorted(LAYOUTS), default=64)
    parser.add_argument("--no-zicond", dest="zicond", action="store_false")
    arguments = parser.parse_args()
    print(ModuleWriter(arguments.xlen, arguments.zicond).module(arguments.xlen))


if __name__ == "__main__":
    main()
