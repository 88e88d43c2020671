// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/func/Decoder.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/CheckHints.h"
#include "simulator/func/Handlers.h"
#include <algorithm>

namespace vx::sim {

using isa::Extension;
using isa::Format;

namespace {

/// The handler of a word that has not been decoded yet.
void decodeThenRun(Exec &e, Insn &insn) {
  if (!e.decoder.decodeAt(e, insn))
    return;
  insn.run(e, insn);
  e.decoder.executedNew(e);
}

Access accessOf(isa::Memory memory) {
  switch (memory) {
  case isa::Memory::None:
  case isa::Memory::Fence:
    return Access::None;
  case isa::Memory::Load:
    return Access::Load;
  case isa::Memory::Store:
    return Access::Store;
  case isa::Memory::LoadReserved:
  case isa::Memory::Atomic:
    return Access::Atomic;
  case isa::Memory::Texture:
    return Access::Texture;
  }
  return Access::None;
}

} // namespace

bool Decoder::decodeAt(Exec &e, Insn &insn) const {
  uint32_t word;
  uint8_t *bytes = e.pointer(e.pc, sizeof word, kExecute);
  if (!bytes) {
    e.trap(TrapCause::FetchAccess, e.firstLane()).address = e.pc;
    return false;
  }
  std::memcpy(&word, bytes, sizeof word);
  std::string why;
  Insn decoded;
  if (!decode(word, decoded, why)) {
    insn.word = word;
    e.trap(TrapCause::IllegalInstruction, e.firstLane(), std::move(why));
    return false;
  }
  insn = decoded;
  if (!device.checker) // which may want to know anything of the core
    joinStraight(insn, e.pc % kPageBytes / 4);
  return true;
}

/// INSN, the one at INDEX of its page, has been decoded: how many follow each other from it and
/// from those before it?
void Decoder::joinStraight(Insn &insn, uint64_t index) {
  if (isa::info(insn.op).form().flow != isa::Flow::Straight)
    return;
  constexpr uint16_t most = 64; // of what is looked at for each instruction
  const Insn *next = index + 1 < kPageBytes / 4 ? &insn + 1 : nullptr;
  insn.straight = uint16_t(1 + std::min<uint16_t>(next ? next->straight : 0, most - 1));
  for (Insn *one = &insn; index-- && one[-1].straight && one->straight < most; --one)
    one[-1].straight = uint16_t(one->straight + 1);
}

std::unique_ptr<Decoder::Page> Decoder::makePage() {
  auto page = std::make_unique<Page>();
  for (Insn &insn : *page)
    insn.run = decodeThenRun;
  return page;
}

Decoder::Page &Decoder::findPage(uint64_t number) {
  std::unique_ptr<Page> &slot = pages[number];
  if (!slot)
    slot = makePage();
  lastNumber = number;
  lastPage = slot.get();
  return *slot;
}

bool Decoder::drop() {
  pages.clear();
  lastNumber = ~uint64_t(0);
  seen = device.codeVersion.load(std::memory_order_relaxed);
  return true;
}

bool Decoder::isEnabled(const isa::InsnInfo &row) const {
  const SimConfig &config = device.config;
  switch (row.extension) {
  case Extension::Zicond:
    return config.zicond;
  case Extension::VxUpstream:
    return config.warpIsa != WarpIsa::Off;
  case Extension::VxWarp:
    return config.warpIsa == WarpIsa::Warp;
  case Extension::VxClone:
    return config.clone;
  case Extension::VxTexture:
    return config.texture;
  default:
    return true;
  }
}

/// Returns what is wrong with the registers of a vx_tex, which writes its results one by one, or
/// null.
static const char *textureMisuse(isa::Fields w) {
  unsigned results = w.results();
  if (results > 4)
    return "has an invalid number of results";
  if (w.rd() + results > 32)
    return "has results past the last register";
  for (unsigned source : {w.rs1(), w.rs2(), w.rs3()})
    if (source - w.rd() < results)
      return "has a result in the register of an operand";
  return nullptr;
}

bool Decoder::decode(uint32_t word, Insn &insn, std::string &why) const {
  const isa::InsnInfo *row = isa::decode(word, device.config.xlen);
  if (!row) {
    why = "no such instruction";
    return false;
  }
  if (!isEnabled(*row)) {
    why = std::string(row->mnemonic) + " is switched off in the configuration (isa.*)";
    return false;
  }
  if (row->scope == isa::Scope::Mask && device.config.divergence == DivergencePolicy::Paths) {
    why = std::string(row->mnemonic) +
          " needs core.divergence = stack; vxcc --vx-isa=paths makes code without it";
    return false;
  }
  if (row->format == Format::VxVote && isa::Fields{word}.rs2() != 0 &&
      device.config.warpIsa != WarpIsa::Warp) {
    why = std::string(row->mnemonic) + " with a member mask needs isa.warp = warp";
    return false;
  }
  if (row->form().memory == isa::Memory::Texture)
    if (const char *misuse = textureMisuse({word})) {
      why = std::string(row->mnemonic) + " " + misuse;
      return false;
    }
  insn.op = row->op;
  insn.word = word;
  insn.run = handlerOf(row->op, device.config.xlen);
  insn.access = accessOf(row->form().memory);
  setOperands(*row, insn);
  if (row->op == isa::Op::SLTI && isa::Fields{word}.rd() == 0)
    decodeHint(insn);
  return true;
}

/// A hint copies its source to a register of the simulator's own.
void Decoder::decodeHint(Insn &insn) const {
  unsigned to;
  switch (insn.imm) {
  case VX_HINT_BLOCK:
    to = Core::kBlockHintRegister;
    break;
  case VX_HINT_THREAD:
    to = Core::kThreadHintRegister;
    break;
  case VX_HINT_ATOMIC_BYTE:
    to = Core::kAtomicByteRegister;
    break;
  case VX_HINT_ATOMIC_HALF:
    to = Core::kAtomicHalfRegister;
    break;
  case VX_HINT_PAUSE:
    to = Core::kPauseRegister;
    break;
  case VX_HINT_SIZE:
    to = Core::kSizeHintRegister;
    break;
  default:
    if (device.checker && insn.imm > VX_HINT_SIZE && insn.imm <= VX_HINT_LAST)
      insn.run = [](Exec &e, Insn &d) { e.device.checker->hinted(e, d); };
    return;
  }
  insn.run = handlerOf(isa::Op::ADDI, device.config.xlen);
  insn.rd = to * device.stride;
  if (device.checker && (to == Core::kBlockHintRegister || to == Core::kThreadHintRegister))
    insn.run = [](Exec &e, Insn &d) { e.device.checker->hinted(e, d); };
  else
    insn.imm = 0;
}

/// Register offsets are set as if all fields were register numbers: a handler uses those that its
/// format has. Only a write to x0 needs care.
void Decoder::setOperands(const isa::InsnInfo &row, Insn &insn) const {
  isa::Fields w{insn.word};
  const isa::FormatInfo &form = row.form();
  uint32_t stride = device.stride;
  insn.rd = (w.rd() == 0 && !form.writesF ? Core::kDiscardRegister : w.rd()) * stride;
  insn.rs1 = w.rs1() * stride;
  insn.rs2 = w.rs2() * stride;
  insn.rs3 = w.rs3() * stride;
  insn.rm = uint8_t(w.rm());
  insn.imm = w[form.immediate];
}

} // namespace vx::sim
