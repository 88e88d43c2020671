// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the entries of a kernel: functions that the start-up code calls on every lane of every
// warp with the launch descriptor (intrinsics/abi/LaunchDescriptor.h). An entry finds out which
// slot it belongs to, walks over the blocks of that slot and runs a body for each of them: the
// kernel itself, or its region form (lib/PRTransform).

#ifndef VX_PASSES_REGIONS_ENTRYBUILDER_H
#define VX_PASSES_REGIONS_ENTRYBUILDER_H

#include "lib/VortexIR/VxFunctions.h"
#include "passes/regions/EntrySlot.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <array>
#include <memory>

namespace vx {

/// Returns true if F calls FN itself.
bool usesFn(const llvm::Function &f, VxFn fn);
/// Returns true if a block of KERNEL may use shared memory: itself, or in a function that it calls.
bool usesShared(const llvm::Function &kernel);

/// Builds one entry. Call one of the build functions, once.
class EntryBuilder {
public:
  /// NAME is that of the entry without the prefix "__vx_entry.". MAKESLOT: which threads share a
  /// slot for blocks. NEEDSTAIL: the bookkeeping words (TailLayout) are used. GUARDREUSE: the
  /// slot's next block starts when all hardware threads are done with this one.
  EntryBuilder(llvm::Function &kernel, const llvm::Twine &name, MakeSlot *makeSlot, bool needsTail,
               bool guardReuse);

  /// Builds the entry with one thread on each lane.
  llvm::Function *buildDirect();
  /// Builds the region form, which has loops over the threads, or warps, of each hardware thread.
  /// WHOLE, if it is there, is for blocks whose rows consist of whole warps.
  llvm::Function *buildRegions(llvm::Function &regions, llvm::Function *whole = nullptr);

private:
  llvm::Type *i64() { return b.getInt64Ty(); }
  llvm::Value *load(uint64_t offset, llvm::Type *type);
  llvm::BasicBlock *block(const llvm::Twine &name);

  void loadArguments();
  void openBlocks();
  void resetTail();
  void storeTail(uint64_t offset, uint32_t value);
  void emitBody(llvm::Function &body, llvm::ArrayRef<llvm::Value *> extra);
  void inlineBody(llvm::CallInst &call);
  void closeBlocks();
  void endCluster();
  llvm::Function *finish(llvm::BasicBlock *coordinatesAt, llvm::Value *thread);
  void locateRest();
  void replaceUniform(llvm::Instruction &i, VxFn fn);
  void replaceBlockCoordinates(llvm::ArrayRef<llvm::BasicBlock *> blocks);
  llvm::Value *divideUnlessFlat();
  std::array<llvm::Value *, 3> divideBlockNumber();
  llvm::Value *divideByGridDim(llvm::Value *n, unsigned axis);

  llvm::Module &m;
  llvm::LLVMContext &ctx;
  llvm::IRBuilder<> b;
  llvm::Function &kernel;
  bool needsTail, guardReuse;
  llvm::Function *entry = nullptr;
  llvm::Value *desc = nullptr;
  std::unique_ptr<EntrySlot> slot;
  llvm::SmallVector<llvm::Value *, 8> args;
  llvm::BasicBlock *header = nullptr, *blockCoordinates = nullptr;
  llvm::PHINode *blockNumber = nullptr;
  llvm::Value *blocks = nullptr;      ///< of the grid, or up to the one at which this launch ends
  llvm::Value *linearBlock = nullptr; ///< the block's number in the grid; differs with clusters
  bool clusters = false;              ///< the blocks of a cluster are resident together
  llvm::SmallVector<llvm::CallInst *, 2> bodyCalls;
};

} // namespace vx

#endif // VX_PASSES_REGIONS_ENTRYBUILDER_H
