# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of any size for compile-growth.py: large in one way each, and they check what they compute.

A kernel runs in one block. Its threads have the variables v0 to v7, which Python computes while it writes the kernel.
"""

import random
import re
from typing import Callable, NamedTuple

THREADS, VARIABLES, INPUTS = 64, 8, 512
WORD = 0xffffffff


class Kernel:
    """A kernel that is written, and what its threads have in the variables."""

    def __init__(self, inputs, values):
        self.random = random.Random(1)
        self.before, self.lines = [], []
        self.inputs, self.values = inputs, values

    def write(self, *lines):
        self.lines += lines

    def some(self):
        """Two variables, a number of bits and an odd constant."""
        return (self.random.randrange(VARIABLES), self.random.randrange(VARIABLES), self.random.randrange(1, 31),
                self.random.randrange(1, 1 << 31, 2))

    def set(self, to, text, value, when=lambda t: True):
        """Writes TEXT, which gives the variable TO of each thread for which WHEN holds VALUE(thread)."""
        self.write(text)
        new = [value(t) & WORD if when(t) else self.values[to][t] for t in range(THREADS)]
        self.values[to] = new

    def compute(self):
        """Writes an operation with two variables."""
        to, a, bits, constant = self.some()
        v = self.values
        kind = self.random.randrange(4)
        if kind == 0:
            self.set(to, f"v{to} = v{to} * {constant}u + v{a};", lambda t: v[to][t] * constant + v[a][t])
        elif kind == 1:
            self.set(to, f"v{to} ^= v{a} >> {bits};", lambda t: v[to][t] ^ v[a][t] >> bits)
        elif kind == 2:
            self.set(to, f"v{to} -= v{a} << {bits};", lambda t: v[to][t] - (v[a][t] << bits))
        else:
            self.set(to, f"v{to} += v{a} | {constant}u;", lambda t: v[to][t] + (v[a][t] | constant))

    def shuffle(self, into=(0, VARIABLES), of=(0, VARIABLES)):
        """Writes a shuffle from one of the variables OF to one of INTO: first and end."""
        _, _, bits, constant = self.some()
        to, a, v = self.random.randrange(*into), self.random.randrange(*of), self.values
        self.set(to, f"v{to} += __shfl_sync(~0u, v{a} + {constant}u, (t + {bits}) & 31);",
                 lambda t: v[to][t] + v[a][t // 32 * 32 + (t + bits) % 32] + constant)

    def of_warp(self, variable, t):
        """What the warp of thread T has in VARIABLE."""
        return self.values[variable][t // 32 * 32:t // 32 * 32 + 32]

    def vote(self):
        to, a, bits, _ = self.some()
        self.set(to, f"v{to} ^= __ballot_sync(~0u, v{a} >> {bits} & 1);",
                 lambda t: self.values[to][t] ^ sum((x >> bits & 1) << i for i, x in enumerate(self.of_warp(a, t))))

    def reduction(self):
        to, a, _, constant = self.some()
        self.set(to, f"v{to} ^= __reduce_add_sync(~0u, v{a} ^ {constant}u);",
                 lambda t: self.values[to][t] ^ sum(x ^ constant for x in self.of_warp(a, t)))

    def barrier(self):
        """Writes an exchange through shared memory."""
        to, a, bits, _ = self.some()
        v = self.values
        self.write(f"shared[t] = v{a};", "__syncthreads();")
        self.set(to, f"v{to} += shared[t ^ {bits}];", lambda t: v[to][t] + v[a][t ^ bits])
        self.write("__syncthreads();")


def straight(k, n):
    for _ in range(n // 2):
        k.compute()


def shuffles(k, n):
    """What half of the shuffles take is known before all of them."""
    for i in range(n):
        k.shuffle((4, 8), (0, 4)) if i < n // 2 else k.shuffle()


def votes(k, n):
    for _ in range(n):
        k.vote()


def reductions(k, n):
    for _ in range(n):
        k.reduction()


def exchanges(k, n):
    for i in range(n):
        (k.shuffle, k.compute, k.vote, k.compute, k.reduction, k.compute)[i % 6]()


def barriers(k, n):
    for _ in range(n // 2):
        k.barrier()


def blocks(k, n):
    """Ifs and loops one after the other, three blocks each."""
    v = k.values
    for i in range(n // 3):
        to, a, bits, constant = k.some()
        if i % 3:
            k.set(to, f"if (v{a} >> {bits} & 1) v{to} += in[v{a} & {INPUTS - 1}];",
                  lambda t: v[to][t] + k.inputs[v[a][t] % INPUTS], lambda t: v[a][t] >> bits & 1)
        else:
            def turns(t):
                value = v[to][t]
                for j in range(v[a][t] & 3, 0, -1):
                    value = value * constant + k.inputs[j] & WORD
                return value
            k.set(to, f"for (unsigned j = v{a} & 3; j; --j) v{to} = v{to} * {constant}u + in[j];", turns)


def choose(k, n, head, taken):
    """Writes N branches with the first line HEAD(i), of which thread T takes branch TAKEN(t)."""
    v, new = k.values, [list(values) for values in k.values]
    for i in range(n):
        to, _, _, constant = k.some()
        k.write(head(i), f"v{to} = v{to} * {constant}u + in[{i % INPUTS}];")
        for t in range(THREADS):
            if taken(t) == i:
                new[to][t] = v[to][t] * constant + k.inputs[i % INPUTS] & WORD
    v[:] = new


def switch(k, n):
    k.write(f"switch (v0 % {n}) {{")
    choose(k, n, lambda i: f"break; case {i}:", lambda t: k.values[0][t] % n)
    k.write("}")


def chain(k, n):
    """else if, else if, ..."""
    step = (1 << 32) // n
    choose(k, n, lambda i: f"{'} else ' if i else ''}if (v0 < {(i + 1) * step}u) {{", lambda t: k.values[0][t] // step)
    k.write("}")


def nest(k, n):
    """Loops and ifs in each other, with barriers and warp functions; each is gone through once."""
    for i in range(n):
        k.shuffle()
        k.write((f"if (one != {i + 2}) {{", f"for (unsigned j{i} = 0; j{i} < one; ++j{i}) {{", "do {")[i % 3])
        k.compute()
    for i in reversed(range(n)):
        if i % 4:
            k.barrier()
        k.write(("}", "}", f"}} while (one == {i + 2});")[i % 3])
        k.vote()


def nest_apart(k, n):
    """Loops and ifs in each other in which threads diverge, each gone through once by some."""
    v = k.values
    within = [True] * THREADS
    for i in range(n):
        to, a, bits, constant = k.some()
        if i % 2:
            k.write(f"for (unsigned j{i} = v{a} & 7; j{i} < 8; j{i} += 8 * one) {{")
        else:
            mask = constant | 1 << bits
            k.write(f"if (v{a} & {mask}u) {{")
            within = [on and v[a][t] & mask for t, on in enumerate(within)]
        now = list(within)
        k.set(to, f"v{to} += v{a} * {constant}u + in[v{to} & 7];",
              lambda t: v[to][t] + v[a][t] * constant + k.inputs[v[to][t] & 7], lambda t: now[t])
    k.write("}" * n)


PTX = (("add.u32 %0, %1, %2;", lambda a, b: a + b), ("xor.b32 %0, %1, %2;", lambda a, b: a ^ b),
       ("mul.hi.u32 %0, %1, %2;", lambda a, b: a * b >> 32), ("mad.lo.u32 %0, %1, %2, %1;", lambda a, b: a * b + a),
       ("lop3.b32 %0, %1, %2, 255, 0x96;", lambda a, b: a ^ b ^ 255), ("min.u32 %0, %1, %2;", min),
       ("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, %2, %1, p; }",
        lambda a, b: b if (a ^ 1 << 31) < (b ^ 1 << 31) else a))


def ptx(k, n):
    v = k.values
    for i in range(n):
        to, a, _, _ = k.some()
        text, value = k.random.choice(PTX)
        k.set(to, f'asm{" volatile" if i % 2 else ""}("{text}" : "=r"(v{to}) : "r"(v{to}), "r"(v{a}));',
              lambda t: value(v[to][t], v[a][t]))


def ptx_text(k, n):
    """One asm statement."""
    v = k.values
    k.write("asm(")
    for _ in range(n):
        to, a, _, _ = k.some()
        text, value = k.random.choice(PTX)
        text = re.sub("%[012]", lambda match: f"%{a if match[0] == '%2' else to}", text)
        k.set(to, f'"{text}\\n"', lambda t: value(v[to][t], v[a][t]))
    k.write(": " + ", ".join(f'"+r"(v{i})' for i in range(VARIABLES)) + ");")


def shared(k, n):
    """Arrays of a block."""
    v = k.values
    for i in range(n):
        k.write(f"__shared__ unsigned s{i}[2]; s{i}[one] = {i}u + one;")
    k.write("__syncthreads();")
    for i in range(n):
        to, a, _, _ = k.some()
        k.set(to, f"v{to} += v{a} ^ s{i}[one];", lambda t: v[to][t] + (v[a][t] ^ i + 1))


def globals_(k, n):
    """Variables of the device."""
    v = k.values
    for i in range(n):
        to, a, _, constant = k.some()
        space = ("__device__", "__constant__", "static __device__", "__device__ const")[i % 4]
        k.before.append(f"{space} unsigned g{i}[2] = {{{constant}u, {i}u}};")
        k.set(to, f"v{to} += v{a} ^ g{i}[t & 1];", lambda t: v[to][t] + (v[a][t] ^ (i if t & 1 else constant)))


def functions(k, n, qualifiers="__noinline__ "):
    """Each calls the one before."""
    v = k.values[0]
    constants = [k.some()[3] for _ in range(n)]
    k.before.append("__device__ unsigned f(unsigned x) { return x ^ 5; }")
    for i, constant in enumerate(constants):
        k.before.append(f"__device__ {qualifiers}unsigned f{i}(unsigned x) "
                        f"{{ return f{i - 1 if i else ''}(x * {constant}u) + x; }}")

    def called(t):
        total, x = 0, v[t]
        for constant in reversed(constants):
            total, x = total + x, x * constant & WORD
        return total + (x ^ 5)
    k.set(0, f"v0 = f{n - 1}(v0);", called)


def inlined(k, n):
    functions(k, n, "")


def accesses(k, n):
    """Of the 16 words that a thread has in CELLS."""
    v, cells = k.values, [[0] * 16 for _ in range(THREADS)]
    k.write("for (unsigned i = 0; i < 16; ++i) p[i] = 0;")
    for i in range(n // 2):
        to, a, bits, _ = k.some()
        word = bits % 16
        if i % 3 == 0:
            k.write(f"p[v{a} & 15] += v{to};")
            for t, own in enumerate(cells):
                own[v[a][t] & 15] = own[v[a][t] & 15] + v[to][t] & WORD
        elif i % 3 == 1:
            k.write(f"p[{word}] ^= v{to};")
            for t, own in enumerate(cells):
                own[word] ^= v[to][t]
        else:
            k.set(to, f"v{to} += p[{word}];", lambda t: v[to][t] + cells[t][word])


def global_accesses(k, n):
    k.before.append(f"__device__ unsigned cells[{16 * THREADS}];")
    k.write("unsigned *p = cells + 16 * t;")
    accesses(k, n)


def shared_accesses(k, n):
    k.write(f"__shared__ unsigned cells[{16 * THREADS}];", "unsigned *p = cells + 16 * t;")
    accesses(k, n)


def local_accesses(k, n):
    k.write("unsigned p[16];")
    accesses(k, n)


def live(k, n):
    """Values that live across barriers."""
    v, x = k.values, []
    for i in range(n):
        _, a, bits, constant = k.some()
        k.write(f"unsigned x{i} = in[(v{a} + {i}) & {INPUTS - 1}] * {constant}u;")
        x.append([k.inputs[(v[a][t] + i) % INPUTS] * constant for t in range(THREADS)])
    for _ in range(2):
        k.barrier()
        for i in range(n):
            to, a, _, _ = k.some()
            k.set(to, f"v{to} += v{a} ^ x{i};", lambda t: v[to][t] + (v[a][t] ^ x[i][t] & WORD))


def expression(k, n):
    """A sum of products of whole numbers that a float has."""
    v, terms, sums = k.values, [], [0] * THREADS
    k.write(*(f"float x{i} = v{i} & 7;" for i in range(VARIABLES)))
    for i in range(n // 2):
        a, b, bits, _ = k.some()
        sign = -1 if i % 2 else 1
        terms.append(f"{'-' if i % 2 else '+'} x{a} * (x{b} - {bits}.0f)")
        for t in range(THREADS):
            sums[t] += sign * (v[a][t] & 7) * ((v[b][t] & 7) - bits)
    k.set(0, f"v0 += (int)(x0 {' '.join(terms)});", lambda t: v[0][t] + (v[0][t] & 7) + sums[t])


def constants(k, n):
    """Arrays of constants of three kinds."""
    v = k.values
    for i, kind in enumerate(("__constant__", "static __device__ const", "static const")):
        size = max(n // 3, 1)
        text = ", ".join(f"{j * j + i}u" for j in range(size))
        (k.write if i == 2 else k.before.append)(f"{kind} unsigned table{i}[{size}] = {{{text}}};")
        k.set(i, f"v{i} = table{i}[v{i} % {size}];", lambda t: (v[i][t] % size) ** 2 + i)


def atomics(k, n):
    """Sums that all threads add to; nothing depends on what the calls return but zero."""
    v = k.values
    k.before.append(f"__device__ unsigned sums[{max(n, 1)}];")
    for i in range(n):
        k.write(f"atomicAdd(&sums[{i} * one], v{i % VARIABLES});")
    k.write("__syncthreads();")
    k.set(1, f"v1 += sums[{n - 1}];", lambda t: v[1][t] + sum(v[(n - 1) % VARIABLES]))


def locks(k, n):
    """Locks that the threads of a warp wait for, and a shuffle after each."""
    k.before.append(f"__device__ int locks[{max(n, 1)}];")
    for i in range(n):
        k.write(f"while (atomicCAS(&locks[{i}], 0, 1)) {{}}")
        k.compute()
        k.write(f"__threadfence(); atomicExch(&locks[{i}], 0);")
        k.shuffle()


class Shape(NamedTuple):
    write: Callable
    size: int
    small: int


SHAPES = {
    "straight": Shape(straight, 20000, 60), "blocks": Shape(blocks, 2000, 60), "switch": Shape(switch, 2000, 30),
    "chain": Shape(chain, 2000, 30), "nest": Shape(nest, 64, 40), "nest-apart": Shape(nest_apart, 64, 9),
    "shuffles": Shape(shuffles, 5000, 60), "votes": Shape(votes, 5000, 30), "reductions": Shape(reductions, 5000, 30),
    "exchanges": Shape(exchanges, 5000, 40), "barriers": Shape(barriers, 2000, 20), "live": Shape(live, 800, 30),
    "ptx": Shape(ptx, 10000, 60), "ptx-text": Shape(ptx_text, 10000, 60), "shared": Shape(shared, 5000, 20),
    "globals": Shape(globals_, 5000, 20), "functions": Shape(functions, 3000, 20), "inlined": Shape(inlined, 3000, 20),
    "global-accesses": Shape(global_accesses, 4000, 60), "shared-accesses": Shape(shared_accesses, 4000, 60),
    "local-accesses": Shape(local_accesses, 4000, 60), "expression": Shape(expression, 10000, 60),
    "constants": Shape(constants, 100000, 60), "atomics": Shape(atomics, 2000, 20), "locks": Shape(locks, 100, 8),
    "kernels": Shape(exchanges, 300, 4)}


def program(name, n):
    """The text of a program: a kernel of shape NAME and size N, or N kernels."""
    shape = SHAPES[name]
    inputs = [i * 40503 + (i * 2654435761 & WORD) & WORD for i in range(INPUTS)]
    values = [[inputs[i * THREADS + t] for t in range(THREADS)] for i in range(VARIABLES)]
    kernels = []
    for _ in range(n if name == "kernels" else 1):
        kernel = Kernel(inputs, values)
        shape.write(kernel, 18 if name == "kernels" else n)
        if name == "kernels":
            kernel.barrier()
        kernels.append(kernel)
    text = ["#include <cstdio>"]
    for i, kernel in enumerate(kernels):
        text += [*kernel.before, f"__global__ void k{i}(unsigned *state, const unsigned *in, unsigned one) {{",
                 f"__shared__ unsigned shared[{THREADS}]; shared[threadIdx.x] = 0; unsigned t = threadIdx.x;"]
        text += [f"unsigned v{v} = state[t + {v * THREADS}];" for v in range(VARIABLES)]
        text += kernel.lines
        text += [f"state[t + {v * THREADS}] = v{v};" for v in range(VARIABLES)] + ["}"]
    text += ["const unsigned expected[] = {" + ", ".join(f"{x}u" for row in values for x in row) + "};",
             "int main() {", "unsigned *in, *state;", f"cudaMallocManaged(&in, {4 * INPUTS});",
             f"cudaMallocManaged(&state, {4 * INPUTS});", f"for (unsigned i = 0; i < {INPUTS}; ++i)",
             "state[i] = in[i] = i * 40503u + i * 2654435761u;"]
    text += [f"k{i}<<<1, {THREADS}>>>(state, in, 1);" for i in range(len(kernels))]
    text += ["cudaError_t error = cudaDeviceSynchronize();",
             'if (error) return printf("%s\\n", cudaGetErrorString(error)), 1;',
             f"for (unsigned i = 0; i < {INPUTS}; ++i)",
             'if (state[i] != expected[i]) return printf("v%u of thread %u: %u, not %u\\n", '
             f"i / {THREADS}, i % {THREADS}, state[i], expected[i]), 1;", 'puts("PASS");', "}", ""]
    return "\n".join(text)
