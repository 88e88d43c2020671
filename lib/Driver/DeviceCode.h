// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the device half's NVVM IR to what is written or embedded.

#ifndef VX_LIB_DRIVER_DEVICECODE_H
#define VX_LIB_DRIVER_DEVICECODE_H

#include "lib/DeviceCompiler/DeviceCompiler.h"
#include "lib/Driver/Options.h"
#include <memory>
#include <string>
#include <vector>

namespace vx::driver {

/// Sends what passes report through CONTEXT, as far as OPTIONS want it, to LOG; both must outlive
/// it.
void routeDiagnostics(llvm::LLVMContext &context, const Options &options, DiagnosticLog &log);

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

#endif // VX_LIB_DRIVER_DEVICECODE_H
