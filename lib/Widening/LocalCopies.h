// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local variables in memory that the threads of a loop use one after the other, and which have to
// be one for each lane when they become lanes.

#ifndef VX_LIB_WIDENING_LOCALCOPIES_H
#define VX_LIB_WIDENING_LOCALCOPIES_H

#include "lib/Widening/ThreadLoop.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace vx {

class LocalCopies {
public:
  /// Lets each of WIDTH neighbouring threads of T use a copy of its own.
  LocalCopies(const ThreadLoop &t, unsigned width) : t(t), width(width) {}

  /// Returns false if there is a variable that is not the threads' own, or too large; then nothing
  /// has been changed.
  bool make();
  /// Takes back what make() has done.
  void undo();

private:
  struct Replaced {
    llvm::Use *use;
    llvm::Instruction *address;
  };
  void copy(llvm::ArrayRef<llvm::Instruction *> addresses, llvm::Instruction &lane);

  const ThreadLoop t;
  const unsigned width;
  llvm::SmallVector<Replaced, 8> replaced;
  llvm::SmallVector<llvm::Instruction *, 8> made; ///< what they use before users
};

} // namespace vx

#endif // VX_LIB_WIDENING_LOCALCOPIES_H
