// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// F: single precision.

#include "simulator/func/insns/Float.h"

namespace vx::sim::handlers {

using fp::F32;

VX_EXEC(FMADD_S) {
  fmaLanes<F32, false, false>(e, d);
}
VX_EXEC(FMSUB_S) {
  fmaLanes<F32, false, true>(e, d);
}
VX_EXEC(FNMSUB_S) {
  fmaLanes<F32, true, false>(e, d);
}
VX_EXEC(FNMADD_S) {
  fmaLanes<F32, true, true>(e, d);
}

VX_EXEC(FADD_S) {
  addLanes<F32>(e, d);
}
VX_EXEC(FSUB_S) {
  subLanes<F32>(e, d);
}
VX_EXEC(FMUL_S) {
  mulLanes<F32>(e, d);
}
VX_EXEC(FDIV_S) {
  divLanes<F32>(e, d);
}
VX_EXEC(FSQRT_S) {
  sqrtLanes<F32>(e, d);
}

VX_EXEC(FSGNJ_S) {
  bitwise<F32>(e, d, [](auto a, auto b) { return (a & ~F32::signBit) | (b & F32::signBit); });
}
VX_EXEC(FSGNJN_S) {
  bitwise<F32>(e, d, [](auto a, auto b) { return (a & ~F32::signBit) | (~b & F32::signBit); });
}
VX_EXEC(FSGNJX_S) {
  bitwise<F32>(e, d, [](auto a, auto b) { return a ^ (b & F32::signBit); });
}
VX_EXEC(FMIN_S) {
  quiet<F32>(e, d, [](auto a, auto b, auto &env) { return fp::minMax<F32>(a, b, false, env); });
}
VX_EXEC(FMAX_S) {
  quiet<F32>(e, d, [](auto a, auto b, auto &env) { return fp::minMax<F32>(a, b, true, env); });
}

VX_EXEC(FLE_S) {
  compare<F32>(e, d, [](auto a, auto b) { return a <= b; }, fp::lessEqual<F32>);
}
VX_EXEC(FLT_S) {
  compare<F32>(e, d, [](auto a, auto b) { return a < b; }, fp::less<F32>);
}
VX_EXEC(FEQ_S) {
  compare<F32>(e, d, [](auto a, auto b) { return a == b; }, fp::equal<F32>);
}
VX_EXEC(FCLASS_S) {
  inspect<F32>(e, d, fp::classify<F32>);
}

VX_EXEC(FCVT_W_S) {
  toIntegerLanes<F32, int32_t>(e, d);
}
VX_EXEC(FCVT_WU_S) {
  toIntegerLanes<F32, uint32_t>(e, d);
}
VX_EXEC(FCVT_L_S) {
  toIntegerLanes<F32, int64_t>(e, d);
}
VX_EXEC(FCVT_LU_S) {
  toIntegerLanes<F32, uint64_t>(e, d);
}
VX_EXEC(FCVT_S_W) {
  fromIntegerLanes<F32, int32_t>(e, d, true);
}
VX_EXEC(FCVT_S_WU) {
  fromIntegerLanes<F32, uint32_t>(e, d, true);
}
VX_EXEC(FCVT_S_L) {
  fromIntegerLanes<F32, int64_t>(e, d, true);
}
VX_EXEC(FCVT_S_LU) {
  fromIntegerLanes<F32, uint64_t>(e, d, true);
}

// Moves take the bits as they are, boxed or not.
VX_EXEC(FMV_X_W) {
  mapLanes(e, e.x(d.rd), e.f(d.rs1), extendWord);
}
VX_EXEC(FMV_W_X) {
  mapLanes(e, e.f(d.rd), e.x(d.rs1), [](uint64_t bits) { return bits | kBox; });
}

} // namespace vx::sim::handlers
