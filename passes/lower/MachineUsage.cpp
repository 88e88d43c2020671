// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/lower/MachineUsage.h"
#include "intrinsics/abi/KernelTable.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/KernelInfo.h"
#include "passes/lower/CodeGen.h"
#include "passes/lower/MachineCosts.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;

namespace vx {
namespace {

class MachineUsage : public MachineFunctionPass {
public:
  explicit MachineUsage(UsageMap &usage) : MachineFunctionPass(id), usage(usage) {}

  StringRef getPassName() const override { return "Vortex register and stack usage"; }

  void getAnalysisUsage(AnalysisUsage &au) const override {
    au.addRequired<MachineLoopInfoWrapperPass>();
    au.addRequired<MachineBlockFrequencyInfoWrapperPass>();
    au.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(au);
  }

  bool runOnMachineFunction(MachineFunction &mf) override {
    FunctionUsage &u = usage[mf.getName()];
    u.frameBytes = mf.getFrameInfo().getStackSize();
    u.isOpen = mf.getFrameInfo().hasVarSizedObjects();
    const TargetRegisterInfo &tri = *mf.getSubtarget().getRegisterInfo();
    BitVector written(tri.getNumRegs());
    for (const MachineBasicBlock &mbb : mf)
      for (const MachineInstr &mi : mbb) {
        for (const MachineOperand &operand : mi.operands())
          if (operand.isReg() && operand.isDef() && operand.getReg().isPhysical())
            written.set(operand.getReg().id());
        if (mi.isCall() && !mi.isInlineAsm())
          addCall(u, mi);
      }
    SmallSet<StringRef, 32> names; // a register has a number for each width
    for (unsigned reg : written.set_bits())
      names.insert(tri.getRegAsmName(reg));
    u.registers = names.size();
    if (mf.getFunction().hasFnAttribute(kEntryAttr))
      u.cost = countCosts(mf, getAnalysis<MachineLoopInfoWrapperPass>().getLI(),
                          getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI());
    return false;
  }

private:
  static void addCall(FunctionUsage &u, const MachineInstr &mi) {
    for (const MachineOperand &operand : mi.operands())
      if (operand.isSymbol() || operand.isGlobal()) {
        StringRef callee =
            operand.isSymbol() ? operand.getSymbolName() : operand.getGlobal()->getName();
        if (callee != kSpillAreaFunction) // assembly without a frame
          u.callees.insert(callee);
        return;
      }
    u.callsUnknown = true;
  }

  static char id;
  UsageMap &usage;
};

char MachineUsage::id;

/// The usage of functions together with all that they may call.
class CallTreeUsage {
public:
  /// ADDRESSED: the functions that a call through a pointer may reach.
  CallTreeUsage(const UsageMap &usage, const StringSet<> &addressed)
      : usage(usage), addressed(addressed) {}

  struct Stack {
    uint64_t bytes = 0;
    bool isOpen = false; ///< it may be more: recursion, variable-length arrays
  };

  /// Returns the deepest stack of NAME, where each function is entered once.
  Stack stackOf(StringRef name) {
    if (auto known = done.find(name); known != done.end())
      return known->second;
    auto it = usage.find(name);
    if (it == usage.end() || !active.insert(name).second)
      return {0, true};
    const FunctionUsage &u = it->second;
    registers = std::max(registers, u.registers);
    Stack below;
    auto add = [&](StringRef callee) {
      Stack s = stackOf(callee);
      below = {std::max(below.bytes, s.bytes), below.isOpen || s.isOpen};
    };
    for (const auto &callee : u.callees)
      add(callee.first());
    if (u.callsUnknown)
      for (const auto &callee : addressed)
        add(callee.first());
    active.erase(name);
    return done[name] = {u.frameBytes + below.bytes, u.isOpen || below.isOpen};
  }

  /// The most that any function seen so far writes.
  unsigned registers = 0;

private:
  const UsageMap &usage;
  const StringSet<> &addressed;
  StringMap<Stack> done;
  StringSet<> active;
};

/// Returns the functions of MODULE that a pointer can hold, which are not its kernels.
StringSet<> addressedFunctions(const Module &module) {
  StringSet<> names;
  for (const Function &f : module)
    if (!f.isDeclaration() && !f.hasFnAttribute(kEntryAttr) && f.hasAddressTaken())
      names.insert(f.getName());
  return names;
}

abi::EntryCost costOf(const UsageMap &usage, const Function &entry) {
  auto it = usage.find(entry.getName());
  return it == usage.end() ? abi::EntryCost{} : it->second.cost;
}

template <typename ELFT>
Error patch(const object::ELFObjectFile<ELFT> &file, ArrayRef<KernelInfo> kernels,
            const UsageMap &usage, const StringSet<> &addressed, MutableArrayRef<char> elf) {
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
      CallTreeUsage tree(usage, addressed);
      uint64_t local = 0;
      for (const Function *entry : {kernel.direct, kernel.chunked}) {
        CallTreeUsage::Stack stack = tree.stackOf(entry->getName());
        local = std::max(local, stack.bytes);
        if (stack.isOpen)
          record->flags |= abi::kKernelOpenStack;
      }
      record->directCost = costOf(usage, *kernel.direct);
      record->chunkedCost = costOf(usage, *kernel.chunked);
      record->numRegs = tree.registers;
      record->localBytes = static_cast<uint32_t>(std::min<uint64_t>(local, UINT32_MAX));
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
  StringSet<> addressed = addressedFunctions(module);
  if (auto *elf64 = dyn_cast<object::ELF64LEObjectFile>(file->get()))
    return patch(*elf64, kernels, usage, addressed, elf);
  if (auto *elf32 = dyn_cast<object::ELF32LEObjectFile>(file->get()))
    return patch(*elf32, kernels, usage, addressed, elf);
  return Error::success();
}

} // namespace vx
