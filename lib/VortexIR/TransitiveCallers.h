// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device functions that contain an instruction of some kind, directly or through what they
// call, by name or through pointers (CallTargets.h), and how to bring all of them into a kernel.

#ifndef VX_LIB_VORTEXIR_TRANSITIVECALLERS_H
#define VX_LIB_VORTEXIR_TRANSITIVECALLERS_H

#include "lib/VortexIR/CallTargets.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>
#include <utility>

namespace llvm {
class FunctionType;
class Instruction;
} // namespace llvm

namespace vx {

/// A call that closes a cycle of calls, and the function of the cycle that it calls again.
struct Recursion {
  const llvm::CallBase *call = nullptr; ///< null: there is none
  const llvm::Function *callee = nullptr;
  explicit operator bool() const { return call; }
};

class TransitiveCallers {
public:
  /// Finds the functions of M, except kernels, from which calls lead to an instruction that
  /// satisfies TEST. They stay valid as long as no function of M is erased.
  TransitiveCallers(llvm::Module &m, llvm::function_ref<bool(const llvm::Instruction &)> test);

  bool empty() const { return functions.empty(); }
  llvm::ArrayRef<llvm::Function *> get() const { return functions.getArrayRef(); }
  bool contains(const llvm::Function *f) const {
    return f && functions.contains(const_cast<llvm::Function *>(f));
  }
  /// Returns true if I is a call that may be of one of these functions.
  bool isCalledBy(const llvm::Instruction &i) const { return !calledBy(i).empty(); }
  /// Returns those of these functions that I may call, if it is a call.
  Functions calledBy(const llvm::Instruction &i) const;
  /// Returns those of these functions that F calls itself.
  llvm::SetVector<llvm::Function *> calledFrom(const llvm::Function &f) const;

  /// Returns a cycle of calls among these functions that F leads to.
  Recursion findRecursion(const llvm::Function &f) const;

  /// Returns the recursive ones of these functions, those that call each other together.
  llvm::SmallVector<Functions, 2> findCycles() const;

  /// Turns, from now on, calls through pointers that may be of several functions of one of CYCLES
  /// into calls of one function for all that may call the same: it has the comparisons, and is a
  /// part of the cycle. Else each call would have each function of the cycle as its own.
  void shareExpanded(llvm::ArrayRef<Functions> cycles);

  /// Expands CALL, through a pointer, into direct calls of those of these functions that it may
  /// call, which are returned, and one through the pointer for others.
  llvm::SmallVector<llvm::CallInst *, 8> expand(llvm::CallInst &call);

  /// Inlines every call of these functions into F, which must lead to no recursion except of
  /// functions for which REPLACE has another. Where it has null, the call stays. Calls through
  /// pointers are expanded.
  using Replace = llvm::function_ref<llvm::Function *(llvm::Function &)>;
  void inlineInto(llvm::Function &f, Replace replace = [](llvm::Function &f) { return &f; });

private:
  using FunctionSet = llvm::SmallPtrSetImpl<const llvm::Function *>;
  Recursion findRecursion(const llvm::Function &f, FunctionSet &open, FunctionSet &done) const;
  bool isShared(llvm::ArrayRef<llvm::Function *> direct) const;

  CallTargets targets;
  llvm::SetVector<llvm::Function *> functions;
  llvm::DenseMap<const llvm::Function *, unsigned> cycleOf; ///< of calls that are shared
  std::map<std::pair<llvm::FunctionType *, Functions>, llvm::Function *> expanded;
};

} // namespace vx

#endif // VX_LIB_VORTEXIR_TRANSITIVECALLERS_H
