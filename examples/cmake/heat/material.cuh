// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef EXAMPLES_CMAKE_HEAT_MATERIAL_CUH
#define EXAMPLES_CMAKE_HEAT_MATERIAL_CUH

constexpr float kConductivity = 0.25f;

/// Returns how much of a difference to its neighbours cell I of the bar loses in a step; defined in
/// another file than its caller.
__device__ float conductivity(int i);

#endif // EXAMPLES_CMAKE_HEAT_MATERIAL_CUH
