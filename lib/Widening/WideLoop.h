// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits a loop over threads that runs a group of them in each turn, as lanes of vectors, before the
// loop that there is, which remains for the threads after the last whole group:
//
//     preheader --> groups ------------------> header (of the loop for the rest)
//                   |  ^
//                   v  |
//                 blocks of the loop, in order, each executed if a lane comes to it
//
// Control flow within a turn is a row of blocks. A lane takes part in those to which its branches
// lead: a mask says which do. Inner loops run until no lane is left in them.
//
// Values that other blocks use are kept in variables, which become values again at the end.

#ifndef VX_LIB_WIDENING_WIDELOOP_H
#define VX_LIB_WIDENING_WIDELOOP_H

#include "lib/Widening/LaneValues.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

namespace vx {

class WideLoop {
public:
  /// LI describes the function as it was before any loop was widened. VARIABLES get those that are
  /// to become values again (PromoteMemToReg).
  WideLoop(const ThreadLoop &t, const LaneValues &lanes, const llvm::LoopInfo &li, unsigned width,
           llvm::SmallVectorImpl<llvm::AllocaInst *> &variables);

  /// Returns false if a value passes from one thread to the next in a way that groups cannot have;
  /// nothing has been changed then.
  bool canCarryValues();
  /// Emits the loop over groups.
  void emit();

private:
  // --- control flow (WideControl.cpp) ---
  void emitLevel(const llvm::Loop &level);
  void emitBlock(const llvm::BasicBlock &bb);
  void emitInner(const llvm::Loop &inner);
  void emitBranch(const llvm::BranchInst &br);
  void emitExit(const llvm::BranchInst &br, const llvm::Loop &level);
  void leave(Edge edge, llvm::Value *leaving);
  void resetLevel(const llvm::Loop &level);
  /// Emits whether a lane comes to BB, and finds `mask`; null: one always does.
  llvm::Value *enterBlock(const llvm::BasicBlock &bb);
  bool runsAlways(const llvm::BasicBlock *bb) const;
  bool isCheap(const llvm::BasicBlock &bb) const;
  llvm::Value *maskOf(unsigned path);
  llvm::Value *maskOf(Edge edge);
  llvm::Value *takenOf(Edge edge);
  void take(Edge edge, llvm::Value *whether);
  void emitPhi(const llvm::PHINode &phi);
  llvm::Value *incoming(const llvm::PHINode &phi, unsigned k, bool asVector);

  // --- values (WideValues.cpp) ---
  /// Returns the type of a value of TYPE for each lane. Floats of 16 bits are kept as integers: of
  /// what is done with their vectors, code generation would make arithmetic of floats.
  llvm::Type *wide(llvm::Type *type) const;
  /// Convert between what a thread has and what is kept for it.
  llvm::Value *toElement(llvm::Value *v);
  llvm::Value *fromElements(llvm::Value *v, llvm::Type *type);
  llvm::Value *laneOf(llvm::Value *v, llvm::Value *lane, llvm::Type *type);
  llvm::Constant *allLanes() const;
  llvm::Constant *noLane() const;
  bool isAll(const llvm::Value *mask) const;
  llvm::Value *both(llvm::Value *mask, llvm::Value *condition);
  llvm::Value *either(llvm::Value *x, llvm::Value *y);
  llvm::Value *any(llvm::Value *mask);
  llvm::AllocaInst *variable(llvm::Type *type, const llvm::Twine &name);
  bool isUsedElsewhere(const llvm::Instruction &i) const;
  struct Values {
    llvm::DenseMap<const llvm::Value *, llvm::Value *> local, constant; ///< in the block, the turn
    llvm::DenseMap<const llvm::Value *, llvm::AllocaInst *> variables;
  };
  bool isConstant(const llvm::Value *v, const llvm::Value *as) const;
  void define(const llvm::Value *v, llvm::Value *as, Values &values);
  llvm::Value *find(const llvm::Value *v, Values &values);
  void defineScalar(const llvm::Value *v, llvm::Value *as) { define(v, as, scalars); }
  void defineVector(const llvm::Value *v, llvm::Value *as) { define(v, as, vectors); }
  llvm::Value *scalar(llvm::Value *v);
  llvm::Value *vector(llvm::Value *v);
  llvm::Value *operand(llvm::Value *v, bool asVector) { return asVector ? vector(v) : scalar(v); }
  llvm::Value *vectorFromStride(llvm::Value *v, int64_t stride);
  llvm::Constant *multiplesOf(llvm::Type *type, int64_t stride) const;
  void forgetLocals();

  // --- instructions (WideInstructions.cpp) ---
  void emitInstruction(llvm::Instruction &i);
  llvm::Value *fold(llvm::Value *v) const;
  void emitScalar(llvm::Instruction &i);
  void emitStrided(llvm::Instruction &i);
  llvm::Value *emitWide(llvm::Instruction &i);
  llvm::Value *emitWideIntrinsic(llvm::IntrinsicInst &i);
  void emitByLane(llvm::Instruction &i);
  bool emitReduced(llvm::AtomicRMWInst &i);

  // --- memory (WideMemory.cpp) ---
  llvm::Value *loadConstantLanes(llvm::LoadInst &load);
  bool isContiguous(llvm::Value *address, llvm::Type *type, int64_t step) const;
  llvm::Value *loadEvery(llvm::Value *first, llvm::Type *type, int64_t step, llvm::Align align);
  void emitCopy(llvm::MemCpyInst &copy);
  void emitLoad(llvm::LoadInst &load);
  void emitStore(llvm::StoreInst &store);

  // --- what passes from thread to thread (WideLoop.cpp) ---
  /// Finds the values to which a minimum over all threads passes from PHI on. Returns false if
  /// there are other uses.
  bool findMinimum(const llvm::PHINode &phi);
  void emitMinimum(llvm::IntrinsicInst &minimum);
  void emitGroup(llvm::Value *first);
  bool isOneGroup() const;
  void emitOneGroup();
  llvm::Value *nextOf(llvm::PHINode &phi, llvm::Value *own);

  llvm::BasicBlock *block(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(f.getContext(), name, &f, t.header);
  }

  const ThreadLoop t;
  const LaneValues &lanes;
  const llvm::LoopInfo &li;
  const unsigned width;
  llvm::Function &f;
  const llvm::DataLayout &dl;
  llvm::IRBuilder<> b;

  llvm::SmallVectorImpl<llvm::AllocaInst *> &variables;
  Values scalars, vectors;
  llvm::DenseMap<unsigned, llvm::AllocaInst *> masks; ///< by path
  llvm::DenseMap<Edge, llvm::AllocaInst *> taken;     ///< whether lanes have come that way
  llvm::DenseMap<const llvm::BasicBlock *, llvm::AllocaInst *> ran;
  /// Values of lanes that have left a loop, by the phi that takes them, and the block they left.
  llvm::DenseMap<std::pair<const llvm::PHINode *, const llvm::BasicBlock *>, llvm::AllocaInst *>
      left;
  llvm::Value *mask = nullptr,
              *runs = nullptr; ///< of the current block: who comes, and if one does
  /// The values of a minimum over all threads, and the variable that has it.
  llvm::DenseMap<const llvm::Value *, const llvm::PHINode *> reduced;
  llvm::DenseMap<const llvm::PHINode *, llvm::AllocaInst *> minima;
  llvm::SmallVector<llvm::BasicBlock *, 4>
      ends; ///< where lanes go that leave an inner loop at once
};

} // namespace vx

#endif // VX_LIB_WIDENING_WIDELOOP_H
