// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device driver over a shared library that has the functions of Vortex's vortex.h: their own
// simulators, RTL models and FPGAs. Only what every version of that interface agrees on is used.

#ifndef VX_RUNTIME_BACKENDS_LIBRARY_LIBRARYDEVICE_H
#define VX_RUNTIME_BACKENDS_LIBRARY_LIBRARYDEVICE_H

#include "runtime/core/Driver.h"

namespace vx::rt {

/// NAME is a path (it has a slash) or the short name of a library libvortex-NAME.so, which is then
/// looked for as the dynamic linker does.
Result<std::unique_ptr<Device>> openLibraryDevice(const std::string &name);

} // namespace vx::rt

#endif // VX_RUNTIME_BACKENDS_LIBRARY_LIBRARYDEVICE_H
