#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes tables.h: polynomial coefficients of gamma.c, error.c and bessel.c.

Run by hand when an approximation changes (needs mpmath). Each table is the Chebyshev interpolant
of a function on an interval, expanded in powers of the variable that the C code uses, highest power
first; the degree is the smallest whose error is below the tolerance.
"""

import mpmath as mp

mp.mp.dps = 60
TOLERANCE = mp.mpf(2) ** -60


def interpolate(f, a, b, n):
    """Monomial coefficients in t in [-1, 1], lowest first, of the interpolant with N nodes."""
    nodes = [mp.cos(mp.pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    values = [f((a + b) / 2 + (b - a) / 2 * t) for t in nodes]
    cheb = []
    for j in range(n):
        s = sum(v * mp.cos(j * mp.pi * (2 * k + 1) / (2 * n)) for k, v in enumerate(values))
        cheb.append(s * (1 if j == 0 else 2) / n)
    lower, upper = [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]
    total = [mp.mpf(0)] * n
    for j in range(n):
        current = lower if j == 0 else upper
        for i, c in enumerate(current):
            total[i] += cheb[j] * c
        if j >= 1:
            following = [mp.mpf(0)] + [2 * c for c in upper]
            for i, c in enumerate(lower):
                following[i] -= c
            lower, upper = upper, following
    return total, abs(cheb[-1]) + abs(cheb[-2])


def fit(f, a, b, origin=None, scale=1):
    """Coefficients in (x - origin) / scale, highest first. Origin: the middle unless given."""
    a, b = mp.mpf(a), mp.mpf(b)
    size = max(abs(f(a + (b - a) * k / 16 + (b - a) * mp.mpf('1e-20'))) for k in range(16))
    for n in range(3, 60):
        t, tail = interpolate(f, a, b, n)
        if tail < TOLERANCE * size:
            break
    else:
        raise SystemExit("no convergence")
    middle, half = (a + b) / 2, (b - a) / 2
    origin = middle if origin is None else mp.mpf(origin)
    # t = (origin - middle + scale * s) / half: substitute by Horner's rule on polynomials.
    c0, c1 = (origin - middle) / half, mp.mpf(scale) / half
    result = [mp.mpf(0)]
    for c in reversed(t):
        shifted = [r * c0 for r in result] + [mp.mpf(0)]
        for i, r in enumerate(result):
            shifted[i + 1] += r * c1
        shifted[0] += c
        result = shifted
    return list(reversed(result[:n]))


def c_double(x):
    return float(x).hex()


def table(name, comment, coefficients):
    lines = [f"/// {comment}", f"static const double {name}[] = {{"]
    row = "   "
    for c in coefficients:
        item = f" {c_double(c)},"
        if len(row) + len(item) > 100:
            lines.append(row)
            row = "   "
        row += item
    lines += [row, "};", ""]
    return lines


def constant(name, value):
    hi = mp.mpf(float(value))
    return [f"#define {name}_HI {c_double(hi)}", f"#define {name}_LO {c_double(value - hi)}"]


def zero_pieces(letter, f, pieces):
    """Between two borders the function is (x - zero) * polynomial(x - ZERO_HI)."""
    out = []
    for index, (a, b, guess) in enumerate(pieces, 1):
        zero = mp.findroot(f, guess)
        hi = mp.mpf(float(zero))
        out += constant(f"{letter}_ZERO{index}", zero)
        out += table(f"k{letter}Piece{index}", f"{letter}(x) / (x - {mp.nstr(zero, 6)}) on [{a}, {b}]",
                     fit(lambda x: f(x) / (x - zero), a, b, origin=hi))
    return out


def gamma_tables():
    def series(u):  # x * log(gamma(x) e^x x^(0.5-x) / sqrt(2 pi)), u = 64 / x^2
        x = 8 / mp.sqrt(u)
        return x * (mp.loggamma(x) + x - (x - 0.5) * mp.log(x) - mp.log(2 * mp.pi) / 2)
    return table("kStirling", "x times the logarithm of Stirling's correction; u = 64 / x^2",
                 fit(series, mp.mpf('1e-7'), 1, origin=0))


def error_tables():
    def erfcx(x):
        return mp.exp(x * x) * mp.erfc(x) if x < 60 else \
            mp.quad(lambda t: mp.exp(-t - (t / (2 * x)) ** 2), [0, mp.inf]) / (x * mp.sqrt(mp.pi))
    k = mp.mpf(2)
    def large(t):  # t = (x - k) / (x + k)
        x = k * (1 + t) / (1 - t)
        return (1 + 2 * x) * erfcx(x)
    out = table("kErfcx", "(1 + 2x) erfcx(x), x >= 0; t = (x - 2) / (x + 2)",
                fit(large, -1, mp.mpf('0.9999'), origin=0))
    out += table("kErfinv", "erfinv(x) / x for |x| <= 3/4; t = 32/9 x^2 - 1",
                 fit(lambda u: mp.erfinv(mp.sqrt(u)) / mp.sqrt(u), mp.mpf('1e-30'), mp.mpf(9) / 16,
                     origin=mp.mpf(9) / 32, scale=mp.mpf(9) / 32))
    return out


def bessel_tables():
    eps = mp.mpf('1e-25')
    j0, j1 = (lambda x: mp.besselj(0, x)), (lambda x: mp.besselj(1, x))
    y0, y1 = (lambda x: mp.bessely(0, x)), (lambda x: mp.bessely(1, x))
    root = mp.sqrt
    out = table("kJ0", "J0 on [0, 2]; u = x^2", fit(lambda u: j0(root(u)), eps, 4, origin=0))
    out += zero_pieces("J0", j0, [(mp.mpf(3) / 2, 4, 2.4), (4, 7, 5.5), (7, 8, 8.65)])
    out += table("kJ1", "J1(x) / x on [0, 2]; u = x^2",
                 fit(lambda u: j1(root(u)) / root(u), eps, 4, origin=0))
    out += zero_pieces("J1", j1, [(2, mp.mpf(11) / 2, 3.83), (mp.mpf(11) / 2, 8, 7.01)])
    z = mp.findroot(y0, 0.89)
    out += constant("Y0_ZERO0", z)
    out += table("kY0", "(Y0(x) - 2/pi ln(x/z) J0(x)) / (x^2 - z^2) on [0, 2]; u = x^2", fit(
        lambda u: (y0(root(u)) - 2 / mp.pi * mp.log(root(u) / z) * j0(root(u))) / (u - z * z),
        eps, 4, origin=0))
    out += zero_pieces("Y0", y0, [(2, mp.mpf(11) / 2, 3.95), (mp.mpf(11) / 2, 8, 7.08)])
    out += table("kY1", "(Y1(x) - 2/pi (ln(x) J1(x) - 1/x)) / x on [0, 1.25]; u = x^2", fit(
        lambda u: (y1(root(u)) - 2 / mp.pi * (mp.log(root(u)) * j1(root(u)) - 1 / root(u))) / root(u),
        mp.mpf('1e-15'), mp.mpf(25) / 16, origin=0))
    out += zero_pieces("Y1", y1, [(mp.mpf(5) / 4, mp.mpf(15) / 4, 2.19), (mp.mpf(15) / 4, 7, 5.43),
                                  (7, 8, 8.59)])
    for n in (0, 1):
        def modulus(x, n=n):
            chi = x - mp.pi * (2 * n + 1) / 4
            j, y = mp.besselj(n, x), mp.bessely(n, x)
            s = mp.sqrt(mp.pi * x / 2)
            return s * (j * mp.cos(chi) + y * mp.sin(chi)), s * (y * mp.cos(chi) - j * mp.sin(chi))
        out += table(f"kP{n}", f"Hankel's P for order {n}, x >= 8; u = 64 / x^2",
                     fit(lambda u: modulus(8 / root(u))[0], mp.mpf('1e-6'), 1, origin=0))
        out += table(f"kQ{n}", f"x times Hankel's Q for order {n}, x >= 8; u = 64 / x^2", fit(
            lambda u: modulus(8 / root(u))[1] * 8 / root(u), mp.mpf('1e-6'), 1, origin=0))
    i0, i1 = (lambda x: mp.besseli(0, x)), (lambda x: mp.besseli(1, x))
    out += table("kI0", "I0 on [0, 8]; u = x^2 / 64", fit(lambda u: i0(8 * root(u)), eps, 1, origin=0))
    out += table("kI1", "I1(x) / x on [0, 8]; u = x^2 / 64",
                 fit(lambda u: i1(8 * root(u)) / (8 * root(u)), eps, 1, origin=0))
    for n, f in ((0, i0), (1, i1)):
        out += table(f"kI{n}Large", f"I{n}(x) sqrt(x) exp(-x), x >= 8; t = 16 / x - 1", fit(
            lambda u, f=f: f(8 / u) * root(8 / u) * mp.exp(-8 / u), mp.mpf('1e-3'), 1,
            origin=mp.mpf(1) / 2, scale=mp.mpf(1) / 2))
    return out


def main():
    head = ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception", "//",
            "// Written by make-tables.py; change that instead.", "",
            "#ifndef VX_DEVICE_MATH_TABLES_H", "#define VX_DEVICE_MATH_TABLES_H", ""]
    body = gamma_tables() + error_tables() + bessel_tables()
    with open("tables.h", "w") as f:
        f.write("\n".join(head + body + ["#endif // VX_DEVICE_MATH_TABLES_H", ""]))


if __name__ == "__main__":
    main()
