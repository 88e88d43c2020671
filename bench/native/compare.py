#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA kernels through vxcc compared with the same algorithms written for Vortex itself.

The native kernels (kernels/) are compiled by stock clang -O3 for RISC-V and start with vxcc's start-up
code; the CUDA kernels (kernels.cu) by vxcc -O3. Both run on the cycle-level simulator, on the same inputs.
The CUDA program checks its results, the native ones must be the same. Prints a table in Markdown: cycles
and warp instructions of a run with cold caches, from reset to the end of the last warp, spawning included.

usage: compare.py [--vxcc=build/bin/vxcc] [--clang=/usr/lib/llvm-22/bin/clang++] [--shapes=4x8,4x32,16x16]
                  [--only=NAME] [--sizes=vecadd:131072,sgemm:128,sgemm2:80] [--tile=4] [--block=COLUMNSxROWS]
                  [--limit=RATIO]

  native    tasks are spawned by a library, which is compiled apart from the kernels, as Vortex's is
  inlined   the library and the kernel are one source for the compiler

sgemm2 has groups (blocks) of --tile x --tile threads. Blocks of the other two CUDA kernels have as many
threads as the core has lanes, or --block.

Exit status: 1 if something could not be built or run, a result is wrong, or CUDA takes more than RATIO
times the cycles of the native kernel.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
KERNELS = os.path.join(HERE, "kernels")
SIZES = {"vecadd": 131072, "sgemm": 128, "sgemm2": 80}
FLAGS = ["--target=riscv64-unknown-elf", "-march=rv64imafd_zicond", "-mabi=lp64d", "-mcmodel=medany", "-O3",
         "-ffreestanding", "-fno-pic", "-ftls-model=local-exec", "-mno-relax", "-nostdlib", "-fuse-ld=lld", "-I" + ROOT,
         "-Wl,-T," + os.path.join(KERNELS, "link.ld")]
HEAD = ("shape", "kernel", "size", "native: cycles", "warp instructions", "inlined: cycles",
        "CUDA: cycles", "warp instructions", "CUDA / native", "CUDA / inlined")


class Failed(Exception):
    pass


def command(words, **options):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise Failed(" ".join(words) + "\n" + done.stdout)
    return done.stdout


def build_native(kernel, is_inlined, options, folder):
    """The image, and the address of its entry."""
    image = os.path.join(folder, kernel + (".inlined" if is_inlined else ".native"))
    sources = [os.path.join(KERNELS, name) for name in ("spawn.cpp", kernel + ".cpp")]
    if is_inlined:
        both = image + ".cpp"
        with open(both, "w") as file:
            file.write("#define VX_INLINE_SPAWN\n")
            file.writelines(f'#include "{source}"\n' for source in sources)
        sources = [both]
    start = [os.path.join(ROOT, "runtime", "device", "crt0.S"), os.path.join(KERNELS, "start.S")]
    command([options.clang, *FLAGS, *start, *sources, "-o", image])
    names = command([os.path.join(os.path.dirname(options.clang), "llvm-nm"), image]).split("\n")
    entry = next(line.split()[0] for line in names if line.endswith(" nativeEntry"))
    return image, int(entry, 16)


def counters(path):
    with open(path) as file:
        total = json.load(file)
    return total["cycles"], total["warp_instructions"]


def settings(shape):
    warps, lanes = shape.split("x")
    return f"num_cores=1,core.num_warps={warps},core.num_threads={lanes}"


def block_of(kernel, shape, options):
    """Threads of a CUDA block, in x and y."""
    if kernel == "sgemm2":
        return options.tile, options.tile
    if options.block:
        columns, rows = map(int, options.block.split("x"))
        return (columns * rows, 1) if kernel == "vecadd" else (columns, rows)
    warps, lanes = map(int, shape.split("x"))
    threads = min(warps * lanes, 1024)
    if kernel == "vecadd":
        return threads, 1
    columns = 1 << (threads.bit_length() // 2)
    return columns, threads // columns


def run_cuda(program, kernel, size, block, shape, folder):
    stats = os.path.join(folder, "cuda.json")
    command([program, kernel, str(size), *map(str, block), folder],
            env=dict(os.environ, VX_MODE="timing", VX_LOWERING="hw", VX_STATS="json:" + stats, VX_SET=settings(shape)))
    return counters(stats)


def run_native(native, size, shape, options, folder):
    """On the inputs that the CUDA program has left in FOLDER; the result must be what it has left."""
    image, entry = native
    stats, result, expected = (os.path.join(folder, name) for name in ("native.json", "native.bin", "c.bin"))
    words = ["--arg", str(entry), "--arg", str(size), "--arg", str(options.tile)]
    for name in ("a.bin", "b.bin"):
        words += ["--in", os.path.join(folder, name)]
    words += ["--out", f"{os.path.getsize(expected)}:{result}"]
    command([options.vx_sim, "--set", settings(shape), "--stats", "json:" + stats, image, *words])
    with open(result, "rb") as one, open(expected, "rb") as other:
        if one.read() != other.read():
            warps, lanes = map(int, shape.split("x"))
            large = "sgemm2" in image and options.tile ** 2 > warps * lanes  # Vortex's library runs a group at once
            raise Failed(f"{image}: wrong result on {shape}" +
                         (f", whose core has no room for groups of {options.tile} x {options.tile}" if large else ""))
    return counters(stats)


def compare(kernel, shapes, options, program, folder):
    """Prints a row for each shape; the largest ratio of cycles."""
    native, inlined = (build_native(kernel, is_inlined, options, folder) for is_inlined in (False, True))
    size, worst = options.sizes[kernel], 0
    for shape in shapes:
        cuda = run_cuda(program, kernel, size, block_of(kernel, shape, options), shape, folder)
        plain, joined = (run_native(n, size, shape, options, folder) for n in (native, inlined))
        row = [shape, kernel, size, *plain, joined[0], *cuda, f"{cuda[0] / plain[0]:.2f}", f"{cuda[0] / joined[0]:.2f}"]
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
        worst = max(worst, cuda[0] / plain[0])
    return worst


def sizes_of(text):
    sizes = dict(SIZES)
    for part in text.split(",") if text else []:
        name, size = part.split(":")
        if name not in sizes:
            sys.exit(f"compare.py: there is no kernel {name}")
        sizes[name] = int(size)
    return sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vxcc", default=os.path.join(ROOT, "build", "bin", "vxcc"))
    parser.add_argument("--clang", default="/usr/lib/llvm-22/bin/clang++")
    parser.add_argument("--shapes", default="4x8,4x32,16x16")
    parser.add_argument("--sizes", default="", type=sizes_of)
    parser.add_argument("--tile", default=4, type=int)
    parser.add_argument("--block", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", default=0, type=float)
    options = parser.parse_args()
    options.vx_sim = os.path.join(os.path.dirname(options.vxcc), "vx-sim")
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "kernels")
        command([options.vxcc, "-O3", os.path.join(HERE, "kernels.cu"), "-o", program])
        print("| " + " | ".join(HEAD) + " |\n|---|---|" + "---:|" * (len(HEAD) - 2), flush=True)
        for kernel in SIZES:
            if options.only in kernel:
                worst = max(worst, compare(kernel, options.shapes.split(","), options, program, folder))
    if options.limit and worst > options.limit:
        print(f"\nCUDA takes {worst:.2f} times the cycles of a native kernel; the limit is {options.limit}")
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as problem:
        sys.exit(f"compare.py: {problem}")
