// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_RUNTIME_CORE_MESSAGES_H
#define VX_RUNTIME_CORE_MESSAGES_H

#include <string>

namespace vx::rt {

/// Writes a message of the runtime to stderr, after what the program has printed before.
void printMessage(const std::string &text);

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_MESSAGES_H
