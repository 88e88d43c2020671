// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/KernelParams.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace vx {

SmallVector<abi::KernelParam, 8> layoutParams(const Function &kernel) {
  const DataLayout &dl = kernel.getDataLayout();
  SmallVector<abi::KernelParam, 8> params;
  uint64_t offset = 0;
  for (const Argument &arg : kernel.args()) {
    bool byVal = arg.hasByValAttr();
    Type *type = byVal ? arg.getParamByValType() : arg.getType();
    // The front end counts pointers as 8 bytes for every XLEN; so does the host.
    bool isPointer = type->isPointerTy();
    Align align = byVal && arg.getParamAlign() ? *arg.getParamAlign()
                  : isPointer                  ? Align(8)
                                               : dl.getABITypeAlign(type);
    uint64_t size = isPointer ? 8 : dl.getTypeAllocSize(type).getFixedValue();
    offset = alignTo(offset, align);
    params.push_back({static_cast<uint32_t>(offset), static_cast<uint32_t>(size)});
    offset += size;
  }
  return params;
}

} // namespace vx
