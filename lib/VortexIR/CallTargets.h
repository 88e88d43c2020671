// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The possible targets of calls through pointers. Device code is a closed world: a function of the
// call's type whose address is taken in the module. Calls that a pass has expanded name what is
// left for them (metadata `callees`).

#ifndef VX_LIB_VORTEXIR_CALLTARGETS_H
#define VX_LIB_VORTEXIR_CALLTARGETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class CallInst;
class Function;
class Module;
class Value;
} // namespace llvm

namespace vx {

using Functions = llvm::SmallVector<llvm::Function *, 8>;

/// Returns true for a call through a pointer; inline assembly is not one.
bool isThroughPointer(const llvm::Value &v);

/// The functions of a module whose address is taken. It stays valid as long as none is erased.
class CallTargets {
public:
  explicit CallTargets(const llvm::Module &m);

  /// Returns what CALL may call: the function that it names, or if it is through a pointer, every
  /// function of its type. A function also has the type of a call that leaves its result unused.
  Functions of(const llvm::CallBase &call) const;

private:
  Functions addressTaken;
};

/// Expands CALL, which is through a pointer, into comparisons of the pointer with each of DIRECT,
/// and direct calls of them, which are returned. Another pointer leads to a call through it, of one
/// of REST, or if there are none to a trap.
llvm::SmallVector<llvm::CallInst *, 8> expandCall(llvm::CallInst &call,
                                                  llvm::ArrayRef<llvm::Function *> direct,
                                                  llvm::ArrayRef<llvm::Function *> rest = {});

/// Makes a function that does what CALL does, with the pointer as its first parameter: it has the
/// comparisons and calls of expandCall.
llvm::Function &makeExpandedCall(const llvm::CallInst &call,
                                 llvm::ArrayRef<llvm::Function *> direct,
                                 llvm::ArrayRef<llvm::Function *> rest);

/// Replaces the body of F, whose address may be compared but which nothing calls, by a trap.
void replaceByTrap(llvm::Function &f);

} // namespace vx

#endif // VX_LIB_VORTEXIR_CALLTARGETS_H
