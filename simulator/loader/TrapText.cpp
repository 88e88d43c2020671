// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/api/TrapText.h"
#include "intrinsics/isa/Disassembler.h"
#include "intrinsics/text/Hex.h"
#include "simulator/api/LineTable.h"

namespace vx::sim {

std::string describeLocation(uint64_t pc, const ElfImage *image) {
  std::string text = hexText(pc);
  if (!image)
    return text;
  if (std::string function = image->describe(pc); !function.empty())
    text += " in " + function;
  if (SourceLine source = LineTable(*image).find(pc); !source.file.empty())
    text += " at " + source.file + ":" + std::to_string(source.line);
  return text;
}

std::string summarize(const TrapReport &trap) {
  std::string text = toString(trap.cause);
  switch (trap.cause) {
  case TrapCause::MemoryAccess:
  case TrapCause::Misaligned:
  case TrapCause::StackOverflow:
    if (trap.accessBytes)
      text += std::string(trap.isWrite ? ": store of " : ": load of ") +
              std::to_string(trap.accessBytes) + " byte(s)";
    return text + " at " + hexText(trap.address);
  case TrapCause::EnvironmentCall:
    return text + " " + hexText(trap.code);
  default:
    return text;
  }
}

std::string formatTrap(const TrapReport &trap, const ElfImage *image, unsigned xlen) {
  std::string text = summarize(trap) + "\n  pc " + describeLocation(trap.pc, image);
  if (trap.instruction)
    text += "\n  instruction " + isa::disassemble(trap.instruction, trap.pc, xlen);
  text += "\n  core " + std::to_string(trap.core) + ", warp " + std::to_string(trap.warp) +
          ", lane " + std::to_string(trap.lane) + ", active lanes " + hexText(trap.activeMask);
  if (trap.groupThreads)
    text += " of a group of " + std::to_string(trap.groupThreads) + " from thread " +
            std::to_string(trap.groupStart) + " of the core";
  if (trap.storePc)
    text += "\n  waits for the store at " + describeLocation(trap.storePc, image);
  if (!trap.detail.empty())
    text += "\n  " + trap.detail;
  return text + "\n";
}

const char *toString(TrapCause cause) {
  switch (cause) {
  case TrapCause::None:
    return "none";
  case TrapCause::IllegalInstruction:
    return "illegal instruction";
  case TrapCause::MemoryAccess:
    return "illegal memory access";
  case TrapCause::Misaligned:
    return "misaligned address";
  case TrapCause::FetchAccess:
    return "instruction fetch outside executable memory";
  case TrapCause::UnguardedDivergence:
    return "divergent branch without split or pred";
  case TrapCause::IpdomOverflow:
    return "too many nested splits";
  case TrapCause::IpdomUnderflow:
    return "join or warp end without a matching split";
  case TrapCause::BarrierDeadlock:
    return "barrier deadlock";
  case TrapCause::BadBarrier:
    return "bad barrier operands";
  case TrapCause::BadWarpSpawn:
    return "bad warp spawn";
  case TrapCause::TileMisuse:
    return "bad vx_tile";
  case TrapCause::StackOverflow:
    return "stack overflow";
  case TrapCause::Breakpoint:
    return "breakpoint";
  case TrapCause::EnvironmentCall:
    return "environment call";
  case TrapCause::NoProgress:
    return "no forward progress";
  case TrapCause::CycleLimit:
    return "run limit reached";
  case TrapCause::Interrupted:
    return "interrupted";
  }
  return "unknown";
}

} // namespace vx::sim
