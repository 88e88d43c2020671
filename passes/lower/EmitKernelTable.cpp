// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-emit-kernel-table: writes section .vx.kernels (intrinsics/abi/KernelTable.h) from !vx.kernels,
// as module-level assembly, so that the linker fills in the entry addresses.

#include "intrinsics/abi/KernelTable.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include "lib/PRTransform/RegionFunction.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/DisplayName.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/lower/TargetFeatures.h"
#include "passes/regions/KernelInfo.h"
#include "passes/warp/GroupThreads.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {
namespace {

using abi::KernelRecord;

class TableWriter {
public:
  TableWriter(Module &m) : m(m), os(text) {}

  std::string write(ArrayRef<KernelInfo> infos) {
    uint64_t constants = constantBytes();
    os << ".pushsection " << abi::kKernelTableSection << ",\"\",@progbits\n.p2align 3\n"
       << ".Lvxk.start:\n";
    words({abi::kKernelTableMagic, abi::kAbiVersion, static_cast<uint32_t>(infos.size()),
           sizeof(KernelRecord)});
    for (const KernelInfo &info : infos)
      if (info.serial)
        serial.insert(info.name);
    for (const auto &[i, info] : enumerate(infos))
      record(i, info, constants);
    for (const auto &[i, info] : enumerate(infos)) {
      os << ".p2align 2\n.Lvxk.params." << i << ":\n";
      for (const abi::KernelParam &p : info.params)
        words({p.offset, p.size});
    }
    for (const auto &[i, info] : enumerate(infos)) {
      os << ".Lvxk.name." << i << ":\n.asciz \"";
      os.write_escaped(info.name);
      os << "\"\n";
    }
    os << ".popsection\n";
    return text;
  }

private:
  void words(std::initializer_list<uint32_t> values) {
    for (uint32_t v : values)
      os << ".long " << v << "\n";
  }

  void address(const Function *f) {
    bool is64 = m.getDataLayout().getPointerSizeInBits() == 64;
    os << (is64 ? ".quad " : ".long ") << "\"" << f->getName() << "\"\n";
    if (!is64)
      os << ".long 0\n";
  }

  void record(size_t i, const KernelInfo &info, uint64_t constants) {
    address(info.direct);
    address(info.chunked);
    os << ".long .Lvxk.name." << i << "-.Lvxk.start\n";
    os << ".long .Lvxk.params." << i << "-.Lvxk.start\n";
    uint32_t argBytes = 0;
    for (const abi::KernelParam &p : info.params)
      argBytes = std::max(argBytes, p.offset + p.size);
    uint32_t flags =
        (info.usesBarrier ? abi::kKernelUsesBarrier : 0) |
        (info.regroups ? abi::kKernelRegroups : 0) |
        (info.exactGroups ? abi::kKernelExactGroups : 0) | (info.serial ? abi::kKernelSerial : 0) |
        (info.teams ? abi::kKernelTeams : 0) | (info.flat ? abi::kKernelFlat : 0) |
        (info.loneTeams ? abi::kKernelLoneTeams : 0) | (info.spreads ? abi::kKernelSpreads : 0) |
        (info.waits ? abi::kKernelWaits : 0) | (info.lanesWait ? abi::kKernelLanesWait : 0) |
        (info.launches ? abi::kKernelLaunches : 0) | (info.clusters ? abi::kKernelClusters : 0);
    bool isSw = info.serial || info.teams;
    auto profile = isSw ? abi::IsaProfile::Base : profileOf(info);
    remark(info, profile);
    words({static_cast<uint32_t>(info.params.size()), argBytes,
           static_cast<uint32_t>(info.staticShared),
           info.usesTail ? static_cast<uint32_t>(kTailBytes) : 0,
           static_cast<uint32_t>(info.contextBytes), /*localBytes=*/0,
           static_cast<uint32_t>(constants), static_cast<uint32_t>(info.maxThreads),
           static_cast<uint32_t>(info.minBlocks), /*numRegs=*/0, flags,
           static_cast<uint32_t>(profile), static_cast<uint32_t>(info.groupThreads),
           static_cast<uint32_t>(info.contextFixedBytes), static_cast<uint32_t>(info.clusterDim),
           /*reserved=*/0});
  }

  /// What the hw variant asks of the device.
  void remark(const KernelInfo &info, abi::IsaProfile profile) {
    if (info.serial || info.teams || !wantsLowerRemarks(m))
      return;
    static constexpr const char *names[] = {"base", "upstream", "warp"};
    std::string what = "kernel '" + displayName(info.name) +
                       "': hw variant with instructions of profile '" +
                       names[static_cast<unsigned>(profile)] + "'";
    if (info.groupThreads)
      what += ", groups of " + std::to_string(info.groupThreads) + " threads";
    if (info.lanesWait)
      what += "; threads of a warp may wait for a lock that another one holds, which hangs: auto "
              "takes the sw variant";
    else if (serial.contains(info.name))
      what += "; auto takes it where the device has that, else the sw variant";
    m.getContext().diagnose(DiagnosticInfoGeneric(what, DS_Note));
  }

  /// The least that has all instructions of the entries and what they may call.
  static abi::IsaProfile profileOf(const KernelInfo &info) {
    auto profile = abi::IsaProfile::Base;
    for (const Function *f : reachableFrom({info.direct, info.chunked}))
      for (const Instruction &i : instructions(*f))
        if (const auto *call = dyn_cast<CallBase>(&i); call && call->isInlineAsm())
          profile = std::max(profile, vx::profileOf(*cast<InlineAsm>(call->getCalledOperand())));
    return profile;
  }

  uint64_t constantBytes() const {
    uint64_t bytes = 0;
    for (const GlobalVariable &g : m.globals())
      if (g.isConstant() && g.isExternallyInitialized())
        bytes += m.getDataLayout().getTypeAllocSize(g.getValueType()).getFixedValue();
    return bytes;
  }

  Module &m;
  StringSet<> serial; ///< names of kernels that have a sw variant
  std::string text;
  raw_string_ostream os;
};

} // namespace

PreservedAnalyses EmitKernelTablePass::run(Module &m, ModuleAnalysisManager &) {
  m.appendModuleInlineAsm(TableWriter(m).write(readKernelInfos(m)));
  return PreservedAnalyses::all();
}

} // namespace vx
