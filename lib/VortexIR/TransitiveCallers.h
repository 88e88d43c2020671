// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device functions that contain an instruction of some kind, directly or through what they
// call, and how to bring all of them into a kernel.

#ifndef VX_LIB_VORTEXIR_TRANSITIVECALLERS_H
#define VX_LIB_VORTEXIR_TRANSITIVECALLERS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace vx {

class TransitiveCallers {
public:
  /// Finds the functions of M, kernels apart, from which direct calls lead to an instruction that
  /// satisfies TEST. They stay valid as long as no function of M is erased.
  TransitiveCallers(llvm::Module &m, llvm::function_ref<bool(const llvm::Instruction &)> test);

  bool empty() const { return functions.empty(); }
  bool contains(const llvm::Function *f) const {
    return f && functions.contains(const_cast<llvm::Function *>(f));
  }

  /// A call that closes a cycle of calls among these functions and that F leads to; null if there
  /// is none.
  const llvm::CallBase *findRecursion(const llvm::Function &f) const;

  /// Inlines every call of these functions into F, which must lead to no recursion.
  void inlineInto(llvm::Function &f) const;

private:
  using FunctionSet = llvm::SmallPtrSetImpl<const llvm::Function *>;
  const llvm::CallBase *findRecursion(const llvm::Function &f, FunctionSet &open,
                                      FunctionSet &done) const;
  bool isCalledBy(const llvm::CallBase &call) const;

  llvm::SetVector<llvm::Function *> functions;
};

} // namespace vx

#endif // VX_LIB_VORTEXIR_TRANSITIVECALLERS_H
