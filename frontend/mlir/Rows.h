// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The row of MLIR in frontend/DeviceLanguages.cpp.

#ifndef VX_FRONTEND_MLIR_ROWS_H
#define VX_FRONTEND_MLIR_ROWS_H

#include "frontend/mlir/CompileMlir.h"

namespace vx::mlir {

inline constexpr DeviceLanguage kLanguage = {"mlir",    ".mlir",    "MLIR",
                                             parseMlir, finishMlir, nullptr};

/// It has no passes of LLVM's.
} // namespace vx::mlir

#endif // VX_FRONTEND_MLIR_ROWS_H
