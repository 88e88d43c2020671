#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that passes on control flow keep the meaning of random functions.

usage: cfg-fuzz.py --vx-opt=PROGRAM --passes=PIPELINE [--clang=PROGRAM] [--first-function=N] [--count=N]
                   [--blocks=N] --directory=DIR

Writes COUNT functions with random control-flow graphs (switches, several returns, irreducible and
nested loops, endless loops that are never entered), runs the pipeline on a copy, compiles both for
the host and compares their results for many inputs. Every cycle of the graph uses up fuel, so every
call ends. Half of the functions are kernels, whose arguments are uniform and only __vx_thread_idx_x
differs between lanes; in the others everything diverges. Exit status 1 when the pipeline fails or a
result differs; the functions are named by number, and --first-function=N --count=1 repeats one.
"""

import argparse
import os
import random
import subprocess
import sys

VARIABLES = 4


class FunctionWriter:
    """One function in memory form: every variable is an alloca, so edges need no phis."""

    def __init__(self, rng, name, blocks, kernel):
        self.rng, self.name, self.blocks, self.kernel = rng, name, blocks, kernel
        self.lines, self.values, self.edges = [], 0, 0
        self.extra = []                  # lines of edge blocks

    def value(self, text, lines=None):
        self.values += 1
        (self.lines if lines is None else lines).append(f"  %t{self.values} = {text}")
        return f"%t{self.values}"

    def load(self, variable):
        return self.value(f"load i32, ptr {variable}")

    def work(self, block):
        """Some arithmetic, and a trace of the way taken."""
        for _ in range(self.rng.randrange(3)):
            target = self.rng.randrange(VARIABLES)
            x, y = (self.load(f"%v{self.rng.randrange(VARIABLES)}") for _ in range(2))
            op = self.rng.choice(["add", "xor", "mul", "sub", "and", "or"])
            self.lines.append(f"  store i32 {self.value(f'{op} i32 {x}, {y}')}, ptr %v{target}")
        trace = self.value(f"mul i32 {self.load('%trace')}, 31")
        self.lines.append(f"  store i32 {self.value(f'add i32 {trace}, {block + 1}')}, ptr %trace")

    def condition(self):
        x = self.load(f"%v{self.rng.randrange(VARIABLES)}")
        if self.kernel and self.rng.randrange(2) == 0:
            x = self.value(f"add i32 {x}, %tid")
        masked = self.value(f"and i32 {x}, {self.rng.choice([1, 2, 3, 5, 8])}")
        predicate = self.rng.choice(["eq", "ne"])
        return self.value(f"icmp {predicate} i32 {masked}, {self.rng.choice([0, 0, 1])}")

    def burn(self, lines):
        """Uses up fuel; yields whether some is left."""
        fuel = self.value("load i32, ptr %fuel", lines)
        less = self.value(f"call i32 @llvm.usub.sat.i32(i32 {fuel}, i32 1)", lines)
        lines.append(f"  store i32 {less}, ptr %fuel")
        return self.value(f"icmp ne i32 {less}, 0", lines)

    def target(self, block, back):
        """A successor; backward ones only if BACK."""
        if not back:
            return self.rng.randrange(block + 1, self.blocks + 1)
        near = self.rng.randrange(max(0, block - 3), self.blocks + 1)
        return max(1, near)

    def edge(self, block, target):
        """The label that leads to TARGET; a backward edge passes through a block that burns fuel."""
        if target > block:
            return self.label(target)
        self.edges += 1
        name = f"edge{self.edges}"
        self.extra.append(f"{name}:")
        left = self.burn(self.extra)
        self.extra.append(f"  br i1 {left}, label %{self.label(target)}, label %out")
        return name

    def label(self, block):
        return "out" if block >= self.blocks else f"b{block}"

    def terminate(self, block):
        kind = self.rng.randrange(20)
        if kind < 3:
            self.lines.append(f"  br label %{self.edge(block, self.target(block, True))}")
        elif kind < 9:
            # A loop that ends only here: fuel is part of its condition.
            back, on = self.target(block, True), self.target(block, False)
            condition = self.condition()
            if back <= block:
                condition = self.value(f"and i1 {condition}, {self.burn(self.lines)}")
            self.lines.append(f"  br i1 {condition}, label %{self.label(back)}, label %{self.label(on)}")
        elif kind < 15:
            first, second = (self.edge(block, self.target(block, True)) for _ in range(2))
            self.lines.append(f"  br i1 {self.condition()}, label %{first}, label %{second}")
        elif kind < 17:
            x = self.value(f"and i32 {self.load('%v0')}, 7")
            cases = [f"i32 {i}, label %{self.edge(block, self.target(block, True))}"
                     for i in range(self.rng.randrange(1, 5))]
            self.lines.append(f"  switch i32 {x}, label %{self.edge(block, self.target(block, False))}"
                              f" [{' '.join(cases)}]")
        elif kind == 17:
            x = self.value(f"icmp eq i32 {self.load('%trace')}, 305419896")
            way = self.rng.choice(["endless", "dead"])
            self.lines.append(f"  br i1 {x}, label %{way}, label "
                              f"%{self.edge(block, self.target(block, True))}")
        else:
            result = self.value(f"add i32 {self.load('%trace')}, {self.load('%v1')}")
            self.lines.append(f"  ret i32 {result}")

    def write(self):
        for block in range(self.blocks):
            self.lines.append(f"b{block}:")
            self.work(block)
            self.terminate(block)
        attributes = ' "vx-kernel"' if self.kernel else ""
        head = [f"define i32 @{self.name}(i32 %a, i32 %b){attributes} {{", "entry:"]
        head += [f"  %v{i} = alloca i32" for i in range(VARIABLES)]
        head += ["  %trace = alloca i32", "  %fuel = alloca i32", "  store i32 1, ptr %trace",
                 "  store i32 30, ptr %fuel", "  store i32 %a, ptr %v0", "  store i32 %b, ptr %v1",
                 "  %tid = call i32 @__vx_thread_idx_x()", "  %c = mul i32 %a, 7",
                 f"  store i32 {'%tid' if self.kernel else '%c'}, ptr %v2",
                 "  %d = lshr i32 %b, 3", "  store i32 %d, ptr %v3", "  br label %b0"]
        tail = ["endless:", "  store volatile i32 0, ptr @sink", "  br label %endless",
                "dead:", "  call void @abort()", "  unreachable",
                "out:"]
        out = []
        for i in range(VARIABLES):
            out += [f"  %o{i} = load i32, ptr %v{i}", f"  %m{i} = mul i32 %o{i}, {2 * i + 1}"]
        tail += out + ["  %r = load i32, ptr %trace", "  %r0 = xor i32 %r, %m0",
                       "  %r1 = add i32 %r0, %m1", "  %r2 = xor i32 %r1, %m2",
                       "  %r3 = add i32 %r2, %m3", "  ret i32 %r3", "}", ""]
        return head + self.lines + self.extra + tail


def module(prefix, seeds, blocks):
    lines = ["declare i32 @__vx_thread_idx_x() memory(none)", "declare void @abort() noreturn",
             "declare i32 @llvm.usub.sat.i32(i32, i32)", "@sink = external global i32"]
    for seed in seeds:
        rng = random.Random(seed)
        size = rng.randrange(2, blocks + 1)
        lines += FunctionWriter(rng, f"{prefix}{seed}", size, rng.randrange(2) == 0).write()
    return "\n".join(lines)


def driver(seeds):
    names = [f"{prefix}{seed}" for seed in seeds for prefix in ("original", "changed")]
    lines = ["#include <stdio.h>", "typedef unsigned (*Function)(unsigned, unsigned);",
             "unsigned sink, tid;", "unsigned __vx_thread_idx_x(void) { return tid; }"]
    lines += [f"unsigned {name}(unsigned, unsigned);" for name in names]
    lines += ["static const struct { unsigned seed; Function original, changed; } table[] = {"]
    lines += [f"  {{{seed}, original{seed}, changed{seed}}}," for seed in seeds]
    lines += ["};", "int main(void) {", "  unsigned bad = 0, x = 1;",
              "  for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); ++i) {",
              "    for (unsigned k = 0; k < 300; ++k) {",
              "      x = x * 1664525 + 1013904223;", "      unsigned a = x >> 7, b = x * 40503u >> 3;",
              "      tid = k & 31;",
              "      unsigned want = table[i].original(a, b), got = table[i].changed(a, b);",
              "      if (got == want) continue;",
              '      printf("function %u: %u %u tid %u gives %u instead of %u\\n", table[i].seed, a, b, '
              "tid, got, want);",
              "      ++bad;", "      break;", "    }", "  }",
              '  printf("%zu functions, %u wrong\\n", sizeof(table) / sizeof(table[0]), bad);',
              "  return bad != 0;", "}"]
    return "\n".join(lines)


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                          timeout=600)
    return done.returncode, done.stdout


def passes_alone(options, seeds, path):
    """Names the functions on which the pipeline fails."""
    bad = 0
    for seed in seeds:
        with open(path, "w") as file:
            file.write(module("changed", [seed], options.blocks))
        status, text = run([options.vx_opt, f"-passes={options.passes}", path, "-o", os.devnull])
        if status:
            bad += 1
            print(f"function {seed}: {options.vx_opt} ends with status {status}\n{text[:600]}")
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vx-opt", required=True)
    parser.add_argument("--passes", required=True)
    parser.add_argument("--clang", default="clang")
    parser.add_argument("--first-function", dest="seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--directory", required=True)
    options = parser.parse_args()
    os.makedirs(options.directory, exist_ok=True)
    seeds = range(options.seed, options.seed + options.count)
    path = lambda name: os.path.join(options.directory, name)
    for name, text in (("original.ll", module("original", seeds, options.blocks)),
                       ("before.ll", module("changed", seeds, options.blocks)),
                       ("driver.c", driver(seeds))):
        with open(path(name), "w") as file:
            file.write(text)
    status, text = run([options.vx_opt, f"-passes={options.passes}", path("before.ll"), "-o",
                        path("changed.ll")])
    if status:
        print(text[:2000])
        return 1 if passes_alone(options, seeds, path("one.ll")) else 2
    for name in ("original.ll", "changed.ll"):
        status, text = run([options.clang, "-O1", "-w", "-c", path(name), "-o",
                            path(name.replace(".ll", ".o"))])
        if status:
            sys.exit(text[:2000])
    status, text = run([options.clang, "-O1", "-w", path("driver.c"), path("original.o"),
                        path("changed.o"), "-o", path("program")])
    if status:
        sys.exit(text[:2000])
    status, text = run([path("program")])
    print(text)
    return status


if __name__ == "__main__":
    sys.exit(main())
