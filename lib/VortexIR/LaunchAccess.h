// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads from the launch descriptor and from the thread's control block, at the offsets that the ABI
// headers give. Descriptor fields never change during a launch, so their loads are invariant.

#ifndef VX_LIB_VORTEXIR_LAUNCHACCESS_H
#define VX_LIB_VORTEXIR_LAUNCHACCESS_H

#include "intrinsics/abi/LaunchDescriptor.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace vx {

/// Loads a TYPE at byte OFFSET of the launch descriptor DESC; mark it invariant.
inline llvm::LoadInst *loadField(llvm::IRBuilderBase &b, llvm::Value *desc, uint64_t offset,
                                 llvm::Type *type, const llvm::Twine &name = "") {
  llvm::Value *at = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), desc, offset);
  llvm::LoadInst *load = b.CreateLoad(type, at, name);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
  return load;
}

/// Emits a 64-bit address field as a pointer (its low half where pointers are 32 bits wide).
inline llvm::Value *loadPointerField(llvm::IRBuilderBase &b, llvm::Value *desc, uint64_t offset,
                                     const llvm::Twine &name = "") {
  return b.CreateIntToPtr(loadField(b, desc, offset, b.getInt64Ty()), b.getPtrTy(), name);
}

/// Emits the address of byte OFFSET in the control block of the running lane.
inline llvm::Value *tcbAddress(llvm::IRBuilderBase &b, uint64_t offset) {
  llvm::Value *tp = b.CreateIntrinsic(llvm::Intrinsic::thread_pointer, {b.getPtrTy()}, {});
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), tp, offset);
}

} // namespace vx

#endif // VX_LIB_VORTEXIR_LAUNCHACCESS_H
