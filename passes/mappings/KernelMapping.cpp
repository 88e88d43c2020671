// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/mappings/KernelMapping.h"
#include "lib/VortexIR/KernelInfo.h"
#include "passes/regions/LogicalWarps.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {

const KernelMapping &kernelMappingOf(abi::Mapping mapping) {
  static const KernelMapping *const mappings[] = {
#define MAPPING(ENUM, NAME, LOWERING, LANE, WARP, KERNEL, DEVICE) &k##ENUM##Mapping,
#include "intrinsics/abi/Mappings.def"
  };
  return *mappings[static_cast<uint32_t>(mapping)];
}

abi::Mapping mappingOf(const Function &kernel) {
  StringRef name = kernel.getFnAttribute(kMappingAttr).getValueAsString();
  for (const abi::MappingInfo &info : abi::kMappings)
    if (name == info.name)
      return info.mapping;
  return abi::baseOf(abi::Lowering::Hw);
}

Function &KernelMapping::copyOf(Function &variant, StringRef suffix) const {
  ValueToValueMapTy map;
  Function &copy = *CloneFunction(&variant, map);
  copy.setName(sourceNameOf(variant) + suffix);
  copy.removeFnAttr(kSoftwareAttr);
  copy.removeFnAttr(kLogicalWarpPlanAttr);
  copy.addFnAttr(kMappingAttr, abi::infoOf(mapping).name);
  return copy;
}

} // namespace vx
