// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of the source that several parallel regions have copies of, as a debugger sees it.

#ifndef VX_LIB_PRTRANSFORM_REGIONSCOPES_H
#define VX_LIB_PRTRANSFORM_REGIONSCOPES_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace vx {

/// Gives the code of BLOCKS, the copy of a region, lexical blocks of its own, inside of those that
/// it is in. A breakpoint at a line stops at one place of each lexical block only.
void separateScopes(llvm::ArrayRef<llvm::BasicBlock *> blocks);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_REGIONSCOPES_H
