// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What doors/Doors.cpp lists of this door.

#ifndef VX_DOORS_MLIR_ROWS_H
#define VX_DOORS_MLIR_ROWS_H

#include "doors/mlir/CompileMlir.h"

namespace vx::mlir {

inline constexpr Door kDoor = {"mlir", ".mlir", "MLIR", parseMlir, finishMlir, nullptr};

/// It has no passes of LLVM's.
} // namespace vx::mlir

#endif // VX_DOORS_MLIR_ROWS_H
