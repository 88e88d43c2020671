#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a CUDA program of random kernels with warp functions that checks itself.

usage: generate.py [--seed=N] [--kernels=N] [--depth=N] [--statements=N] [--launches=N] [--only=K]
                   [--drop=N,N,...] [--spaces] [--partial] [--meetings] [--waits]

Each kernel nests uniform and divergent control flow (if, switch, loops with break and continue, early
returns) around barriers, shared memory, shuffles, votes, matches, reductions and tiles. It is valid
CUDA: every member mask names the threads that reach the call, found by a ballot before a branch or a
tile that goes one way. The host runs the same source with one fiber per thread (lockstep-warp.h); the
program prints a checksum for each launch. The same arguments give the same program; kernel K of a
seed does not depend on the others (--only), and --drop leaves out statements of it. --spaces adds
statements that use the device's heap, managed memory and textures, --partial variables that only some
threads set and shuffles bounded as in PTX, --meetings calls of warp functions to which the lanes of a
mask come from different places and barriers by number, --waits locks and flags by which lanes wait
for each other.
"""

import argparse
import math
import os
import random
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from fuzz.kernels import GRIDS, MIXERS, PARAMS, kernel  # noqa: E402
from kernels import COUNTERS, KernelWriter  # noqa: E402

# Any size; for kernels with tiles those that are complete.
BLOCKS = ["1", "7", "32", "33", "64", "dim3(5, 3, 7)", "100", "dim3(16, 16)", "255", "257", "63",
          "dim3(3, 1, 40)", "511", "1000", "1024", "2", "31", "dim3(1, 9)", "48", "dim3(12, 4)",
          "96", "dim3(8, 4)", "128", "dim3(32, 2, 5)", "256", "512", "dim3(4, 8, 3)", "40", "200",
          "dim3(4, 4, 4)", "8", "dim3(2, 3, 4)"]
MOST_THREADS_OF_GRID = 256  # where all blocks are resident, on the host as well

PROLOGUE = f"""#include "lockstep-warp.h"

struct Shared {{
  unsigned a[1024], b[1024], x[1024];
  unsigned counters[{COUNTERS}];
}};
{PARAMS}struct Couple {{
  unsigned first;
  float second;
}};
{MIXERS}/// What a thread has to show for itself.
__host__ __device__ inline unsigned outcome(unsigned result, unsigned v0, unsigned v1, unsigned v2,
                                            unsigned v3, unsigned long long w0, double d0, float f0,
                                            __half h0) {{
  result = mixed(result ^ v0) + mixed(v1 ^ v2 * 7 ^ v3 * 11);
  unsigned long long wide = w0 ^ static_cast<unsigned long long>(d0 * 1048576.0) * 3;
  result ^= static_cast<unsigned>(wide ^ wide >> 32);
  return result + static_cast<unsigned>(static_cast<int>(f0 * 256.0f)) * 5 +
         static_cast<unsigned>(__half2float(h0)) * 7;
}}
/// One of the MEMBERS, chosen by V.
__host__ __device__ inline unsigned memberOf(unsigned members, unsigned v) {{
  unsigned lane = v & 31;
  return members >> lane & 1 ? lane : lowest(members);
}}
/// Sums of the members up to each lane that is a run of members away.
__host__ __device__ inline unsigned scanLanes(unsigned mask, unsigned members, unsigned v) {{
  for (unsigned by = 1; by < 32; by *= 2) {{
    unsigned other = shuffle<Up>(mask, members, v, by);
    if (laneId() >= by)
      v += other;
  }}
  return v;
}}
__host__ __device__ __attribute__((noinline)) unsigned scanOutOfLine(unsigned mask, unsigned members,
                                                                     unsigned v) {{
  unsigned sum = scanLanes(mask, members, v);
  return anyOf(mask, sum % 5 == 0) ? sum : sum + shuffle<Xor>(mask, members, v, 1);
}}
"""

RUN = """
typedef void (*Kernel)(const unsigned *, const unsigned *, unsigned *, unsigned, unsigned *, Params);
typedef void (*Body)(Shared &, const unsigned *, const unsigned *, unsigned *, unsigned, unsigned *,
                     Params);

/// False where the device has no room for all blocks of a cooperative grid.
bool launch(Kernel kernel, size_t dynamic, dim3 grid, dim3 block, bool cooperative, const unsigned *in,
            const unsigned *zeros, unsigned *out, unsigned n, unsigned *cells, Params p) {
  if (!cooperative) {
    kernel<<<grid, block, dynamic>>>(in, zeros, out, n, cells, p);
    return true;
  }
  void *arguments[] = {&in, &zeros, &out, &n, &cells, &p};
  cudaError_t status = cudaLaunchCooperativeKernel(reinterpret_cast<void *>(kernel), grid, block,
                                                   arguments, dynamic, nullptr);
  if (status == cudaErrorCooperativeLaunchTooLarge) {
    cudaGetLastError();
    return false;
  }
  CHECK(status);
  return true;
}

void compare(const char *name, Kernel kernel, Body body, size_t dynamic, dim3 grid, dim3 block,
             bool cooperative, unsigned n) {
  std::vector<unsigned> in(256), zeros(1024);
  for (unsigned i = 0; i < 256; ++i)
    in[i] = mixed(i + n);
  Params p = {n * 3, {1, n, 5, 9}};
  size_t count = size_t(grid.x) * grid.y * block.x * block.y * block.z;
  DeviceArray<unsigned> deviceIn(in), deviceZeros(zeros), out(count), deviceCells(count);
  if (!launch(kernel, dynamic, grid, block, cooperative, deviceIn, deviceZeros, out, n, deviceCells, p)) {
    std::printf("%s too large\\n", name);
    return;
  }
  CHECK(cudaGetLastError());
  std::vector<unsigned> got = out.host(), want(count), cells(count);
  std::vector<Shared> shared(cooperative ? grid.x * grid.y : 1);
  auto thread = [&] {
    body(shared[cooperative ? linearBlock() : 0], in.data(), zeros.data(), want.data(), n, cells.data(), p);
  };
  if (cooperative)
    runGridOnHost(grid, block, thread);
  else
    runOnHost(grid, block, [&] { shared[0] = Shared(); }, thread);
  unsigned sum = 0;
  int before = wrongResults();
  for (size_t i = 0; i < count; ++i) {
    sum = mixed(sum ^ got[i]);
    if (!expectEqual(got[i], want[i], name, i) && wrongResults() <= 10)
      std::printf("  grid %u %u block %u %u %u n %u\\n", grid.x, grid.y, block.x, block.y, block.z, n);
  }
  std::printf("%s %08x%s\\n", name, sum, before == wrongResults() ? "" : " wrong");
}
"""

def threads_of(block):
    return math.prod(int(size) for size in re.findall(r"\d+", block.removeprefix("dim3")))


def blocks_for(writer):
    """The blocks that a kernel can be launched with."""
    blocks = [b for b in BLOCKS if threads_of(b) % writer.complete == 0]
    if writer.cooperative:
        blocks = [b for b in blocks if threads_of(b) <= MOST_THREADS_OF_GRID]
    return blocks


def program(arguments):
    lines = ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
             f"// Written by generate.py --seed={arguments.seed} --kernels={arguments.kernels}"
             f" --depth={arguments.depth} --statements={arguments.statements}"
             f" --launches={arguments.launches}{' --spaces' if arguments.spaces else ''}"
             f"{' --partial' if arguments.partial else ''}"
             f"{' --meetings' if arguments.meetings else ''}{' --waits' if arguments.waits else ''}"]
    if arguments.spaces:
        lines.append('#include "memory-spaces.h"')
    if arguments.meetings:
        lines.append('#include "lockstep-meetings.h"')
    if arguments.waits:
        lines.append('#include "lockstep-waits.h"')
    lines.append(PROLOGUE)
    calls = []
    for index in [arguments.only] if arguments.only is not None else range(arguments.kernels):
        rng = random.Random(arguments.seed * 1000003 + index)
        writer = KernelWriter(rng, index, arguments)
        lines += writer.write()
        dynamic = rng.randrange(3) == 0
        lines.append(kernel(index, dynamic, "unsigned *cells, ", "cells, "))
        blocks = blocks_for(writer)
        for _ in range(arguments.launches):
            calls.append(f'  compare("kernel{index}", kernel{index}, body{index}, '
                         f'{"sizeof(Shared)" if dynamic else 0}, {rng.choice(GRIDS)}, '
                         f'{rng.choice(blocks)}, {str(writer.cooperative).lower()}, '
                         f'{rng.randrange(1, 1000)});')
    if arguments.spaces:
        calls.insert(0, "  prepareMemorySpaces();")
    lines += [RUN, "int main() {"] + calls + ["  return finish();", "}"]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernels", type=int, default=4)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--statements", type=int, default=45)
    parser.add_argument("--launches", type=int, default=3)
    parser.add_argument("--only", type=int)
    parser.add_argument("--spaces", action="store_true")
    parser.add_argument("--partial", action="store_true")
    parser.add_argument("--meetings", action="store_true")
    parser.add_argument("--waits", action="store_true")
    parser.add_argument("--drop", type=lambda text: [int(n) for n in text.split(",") if n], default=[])
    print(program(parser.parse_args()))


if __name__ == "__main__":
    main()
