#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a tiny GPT-2 with llm.c's CUDA program, unmodified, in hw and sw, and compares its losses with those
of llm.c's program for the CPU.

usage: llmc.py --llmc=DIR --toolkit=DIR [--steps=2] [--layers=1] [--seconds=900] [--work=DIR] [--way=hw|sw]

DIR is a checkout of https://github.com/karpathy/llm.c, and the toolkit a build or an installation of vxcc
(bin/nvcc, lib64 or lib, with cuBLAS). The weights and the tokens are random: train_gpt2.c and
train_gpt2_fp32.cu, whose matrix products take multiples of 128, read the same files. The batch (4 x 64) is
that of train_gpt2.c. Losses agree if they differ by less than the tolerance of llm.c's own tests.
"""

import argparse
import array
import os
import random
import re
import subprocess
import sys
import tempfile

from campaign import CONFIGS, first_error, last_line, run

BATCH, LENGTH = 4, 64
VOCABULARY, PADDED, HEADS, CHANNELS = 200, 256, 4, 128
TOLERANCE = 1e-2  # of test_gpt2.c and test_gpt2_fp32.cu


def write_model(path, layers):
    """The checkpoint: a header of 256 words, then the tensors in the order of llm.c."""
    generator = random.Random(1)
    c = CHANNELS

    def normal(count, deviation):
        return array.array("f", (generator.gauss(0, deviation) for _ in range(count)))

    def same(count, value):
        return array.array("f", [value]) * count

    tensors = [normal(PADDED * c, 0.02), normal(LENGTH * c, 0.02),
               same(layers * c, 1.0), same(layers * c, 0.0),
               normal(layers * 3 * c * c, 0.05), same(layers * 3 * c, 0.0),
               normal(layers * c * c, 0.05), same(layers * c, 0.0),
               same(layers * c, 1.0), same(layers * c, 0.0),
               normal(layers * 4 * c * c, 0.05), same(layers * 4 * c, 0.0),
               normal(layers * 4 * c * c, 0.05), same(layers * c, 0.0),
               same(c, 1.0), same(c, 0.0)]
    with open(path, "wb") as file:
        header = [20240326, 3, LENGTH, VOCABULARY, layers, HEADS, c, PADDED]
        array.array("i", header + [0] * (256 - len(header))).tofile(file)
        for tensor in tensors:
            tensor.tofile(file)


def write_tokens(path, batches):
    """Tokens that follow one another by a rule, with noise: something to learn."""
    generator = random.Random(2)
    tokens = [generator.randrange(VOCABULARY)]
    while len(tokens) < batches * BATCH * LENGTH + 1:
        next_one = (tokens[-1] * 7 + 3) % VOCABULARY
        tokens.append(next_one if generator.random() < 0.9 else generator.randrange(VOCABULARY))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        array.array("i", [20240520, 1, len(tokens)] + [0] * 253).tofile(file)
        array.array("H", tokens).tofile(file)


def losses_of(output):
    return [float(text) for text in re.findall(r"^step .*train loss ([\d.]+|-?nan|inf)", output, re.M)]


def build(options):
    for command in (["cc", "-O3", "-ffast-math", "-w", "-I" + options.llmc, os.path.join(options.llmc, "train_gpt2.c"),
                     "-lm", "-o", "cpu"],
                    [os.path.join(options.toolkit, "bin/nvcc"), "-O3", "-w",
                     os.path.join(options.llmc, "train_gpt2_fp32.cu"), "-lcublas", "-o", "cuda"]):
        status, output, seconds = run(command, 600, cwd=options.work)
        if status != 0:
            raise SystemExit(f"{command[-1]}: {first_error(output)}")
        print(f"{command[-1]}: built in {seconds:.0f} s", flush=True)


def train_on_cpu(options):
    """The losses of its first steps; the program would make 40."""
    process = subprocess.Popen(["stdbuf", "-oL", "./cpu"], cwd=options.work, stdout=subprocess.PIPE, text=True)
    losses = []
    for line in process.stdout:
        losses += losses_of(line)
        if len(losses) == options.steps:
            break
    process.kill()
    process.wait()
    return losses


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("llmc", "toolkit"):
        parser.add_argument("--" + name, required=True, type=os.path.abspath)
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--layers", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=900)
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "llmc"), type=os.path.abspath)
    parser.add_argument("--way", choices=list(CONFIGS), help="one of them only")
    options = parser.parse_args()
    data = os.path.join(options.work, "dev/data/tinyshakespeare")
    os.makedirs(data, exist_ok=True)
    write_model(os.path.join(options.work, "gpt2_124M.bin"), options.layers)
    write_tokens(os.path.join(data, "tiny_shakespeare_train.bin"), options.steps)
    write_tokens(os.path.join(data, "tiny_shakespeare_val.bin"), 1)
    build(options)
    reference = train_on_cpu(options)
    if len(reference) != options.steps:
        raise SystemExit("the program for the CPU has not trained")
    print("cpu: " + " ".join(map(str, reference)), flush=True)
    arguments = f"./cuda -b {BATCH} -t {LENGTH} -l 1e-4 -v 1000000 -m 1 -s 1000000 -g 1".split()
    good = True
    for way in [options.way] if options.way else CONFIGS:
        status, output, seconds = run(arguments, options.seconds, cwd=options.work,
                                      environment=dict(CONFIGS[way], VX_MODE="functional"))
        losses = losses_of(output)
        agrees = status == 0 and len(losses) == len(reference) and all(
            abs(a - b) < TOLERANCE for a, b in zip(losses, reference))
        good &= agrees
        verdict = "agrees" if agrees else "time limit" if status is None else "does not agree: " + last_line(output)
        print(f"{way}: " + " ".join(map(str, losses)) + f"; {verdict} ({seconds:.0f} s)", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
