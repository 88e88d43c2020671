// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_TOOLS_OBJDUMP_CUOBJDUMP_H
#define VX_TOOLS_OBJDUMP_CUOBJDUMP_H

#include "llvm/ADT/ArrayRef.h"

namespace vx {

/// cuobjdump, for what vxcc has made: its options as far as they mean something here, an error for
/// the rest. Returns the exit code.
int runCuObjdump(llvm::ArrayRef<const char *> arguments);

} // namespace vx

#endif // VX_TOOLS_OBJDUMP_CUOBJDUMP_H
