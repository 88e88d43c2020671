// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the device half's NVVM IR to what is written or embedded.

#ifndef VX_TOOLS_VXCC_DEVICE_CODE_H
#define VX_TOOLS_VXCC_DEVICE_CODE_H

#include "frontend/DiagnosticLog.h"
#include "tools/vxcc/Options.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace vx::driver {

using Bytes = llvm::SmallVector<char, 0>;

/// Sends what passes report through CONTEXT, as far as OPTIONS want it, to LOG; both must outlive
/// it.
void routeDiagnostics(llvm::LLVMContext &context, const Options &options, DiagnosticLog &log);

/// Reads a device module from a .ll or .bc file; null if it is not valid.
std::unique_ptr<llvm::Module> readModule(const std::string &path, llvm::LLVMContext &context,
                                         DiagnosticLog &log);

/// Compiles MODULE into OUTPUT as --emit says; false if there were errors (they are in LOG).
bool compileDeviceCode(std::unique_ptr<llvm::Module> module, const Options &options,
                       const std::string &resources, DeviceOutput kind, DiagnosticLog &log,
                       Bytes &output);

/// Returns the suffixes of the files that --keep leaves of the images in a fat binary.
std::vector<std::string> imageSuffixes(const Options &options);

/// Makes the fat binary that MODULE's host half embeds. The images are also returned one by one,
/// for --keep.
struct FatBinary {
  Bytes bytes;
  std::vector<std::pair<std::string, Bytes>> images; ///< file suffix, ELF
};
bool buildFatBinary(std::unique_ptr<llvm::Module> module, const Options &options,
                    const std::string &resources, DiagnosticLog &log, FatBinary &result);

} // namespace vx::driver

#endif // VX_TOOLS_VXCC_DEVICE_CODE_H
