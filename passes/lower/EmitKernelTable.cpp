// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-emit-kernel-table: writes section .vx.kernels (intrinsics/abi/KernelTable.h) from !vx.kernels,
// as module-level assembly, so that the linker fills in the entry addresses.

#include "intrinsics/abi/FatBinaryNames.h"
#include "intrinsics/abi/KernelTable.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/DisplayName.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/mappings/KernelMapping.h"
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

  std::string write(MutableArrayRef<KernelInfo> infos) {
    uint64_t constants = constantBytes();
    os << ".pushsection " << abi::kKernelTableSection << ",\"\",@progbits\n.p2align 3\n"
       << ".Lvxk.start:\n";
    words({abi::kKernelTableMagic, abi::kKernelTableVersion, static_cast<uint32_t>(infos.size()),
           sizeof(KernelRecord)});
    for (const KernelInfo &info : infos)
      for (const abi::MappingInfo &mapping : abi::kMappings)
        if (info.isFor(mapping.mapping))
          mapped.insert((info.name + "/" + mapping.name).c_str());
    for (auto [i, info] : enumerate(infos)) {
      complete(info, constants);
      remark(info);
      record(i, info);
    }
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

  /// Returns true if some record of a kernel NAME is for MAPPING.
  bool isMapped(StringRef name, abi::Mapping mapping) const {
    return mapped.contains((name + "/" + abi::infoOf(mapping).name).str());
  }

  /// Fills in what is known only now.
  void complete(KernelInfo &info, uint64_t constants) {
    KernelRecord &r = info.record;
    r.numParams = info.params.size();
    for (const abi::KernelParam &p : info.params)
      r.argBytes = std::max(r.argBytes, p.offset + p.size);
    r.constBytes = static_cast<uint32_t>(constants);
    if (hasPaths(m))
      info.set(abi::kKernelPaths);
    if (none_of(abi::kMappings, [&](const abi::MappingInfo &mapping) {
          return mapping.lowering == abi::Lowering::Hw && info.isFor(mapping.mapping);
        }))
      return;
    auto profile = profileOf(info);
    r.isaProfile = static_cast<uint32_t>(profile);
    if (!info.isFor(abi::baseOf(abi::Lowering::Hw)))
      return;
    for (const abi::MappingInfo &mapping : abi::kMappings)
      if (kernelMappingOf(mapping.mapping).isServedBy(info) &&
          !isMapped(info.name, mapping.mapping))
        info.add(mapping.mapping);
  }

  void record(size_t i, const KernelInfo &info) {
    address(info.direct);
    address(info.chunked);
    os << ".long .Lvxk.name." << i << "-.Lvxk.start\n";
    os << ".long .Lvxk.params." << i << "-.Lvxk.start\n";
#define KERNEL_FIELD(NAME, ATTRIBUTE, TEXT) words({info.record.NAME});
#define KERNEL_COST(NAME, TEXT) os << ".zero " << sizeof(abi::EntryCost) << "\n";
#include "intrinsics/abi/KernelFields.def"
  }

  /// Remarks on what the hw variant asks of the device.
  void remark(const KernelInfo &info) {
    if (!info.isFor(abi::baseOf(abi::Lowering::Hw)) || !deviceOption::lowerRemarks(m))
      return;
    std::string what = "kernel '" + displayName(info.name) +
                       "': hw variant with instructions of profile '" +
                       abi::toString(static_cast<abi::IsaProfile>(info.record.isaProfile)) + "'";
    if (info.record.groupThreads)
      what += ", groups of " + std::to_string(info.record.groupThreads) + " threads";
    if (info.has(abi::kKernelLanesWait))
      what += "; threads of a warp may wait for a lock that another one holds, which hangs: auto "
              "takes the sw variant";
    for (const abi::MappingInfo &mapping : abi::kMappings)
      if (StringRef other = kernelMappingOf(mapping.mapping).remark();
          !other.empty() && isMapped(info.name, mapping.mapping))
        what += (", or " + other + " (" + mapping.name + ")").str();
    if (!info.has(abi::kKernelLanesWait) && isMapped(info.name, abi::baseOf(abi::Lowering::Sw)))
      what += "; auto takes it where the device has that, else the sw variant";
    m.getContext().diagnose(DiagnosticInfoGeneric(what, DS_Note));
  }

  /// Returns the least profile that has all instructions of the entries and what they may call.
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
  StringSet<> mapped; ///< "kernel/mapping"
  std::string text;
  raw_string_ostream os;
};

} // namespace

PreservedAnalyses EmitKernelTablePass::run(Module &m, ModuleAnalysisManager &) {
  SmallVector<KernelInfo, 8> infos = readKernelInfos(m);
  m.appendModuleInlineAsm(TableWriter(m).write(infos));
  return PreservedAnalyses::all();
}

} // namespace vx
