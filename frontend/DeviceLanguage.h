// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The languages besides CUDA that vxcc reads device code from. All of them end in NVVM IR; nothing
// after that knows which language a module comes from. The list is made by frontend/CMakeLists.txt
// from VX_LANGUAGES.

#ifndef VX_FRONTEND_DEVICELANGUAGE_H
#define VX_FRONTEND_DEVICELANGUAGE_H

#include "frontend/Frontend.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace vx {

/// A pass that only a language needs: its name in pipelines, and what adds it to one.
struct LanguagePass {
  llvm::StringLiteral name;
  void (*add)(llvm::ModulePassManager &mpm);
};

struct DeviceLanguage {
  llvm::StringLiteral name;    ///< the language, as -x names it
  llvm::StringLiteral suffix;  ///< of its files, with the dot
  llvm::StringLiteral summary; ///< for messages: "OpenCL C"
  /// Reads REQUEST's input, which may be bitcode that this function has made, as IR that can be
  /// linked with more of its kind; null if there were errors, which LOG has.
  std::unique_ptr<llvm::Module> (*parse)(const CompileRequest &request, const FrontendPaths &paths,
                                         llvm::LLVMContext &context, DiagnosticLog &log);
  /// Makes unoptimised NVVM IR of a linked module, with what is in RESOURCES (lib/vxcc); false if
  /// there were errors.
  bool (*finish)(llvm::Module &module, llvm::StringRef resources, DiagnosticLog &log);
  /// Returns the -cc1 line that reads REQUEST, for languages that clang reads; null for others.
  std::optional<Cc1Args> (*plan)(const CompileRequest &request, const FrontendPaths &paths,
                                 DiagnosticLog &log);
  /// Writes MODULE, common IR of CUDA kernels (importDeviceModule), in this language; false if
  /// there were errors. Null for languages that are only read.
  bool (*write)(llvm::Module &module, DiagnosticLog &log,
                llvm::SmallVectorImpl<char> &output) = nullptr;
  /// Returns its passes. Null if it has none.
  llvm::ArrayRef<LanguagePass> (*passes)() = nullptr;
};

/// Returns the languages of this build.
llvm::ArrayRef<DeviceLanguage> deviceLanguages();

/// Makes the passes of the languages known to pipelines in text form.
void registerLanguagePasses(llvm::PassBuilder &pb);

} // namespace vx

#endif // VX_FRONTEND_DEVICELANGUAGE_H
