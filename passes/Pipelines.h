// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From NVVM IR to a Vortex image: the named pipelines of the device compiler, and the one call that
// the driver makes. Pipelines.cpp states what holds after each stage.

#ifndef VX_PASSES_PIPELINES_H
#define VX_PASSES_PIPELINES_H

#include "intrinsics/abi/FatBinary.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace vx {

/// The options of code generation for one device module.
struct CodegenOptions {
  unsigned xlen = 64;                              ///< 32 or 64
  abi::IsaProfile profile = abi::IsaProfile::Warp; ///< instructions that may be used
  abi::Lowering lowering = abi::Lowering::Hw; ///< Hw, Sw, or Auto: both variants of each kernel
  /// Kernels that are lowered otherwise, by name (mangled or as in the source).
  std::vector<std::pair<std::string, abi::Lowering>> kernelLowerings;
  DeviceOptions device;
  /// Kernels with both lowerings may get hw only (DeviceOptions::deferSwLimit). The caller keeps
  /// the NVVM IR for programs that ask for sw.
  bool maySwBeDeferred = false;
  bool host = false;    ///< code of the host CPU; every kernel is lowered to software
  bool zicond = true;   ///< conditional-zero instructions
  unsigned threads = 1; ///< for code generation; 0: as many as there are processors
  /// IR instructions for which code is generated at a time, at least: a module of twice as many or
  /// more is split.
  unsigned partInstructions = 40000;
  bool debugInfo = false;            ///< -g/-G/-lineinfo: keep source lines
  std::string resourceDir;           ///< lib/vxcc: math and start-up bitcode
  std::vector<std::string> linkArgs; ///< extra arguments for lld
};

/// Spans of time that -fdevice-time-trace leaves out are shorter; in microseconds, as clang's.
inline constexpr unsigned kTimeTraceGranularity = 500;

/// The output of a device compilation. `Ir` stops after lowering, before instruction selection.
enum class EmitKind { Ir, Asm, Obj, Elf, VxBin };

/// Compiles NVVM IR (design: the contract of the device front end) into OUTPUT. The module is
/// consumed. User mistakes have been reported through the module's LLVMContext diagnostic handler
/// with source lines before an error is returned; other errors carry their text. HOLDS: what of
/// its kernels the result holds: Host, Hw where sw was left for later (maySwBeDeferred), or what
/// was asked for, which is Auto if that differs between kernels.
llvm::Error compileDeviceModule(std::unique_ptr<llvm::Module> module, const CodegenOptions &options,
                                EmitKind emit, llvm::SmallVectorImpl<char> &output,
                                abi::Lowering *holds = nullptr);

/// Makes common IR of NVVM IR for targets other than Vortex: contract functions, of the warp
/// functions votes and shuffles only, with the device math that it needs, functions of headers
/// inlined. Errors are as above.
llvm::Error importDeviceModule(llvm::Module &module, const CodegenOptions &options);

/// Returns true if device code may call F without a definition: an intrinsic, a function of the
/// contract, of device math or of the device's C library.
bool isProvidedByDevice(const llvm::Function &f);

/// Wraps an ELF image as a vxbin: u64 lowest address, u64 end address, flat bytes.
llvm::Error makeVxBin(llvm::ArrayRef<char> elf, llvm::SmallVectorImpl<char> &output);

/// Packs images into a fat binary (intrinsics/abi/FatBinary.h).
struct FatImage {
  abi::Lowering lowering;
  abi::IsaProfile profile;
  unsigned xlen;
  bool zicond; ///< needs conditional-zero instructions
  llvm::ArrayRef<char> elf;
};
/// COMPILER: the library that compiles the IR among IMAGES; empty: it is looked for.
void makeFatBinary(llvm::ArrayRef<FatImage> images, llvm::SmallVectorImpl<char> &output,
                   llvm::StringRef compiler = "");

} // namespace vx

#endif // VX_PASSES_PIPELINES_H
