// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A door is another language that vxcc reads device code from. All of them end in NVVM IR; nothing
// behind it knows which door a module has come through. The list is made by doors/CMakeLists.txt
// from VX_DOORS.

#ifndef VX_DOORS_DOOR_H
#define VX_DOORS_DOOR_H

#include "frontend/Frontend.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace vx {

/// A pass of a door: its name in pipelines, and what adds it to one.
struct DoorPass {
  llvm::StringLiteral name;
  void (*add)(llvm::ModulePassManager &mpm);
};

struct Door {
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
  /// The -cc1 line that reads REQUEST, for doors of clang's languages; null for others.
  std::optional<Cc1Args> (*plan)(const CompileRequest &request, const FrontendPaths &paths,
                                 DiagnosticLog &log);
  /// Writes MODULE, common IR of CUDA kernels (importDeviceModule), in this language; false if
  /// there were errors. Null for doors that only lead in.
  bool (*write)(llvm::Module &module, DiagnosticLog &log,
                llvm::SmallVectorImpl<char> &output) = nullptr;
  /// Its passes; null if it has none.
  llvm::ArrayRef<DoorPass> (*passes)() = nullptr;
};

/// The doors of this build.
llvm::ArrayRef<Door> doors();

/// Makes the passes of the doors known to pipelines in text form.
void registerDoorPasses(llvm::PassBuilder &pb);

} // namespace vx

#endif // VX_DOORS_DOOR_H
