// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan of cuFFT: the shape of its data, and the tables and passes that transform them.

#ifndef VX_RUNTIME_LIBRARIES_FFT_PLAN_H
#define VX_RUNTIME_LIBRARIES_FFT_PLAN_H

#include "../common/Memory.h"
#include "Pass.h"
#include <cufft.h>
#include <map>
#include <memory>

namespace vx::fft {

enum class Kind : char { ComplexToComplex, RealToComplex, ComplexToReal };

/// Four axes: the batch, then the dimensions; unused ones are the first dimensions, of size 1.
constexpr int kAxes = 4, kLast = kAxes - 1;

/// The distances of elements along the axes, in elements.
struct Layout {
  long long steps[kAxes] = {};
  bool operator==(const Layout &other) const {
    for (int axis = 0; axis < kAxes; ++axis)
      if (steps[axis] != other.steps[axis])
        return false;
    return true;
  }
};

struct Shape {
  Kind kind = Kind::ComplexToComplex;
  bool isDouble = false;
  long long sizes[kAxes] = {1, 1, 1, 1};
  /// Of complex data out of place; in place, basic layouts of real data have padded lines.
  Layout in, out;
  bool isBasicIn = true, isBasicOut = true;
};

/// What transforms of one length need. A length with a prime factor above 7 is done by Bluestein's
/// algorithm, a convolution of the length `padded`.
struct Tables {
  unsigned padded = 0;        ///< 0: without Bluestein's algorithm.
  DeviceMemory roots;         ///< Of the length of passes.
  DeviceMemory chirp, filter; ///< Of Bluestein's algorithm.
};

struct Plan {
  bool isMade = false;
  Shape shape;
  cudaStream_t stream = nullptr;
  bool allocates = true;
  DeviceMemory own; ///< The work area that the plan allocated.
  void *workArea = nullptr;
  size_t workSize = 0;
  size_t firstBuffer = 0; ///< Elements of the first of the work area's two buffers.
  std::map<long long, std::unique_ptr<Tables>> tables;
};

/// Returns the bytes of the work area that transforms of SHAPE need, or the error that it has.
cufftResult workSizeOf(const Shape &shape, size_t *size);
/// Makes PLAN, a new one, transform SHAPE.
cufftResult makePlan(Plan &plan, const Shape &shape);
/// DIRECTION is of complex transforms only.
cufftResult execute(Plan &plan, void *in, void *out, int direction);

} // namespace vx::fft

#endif // VX_RUNTIME_LIBRARIES_FFT_PLAN_H
