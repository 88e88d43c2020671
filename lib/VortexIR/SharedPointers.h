// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An analysis that tells which values of a module may hold an address in shared memory. Pointers
// lose the address space where a program makes them generic, so the addresses of shared variables
// are followed forwards, through the whole module: arithmetic, casts, phis and selects, arguments
// and results of calls, also of calls through pointers, parts of aggregates, and memory. The result
// is a superset of the values that do; the analysis is insensitive to control flow and to calling
// context, as Andersen's is, with one object for each local and global variable and one for all
// other memory.

#ifndef VX_LIB_VORTEXIR_SHAREDPOINTERS_H
#define VX_LIB_VORTEXIR_SHAREDPOINTERS_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace vx {

/// Returns true if some function of M has a volatile load or store.
bool hasVolatileAccesses(const llvm::Module &m);

class SharedPointers {
public:
  /// Follows the addresses of the shared variables of M.
  explicit SharedPointers(const llvm::Module &m);

  /// Returns true if POINTER may be an address in shared memory.
  bool mayBeShared(const llvm::Value *pointer) const { return values.contains(pointer); }

private:
  void add(const llvm::Value *v);
  void follow();
  void followInto(const llvm::Instruction &user, const llvm::Value &v);
  void followCall(const llvm::CallBase &call, const llvm::Value &v);
  void followReturn(const llvm::Function &f);
  void addArgument(const llvm::Function &callee, const llvm::CallBase &call, const llvm::Value &v);
  bool addMemory(const llvm::Value *address);
  bool mayHoldAddress(const llvm::Value *address) const;
  bool followMemory();

  llvm::DenseSet<const llvm::Value *> values;
  llvm::SmallVector<const llvm::Value *, 32> work;
  /// Variables that may hold such an address; whether memory that is none of them may.
  llvm::DenseSet<const llvm::Value *> objects;
  bool anywhere = false;
  /// The instructions that read memory: loads, copies, read-modify-write operations.
  llvm::SmallVector<const llvm::Instruction *, 32> readers;
  /// The functions whose address is taken, and the calls that may be of one of them.
  llvm::SmallVector<const llvm::Function *, 4> callees;
  llvm::SmallVector<const llvm::CallBase *, 4> indirectCalls;
};

} // namespace vx

#endif // VX_LIB_VORTEXIR_SHAREDPOINTERS_H
