// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BLAS's kinds of matrices with one interface: full, band and packed storage of general,
// symmetric, Hermitian and triangular matrices, as they are or transposed.

#ifndef VX_RUNTIME_LIBRARIES_BLAS_VIEW_H
#define VX_RUNTIME_LIBRARIES_BLAS_VIEW_H

#include "Types.h"

namespace vx::blas {

enum class Storage : char { Full, Band, Packed };
enum class Structure : char { General, Symmetric, Hermitian, Triangular };

/// Coordinates of everything but at() are those of the matrix as it is stored, in columns.
template <class T> struct View {
  const T *data = nullptr;
  int step = 0; ///< From column to column.
  Storage storage = Storage::Full;
  Structure structure = Structure::General;
  bool lower = false;        ///< Which triangle is stored, if one is.
  bool unitDiagonal = false; ///< Of a triangular matrix: is 1, and not read.
  bool transposed = false;
  bool conjugated = false;
  int below = 0, above = 0; ///< Diagonals of a band.
  int size = 0;             ///< Rows of a packed matrix.

  VX_BLAS_BOTH long long place(int i, int j) const {
    switch (storage) {
    case Storage::Full:
      return i + (long long)j * step;
    case Storage::Band:
      return above + i - j + (long long)j * step;
    case Storage::Packed:
      break;
    }
    return lower ? i + (long long)j * (2 * size - j - 1) / 2 : i + (long long)j * (j + 1) / 2;
  }

  /// The element in row I and column J.
  VX_BLAS_BOTH T at(int i, int j) const {
    if (transposed) {
      int swapped = i;
      i = j;
      j = swapped;
    }
    bool conjugates = conjugated;
    if (structure != Structure::General && (lower ? i < j : i > j)) {
      if (structure == Structure::Triangular)
        return T(0);
      int swapped = i;
      i = j;
      j = swapped;
      conjugates ^= structure == Structure::Hermitian;
    }
    if (storage == Storage::Band && (i - j > below || j - i > above))
      return T(0);
    if (unitDiagonal && i == j)
      return T(1);
    T element = data[place(i, j)];
    if (structure == Structure::Hermitian && i == j)
      return T(realPart(element));
    return conjugateIf(conjugates, element);
  }
};

} // namespace vx::blas

#endif // VX_RUNTIME_LIBRARIES_BLAS_VIEW_H
