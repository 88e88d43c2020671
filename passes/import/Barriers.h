// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of NVVM and PTX as contract functions: those of the block, and named ones.

#ifndef VX_PASSES_IMPORT_BARRIERS_H
#define VX_PASSES_IMPORT_BARRIERS_H

#include "llvm/IR/IRBuilder.h"
#include <string>

namespace vx::import {

enum class BarrierKind { Sync, Arrive, Count, And, Or };

struct BarrierOperands {
  llvm::Value *id;
  llvm::Value *threads;   ///< null: all of the block
  llvm::Value *predicate; ///< i1, of a reduction
};

/// Emits a barrier of KIND. The result of a reduction, an i32 if it counts, else an i1; null for
/// the others, and if an operand is wrong: then WHY says so.
llvm::Value *emitBarrier(llvm::IRBuilderBase &b, BarrierKind kind, const BarrierOperands &operands,
                         std::string &why);

} // namespace vx::import

#endif // VX_PASSES_IMPORT_BARRIERS_H
