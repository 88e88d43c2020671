// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs and requests of this library have in common when they are compiled.

#ifndef VX_NVRTC_DEVICE_IMAGES_H
#define VX_NVRTC_DEVICE_IMAGES_H

#include "lib/DeviceCompiler/DeviceCompiler.h"
#include "lib/DeviceCompiler/Installation.h"
#include <string>

namespace vx::nvrtc {

/// Returns the installation that this library is a part of.
const Installation &installation();

/// Sends what passes report through CONTEXT to LOG, which must outlive it: without the warnings of
/// loops that could not be unrolled.
void routeDiagnostics(llvm::LLVMContext &context, DiagnosticLog &log);

/// Returns the device that images are for where no option says: as vxcc without options.
CodegenOptions defaultTarget();

/// Returns all that LOG holds, as text.
std::string textOf(DiagnosticLog &log);

} // namespace vx::nvrtc

#endif // VX_NVRTC_DEVICE_IMAGES_H
