// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass of a fast Fourier transform: butterflies of one radix over all lines (Stockham's order:
// what a pass reads is not what it writes, and the result needs no permutation).

#ifndef VX_RUNTIME_LIBRARIES_FFT_PASS_H
#define VX_RUNTIME_LIBRARIES_FFT_PASS_H

#include "../blas/Types.h"
#include <cuda_runtime_api.h>

namespace vx::fft {

template <class R> using Complex = blas::Complex<R>;

/// The form in which the elements of a line are in memory. Half: of a line of n, those from 0 to
/// n/2; the others are their conjugates.
enum class Elements : char { Complex, Real, Half };

/// The lines that a pass reads or writes. Steps count elements.
struct Side {
  void *data = nullptr;
  long long step = 1;             ///< From element to element of a line.
  long long lines[3] = {0, 0, 0}; ///< From line to line, along three axes.
  unsigned present = 0; ///< Elements of a line that are there: others are 0, or not written.
  Elements elements = Elements::Complex;
  const void *factors = nullptr; ///< Unless null, elements are multiplied by these.
};

template <class R> struct Pass {
  unsigned length = 1;               ///< Of the transform.
  unsigned previous = 1;             ///< The product of the radices of earlier passes.
  unsigned radix = 1;                ///< 1: a copy.
  unsigned lines[3] = {1, 1, 1};     ///< The numbers of lines along three axes.
  bool inverse = false;              ///< The roots are to be conjugated.
  bool conjugated = false;           ///< The factors of the sides are to be conjugated.
  bool alongLines = true;            ///< Neighbouring threads have butterflies of one line.
  const Complex<R> *roots = nullptr; ///< exp(-2 pi i t / length) for t below length.
  Side in, out;

  unsigned long long butterflies() const {
    return (unsigned long long)(length / radix) * lines[0] * lines[1] * lines[2];
  }
};

/// Instantiated for float and double in Passes.cu. The pass has fewer than 2^32 butterflies.
template <class R> cudaError_t launchPass(const Pass<R> &pass, cudaStream_t stream);

} // namespace vx::fft

#endif // VX_RUNTIME_LIBRARIES_FFT_PASS_H
