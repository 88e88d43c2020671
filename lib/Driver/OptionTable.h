// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The option table that Options.td makes: identifiers, and the table that parses and prints them.

#ifndef VX_LIB_DRIVER_OPTIONTABLE_H
#define VX_LIB_DRIVER_OPTIONTABLE_H

#include "llvm/Option/OptTable.h"

namespace vx::driver {

enum OptionId {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

/// Returns the table of vxcc's options.
const llvm::opt::OptTable &optionTable();

} // namespace vx::driver

#endif // VX_LIB_DRIVER_OPTIONTABLE_H
