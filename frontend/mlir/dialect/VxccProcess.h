// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vxcc as a process of its own: what is linked with MLIR has no device compiler in it.

#ifndef VX_FRONTEND_MLIR_DIALECT_VXCCPROCESS_H
#define VX_FRONTEND_MLIR_DIALECT_VXCCPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace vx::dialect {

/// Returns the path of vxcc: below TOOLKIT if that is not empty; else below $VXCC_HOME, next to the
/// library or program that this code is in, or on the PATH. An error says where it was looked for.
llvm::Expected<std::string> findCompiler(llvm::StringRef toolkit);

struct CompilerOutput {
  llvm::SmallVector<char, 0> bytes;
  std::string messages; ///< warnings and remarks
};

/// Runs vxcc of TOOLKIT with ARGS on BITCODE, a device module, and returns what it has made. An
/// error has vxcc's own messages.
llvm::Expected<CompilerOutput>
compileBitcode(llvm::StringRef bitcode, llvm::ArrayRef<std::string> args, llvm::StringRef toolkit);

} // namespace vx::dialect

#endif // VX_FRONTEND_MLIR_DIALECT_VXCCPROCESS_H
