// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lengths of transforms: their factors, and the tables of roots and of Bluestein's algorithm.

#ifndef VX_RUNTIME_LIBRARIES_FFT_TABLES_H
#define VX_RUNTIME_LIBRARIES_FFT_TABLES_H

#include "Plan.h"
#include <vector>

namespace vx::fft {

/// Returns the radices of passes for LENGTH, which has no prime factor above 7; 1 alone for 1.
std::vector<unsigned> radicesOf(unsigned long long length);

/// Returns the length of the convolution by which LENGTH is transformed; 0: it needs none.
unsigned paddedLength(unsigned long long length);

/// Fills TABLES on the device for transforms of LENGTH; returns false if there is no memory.
template <class R> bool fillTables(Tables &tables, unsigned long long length);

} // namespace vx::fft

#endif // VX_RUNTIME_LIBRARIES_FFT_TABLES_H
