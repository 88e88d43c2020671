# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs of Rodinia's programs, which Rodinia has as a separate download, made here and small.

Each function writes the file PATH, always the same one.
"""

import math
import os
import random
import struct


def numbers(count, low, high, seed=1):
    source = random.Random(seed)
    return [source.uniform(low, high) for _ in range(count)]


def grid(path, count, low, high):
    with open(path, "w") as file:
        file.writelines(f"{value:.6f}\n" for value in numbers(count, low, high))


def graph(path, nodes=4096, degree=6):
    source = random.Random(2)
    with open(path, "w") as file:
        file.write(f"{nodes}\n")
        file.writelines(f"{node * degree} {degree}\n" for node in range(nodes))
        file.write("\n0\n\n")
        file.write(f"{nodes * degree}\n")
        file.writelines(f"{source.randrange(nodes)} {source.randrange(1, 10)}\n"
                        for _ in range(nodes * degree))


def keys(path, count=2000):
    """Each number below COUNT once: b+tree's search for ranges leaves results of numbers that are not
    in the tree uninitialized."""
    numbers = list(range(count))
    random.Random(4).shuffle(numbers)
    with open(path, "w") as file:
        file.write(f"{count}\n")
        file.writelines(f"{number}\n" for number in numbers)


def text(path, content):
    with open(path, "w") as file:
        file.write(content)


def hurricanes(path):
    """Two records files of nn and their list."""
    source = random.Random(5)
    names = []
    for part in range(2):
        names.append(f"cane{part}.db")
        with open(os.path.join(os.path.dirname(path), names[-1]), "w") as file:
            for _ in range(512):
                file.write(f"{1990 + source.randrange(20)} {1 + source.randrange(12):2d} {1 + source.randrange(28):2d}"
                           f" {6 * source.randrange(4):2d} {'NAMED':>10} {source.uniform(7, 63):5.1f} "
                           f"{source.uniform(10, 350):5.1f} {source.randrange(200):4d} {source.randrange(900):4d}\n")
    text(path, "".join(name + "\n" for name in names))


def image(path, size=64):
    """A Windows bitmap of three bytes a pixel."""
    source = random.Random(6)
    header = struct.pack("<2sIHHIIiiHHIIiiII", b"BM", 54 + 3 * size * size, 0, 0, 54, 40, size, size, 1,
                         24, 0, 3 * size * size, 2835, 2835, 0, 0)
    with open(path, "wb") as file:
        file.write(header + bytes(source.randrange(256) for _ in range(3 * size * size)))


def points(path, count=512, features=8):
    """Objects of kmeans: a number, and features around four centers."""
    source = random.Random(7)
    with open(path, "w") as file:
        for i in range(count):
            center = 10 * (i % 4)
            values = (f"{center + source.uniform(-3, 3):.4f}" for _ in range(features))
            file.write(f"{i} {' '.join(values)}\n")


def mesh(path, width=16, height=12):
    """A mesh of cfd: a grid of cells, each with an area and four times a neighbour (numbered from one,
    or negative: a wall or the far field) and the normal of the face to it."""
    step = 0.5
    with open(path, "w") as file:
        file.write(f"{width * height}\n")
        for y in range(height):
            for x in range(width):
                line = [f"{step * step:.4f}"]
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    inside = 0 <= x + dx < width and 0 <= y + dy < height
                    neighbour = (y + dy) * width + x + dx + 1 if inside else -1 if dx else -2
                    line.append(f"{neighbour} {step * dx:.3f} {step * dy:.3f} 0")
                file.write(" ".join(line) + "\n")


def pgm(path, width=458, height=502):
    source = random.Random(8)
    with open(path, "w") as file:
        file.write(f"P2\n{width} {height}\n255\n")
        for y in range(height):
            file.write(" ".join(str(1 + (x * y // 97 + source.randrange(40)) % 254)
                                for x in range(width)) + "\n")


def film(path, width=128, height=96, frames=4, cells=((40, 40), (80, 60))):
    """An uncompressed AVI of bytes: dark discs with a bright rim, which move, on a noisy ground."""
    source = random.Random(9)
    pictures = []
    for f in range(frames):
        picture = bytearray(source.randrange(100, 120) for _ in range(width * height))
        for cx, cy in cells:
            for y in range(max(0, cy - 14), min(height, cy + 15)):
                for x in range(max(0, cx - 14), min(width, cx + 15)):
                    r = math.hypot(x - cx - f, y - cy)
                    if r < 13:
                        picture[(height - 1 - y) * width + x] = 40 if r < 9.5 else 220
        pictures.append(bytes(picture))
    size = width * height

    def chunk(tag, data):
        return tag + struct.pack("<I", len(data)) + data + b"\0" * (len(data) & 1)

    main = struct.pack("<14I", 40000, size * 25, 0, 0x10, frames, 0, 1, size, width, height, 0, 0, 0, 0)
    stream = b"vids" + b"\0\0\0\0" + struct.pack("<10I4H", 0, 0, 0, 1, 25, 0, frames, size, 0, 0,
                                                0, 0, width, height)
    picture = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 0, size, 0, 0, 0, 0)
    header = b"hdrl" + chunk(b"avih", main) + chunk(
        b"LIST", b"strl" + chunk(b"strh", stream) + chunk(b"strf", picture))
    movie, index, offset = b"movi", b"", 4
    for data in pictures:
        index += struct.pack("<4sIII", b"00db", 0x10, offset, size)
        movie += chunk(b"00db", data)
        offset = len(movie)
    body = b"AVI " + chunk(b"LIST", header) + chunk(b"LIST", movie) + chunk(b"idx1", index)
    with open(path, "wb") as file:
        file.write(chunk(b"RIFF", body))


def genome(length=3000):
    source = random.Random(10)
    return "".join(source.choice("ACGT") for _ in range(length))


def reference(path):
    """A genome in the form of FASTA."""
    text(path, ">reference\n" + genome() + "\n")


def reads(path, count=60, length=50):
    """Parts of the genome that reference() writes, half of them with a wrong base in the middle."""
    source, whole = random.Random(11), genome()
    lines = []
    for i in range(count):
        start = source.randrange(len(whole) - length)
        read = whole[start:start + length]
        if i % 2:
            middle = length // 2
            read = read[:middle] + ("A" if read[middle] != "A" else "C") + read[middle + 1:]
        lines.append(f">read{i}\n{read}\n")
    text(path, "".join(lines))


def wall_points(path):
    """What heartwall follows: sizes of templates and windows, then rows and columns of two rings."""
    rings = [[(160 + int(r * math.sin(2 * math.pi * i / n)), 160 + int(r * math.cos(2 * math.pi * i / n)))
              for i in range(n)] for n, r in ((4, 30), (6, 60))]
    lines = ["6 10 3 0.87", f"{len(rings[0])} {len(rings[1])}"]
    for ring in rings:
        lines.append(" ".join(str(row) for row, _ in ring))
        lines.append(" ".join(str(column) for _, column in ring))
    text(path, "\n".join(lines) + "\n")
