// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls of the program led to a call of the runtime, for reports.

#ifndef VX_RUNTIME_CORE_HOSTFRAMES_H
#define VX_RUNTIME_CORE_HOSTFRAMES_H

#include <string>
#include <vector>

namespace vx::rt {

/// The return addresses of the calling thread, the innermost first.
std::vector<void *> captureHostFrames();

/// "main+0x41 (program+0x1a41)" for each of FRAMES from the call of the runtime on, as far as the
/// files of the program have names.
std::vector<std::string> describeHostFrames(const std::vector<void *> &frames);

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_HOSTFRAMES_H
