// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches, jumps, system calls. All active lanes of a warp must agree where to go; a branch or
// jump whose lanes disagree was not guarded by split or pred and stops the guest.

#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/text/Hex.h"
#include "simulator/func/Decoder.h"
#include "simulator/func/insns/Alu.h"
#include <atomic>

namespace vx::sim {

namespace {

/// Sets the next pc, which must be a multiple of 4.
void jumpTo(Exec &e, uint64_t target) {
  if (target & 3) [[unlikely]] {
    e.trap(TrapCause::Misaligned, e.firstLane(), "jump to an address that is not a multiple of 4")
        .address = target;
    return;
  }
  e.nextPc = target;
}

/// Branches when holds(a, b); with all lanes agreeing.
template <unsigned XLEN, typename F> void branch(Exec &e, const Insn &d, F holds) {
  const uint64_t *a = e.x(d.rs1), *b = e.x(d.rs2);
  uint64_t taken =
      lanesWhere(e, [=](unsigned lane) { return holds(UInt<XLEN>(a[lane]), UInt<XLEN>(b[lane])); });
  if (taken == e.mask()) {
    jumpTo(e, UInt<XLEN>(e.pc + uint64_t(d.imm)));
  } else if (taken != 0) [[unlikely]] {
    uint64_t target = UInt<XLEN>(e.pc + uint64_t(d.imm));
    if (e.warp().paths && target % 4 == 0) {
      diverge(e, taken, target, e.mask() & ~taken, e.pc + 4);
      return;
    }
    e.trap(TrapCause::UnguardedDivergence, unsigned(std::countr_zero(taken)),
           "the branch is taken by lanes " + hexText(taken) + " of " + hexText(e.mask()));
  }
}

} // namespace

namespace handlers {

VX_EXEC(BEQ) {
  branch<XLEN>(e, d, [](auto a, auto b) { return a == b; });
}
VX_EXEC(BNE) {
  branch<XLEN>(e, d, [](auto a, auto b) { return a != b; });
}
VX_EXEC(BLT) {
  branch<XLEN>(e, d, [](auto a, auto b) { return SInt<XLEN>(a) < SInt<XLEN>(b); });
}
VX_EXEC(BGE) {
  branch<XLEN>(e, d, [](auto a, auto b) { return SInt<XLEN>(a) >= SInt<XLEN>(b); });
}
VX_EXEC(BLTU) {
  branch<XLEN>(e, d, [](auto a, auto b) { return a < b; });
}
VX_EXEC(BGEU) {
  branch<XLEN>(e, d, [](auto a, auto b) { return a >= b; });
}

VX_EXEC(JAL) {
  jumpTo(e, UInt<XLEN>(e.pc + uint64_t(d.imm)));
  setAll(e, d.rd, extend<XLEN>(e.pc + 4));
}

VX_EXEC(JALR) {
  const uint64_t *base = e.x(d.rs1);
  uint64_t target = addressOf<XLEN>(base[e.firstLane()], d.imm) & ~uint64_t(1);
  uint64_t agree = lanesWhere(e, [&](unsigned lane) {
    return (addressOf<XLEN>(base[lane], d.imm) & ~uint64_t(1)) == target;
  });
  if (agree != e.mask()) [[unlikely]] {
    uint64_t others = e.mask() & ~agree;
    if (e.warp().paths && target % 4 == 0) { // the others jump when they are a path of their own
      diverge(e, agree, target, others, e.pc);
      setAll(e, d.rd, extend<XLEN>(e.pc + 4));
      return;
    }
    e.trap(TrapCause::UnguardedDivergence, unsigned(std::countr_zero(others)),
           "the target of the jump is " + hexText(target) + " for lanes " + hexText(agree) +
               " only, active are " + hexText(e.mask()));
    return;
  }
  jumpTo(e, target);
  setAll(e, d.rd, extend<XLEN>(e.pc + 4));
}

VX_EXEC(FENCE) {
  std::atomic_thread_fence(std::memory_order_seq_cst); // for memory shared with the program
}
VX_EXEC(FENCE_I) {
  e.decoder.flush();
  e.yield();
}

VX_EXEC(ECALL) {
  constexpr unsigned a0 = 10, a7 = 17;
  uint64_t code = e.scalar(a7 * e.device.stride);
  if (code == VX_ECALL_EXIT) {
    e.exit(int(e.scalar(a0 * e.device.stride)));
    return;
  }
  e.trap(TrapCause::EnvironmentCall, e.lastLane()).code = code;
}
VX_EXEC(EBREAK) {
  e.trap(TrapCause::Breakpoint, e.firstLane());
}

} // namespace handlers
} // namespace vx::sim
