#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables by which cuRAND's generators jump ahead in their sequences.

usage: jump-tables.py xorwow|mrg32k3a, which prints the header

Both generators are linear, so a jump of n steps is a power of one step:

- XORWOW's shift registers are a linear map A of 160 bits. By the theorem of Cayley and Hamilton, A^n is a
  polynomial in A of degree below 160: x^n modulo A's characteristic polynomial, which the
  algorithm of Berlekamp and Massey finds from one bit of the output (Haramoto et al., 2008).
- MRG32k3a's two recurrences are matrices of 3 x 3 modulo their primes (L'Ecuyer et al., 2002).
"""

import sys

HEAD = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// {title}
// Made by the build: runtime/libraries/rand/jump-tables.py.

#ifndef {guard}
#define {guard}

"""
WORD = (1 << 32) - 1
XORWOW_BITS = 160
SEQUENCE_XORWOW = 67  # a subsequence of XORWOW has 2^67 numbers
DIGITS = 16  # of four bits, in a 64-bit number of steps or of subsequences
MRG_POWERS = 127 + 64  # 2^127 steps are the longest jump, and it is taken a 64-bit number of times


def xorwow_step(v):
    t = v[0] ^ v[0] >> 2
    return v[1:] + [(v[4] ^ v[4] << 4 ^ t ^ t << 1) & WORD]


def berlekamp_massey(bits):
    """The connection polynomial of the shortest shift register that makes BITS, and its length."""
    c, b, length, since = 1, 1, 0, 1
    for n in range(len(bits)):
        difference = 0
        for i in range(length + 1):
            difference ^= c >> i & bits[n - i] & 1
        if difference and 2 * length <= n:
            c, b, length, since = c ^ b << since, c, n + 1 - length, 1
        else:
            c ^= b << since if difference else 0
            since += 1
    return c, length


def characteristic_polynomial():
    v, bits = [1, 0, 0, 0, 0], []
    for _ in range(2 * XORWOW_BITS):
        bits.append(v[0] & 1)
        v = xorwow_step(v)
    connection, length = berlekamp_massey(bits)
    assert length == XORWOW_BITS
    return sum((connection >> i & 1) << (length - i) for i in range(length + 1))


def multiply(a, b, modulus):
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a <<= 1
        a ^= modulus if a >> XORWOW_BITS else 0
        b >>= 1
    return product


def xorwow_jumps(modulus):
    """For jumps by numbers and by subsequences, and each digit of four bits: x to the digit's 1 to 15."""
    tables = []
    for first in (0, SEQUENCE_XORWOW):
        power = 2  # x
        for _ in range(first):
            power = multiply(power, power, modulus)
        for _ in range(DIGITS):
            row, value = [], 1
            for _ in range(15):
                value = multiply(value, power, modulus)
                row.append(value)
            tables.append(row)
            power = multiply(value, power, modulus)
    return tables


def xorwow_header():
    text = HEAD.format(title="XORWOW's jumps: polynomials in its step, coefficients of low degree first.",
                       guard="VX_RAND_XORWOW_JUMPS_H")
    text += ("/// [what is jumped over: numbers, subsequences of 2^67][digit of four bits][its value - 1].\n"
             f"static constexpr unsigned __vx_rand_xorwow_jumps[2][{DIGITS}][15][5] = {{{{\n")
    for index, row in enumerate(xorwow_jumps(characteristic_polynomial())):
        text += "}, {\n" if index == DIGITS else ""
        lines = [", ".join(f"0x{value >> 32 * i & WORD:08x}" for i in range(5)) for value in row]
        text += "  {{" + "},\n   {".join(lines) + "}},\n"
    return text + "}};\n\n#endif // VX_RAND_XORWOW_JUMPS_H\n"


def matrix_product(a, b, modulus):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) % modulus for j in range(3)] for i in range(3)]


def mrg_header():
    m1, m2 = 2**32 - 209, 2**32 - 22853
    steps = [([[0, 1, 0], [0, 0, 1], [m1 - 810728, 1403580, 0]], m1),
             ([[0, 1, 0], [0, 0, 1], [m2 - 1370589, 0, 527612]], m2)]
    text = HEAD.format(title="MRG32k3a's jumps: powers of the matrices of its two components.",
                       guard="VX_RAND_MRG32K3A_JUMPS_H")
    text += ("/// [i]: the jump by 2^i numbers, for each component.\n"
             f"static constexpr unsigned __vx_rand_mrg32k3a_jumps[{MRG_POWERS}][2][3][3] = {{\n")
    for _ in range(MRG_POWERS):
        rows = ["{" + "}, {".join(", ".join(map(str, row)) for row in matrix) + "}" for matrix, _ in steps]
        text += "  {{" + "},\n   {".join(rows) + "}},\n"
        steps = [(matrix_product(matrix, matrix, modulus), modulus) for matrix, modulus in steps]
    return text + "};\n\n#endif // VX_RAND_MRG32K3A_JUMPS_H\n"


print({"xorwow": xorwow_header, "mrg32k3a": mrg_header}[sys.argv[1]](), end="")
