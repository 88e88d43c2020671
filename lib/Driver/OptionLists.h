// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of options that are lists, as -Xcompiler and -D have them. nvcc splits them itself
// and puts what it finds into a command for the shell, which takes blanks and quotes away once
// more.

#ifndef VX_LIB_DRIVER_OPTIONLISTS_H
#define VX_LIB_DRIVER_OPTIONLISTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace vx::driver {

/// Returns the elements of VALUE, which commas separate unless a backslash is before them or double
/// quotes are around them. Quotes stay, backslashes before a character with a meaning do not, and
/// empty elements are left out. Returns nothing if a quote is not closed.
std::optional<std::vector<std::string>> splitList(llvm::StringRef value);

/// Returns the words that a shell makes of ELEMENTS in one command.
std::vector<std::string> shellWords(llvm::ArrayRef<std::string> elements);

} // namespace vx::driver

#endif // VX_LIB_DRIVER_OPTIONLISTS_H
