// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect `vx` for C++: its classes (from VxDialect.td and VxOps.td), its passes
// (VxPasses.td), and what makes them known to a program.

#ifndef VX_FRONTEND_MLIR_DIALECT_VX_H
#define VX_FRONTEND_MLIR_DIALECT_VX_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#include "frontend/mlir/dialect/VxDialect.h.inc"
#include "frontend/mlir/dialect/VxEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "frontend/mlir/dialect/VxAttributes.h.inc"
#define GET_OP_CLASSES
#include "frontend/mlir/dialect/VxOps.h.inc"

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace vx::dialect {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "frontend/mlir/dialect/VxPasses.h.inc"

/// Adds the patterns of convert-vx-to-llvm.
void populateVxToLLVMPatterns(const mlir::LLVMTypeConverter &converter,
                              mlir::RewritePatternSet &patterns);

/// Lets the stock passes that convert several dialects to LLVM use these patterns.
void addConversionInterface(VxDialect &dialect);

/// Registers the dialect, and the translations to LLVM IR that compiling a gpu.module takes.
void registerDialects(mlir::DialectRegistry &registry);

/// Registers the passes and the pipelines.
void registerPassesAndPipelines();

} // namespace vx::dialect

#endif // VX_FRONTEND_MLIR_DIALECT_VX_H
