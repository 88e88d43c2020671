// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the kernel table of an image, row by row of intrinsics/abi/KernelFields.def.

#ifndef VX_TOOLS_OBJDUMP_KERNELTABLEDUMP_H
#define VX_TOOLS_OBJDUMP_KERNELTABLEDUMP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace vx {

/// Prints table BYTES to OS: of each record its kernel (with C++ names as in the source, if
/// DEMANGLE), its mappings, its entries and what is not 0.
llvm::Error printKernelTable(llvm::ArrayRef<uint8_t> bytes, bool demangle, llvm::raw_ostream &os);

} // namespace vx

#endif // VX_TOOLS_OBJDUMP_KERNELTABLEDUMP_H
