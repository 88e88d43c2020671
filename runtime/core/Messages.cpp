// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/Messages.h"
#include <cstdio>

namespace vx::rt {

void printMessage(const std::string &text) {
  std::fflush(stdout);
  std::fprintf(stderr, "vxrt: %s\n", text.c_str());
}

} // namespace vx::rt
