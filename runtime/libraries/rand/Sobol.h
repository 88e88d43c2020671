// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The direction vectors of Sobol sequences: those of Joe and Kuo, "Constructing Sobol sequences
// with better two-dimensional projections", 2008, for as many dimensions as are written down here.

#ifndef VX_RUNTIME_LIBRARIES_RAND_SOBOL_H
#define VX_RUNTIME_LIBRARIES_RAND_SOBOL_H

#include <curand.h>

namespace vx::rand {

constexpr unsigned kSobolDimensions = 21;

/// The vectors of all dimensions, made at the first call.
curandDirectionVectors32_t *sobolVectors32();
curandDirectionVectors64_t *sobolVectors64();

} // namespace vx::rand

#endif // VX_RUNTIME_LIBRARIES_RAND_SOBOL_H
