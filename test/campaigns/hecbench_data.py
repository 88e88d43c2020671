# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs of HeCBench's programs that are not in the repository of the suite, made here and small.

Each function writes the file PATH, always the same one; hecbench.toml says which for which program.
"""

import os
import random
import struct

# Those that Rodinia's versions of the same programs read.
from rodinia_data import (film, graph, grid, hurricanes, image, keys, mesh, points, text,  # noqa: F401 (hecbench.toml)
                          wall_points)


def table(path, rows, columns, low=-1.0, high=1.0, head=None):
    """Lines of numbers, below the line HEAD."""
    source = random.Random(21)
    with open(path, "w") as file:
        if head is not None:
            file.write(f"{head}\n")
        for _ in range(rows):
            file.write(" ".join(f"{source.uniform(low, high):.6f}" for _ in range(columns)) + "\n")


def counts(path, rows):
    """Lines of a small integer and a number above it."""
    source = random.Random(28)
    with open(path, "w") as file:
        for _ in range(rows):
            count = source.randrange(20)
            file.write(f"{count} {count + source.uniform(1, 20):.4f}\n")


def near_line(path, rows, slope=3, offset=2):
    """Lines of x and y, with a tab between them, near y = SLOPE x + OFFSET."""
    source = random.Random(30)
    with open(path, "w") as file:
        for _ in range(rows):
            x = source.uniform(0, 10)
            file.write(f"{x:.4f}\t{slope * x + offset + source.uniform(-1, 1):.4f}\n")


def genes(path, rows, columns):
    """A table with a head and tabs between its fields: for each gene its name and its expression in samples; the
    first third of the genes goes up and down alike in the first half of the samples."""
    source = random.Random(31)
    pattern = [source.uniform(-5, 5) for _ in range(columns)]
    with open(path, "w") as file:
        file.write("\t".join(["gene", *(f"s{column}" for column in range(columns))]) + "\n")
        for row in range(rows):
            alike = columns // 2 if row < rows // 3 else 0
            values = (pattern[column] + source.uniform(-0.1, 0.1) if column < alike else source.uniform(-5, 5)
                      for column in range(columns))
            file.write("\t".join([f"g{row}", *(f"{value:.4f}" for value in values)]) + "\n")


def svm(path, rows, features):
    """Observations in the form of LIBSVM: a label, +1 or -1, and features about it, of which some are left out."""
    source = random.Random(32)
    with open(path, "w") as file:
        for _ in range(rows):
            label = source.choice((-1, 1))
            values = (f"{feature + 1}:{label * 0.5 + source.uniform(-1, 1):.4f}" for feature in range(features)
                      if source.random() < 0.8)
            file.write(f"{label:+d} {' '.join(values)}\n")


def read_pairs(path, count, length):
    """Lines of two sequences of LENGTH bases, with a tab between them, which differ in up to a third of their places."""
    source = random.Random(33)
    with open(path, "w") as file:
        for _ in range(count):
            read = [source.choice("ACGT") for _ in range(length)]
            other = list(read)
            for _ in range(source.randrange(length // 3)):
                other[source.randrange(length)] = source.choice("ACGT")
            file.write(f"{''.join(read)}\t{''.join(other)}\n")


def letters(path, count, alphabet="ACGT"):
    source = random.Random(29)
    text(path, "".join(source.choice(alphabet) for _ in range(count)))


def clusters(path, rows, centers, spread, head=0):
    """Points around CENTERS in turn, those of the first HEAD lines at them, with commas between their coordinates."""
    source = random.Random(25)
    with open(path, "w") as file:
        for row in range(rows):
            near = spread if row >= head else 0
            point = (value + source.uniform(-near, near) for value in centers[row % len(centers)])
            file.write(",".join(f"{value:.4f}" for value in point) + "\n")


def matrix_market(path, size, per_row):
    """A sparse square matrix in the form of Matrix Market, its diagonal among PER_ROW entries of a row."""
    source = random.Random(26)
    entries = [(row, column) for row in range(size)
               for column in sorted({row, *(source.randrange(size) for _ in range(per_row - 1))})]
    with open(path, "w") as file:
        file.write(f"%%MatrixMarket matrix coordinate real general\n{size} {size} {len(entries)}\n")
        file.writelines(f"{row + 1} {column + 1} {source.uniform(0.5, 1):.4f}\n" for row, column in entries)


def prose(path, count, needle):
    """COUNT words, every fiftieth of which is NEEDLE."""
    source = random.Random(27)
    with open(path, "w") as file:
        for i in range(count):
            file.write(needle if i % 50 == 49 else "".join(source.choice("abcdel") for _ in range(source.randrange(1, 9))))
            file.write("\n" if i % 12 == 11 else " ")


def pixels(path, width, height):
    """A picture in the binary form of PPM: a gradient with noise."""
    source = random.Random(22)
    with open(path, "wb") as file:
        file.write(f"P6\n{width} {height}\n255\n".encode())
        file.write(bytes((x + y + 40 * c + source.randrange(64)) % 256
                         for y in range(height) for x in range(width) for c in range(3)))


def ecl_graph(path, nodes=256, degree=4, parts=3, weights=False):
    """An undirected graph in the binary form of ECL: numbers of nodes and edges, where the edges of each node
    begin, the other end of each edge, and by WEIGHTS its weight. Edges join nodes of the same of PARTS.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     ecl_graph(file.name, 30)
    ...     nodes, edges, *rest = struct.unpack(f"<{os.path.getsize(file.name) // 4}i", file.read())
    >>> starts, ends = rest[:nodes + 1], rest[nodes + 1:]
    >>> joined = {(node, end) for node in range(nodes) for end in ends[starts[node]:starts[node + 1]]}
    >>> len(ends) == len(joined) == edges == starts[-1], all((b, a) in joined for a, b in joined)
    (True, True)
    >>> {(a - b) % 3 for a, b in joined}
    {0}
    """
    source = random.Random(23)
    neighbours = [set() for _ in range(nodes)]
    for node in range(nodes):
        for _ in range(degree // 2):
            other = source.randrange(nodes // parts) * parts + node % parts
            if other != node and other < nodes:
                neighbours[node].add(other)
                neighbours[other].add(node)
    edges = [other for ends in neighbours for other in sorted(ends)]
    starts = [0]
    for ends in neighbours:
        starts.append(starts[-1] + len(ends))
    words = [nodes, len(edges), *starts, *edges]
    if weights:
        words += [1 + source.randrange(100) for _ in edges]
    with open(path, "wb") as file:
        file.write(struct.pack(f"<{len(words)}i", *words))


def words(path, count):
    """COUNT random words of 32 bits."""
    source = random.Random(24)
    with open(path, "wb") as file:
        file.write(struct.pack(f"<{count}I", *(source.getrandbits(32) for _ in range(count))))
