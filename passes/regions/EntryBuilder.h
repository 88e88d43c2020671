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
#include <optional>

namespace vx {

/// True if F calls FN itself.
bool usesFn(const llvm::Function &f, VxFn fn);
/// True if a block of KERNEL may use shared memory: itself, or in a function that it calls.
bool usesShared(const llvm::Function &kernel);

/// Builds one entry. Call one of the build functions, once.
class EntryBuilder {
public:
  /// NAME is that of the entry, behind "__vx_entry.". NEEDSTAIL: the bookkeeping words (TailLayout)
  /// are used. GUARDREUSE: the slot's next block starts when all lanes are done with this one.
  /// GROUPED: hardware warps may have to merge before anything else.
  EntryBuilder(llvm::Function &kernel, const llvm::Twine &name, bool needsTail, bool guardReuse,
               bool grouped = false);

  /// One thread on each lane.
  llvm::Function *buildDirect();
  /// A loop over chunks of threads around a body without barriers.
  llvm::Function *buildChunked();
  /// The region form, which has its own loops: all lanes of the slot's warps share a block.
  llvm::Function *buildRegions(llvm::Function &regions);
  /// The region form where one hardware thread runs a whole block or, where it SPREADS, some of
  /// its CUDA warps.
  llvm::Function *buildSerial(llvm::Function &regions, bool spreads);
  /// The region form where the caller runs one block (intrinsics/abi/HostWorker.h).
  llvm::Function *buildForHost(llvm::Function &regions);

private:
  llvm::Type *i64() { return b.getInt64Ty(); }
  llvm::Value *load(uint64_t offset, llvm::Type *type);
  llvm::BasicBlock *block(const llvm::Twine &name);

  void open(SlotKind kind);
  void loadArguments();
  llvm::Function *buildRegions(llvm::Function &regions, SlotKind kind);
  void openBlocks();
  void resetTail();
  void storeTail(uint64_t offset, uint32_t value);
  void emitBody(llvm::Function &body, llvm::ArrayRef<llvm::Value *> extra);
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
  SlotKind warps; ///< of the entries whose slots are groups of warps
  llvm::Function *entry = nullptr;
  llvm::Value *desc = nullptr;
  std::optional<EntrySlot> slot;
  llvm::SmallVector<llvm::Value *, 8> args;
  llvm::BasicBlock *header = nullptr, *blockCoordinates = nullptr;
  llvm::PHINode *blockNumber = nullptr;
  llvm::Value *linearBlock = nullptr; ///< the block's number in the grid; differs with clusters
  bool clusters = false;              ///< the blocks of a cluster are resident together
  llvm::CallInst *bodyCall = nullptr;
};

} // namespace vx

#endif // VX_PASSES_REGIONS_ENTRYBUILDER_H
