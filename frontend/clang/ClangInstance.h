// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang as this compiler sets it up, for -cc1 command lines.

#ifndef VX_FRONTEND_CLANG_CLANGINSTANCE_H
#define VX_FRONTEND_CLANG_CLANGINSTANCE_H

#include "frontend/Frontend.h"
#include "frontend/cuda/LenientCode.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"

namespace vx {

/// Parses ARGS; problems with them are reported like those of the source. Returns null after
/// errors.
std::shared_ptr<clang::CompilerInvocation> parseCc1(const Cc1Args &args, DiagnosticLog &log);

/// A compiler whose diagnostics go to LOG, and which reads FILES with what LENIENT has changed. The
/// log prints the count, so clang's goes nowhere.
std::unique_ptr<clang::CompilerInstance>
makeInstance(std::shared_ptr<clang::CompilerInvocation> invocation, DiagnosticLog &log,
             LenientCode &lenient, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

} // namespace vx

#endif // VX_FRONTEND_CLANG_CLANGINSTANCE_H
