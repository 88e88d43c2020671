#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles damaged SPIR-V modules: each must give a diagnostic or an image, never a crash or a hang.

    test/frontend/spirv/mutate.py MODULE.spv... [--vxcc=build/bin/vxcc] [--count=10000] [--seed=1]
                                   [--first=0] [--jobs=2] [--timeout=60] [--keep=FOLDER]

Mutation I of a seed is always the same damage to the same module: bytes flipped, words dropped,
doubled, exchanged or overwritten, the end cut off. Prints how many were refused and by whom, how many
still compile, and each failure, whose module stays in the folder; exits with 1 if there was one.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

HEADER = 5


def flip_bytes(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8) if rng.random() < 0.5 \
            else rng.randrange(1, 256)
    return bytes(data)


def change_words(rng, data):
    words = list(struct.unpack(f"<{len(data) // 4}I", data[:len(data) // 4 * 4]))
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(HEADER, len(words))
        kind = rng.randrange(5)
        if kind == 0:
            del words[at:at + rng.randrange(1, 4)]
        elif kind == 1:
            words.insert(at, words[rng.randrange(len(words))])
        elif kind == 2:
            other = rng.randrange(HEADER, len(words))
            words[at], words[other] = words[other], words[at]
        elif kind == 3:  # an id, or a number near what is there
            words[at] = rng.randrange(words[3] + 4)
        else:
            words[at] = (words[at] + rng.choice((-1, 1, 1 << 16, 1 << 31))) & 0xffffffff
        if len(words) <= HEADER + 1:
            break
    return struct.pack(f"<{len(words)}I", *words)


def drop_instructions(rng, data):
    words = struct.unpack(f"<{len(data) // 4}I", data)
    starts, at = [], HEADER
    while at < len(words) and words[at] >> 16:
        starts.append(at)
        at += words[at] >> 16
    starts.append(len(words))
    pieces = [words[a:b] for a, b in zip(starts, starts[1:])]
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(pieces))
        kind = rng.randrange(3)
        if kind == 0:
            del pieces[at]
        elif kind == 1:
            pieces.insert(rng.randrange(len(pieces)), pieces[at])
        else:
            other = rng.randrange(len(pieces))
            pieces[at], pieces[other] = pieces[other], pieces[at]
        if len(pieces) < 2:
            break
    changed = words[:HEADER] + tuple(word for piece in pieces for word in piece)
    return struct.pack(f"<{len(changed)}I", *changed)


def cut(rng, data):
    return data[:rng.randrange(len(data))]


def mutate(seeds, seed, index):
    rng = random.Random(f"{seed}:{index}")
    data = seeds[rng.randrange(len(seeds))]
    kind = rng.choices((flip_bytes, change_words, drop_instructions, cut), (35, 35, 25, 5))[0]
    return kind(rng, data)


def classify(stderr, code):
    """What a run has ended in: a class of good ends, or None."""
    crashed = re.search(r"PLEASE submit|Stack dump|LLVM ERROR|Assertion .* failed\.?\n.*Aborted|"
                        r"terminate called", stderr)
    if crashed or code not in (0, 1, 2):
        return None
    if code == 0:
        return "compiled"
    if "error: " not in stderr:
        return None
    if "more than" in stderr and "translator" in stderr:
        return "refused: the translator took too long"
    if "translator" in stderr:
        return "refused by the translator"
    if re.search(r"instruction \d+|header", stderr):
        return "refused with the instruction's number"
    if "no SPIR-V module" in stderr or "is cut off" in stderr:
        return "refused: no magic number, no whole words"
    return "refused by later stages"


def run(vxcc, path, timeout):
    command = [vxcc, "--emit=elf", "--lower=hw", path, "-o", path + ".elf"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=timeout, env=dict(os.environ, VX_SPIRV_TIMEOUT="20"))
    except subprocess.TimeoutExpired:
        return None, f"more than {timeout} s"
    kind = classify(done.stderr, done.returncode)
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    said = next((line for line in lines if "error" in line.lower()), lines[0] if lines else "")
    return kind, f"exit code {done.returncode}: {said[:200]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--vxcc", default="build/bin/vxcc")
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--keep", default="")
    arguments = parser.parse_args()
    seeds = [open(path, "rb").read() for path in arguments.modules]
    keep = arguments.keep or tempfile.mkdtemp(prefix="mutate-spirv-")
    os.makedirs(keep, exist_ok=True)
    counts = collections.Counter()

    def one(index):
        path = os.path.join(keep, f"{index}.spv")
        with open(path, "wb") as file:
            file.write(mutate(seeds, arguments.seed, index))
        kind, said = run(arguments.vxcc, path, arguments.timeout)
        if os.path.exists(path + ".elf"):
            os.remove(path + ".elf")
        if kind:
            os.remove(path)
        return index, kind, said

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        work = range(arguments.first, arguments.first + arguments.count)
        for done, (index, kind, said) in enumerate(pool.map(one, work), 1):
            counts[kind or "FAILED"] += 1
            if not kind:
                failed += 1
                print(f"{keep}/{index}.spv: {said}", flush=True)
            if done % 1000 == 0:
                print(f"{done} modules", flush=True)
    for kind, count in counts.most_common():
        print(f"{count:6} {kind}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
