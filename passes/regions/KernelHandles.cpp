// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-kernel-handles: the address of a kernel in device code is that of a variable which describes
// the kernel to the code that launches it (intrinsics/abi/DeviceLaunch.h); its code has no address
// of its own, since it depends on the launch which of the entries runs. Kernels that may launch
// others are marked.

#include "intrinsics/abi/DeviceLaunch.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

static Constant *makeHandle(Function &kernel) {
  Module &m = *kernel.getParent();
  SmallVector<uint32_t, 8> words(sizeof(abi::KernelHandle) / 4, 0);
  words[offsetof(abi::KernelHandle, magic) / 4] = abi::kKernelHandleMagic;
  words[offsetof(abi::KernelHandle, maxThreads) / 4] =
      kernel.getFnAttributeAsParsedInteger(kMaxThreadsAttr, 0);
  Constant *value = ConstantDataArray::get(m.getContext(), words);
  auto *handle = new GlobalVariable(m, value->getType(), false, GlobalValue::ExternalLinkage, value,
                                    abi::kKernelHandlePrefix + kernel.getName());
  handle->setExternallyInitialized(true); // by the runtime
  handle->setAlignment(Align(16));
  handle->setDSOLocal(true);
  return handle;
}

static void makeHandles(Module &m) {
  SmallVector<Function *, 8> kernels;
  for (Function &f : m)
    if (isKernel(f) && !f.isDeclaration() && !f.use_empty())
      kernels.push_back(&f);
  for (Function *kernel : kernels)
    kernel->replaceAllUsesWith(makeHandle(*kernel));
}

/// Sets FLAG of kernels that lead to a function whose name begins with PREFIX.
static void mark(Module &m, StringRef prefix, abi::KernelFlags flag) {
  auto isSought = [&](const Function &f) { return f.getName().starts_with(prefix); };
  if (none_of(m, [&](const Function &f) { return isSought(f) && !f.use_empty(); }))
    return;
  for (Function &kernel : m)
    if (isKernel(kernel) && !kernel.isDeclaration() &&
        any_of(reachableFrom({&kernel}), [&](const Function *f) { return isSought(*f); }))
      setKernelFlag(kernel, flag);
}

PreservedAnalyses KernelHandlesPass::run(Module &m, ModuleAnalysisManager &) {
  makeHandles(m);
  mark(m, "__vx_launch_", abi::kKernelLaunches);  // runtime/device/Launch.cpp
  mark(m, "__vx_cluster_", abi::kKernelClusters); // runtime/device/Cluster.cpp
  return PreservedAnalyses::none();
}

} // namespace vx
