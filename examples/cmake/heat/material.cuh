// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef EXAMPLES_CMAKE_HEAT_MATERIAL_CUH
#define EXAMPLES_CMAKE_HEAT_MATERIAL_CUH

/// How much of a difference to its neighbours a cell loses in a step.
constexpr float kConductivity = 0.25f;

#endif // EXAMPLES_CMAKE_HEAT_MATERIAL_CUH
