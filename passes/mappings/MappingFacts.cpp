// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/mappings/MappingFacts.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/regions/LogicalWarps.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

bool isWatched(const Module &m) {
  return deviceOption::forCheckers(m) || keepsVariables(m);
}

bool isExchange(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn && isWarpFunction(*fn);
}

const Module &MappingFacts::module() const {
  return *variant.getParent();
}

bool MappingFacts::isForHost() const {
  return vx::isForHost(module());
}

bool MappingFacts::blocksWait() const {
  return hasKernelFlag(variant, abi::kKernelBlocksWait);
}

const std::string &MappingFacts::whyNoLogicalWarps() {
  if (!noLogicalWarps)
    noLogicalWarps = findWhyNoLogicalWarps();
  return *noLogicalWarps;
}

std::string MappingFacts::findWhyNoLogicalWarps() {
  auto has = [&](VxFn wanted) {
    return any_of(instructions(variant),
                  [&](const Instruction &i) { return getVxFn(&i) == wanted; });
  };
  if (isForHost())
    return "a thread of the host runs a whole block";
  if (lanesWait)
    return "threads of a warp may wait for a lock that another one holds";
  // A part of them may wait for another.
  if (has(VxFn::GroupSync))
    return "it has groups of several warps";
  if (module().getFunction(sourceNameOf(variant)) && none_of(instructions(variant), isExchange))
    return "";
  if (hasPaths(module())) // and so may those of a logical warp
    return kOnPaths;
  if (has(VxFn::ThreadWait))
    return "its threads wait at mbarriers, and exchange values";
  LogicalWarpPlan plan = planLogicalWarps(variant, fam);
  if (plan.flow == WarpFlow::Divergent)
    return "the threads of a warp may diverge around a warp function";
  variant.addFnAttr(kLogicalWarpPlanAttr, plan.toString());
  return "";
}

} // namespace vx
