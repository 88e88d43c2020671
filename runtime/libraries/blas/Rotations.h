// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of plane rotations, of four or five scalars: for the host, and for one thread of
// the device in pointer mode device.

#ifndef VX_RUNTIME_LIBRARIES_BLAS_ROTATIONS_H
#define VX_RUNTIME_LIBRARIES_BLAS_ROTATIONS_H

#include "Types.h"
#include <math.h>

namespace vx::blas {

/// Givens: [c s; -s c] takes (a, b) to (r, 0). A becomes r, b the number that c and s can be had
/// from.
template <class T> struct GivensRotation {
  T *a, *b, *c, *s;
  VX_BLAS_BOTH void operator()(int) const {
    const T x = *a, y = *b, scale = magnitude(x) + magnitude(y);
    if (scale == 0) {
      *c = 1;
      *a = *b = *s = 0;
      return;
    }
    T r = scale * T(sqrt((x / scale) * (x / scale) + (y / scale) * (y / scale)));
    r = (magnitude(x) > magnitude(y) ? x : y) < 0 ? -r : r;
    *c = x / r;
    *s = y / r;
    *b = magnitude(x) > magnitude(y) ? *s : *c != 0 ? 1 / *c : T(1);
    *a = r;
  }
};

template <class R> struct GivensRotation<Complex<R>> {
  Complex<R> *a, *b;
  R *c;
  Complex<R> *s;
  VX_BLAS_BOTH void operator()(int) const {
    const Complex<R> x = *a, y = *b;
    const R length = hypot(x.re, x.im), other = hypot(y.re, y.im);
    if (length == 0) {
      *c = 0;
      *s = Complex<R>(1);
      *a = y;
      return;
    }
    const R norm = hypot(length, other);
    const Complex<R> phase = x * (1 / length);
    *c = length / norm;
    *s = phase * conjugate(y) * (1 / norm);
    *a = phase * norm;
  }
};

/// The modified Givens transformation of the BLAS (Lawson et al., 1979): PARAM is its flag and H by
/// columns.
template <class T> struct ModifiedRotation {
  T *d1, *d2, *x1;
  const T *y1;
  T *param;
  VX_BLAS_BOTH void operator()(int) const {
    constexpr T big = 4096, wide = big * big;
    T a = *d1, b = *d2, x = *x1, h11 = 0, h21 = 0, h12 = 0, h22 = 0, flag;
    const T y = *y1, p2 = b * y, p1 = a * x, q2 = p2 * y, q1 = p1 * x;
    if (a >= 0 && p2 == 0) {
      param[0] = -2;
      return;
    }
    const bool first = a >= 0 && magnitude(q1) > magnitude(q2);
    const T u = first ? 1 + p2 / p1 * (y / x) : 1 + p1 / p2 * (x / y);
    if (a < 0 || (first ? u <= 0 : q2 < 0)) {
      flag = -1;
      a = b = x = 0;
    } else if (first) {
      flag = 0;
      h21 = -y / x;
      h12 = p2 / p1;
      h11 = h22 = 1;
      a /= u;
      b /= u;
      x *= u;
    } else {
      flag = 1;
      h11 = p1 / p2;
      h22 = x / y;
      h21 = -1;
      h12 = 1;
      const T other = b / u;
      b = a / u;
      a = other;
      x = y * u;
    }
    // Scaling makes the elements of H arbitrary.
    for (; a != 0 && (a <= 1 / wide || a >= wide); flag = -1) {
      const T by = a <= 1 / wide ? big : 1 / big;
      a *= by * by;
      x /= by;
      h11 /= by;
      h12 /= by;
    }
    for (; b != 0 && (magnitude(b) <= 1 / wide || magnitude(b) >= wide); flag = -1) {
      const T by = magnitude(b) <= 1 / wide ? big : 1 / big;
      b *= by * by;
      h21 /= by;
      h22 /= by;
    }
    *d1 = a;
    *d2 = b;
    *x1 = x;
    param[0] = flag;
    if (flag != 1)
      param[2] = h21, param[3] = h12;
    if (flag != 0)
      param[1] = h11, param[4] = h22;
  }
};

} // namespace vx::blas

#endif // VX_RUNTIME_LIBRARIES_BLAS_ROTATIONS_H
