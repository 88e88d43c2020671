// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of the tool itself on the standard error stream.

#ifndef VX_LIB_DRIVER_MESSAGES_H
#define VX_LIB_DRIVER_MESSAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace vx::driver {

/// Prints "vxcc: error: MESSAGE".
void printError(const llvm::Twine &message);

/// Prints "vxcc: warning: MESSAGE".
void printWarning(const llvm::Twine &message);

/// Prints a step of --dryrun or -v: MARK, a space and the command as a shell would take it.
void printStep(llvm::ArrayRef<std::string> command, llvm::StringRef mark = "#$");

} // namespace vx::driver

#endif // VX_LIB_DRIVER_MESSAGES_H
