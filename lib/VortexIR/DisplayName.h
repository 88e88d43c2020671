// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of a function or variable as it is in the source, for diagnostics.

#ifndef VX_LIB_VORTEXIR_DISPLAYNAME_H
#define VX_LIB_VORTEXIR_DISPLAYNAME_H

#include "intrinsics/abi/SymbolNames.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/GlobalValue.h"
#include <string>

namespace vx {

inline std::string displayName(llvm::StringRef symbol) {
  return llvm::demangle(abi::withoutFileHash(symbol));
}

inline std::string displayName(const llvm::GlobalValue &g) {
  return displayName(g.getName());
}

} // namespace vx

#endif // VX_LIB_VORTEXIR_DISPLAYNAME_H
