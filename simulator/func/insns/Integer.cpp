// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// I and Zicond: computation.

#include "simulator/func/insns/Alu.h"

namespace vx::sim::handlers {

VX_EXEC(LUI) {
  setAll(e, d.rd, extend<XLEN>(uint64_t(d.imm)));
}
VX_EXEC(AUIPC) {
  setAll(e, d.rd, extend<XLEN>(e.pc + uint64_t(d.imm)));
}

VX_EXEC(ADDI) {
  immediateOp<XLEN>(e, d, [](auto a, auto b) { return a + b; });
}
VX_EXEC(SLTI) {
  immediateOp<XLEN>(e, d, [](auto a, auto b) { return SInt<XLEN>(a) < SInt<XLEN>(b); });
}
VX_EXEC(SLTIU) {
  immediateOp<XLEN>(e, d, [](auto a, auto b) { return a < b; });
}
VX_EXEC(XORI) {
  immediateOp<XLEN>(e, d, [](auto a, auto b) { return a ^ b; });
}
VX_EXEC(ORI) {
  immediateOp<XLEN>(e, d, [](auto a, auto b) { return a | b; });
}
VX_EXEC(ANDI) {
  immediateOp<XLEN>(e, d, [](auto a, auto b) { return a & b; });
}
VX_EXEC(SLLI) {
  immediateOp<XLEN>(e, d, [](auto a, auto b) { return a << b; });
}
VX_EXEC(SRLI) {
  immediateOp<XLEN>(e, d, [](auto a, auto b) { return a >> b; });
}
VX_EXEC(SRAI) {
  immediateOp<XLEN>(e, d, [](auto a, auto b) { return UInt<XLEN>(SInt<XLEN>(a) >> b); });
}

VX_EXEC(ADD) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return a + b; });
}
VX_EXEC(SUB) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return a - b; });
}
VX_EXEC(SLL) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return a << (b & (XLEN - 1)); });
}
VX_EXEC(SLT) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return SInt<XLEN>(a) < SInt<XLEN>(b); });
}
VX_EXEC(SLTU) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return a < b; });
}
VX_EXEC(XOR) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return a ^ b; });
}
VX_EXEC(SRL) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return a >> (b & (XLEN - 1)); });
}
VX_EXEC(SRA) {
  registerOp<XLEN>(e, d,
                   [](auto a, auto b) { return UInt<XLEN>(SInt<XLEN>(a) >> (b & (XLEN - 1))); });
}
VX_EXEC(OR) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return a | b; });
}
VX_EXEC(AND) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return a & b; });
}

VX_EXEC(ADDIW) {
  wordImmediateOp(e, d, [](auto a, auto b) { return a + b; });
}
VX_EXEC(SLLIW) {
  wordImmediateOp(e, d, [](auto a, auto b) { return a << b; });
}
VX_EXEC(SRLIW) {
  wordImmediateOp(e, d, [](auto a, auto b) { return a >> b; });
}
VX_EXEC(SRAIW) {
  wordImmediateOp(e, d, [](auto a, auto b) { return uint32_t(int32_t(a) >> b); });
}
VX_EXEC(ADDW) {
  wordOp(e, d, [](auto a, auto b) { return a + b; });
}
VX_EXEC(SUBW) {
  wordOp(e, d, [](auto a, auto b) { return a - b; });
}
VX_EXEC(SLLW) {
  wordOp(e, d, [](auto a, auto b) { return a << (b & 31); });
}
VX_EXEC(SRLW) {
  wordOp(e, d, [](auto a, auto b) { return a >> (b & 31); });
}
VX_EXEC(SRAW) {
  wordOp(e, d, [](auto a, auto b) { return uint32_t(int32_t(a) >> (b & 31)); });
}

VX_EXEC(CZERO_EQZ) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return b == 0 ? 0 : a; });
}
VX_EXEC(CZERO_NEZ) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return b != 0 ? 0 : a; });
}

} // namespace vx::sim::handlers
