// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking device code: the units of all objects become one module, which is then optimised and
// lowered as if it came from one file.

#ifndef VX_LIB_DRIVER_DEVICELINK_H
#define VX_LIB_DRIVER_DEVICELINK_H

#include "lib/Driver/DeviceUnits.h"
#include "llvm/ADT/StringRef.h"

namespace vx::driver {

/// The linked module, and the options to compile it with: what the link's own OPTIONS do not say is
/// as the units have been compiled with, all targets of all of them.
struct LinkedModule {
  std::unique_ptr<llvm::Module> module; ///< null after errors
  Options options;
};

/// Links UNITS. A symbol that is undefined or defined twice is an error that names the files.
LinkedModule linkDeviceUnits(llvm::ArrayRef<DeviceUnit> units, const Options &options,
                             llvm::LLVMContext &context, DiagnosticLog &log);

/// Makes the host object that has FATBINARY and defines the REGISTRATIONS for it; false after
/// errors.
bool makeLinkedObject(llvm::ArrayRef<char> fatBinary, llvm::ArrayRef<std::string> registrations,
                      Bytes &output, DiagnosticLog &log);

} // namespace vx::driver

#endif // VX_LIB_DRIVER_DEVICELINK_H
