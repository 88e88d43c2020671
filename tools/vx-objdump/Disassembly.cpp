// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/vx-objdump/Disassembly.h"
#include "intrinsics/isa/Disassembler.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace vx {

struct Disassembler::State {
  unsigned xlen;
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> assembly;
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCInstrInfo> instructions;
  std::unique_ptr<MCInstrAnalysis> analysis;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> disassembler;
  std::unique_ptr<MCInstPrinter> printer;
};

Disassembler::Disassembler(std::unique_ptr<State> state) : state(std::move(state)) {}
Disassembler::~Disassembler() = default;

Expected<std::unique_ptr<Disassembler>> Disassembler::create(unsigned xlen) {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVDisassembler();
  Triple triple(xlen == 32 ? "riscv32-unknown-elf" : "riscv64-unknown-elf");
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return createStringError(error);
  auto s = std::make_unique<State>();
  s->xlen = xlen;
  s->registers.reset(target->createMCRegInfo(triple));
  s->assembly.reset(target->createMCAsmInfo(*s->registers, triple, s->options));
  s->subtarget.reset(target->createMCSubtargetInfo(triple, "", "+m,+a,+f,+d,+c,+zicond,+zifencei"));
  s->instructions.reset(target->createMCInstrInfo());
  s->analysis.reset(target->createMCInstrAnalysis(s->instructions.get()));
  s->context = std::make_unique<MCContext>(triple, s->assembly.get(), s->registers.get(),
                                           s->subtarget.get());
  s->disassembler.reset(target->createMCDisassembler(*s->subtarget, *s->context));
  s->printer.reset(target->createMCInstPrinter(triple, s->assembly->getAssemblerDialect(),
                                               *s->assembly, *s->instructions, *s->registers));
  if (!s->disassembler || !s->printer)
    return createStringError("LLVM has no RISC-V disassembler");
  s->printer->setPrintBranchImmAsAddress(true);
  s->printer->setPrintImmHex(false);
  return std::unique_ptr<Disassembler>(new Disassembler(std::move(s)));
}

DecodedText Disassembler::decode(ArrayRef<uint8_t> bytes, uint64_t address) {
  DecodedText result;
  if (bytes.size() >= 4) {
    uint32_t word = support::endian::read32le(bytes.data());
    const isa::InsnInfo *row = isa::decode(word, state->xlen);
    if (row && row->extension >= isa::Extension::VxBase) {
      result.text = isa::disassemble(word, address, state->xlen);
      if (size_t space = result.text.find(' '); space != std::string::npos)
        result.text[space] = '\t'; // as LLVM's printer separates
      return result;
    }
  }
  MCInst instruction;
  uint64_t size = 0;
  if (state->disassembler->getInstruction(instruction, size, bytes, address, nulls()) !=
      MCDisassembler::Success) {
    bool isShort = bytes.size() < 4 || (bytes[0] & 3) != 3;
    result.size = std::min<size_t>(bytes.size(), isShort ? 2 : 4);
    result.text = "<unknown>";
    return result;
  }
  result.size = size;
  raw_string_ostream stream(result.text);
  state->printer->printInst(&instruction, address, "", *state->subtarget, stream);
  result.text = StringRef(result.text).trim().str();
  uint64_t target = 0;
  if (state->analysis && state->analysis->evaluateBranch(instruction, address, size, target))
    result.target = target;
  return result;
}

} // namespace vx
