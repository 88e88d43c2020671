#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a CUDA program of random kernels with barriers that checks itself.

usage: generate.py [--seed=N] [--kernels=N] [--depth=N] [--launches=N]

Each kernel mixes, between and around barriers: uniform and divergent control flow, values and local
arrays that live across, shared memory, shared atomics, barrier reductions, threads that end early,
calls that ask for coordinates. The host runs the same source with one fiber per thread
(lockstep.h). The same arguments give the same program.

The kernels are free of races. An array's slot is written by its own thread only; `state` records,
since the last barrier, which arrays were written and which were read at foreign slots. Where control
flow joins, everything may have happened.
"""

import argparse
import os
import random
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from fuzz.kernels import CONSTANTS, GRIDS, MIXERS, PARAMS, Writer, kernel  # noqa: E402

SHARED = {"a": "unsigned", "b": "unsigned", "w": "unsigned long long"}
COUNTERS = 4
BLOCKS = ["1", "7", "32", "33", "64", "dim3(5, 3, 7)", "100", "dim3(16, 16)", "255", "257",
          "dim3(3, 1, 40)", "511", "1000", "1024", "dim3(32, 32)", "2", "31", "dim3(1, 9)"]


class KernelWriter(Writer):
    def __init__(self, rng, index, depth):
        super().__init__(rng, index, depth)
        self.loops, self.statements, self.exits = 0, 0, 0
        self.in_loop = []                # innermost last: "loop" or "switch"

    # Expressions. Uniform ones have one value for all threads of the block that are still running.

    def uniform_leaf(self):
        kind = self.rng.randrange(10)
        if kind < 4:
            return self.rng.choice(["u0", "u1", "u2"])
        if kind == 4:
            return "n"
        if kind == 5:
            return "p.x"
        if kind == 6:
            return "bidX()"
        if kind == 7 and self.loops:
            return f"i{self.rng.randrange(self.loops)}"
        if kind == 8:
            return f"in[{self.rng.choice(['u0', 'u1', 'u2', 'bidX()', 'p.x'])} & 255]"
        return f"{self.rng.choice(CONSTANTS)}u"

    def leaf(self):
        kind = self.rng.randrange(14)
        if kind < 5:
            return self.rng.choice(["v0", "v1", "v2", "v3"])
        if kind == 5:
            return self.rng.choice(["tidX()", "tidY()", "tidZ()", "tid"])
        if kind == 6:
            return f"local[{self.rng.choice(['v0', 'v1', 'v2', 'u0'])} & 7]"
        if kind == 7:
            return "static_cast<unsigned>(w0 >> 13)"
        if kind == 8:
            return "static_cast<unsigned>(d0)"
        if kind == 9:
            return self.rng.choice(["p.y[v0 & 3]", "p.y[2]", "pair.first", "pair.second"])
        if kind == 10:
            return "in[v1 & 255]"
        if kind == 11:
            return "static_cast<unsigned>(s.a[tid] + s.w[tid])"
        return self.uniform_leaf()

    # Statements that any thread may execute by itself.

    def assignment(self):
        kind = self.rng.randrange(12)
        if kind < 6:
            self.emit(f"{self.rng.choice(['v0', 'v1', 'v2', 'v3'])} = {self.expression()};")
        elif kind == 6:
            self.emit(f"local[{self.expression(1)} & 7] = {self.expression(1)};")
        elif kind == 7:
            self.emit(f"w0 = w0 * 31 + {self.expression(1)};")
        elif kind == 8:
            self.emit(f"d0 = d0 * 0.5 + ({self.expression(1)} & 1023);")
        elif kind == 9:
            self.emit(f"{self.rng.choice(['pair.first', 'pair.second'])} += {self.expression(1)};")
        elif kind == 10:
            self.emit(f"v{self.rng.randrange(4)} = mix{self.rng.randrange(2)}(&local[{self.leaf()} & 7], "
                      f"{self.leaf()});")
        else:
            self.emit(f"result = result * 7 + {self.expression(1)};")

    def divergent(self, depth):
        kind = self.rng.randrange(3) if depth else 3
        if kind == 0:
            self.nested(f"if ({self.condition()}) {{", lambda: self.divergent_body(depth - 1))
            if self.rng.randrange(2):
                self.otherwise(lambda: self.divergent_body(depth - 1))
        elif kind == 1:
            bound = self.rng.choice([3, 5, 8])
            self.nested(f"for (unsigned j = 0; j < {self.leaf()} % {bound} + 1; ++j) {{",
                        lambda: self.divergent_loop_body(depth - 1))
        else:
            self.assignment()

    def divergent_body(self, depth):
        for _ in range(self.rng.randrange(1, 3)):
            self.divergent(depth)

    def divergent_loop_body(self, depth):
        self.emit("if (--fuel == 0)")
        self.emit("  break;")
        self.divergent_body(depth)
        if self.rng.randrange(2):
            self.emit(f"if ({self.condition()})")
            self.emit(f"  {self.rng.choice(['break', 'continue'])};")
            self.assignment()

    # Statements that all threads which have not ended execute together.

    def sync(self):
        kind = self.rng.randrange(5)
        if kind < 3:
            self.emit("sync();")
        elif kind == 3:
            reduction = self.rng.choice(["syncCount", "syncAnd", "syncOr"])
            self.emit(f"u{self.rng.randrange(3)} += {reduction}({self.condition()});")
        else:
            self.emit("sync();")
            self.emit("sync();")
        self.read, self.written = set(), set()

    def may_write(self, array):
        if array in self.read:
            self.sync()
        self.written.add(array)

    def may_read(self, array):
        if array in self.written:
            self.sync()
        self.read.add(array)

    def store_shared(self):
        array = self.rng.choice(list(SHARED))
        self.may_write(array)
        guard = f"if ({self.condition()}) " if self.rng.randrange(3) == 0 else ""
        self.emit(f"{guard}s.{array}[tid] = {self.expression()};")

    def load_shared(self):
        array = self.rng.choice(list(SHARED))
        self.may_read(array)
        kind = self.rng.randrange(4)
        if kind == 0:
            self.emit(f"u{self.rng.randrange(3)} = static_cast<unsigned>("
                      f"s.{array}[{self.uniform(1)} % threads]);")
        elif kind == 1:
            self.emit(f"v{self.rng.randrange(4)} ^= static_cast<unsigned>("
                      f"s.{array}[threads - 1 - tid]);")
        else:
            self.emit(f"v{self.rng.randrange(4)} += static_cast<unsigned>("
                      f"s.{array}[(tid + {self.expression(1)} % threads) % threads]);")

    def count_shared(self):
        which = self.rng.randrange(COUNTERS)
        if self.rng.randrange(2):
            self.may_write("counters")
            self.emit(f"addTo(&s.counters[{self.leaf()} % {COUNTERS}], {self.expression(1)});")
        else:
            self.may_read("counters")
            self.emit(f"u{self.rng.randrange(3)} += s.counters[{which}];")

    def anything_happened(self):
        self.read, self.written = set(SHARED) | {"counters"}, set(SHARED) | {"counters"}

    def uniform_loop(self, depth):
        counter = f"i{self.loops}"
        self.loops += 1
        self.in_loop.append("loop")
        kind = self.rng.randrange(4)
        self.anything_happened()
        footer = "}"
        if kind == 0:
            head = f"for ({counter} = 0; {counter} < {self.uniform(1)} % 5; ++{counter}) {{"
        elif kind == 1:
            head = f"for ({counter} = {self.uniform(1)} & 3; {counter}-- > 0;) {{"
        elif kind == 2:
            head = f"while (++{counter} < 6 && {self.uniform_condition()}) {{"
        else:
            head = "do {"
            footer = f"}} while (++{counter} < 5 && syncOr({self.condition()}));"

        def body():
            self.emit("if (--iterations == 0)")
            self.emit("  break;")
            self.block(depth - 1)

        self.nested(head, body, footer)
        self.in_loop.pop()
        self.anything_happened()

    def uniform_switch(self, depth):
        self.in_loop.append("switch")
        modulus = self.rng.choice([2, 3, 5])
        self.emit(f"switch ({self.uniform(1)} % {modulus}u) {{")
        for case in range(modulus - 1):
            self.emit(f"case {case}u:")
            self.anything_happened()
            self.indent += 1
            self.block(depth - 1)
            if self.rng.randrange(4):
                self.emit("break;")
            self.indent -= 1
        self.emit("}")
        self.in_loop.pop()
        self.anything_happened()

    def leave(self):
        choices = ["return"]
        if self.in_loop:
            choices += ["break"] * 2
        if "loop" in self.in_loop:
            choices += ["continue"] * 2
        kind = self.rng.choice(choices)
        if kind != "return":
            self.nested(f"if ({self.uniform_condition()}) {{", lambda: self.emit(kind + ";"))
        elif self.exits < 2:
            self.exits += 1
            condition = self.condition() if self.rng.randrange(3) else self.uniform_condition()
            self.nested(f"if ({condition}) {{", self.finish)

    def finish(self):
        self.emit(f"*out = result + {self.expression()};")
        self.emit("return;")

    def block(self, depth):
        for _ in range(self.rng.randrange(2, 5)):
            self.statements += 1
            if self.statements > 60:
                self.assignment()
                continue
            kind = self.rng.randrange(20)
            if kind < 3 and depth > 0:
                self.uniform_if(depth)
            elif kind < 6 and depth > 0:
                self.uniform_loop(depth)
            elif kind == 6 and depth > 0:
                self.uniform_switch(depth)
            elif kind < 9:
                self.store_shared()
            elif kind < 12:
                self.load_shared()
            elif kind == 12:
                self.count_shared()
            elif kind == 13:
                self.sync()
            elif kind == 14:
                self.emit(f"u{self.rng.randrange(3)} = {self.uniform()};")
            elif kind == 15 and self.rng.randrange(3) == 0:
                self.leave()
            elif kind < 18:
                self.divergent(2)
            else:
                self.assignment()

    def write(self):
        for _ in range(2):
            self.block(self.depth)
        if self.rng.randrange(2):
            self.sync()
        inline = self.rng.choice(["", "", "__attribute__((noinline)) "])
        head = [f"__host__ __device__ {inline}void body{self.index}(Shared &s, const unsigned *in, "
                "const unsigned *zeros, unsigned *out, unsigned n, Params p) {",
                "  const unsigned tid = linearThread(), threads = blockSize().x * blockSize().y * "
                "blockSize().z;",
                "  unsigned v0 = tid * 3 + n, v1 = in[tid & 255], v2 = tidY() ^ 77, v3 = tidX();",
                "  unsigned u0 = n, u1 = p.x, u2 = 3, local[8] = {tid, 1, 2, n, 4, 5, v1, 7};",
                "  unsigned long long w0 = in[3] * 1ull * tid;",
                "  double d0 = tid;",
                "  Pair pair = {v1, tid ^ n};",
                "  unsigned result = 1, fuel = 60, iterations = 12;",
                "  out += linearBlock() * threads + tid;"]
        head += [f"  unsigned i{loop} = 0;" for loop in range(self.loops)]
        head += ["  s.a[tid] = tid;", "  s.b[tid] = v1;", "  s.w[tid] = w0;",
                 f"  for (unsigned i = tid; i < {COUNTERS}; i += threads)",
                 "    s.counters[i] = 0;", "  sync();"]
        tail = ["  for (unsigned i = 0; i < 8; ++i)",
                "    result = result * 31 + local[i];",
                "  result += s.a[tid] * 3 + s.b[tid] * 5 + static_cast<unsigned>(s.w[tid] >> 7);",
                "  result ^= v0 * 3 ^ v1 * 5 ^ v2 * 7 ^ v3 * 11 ^ u0 * 13 ^ u1 * 17 ^ u2 * 19;",
                "  *out = result ^ static_cast<unsigned>(w0 ^ w0 >> 32) ^ static_cast<unsigned>(d0) ^ "
                "pair.first ^ pair.second * 3;",
                "}", ""]
        return head + self.lines + tail


PROLOGUE = f"""#include "lockstep.h"

struct Shared {{
  unsigned a[1024], b[1024];
  unsigned long long w[1024];
  unsigned counters[{COUNTERS}];
}};
{PARAMS}struct Pair {{
  unsigned first, second;
}};
{MIXERS}"""

RUN = """
typedef void (*Kernel)(const unsigned *, const unsigned *, unsigned *, unsigned, Params);
typedef void (*Body)(Shared &, const unsigned *, const unsigned *, unsigned *, unsigned, Params);

void compare(const char *name, Kernel kernel, Body body, size_t dynamic, dim3 grid, dim3 block,
             unsigned n) {
  std::vector<unsigned> in(256), zeros(1024);
  for (unsigned i = 0; i < 256; ++i)
    in[i] = mixed(i + n);
  Params p = {n * 3, {1, n, 5, 9}};
  size_t count = size_t(grid.x) * grid.y * block.x * block.y * block.z;
  DeviceArray<unsigned> deviceIn(in), deviceZeros(zeros), out(count);
  kernel<<<grid, block, dynamic>>>(deviceIn, deviceZeros, out, n, p);
  CHECK(cudaGetLastError());
  std::vector<unsigned> got = out.host(), want(count);
  static Shared shared;
  runOnHost(grid, block, [] { std::memset(&shared, 0, sizeof(shared)); },
            [&] { body(shared, in.data(), zeros.data(), want.data(), n, p); });
  for (size_t i = 0; i < count; ++i)
    if (!expectEqual(got[i], want[i], name, i) && wrongResults() <= 10)
      std::printf("  grid %u %u block %u %u %u n %u\\n", grid.x, grid.y, block.x, block.y, block.z, n);
}
"""


def program(arguments):
    rng = random.Random(arguments.seed)
    lines = ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
             f"// Written by generate.py --seed={arguments.seed} --kernels={arguments.kernels}"
             f" --depth={arguments.depth} --launches={arguments.launches}", PROLOGUE]
    calls = []
    for index in range(arguments.kernels):
        lines += KernelWriter(rng, index, arguments.depth).write()
        dynamic = rng.randrange(3) == 0
        lines.append(kernel(index, dynamic))
        for _ in range(arguments.launches):
            calls.append(f'  compare("kernel{index}", kernel{index}, body{index}, '
                         f'{"sizeof(Shared)" if dynamic else 0}, {rng.choice(GRIDS)}, '
                         f'{rng.choice(BLOCKS)}, {rng.randrange(1, 1000)});')
    lines += [RUN, "int main() {"] + calls + ["  return finish();", "}"]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernels", type=int, default=3)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--launches", type=int, default=4)
    print(program(parser.parse_args()))


if __name__ == "__main__":
    main()
