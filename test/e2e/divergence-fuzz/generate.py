#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a CUDA program of random control flow that checks itself.

usage: generate.py [--seed=N] [--functions=N] [--depth=N] [--inputs=N] [--no-goto]

The program holds __host__ __device__ functions of nested ifs, loops, switches, gotos (into loops as
well: irreducible flow), breaks, continues, early returns, calls and indirect calls, and compares
each on the device with itself on the host for random inputs. The same arguments give the same
program. Every function ends: each iteration of a loop and each goto uses up some fuel. There is no
undefined behaviour: all variables are initialised at the top, shifts and divisions are guarded.
"""

import argparse
import random

VARIABLES = ["a", "b", "c", "d", "e"]


class FunctionWriter:
    """Writes one function. `callees` are the names of functions it may call."""

    def __init__(self, rng, name, callees, depth, with_goto):
        self.rng, self.name, self.callees = rng, name, callees
        self.depth, self.with_goto = depth, with_goto
        self.lines, self.indent = [], 1
        self.loops = 0          # loop counters handed out
        self.labels = 0         # labels placed
        self.gotos = []         # line numbers that wait for a label
        self.breakable = []     # innermost last: "loop" or "switch"
        self.statements = 0

    def emit(self, text):
        self.lines.append("  " * self.indent + text)

    # Expressions.

    def variable(self):
        return self.rng.choice(VARIABLES)

    def leaf(self):
        kind = self.rng.randrange(10)
        if kind < 6:
            return self.variable()
        if kind < 8:
            return f"{self.rng.choice([1, 2, 3, 5, 7, 16, 31, 255, 1000003, 0x80000000])}u"
        if kind == 8:
            return f"array[{self.variable()} & 7]"
        return "static_cast<unsigned>(wide >> 13)"

    def expression(self, depth=2):
        if depth == 0 or self.rng.randrange(4) == 0:
            return self.leaf()
        x, y = self.expression(depth - 1), self.expression(depth - 1)
        kind = self.rng.randrange(12)
        if kind < 6:
            return f"({x} {self.rng.choice(['+', '-', '*', '^', '&', '|'])} {y})"
        if kind == 6:
            return f"({x} {self.rng.choice(['<<', '>>'])} ({y} & 31))"
        if kind == 7:
            return f"({x} {self.rng.choice(['/', '%'])} ({y} | 1))"
        if kind == 8:
            return f"({self.condition(1)} ? {x} : {y})"
        if kind == 9:
            return f"({x} {self.rng.choice(['<', '>'])} {y} ? {x} : {y})"
        if kind == 10:
            return f"static_cast<unsigned>(static_cast<int>({x}) >> ({y} & 7))"
        return f"static_cast<unsigned>(static_cast<int>((({x} & 1023) * 0.5 - ({y} & 511)) * 2))"

    def condition(self, depth=2):
        kind = self.rng.randrange(9 if depth else 6)
        if kind < 2:
            return f"({self.expression(1)} & {self.rng.choice([1, 2, 3, 4, 8, 16])}) != 0"
        if kind < 4:
            comparison = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
            modulus = self.rng.choice([2, 3, 5, 16])
            return f"{self.expression(1)} % {modulus} {comparison} {self.rng.randrange(modulus)}"
        if kind == 4:
            return f"static_cast<int>({self.expression(1)}) < static_cast<int>({self.variable()})"
        if kind == 5:
            return f"({self.variable()} & 255) * 0.25 {self.rng.choice(['<', '>='])} ({self.variable()} & 63)"
        if kind == 6:
            return f"!({self.condition(depth - 1)})"
        glue = self.rng.choice(["&&", "||"])
        return f"(({self.condition(depth - 1)}) {glue} ({self.condition(depth - 1)}))"

    # Statements.

    def burn(self):
        self.emit("if (fuel == 0)")
        self.emit(f"  return {self.expression(1)};")
        self.emit("--fuel;")

    def label(self):
        self.emit(f"L{self.labels}:;")
        self.labels += 1

    def assignment(self):
        kind = self.rng.randrange(8)
        if kind == 0:
            self.emit(f"array[{self.expression(1)} & 7] = {self.expression(1)};")
        elif kind == 1:
            self.emit(f"wide = wide * 6364136223846793005ull + {self.expression(1)};")
        else:
            operation = self.rng.choice(["=", "+=", "-=", "^=", "*=", "="])
            self.emit(f"{self.variable()} {operation} {self.expression()};")

    def call(self):
        if not self.callees:
            return self.assignment()
        if self.rng.randrange(3) == 0:
            self.emit(f"{self.variable()} ^= table({self.expression(1)})"
                      f"({self.variable()}, {self.expression(1)});")
        else:
            callee = self.rng.choice(self.callees)
            self.emit(f"{self.variable()} += {callee}({self.expression(1)}, {self.variable()});")

    def block(self, depth, header, footer="}"):
        self.emit(header + " {")
        self.indent += 1
        self.body(depth)
        self.indent -= 1
        self.emit(footer)

    def branch(self, depth):
        self.block(depth - 1, f"if ({self.condition()})",
                   "} else" if self.rng.randrange(2) else "}")
        while self.lines[-1].endswith("else"):
            again = self.rng.randrange(3) == 0
            header = self.lines.pop().strip()
            if again:
                header += f" if ({self.condition()})"
            self.block(depth - 1, header, "} else" if again and self.rng.randrange(2) else "}")

    def loop(self, depth):
        counter = f"i{self.loops}"
        self.loops += 1
        self.breakable.append("loop")
        kind = self.rng.randrange(4)
        if kind == 0:
            header = f"for ({counter} = 0; {counter} < {self.expression(1)} % 7; ++{counter})"
        elif kind == 1:
            header = f"while ({self.condition()})"
        elif kind == 2:
            header = f"for ({counter} = {self.variable()} & 3;; {counter} += 1)"
        else:
            header = "do"
        footer = f"}} while ({self.condition()});" if kind == 3 else "}"
        self.emit(header + " {")
        self.indent += 1
        self.burn()
        if kind == 2:
            self.emit(f"if ({counter} > {self.rng.randrange(3, 9)} || {self.condition(1)})")
            self.emit("  break;")
        self.body(depth - 1)
        self.indent -= 1
        self.emit(footer)
        self.breakable.pop()

    def switch(self, depth):
        sparse = self.rng.randrange(3) == 0
        modulus = self.rng.choice([3, 4, 6, 9])
        self.emit(f"switch ({self.expression(1)} % {modulus}u{' * 1000003u' if sparse else ''}) {{")
        self.breakable.append("switch")
        cases = self.rng.sample(range(modulus), self.rng.randrange(1, modulus + 1))
        for case in sorted(cases) + ([None] if self.rng.randrange(3) else []):
            value = case * 1000003 % 2**32 if sparse and case is not None else case
            self.emit("default:" if case is None else f"case {value}u:")
            self.indent += 1
            self.body(depth - 1)
            if self.rng.randrange(4):
                self.emit("break;")
            self.indent -= 1
        self.emit("}")
        self.breakable.pop()

    def jump(self):
        """A break, continue, return or goto under a condition."""
        choices = ["return"]
        if self.breakable:
            choices += ["break", "break"]
        if "loop" in self.breakable:
            choices += ["continue", "continue"]
        if self.with_goto:
            choices += ["goto", "goto"]
        kind = self.rng.choice(choices)
        self.emit(f"if ({self.condition()}) {{")
        self.indent += 1
        if self.rng.randrange(2):
            self.assignment()
        if kind == "return":
            self.emit(f"return {self.expression()};")
        elif kind == "goto":
            self.burn()
            self.gotos.append(len(self.lines))
            self.emit("goto L?;")
        else:
            self.emit(kind + ";")
        self.indent -= 1
        self.emit("}")

    def body(self, depth):
        for _ in range(self.rng.randrange(1, 4)):
            self.statements += 1
            if depth <= 0 or self.statements > 45:
                self.assignment()
                continue
            if self.with_goto and self.rng.randrange(7) == 0:
                self.label()
            kind = self.rng.randrange(12)
            if kind < 3:
                self.branch(depth)
            elif kind < 5:
                self.loop(depth)
            elif kind == 5:
                self.switch(depth)
            elif kind < 8:
                self.jump()
            elif kind == 8:
                self.call()
            else:
                self.assignment()

    def write(self, fuel):
        for _ in range(3):
            self.body(self.depth)
        if self.with_goto:
            self.label()
        for line in self.gotos:
            self.lines[line] = self.lines[line].replace("?", str(self.rng.randrange(self.labels)))
        inline = self.rng.choice(["", "", "__attribute__((noinline)) "])
        head = [f"__host__ __device__ {inline}unsigned {self.name}(unsigned a, unsigned b) {{",
                "  unsigned c = a * 3 + 1, d = b ^ (a >> 7), e = 17, array[8] = {a, b, 3, 5, 7, 9, 11, 13};",
                "  unsigned long long wide = a * 1ull * b;",
                f"  unsigned fuel = {fuel};"]
        head += [f"  unsigned i{loop} = 0;" for loop in range(self.loops)]
        tail = ["  for (unsigned i = 0; i < 8; ++i)",
                "    e = e * 31 + array[i];",
                "  return a ^ b * 3 ^ c * 5 ^ d * 7 ^ e ^ static_cast<unsigned>(wide ^ wide >> 32);",
                "}"]
        return head + self.lines + tail


def program(arguments):
    rng = random.Random(arguments.seed)
    lines = ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
             f"// Written by generate.py --seed={arguments.seed} --functions={arguments.functions}"
             f" --depth={arguments.depth} --inputs={arguments.inputs}"
             f"{'' if arguments.goto else ' --no-goto'}",
             '#include "harness.h"', ""]
    leaves = []
    for index in range(3):
        name = f"leaf{index}"
        writer = FunctionWriter(rng, name, [], 2, arguments.goto)
        lines += writer.write(fuel=12) + [""]
        leaves.append(name)
    lines += ["typedef unsigned (*Function)(unsigned, unsigned);",
              "__host__ __device__ Function table(unsigned index) {",
              "  Function functions[4] = {leaf0, leaf1, leaf2, leaf0};",
              "  return functions[index & 3];", "}", ""]
    names = []
    for index in range(arguments.functions):
        name = f"function{index}"
        writer = FunctionWriter(rng, name, leaves, arguments.depth, arguments.goto)
        lines += writer.write(fuel=40) + [""]
        names.append(name)
    lines.append("int main() {")
    lines += [f'  compareWithHost<unsigned, {name}>("{name}", {arguments.inputs});' for name in names]
    lines += ["  return finish();", "}"]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--functions", type=int, default=6)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--inputs", type=int, default=200)
    parser.add_argument("--no-goto", dest="goto", action="store_false")
    print(program(parser.parse_args()))


if __name__ == "__main__":
    main()
