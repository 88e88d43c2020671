// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How code of the host finds its worker (intrinsics/abi/HostWorker.h).

#ifndef VX_PASSES_LOWER_HOSTWORKERACCESS_H
#define VX_PASSES_LOWER_HOSTWORKERACCESS_H

#include "intrinsics/abi/HostWorker.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"

namespace vx {

/// Emits the address of the worker's block, which is that of the stack's area.
inline llvm::CallInst *hostWorker(llvm::IRBuilderBase &b) {
  std::string text = "movq %rsp, $0\n\tandq $$-" + std::to_string(abi::kHostWorkerBytes) + ", $0";
  auto *type = llvm::FunctionType::get(b.getPtrTy(), false);
  llvm::CallInst *call = b.CreateCall(llvm::InlineAsm::get(type, text, "=r,~{flags}", false));
  call->setMemoryEffects(llvm::MemoryEffects::none());
  call->addFnAttr(llvm::Attribute::NoUnwind);
  call->addFnAttr(llvm::Attribute::WillReturn);
  return call;
}

/// Emits the address of the field at OFFSET of the worker's block.
inline llvm::Value *hostWorkerField(llvm::IRBuilderBase &b, uint64_t offset) {
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), hostWorker(b), offset);
}

} // namespace vx

#endif // VX_PASSES_LOWER_HOSTWORKERACCESS_H
