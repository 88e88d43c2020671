// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/lower/MachineUsage.h"
#include "intrinsics/abi/KernelTable.h"
#include "passes/lower/CodeGen.h"
#include "passes/regions/KernelInfo.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include <optional>

using namespace llvm;

namespace vx {
namespace {

class MachineUsage : public MachineFunctionPass {
public:
  explicit MachineUsage(UsageMap &usage) : MachineFunctionPass(id), usage(usage) {}

  StringRef getPassName() const override { return "Vortex register and stack usage"; }

  void getAnalysisUsage(AnalysisUsage &au) const override {
    au.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(au);
  }

  bool runOnMachineFunction(MachineFunction &mf) override {
    FunctionUsage &u = usage[mf.getName()];
    u.frameBytes = mf.getFrameInfo().getStackSize();
    const TargetRegisterInfo &tri = *mf.getSubtarget().getRegisterInfo();
    SmallSet<StringRef, 32> written;
    for (const MachineBasicBlock &mbb : mf)
      for (const MachineInstr &mi : mbb) {
        for (const MachineOperand &operand : mi.operands())
          if (operand.isReg() && operand.isDef() && operand.getReg().isPhysical())
            written.insert(tri.getRegAsmName(operand.getReg()));
        if (mi.isCall() && !mi.isInlineAsm())
          addCall(u, mi);
      }
    u.registers = written.size();
    return false;
  }

private:
  static void addCall(FunctionUsage &u, const MachineInstr &mi) {
    for (const MachineOperand &operand : mi.operands())
      if (operand.isSymbol() && StringRef(operand.getSymbolName()) == kSpillAreaFunction) {
        return;
      } else if (operand.isGlobal()) {
        u.callees.insert(operand.getGlobal()->getName());
        return;
      }
    u.callsUnknown = true;
  }

  static char id;
  UsageMap &usage;
};

char MachineUsage::id;

/// Deepest stack of NAME and what it calls; none if recursion or an unknown call makes it open.
std::optional<uint64_t> stackBytes(StringRef name, const UsageMap &usage, StringSet<> &active,
                                   unsigned &registers) {
  auto it = usage.find(name);
  if (it == usage.end() || it->second.callsUnknown || !active.insert(name).second)
    return std::nullopt;
  const FunctionUsage &u = it->second;
  registers = std::max(registers, u.registers);
  uint64_t deepest = 0;
  for (const auto &callee : u.callees) {
    std::optional<uint64_t> below = stackBytes(callee.first(), usage, active, registers);
    if (!below)
      return std::nullopt;
    deepest = std::max(deepest, *below);
  }
  active.erase(name);
  return u.frameBytes + deepest;
}

template <typename ELFT>
Error patch(const object::ELFObjectFile<ELFT> &file, ArrayRef<KernelInfo> kernels,
            const UsageMap &usage, MutableArrayRef<char> elf) {
  for (const object::SectionRef section : file.sections()) {
    Expected<StringRef> name = section.getName();
    if (!name)
      return name.takeError();
    if (*name != abi::kKernelTableSection)
      continue;
    uint64_t at = object::ELFSectionRef(section).getOffset() + sizeof(abi::KernelTableHeader);
    for (const KernelInfo &kernel : kernels) {
      if (at + sizeof(abi::KernelRecord) > elf.size())
        return createStringError("the kernel table is cut short");
      auto *record = reinterpret_cast<abi::KernelRecord *>(elf.data() + at);
      unsigned registers = 0;
      uint64_t local = 0;
      for (const Function *entry : {kernel.direct, kernel.chunked}) {
        StringSet<> active;
        local = std::max(local, stackBytes(entry->getName(), usage, active, registers).value_or(0));
      }
      record->numRegs = registers;
      record->localBytes = static_cast<uint32_t>(local);
      at += sizeof(abi::KernelRecord);
    }
  }
  return Error::success();
}

} // namespace

MachineFunctionPass *createMachineUsagePass(UsageMap &usage) {
  return new MachineUsage(usage);
}

Error recordUsage(const Module &module, const UsageMap &usage, MutableArrayRef<char> elf) {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(StringRef(elf.data(), elf.size()), "image"));
  if (!file)
    return file.takeError();
  SmallVector<KernelInfo, 8> kernels = readKernelInfos(module);
  if (auto *elf64 = dyn_cast<object::ELF64LEObjectFile>(file->get()))
    return patch(*elf64, kernels, usage, elf);
  if (auto *elf32 = dyn_cast<object::ELF32LEObjectFile>(file->get()))
    return patch(*elf32, kernels, usage, elf);
  return Error::success();
}

} // namespace vx
