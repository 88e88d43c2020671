// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/KernelInfo.h"
#include "lib/VortexIR/KernelParams.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

constexpr StringLiteral kMetadataName = "vx.kernels";

// Operand order of a kernel's node; the parameters follow as pairs (offset, size).
enum Field {
  kName,
  kDirect,
  kChunked,
  kContext,
  kShared,
  kMax,
  kMin,
  kBarrier,
  kTail,
  kSerial,
  kGroup,
  kRegroups,
  kFixed,
  kExact,
  kTeams,
  kFlat,
  kLoneTeams,
  kSpreads,
  kWaits,
  kLanesWait,
  kLaunches,
  kClusters,
  kClusterDim,
  kParams
};

} // namespace

KernelInfo describeKernel(const Function &kernel) {
  KernelInfo info;
  info.name = kernel.getName().str();
  info.params = layoutParams(kernel);
  info.maxThreads = kernel.getFnAttributeAsParsedInteger(kMaxThreadsAttr, 0);
  info.minBlocks = kernel.getFnAttributeAsParsedInteger(kMinBlocksAttr, 0);
  info.launches = kernel.hasFnAttribute(kLaunchesAttr);
  info.clusters = kernel.hasFnAttribute(kClustersAttr);
  info.clusterDim = kernel.getFnAttributeAsParsedInteger(kClusterDimAttr, 0);
  return info;
}

void appendKernelInfo(Module &m, const KernelInfo &info) {
  LLVMContext &ctx = m.getContext();
  auto number = [&](uint64_t v) -> Metadata * {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(ctx), v));
  };
  SmallVector<Metadata *, 16> ops = {MDString::get(ctx, info.name),
                                     ValueAsMetadata::get(info.direct),
                                     ValueAsMetadata::get(info.chunked),
                                     number(info.contextBytes),
                                     number(info.staticShared),
                                     number(info.maxThreads),
                                     number(info.minBlocks),
                                     number(info.usesBarrier),
                                     number(info.usesTail),
                                     number(info.serial),
                                     number(info.groupThreads),
                                     number(info.regroups),
                                     number(info.contextFixedBytes),
                                     number(info.exactGroups),
                                     number(info.teams),
                                     number(info.flat),
                                     number(info.loneTeams),
                                     number(info.spreads),
                                     number(info.waits),
                                     number(info.lanesWait),
                                     number(info.launches),
                                     number(info.clusters),
                                     number(info.clusterDim)};
  for (const abi::KernelParam &p : info.params) {
    ops.push_back(number(p.offset));
    ops.push_back(number(p.size));
  }
  m.getOrInsertNamedMetadata(kMetadataName)->addOperand(MDNode::get(ctx, ops));
}

SmallVector<KernelInfo, 8> readKernelInfos(const Module &m) {
  SmallVector<KernelInfo, 8> infos;
  const NamedMDNode *table = m.getNamedMetadata(kMetadataName);
  if (!table)
    return infos;
  for (const MDNode *node : table->operands()) {
    auto number = [&](unsigned i) {
      return mdconst::extract<ConstantInt>(node->getOperand(i))->getZExtValue();
    };
    KernelInfo info;
    info.name = cast<MDString>(node->getOperand(kName))->getString().str();
    info.direct = mdconst::extract<Function>(node->getOperand(kDirect));
    info.chunked = mdconst::extract<Function>(node->getOperand(kChunked));
    info.contextBytes = number(kContext);
    info.staticShared = number(kShared);
    info.maxThreads = number(kMax);
    info.minBlocks = number(kMin);
    info.usesBarrier = number(kBarrier) != 0;
    info.usesTail = number(kTail) != 0;
    info.serial = number(kSerial) != 0;
    info.groupThreads = number(kGroup);
    info.regroups = number(kRegroups) != 0;
    info.contextFixedBytes = number(kFixed);
    info.exactGroups = number(kExact) != 0;
    info.teams = number(kTeams) != 0;
    info.flat = number(kFlat) != 0;
    info.loneTeams = number(kLoneTeams) != 0;
    info.spreads = number(kSpreads) != 0;
    info.waits = number(kWaits) != 0;
    info.lanesWait = number(kLanesWait) != 0;
    info.launches = number(kLaunches) != 0;
    info.clusters = number(kClusters) != 0;
    info.clusterDim = number(kClusterDim);
    for (unsigned i = kParams; i + 1 < node->getNumOperands(); i += 2)
      info.params.push_back(
          {static_cast<uint32_t>(number(i)), static_cast<uint32_t>(number(i + 1))});
    infos.push_back(std::move(info));
  }
  return infos;
}

void writeKernelInfos(Module &m, ArrayRef<KernelInfo> infos) {
  m.getOrInsertNamedMetadata(kMetadataName)->clearOperands();
  for (const KernelInfo &info : infos)
    appendKernelInfo(m, info);
}

} // namespace vx
