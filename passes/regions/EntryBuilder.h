// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the entries of a kernel: functions that the start-up code calls on every lane of every
// warp with the launch descriptor (intrinsics/abi/LaunchDescriptor.h). An entry finds out which
// slot it belongs to, walks over the blocks of that slot and runs a body for each of them: the
// kernel itself, or its region form (lib/PRTransform).

#ifndef VX_PASSES_REGIONS_ENTRYBUILDER_H
#define VX_PASSES_REGIONS_ENTRYBUILDER_H

#include "lib/VortexIR/VxFunctions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace vx {

/// True if F calls FN itself.
bool usesFn(const llvm::Function &f, VxFn fn);
/// True if a block of KERNEL may use shared memory: itself, or in a function that it calls.
bool usesShared(const llvm::Function &kernel);

/// Builds one entry. Call one of the build functions, once.
class EntryBuilder {
public:
  /// SUFFIX becomes part of the name. NEEDSTAIL: the bookkeeping words (TailLayout) are used.
  /// GUARDREUSE: nobody starts the slot's next block before all lanes are done with this one.
  /// GROUPED: hardware warps may have to merge before anything else.
  EntryBuilder(llvm::Function &kernel, llvm::StringRef suffix, bool needsTail, bool guardReuse,
               bool grouped = false);

  /// One thread on each lane.
  llvm::Function *buildDirect();
  /// A loop over chunks of threads around a body without barriers.
  llvm::Function *buildChunked();
  /// The region form, which has its own loops: all lanes of the slot's warps share a block.
  llvm::Function *buildRegions(llvm::Function &regions);
  /// The region form where one hardware thread runs a whole block: every lane is a slot.
  llvm::Function *buildSerial(llvm::Function &regions);
  /// The region form where the caller runs one block (intrinsics/abi/HostWorker.h).
  llvm::Function *buildForHost(llvm::Function &regions);

private:
  llvm::Type *i64() { return b.getInt64Ty(); }
  llvm::Value *load(uint64_t offset, llvm::Type *type);
  llvm::Value *pointer(uint64_t offset);
  llvm::Value *csr32(unsigned csr);
  llvm::BasicBlock *block(const llvm::Twine &name);

  void openSlot();
  void formGroups();
  void openSerialSlot();
  void openHostBlock();
  void enterSlot(llvm::Value *slot, llvm::Value *slots);
  void locateShared(llvm::Value *core, llvm::Value *slot64);
  void loadArguments();
  llvm::Value *contextOf(llvm::Value *slot);
  void emitRegions(llvm::Function &regions, llvm::Value *context, llvm::Value *interleave,
                   llvm::Value *interleaved);
  void openBlocks();
  void resetTail();
  void storeTail(uint64_t offset, uint32_t value);
  void emitBody(llvm::Function &body, llvm::ArrayRef<llvm::Value *> extra);
  void closeBlocks();
  llvm::Function *finish(llvm::BasicBlock *coordinatesAt, llvm::Value *thread);
  void replaceUniform(llvm::Instruction &i, VxFn fn);
  void replaceBlockCoordinates(llvm::ArrayRef<llvm::BasicBlock *> blocks);

  llvm::Module &m;
  llvm::LLVMContext &ctx;
  llvm::IRBuilder<> b;
  llvm::Function &kernel;
  bool needsTail, guardReuse, grouped;
  bool serial = false;
  llvm::Function *entry = nullptr;
  llvm::Value *desc = nullptr;
  llvm::Value *warpsPerBlock = nullptr, *count = nullptr, *linear = nullptr, *step = nullptr,
              *barrierId = nullptr, *barrierCount = nullptr, *slotInGrid = nullptr,
              *gridStep = nullptr, *sharedBase = nullptr, *sharedTail = nullptr;
  llvm::SmallVector<llvm::Value *, 8> args;
  llvm::BasicBlock *done = nullptr, *header = nullptr, *blockCoordinates = nullptr;
  llvm::PHINode *blockNumber = nullptr;
  llvm::CallInst *bodyCall = nullptr;
};

} // namespace vx

#endif // VX_PASSES_REGIONS_ENTRYBUILDER_H
