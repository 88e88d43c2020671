// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device driver over a shared library that has the functions of Vortex's vortex.h, or is a
// driver that Vortex's libvortex.so would load: their own simulators, RTL models and FPGAs. It runs
// in a child process, so that its end is a failure of a kernel and not of the program.

#ifndef VX_RUNTIME_BACKENDS_LIBRARY_LIBRARYDEVICE_H
#define VX_RUNTIME_BACKENDS_LIBRARY_LIBRARYDEVICE_H

#include "runtime/core/Device.h"

namespace vx::rt {

/// NAME is a path (it has a slash) or the short name of a library libvortex-NAME.so, which is then
/// looked for as the dynamic linker does. VX_LOCAL_MEMORY says how many bytes of local memory a
/// core has, where the library does not say it.
Result<std::unique_ptr<Device>> openLibraryDevice(const std::string &name);

} // namespace vx::rt

#endif // VX_RUNTIME_BACKENDS_LIBRARY_LIBRARYDEVICE_H
