// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code that has been compiled and is not yet linked. A relocatable object has it in a
// section of its own, in LLVM's container for offloading (llvm::object::OffloadBinary): the NVVM IR
// of the front end as bitcode, together with the options that concern it later.

#ifndef VX_LIB_DRIVER_DEVICEUNITS_H
#define VX_LIB_DRIVER_DEVICEUNITS_H

#include "frontend/DiagnosticLog.h"
#include "lib/Driver/DeviceCode.h"
#include "lib/Driver/Options.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace vx::driver {

struct DeviceUnit {
  std::string name; ///< of its object; that of an archive is before it: "libx.a:y.o"
  std::unique_ptr<llvm::MemoryBuffer> bitcode;
  unsigned optLevel = 3;
  std::vector<std::string> deviceArgs; ///< Options::deviceArgs
};

/// The parts of objects and archives that a device link uses.
struct DeviceInputs {
  std::vector<DeviceUnit> units;
  /// Functions that the objects call to register their kernels and variables, and that the result
  /// of the link has to define.
  std::vector<std::string> registrations;
};

/// Writes MODULE, compiled with OPTIONS, as the content of the section.
void writeDeviceUnit(const llvm::Module &module, const Options &options, Bytes &output);

/// Reads what INPUTS, the linker's (files, and -l with its DIRECTORIES), have for a device link:
/// all members of archives, as nvlink does, and nothing of shared libraries. Objects that have been
/// linked already, to a result of -dlink that is among the inputs, are left out. Returns false
/// after errors.
bool readDeviceInputs(llvm::ArrayRef<std::string> inputs, llvm::ArrayRef<std::string> directories,
                      DeviceInputs &result, DiagnosticLog &log);

} // namespace vx::driver

#endif // VX_LIB_DRIVER_DEVICEUNITS_H
