// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// D: double precision.

#include "simulator/func/insns/Float.h"

namespace vx::sim::handlers {

using fp::F32;
using fp::F64;

VX_EXEC(FMADD_D) {
  fmaLanes<F64, false, false>(e, d);
}
VX_EXEC(FMSUB_D) {
  fmaLanes<F64, false, true>(e, d);
}
VX_EXEC(FNMSUB_D) {
  fmaLanes<F64, true, false>(e, d);
}
VX_EXEC(FNMADD_D) {
  fmaLanes<F64, true, true>(e, d);
}

VX_EXEC(FADD_D) {
  addLanes<F64>(e, d);
}
VX_EXEC(FSUB_D) {
  subLanes<F64>(e, d);
}
VX_EXEC(FMUL_D) {
  mulLanes<F64>(e, d);
}
VX_EXEC(FDIV_D) {
  divLanes<F64>(e, d);
}
VX_EXEC(FSQRT_D) {
  sqrtLanes<F64>(e, d);
}

VX_EXEC(FSGNJ_D) {
  bitwise<F64>(e, d, [](auto a, auto b) { return (a & ~F64::signBit) | (b & F64::signBit); });
}
VX_EXEC(FSGNJN_D) {
  bitwise<F64>(e, d, [](auto a, auto b) { return (a & ~F64::signBit) | (~b & F64::signBit); });
}
VX_EXEC(FSGNJX_D) {
  bitwise<F64>(e, d, [](auto a, auto b) { return a ^ (b & F64::signBit); });
}
VX_EXEC(FMIN_D) {
  quiet<F64>(e, d, [](auto a, auto b, auto &env) { return fp::minMax<F64>(a, b, false, env); });
}
VX_EXEC(FMAX_D) {
  quiet<F64>(e, d, [](auto a, auto b, auto &env) { return fp::minMax<F64>(a, b, true, env); });
}

VX_EXEC(FLE_D) {
  compare<F64>(e, d, [](auto a, auto b) { return a <= b; }, fp::lessEqual<F64>);
}
VX_EXEC(FLT_D) {
  compare<F64>(e, d, [](auto a, auto b) { return a < b; }, fp::less<F64>);
}
VX_EXEC(FEQ_D) {
  compare<F64>(e, d, [](auto a, auto b) { return a == b; }, fp::equal<F64>);
}
VX_EXEC(FCLASS_D) {
  inspect<F64>(e, d, fp::classify<F64>);
}

VX_EXEC(FCVT_W_D) {
  toIntegerLanes<F64, int32_t>(e, d);
}
VX_EXEC(FCVT_WU_D) {
  toIntegerLanes<F64, uint32_t>(e, d);
}
VX_EXEC(FCVT_L_D) {
  toIntegerLanes<F64, int64_t>(e, d);
}
VX_EXEC(FCVT_LU_D) {
  toIntegerLanes<F64, uint64_t>(e, d);
}
VX_EXEC(FCVT_D_W) {
  fromIntegerLanes<F64, int32_t>(e, d, false);
}
VX_EXEC(FCVT_D_WU) {
  fromIntegerLanes<F64, uint32_t>(e, d, false);
}
VX_EXEC(FCVT_D_L) {
  fromIntegerLanes<F64, int64_t>(e, d, true);
}
VX_EXEC(FCVT_D_LU) {
  fromIntegerLanes<F64, uint64_t>(e, d, true);
}

VX_EXEC(FMV_X_D) {
  mapLanes(e, e.x(d.rd), e.f(d.rs1), [](uint64_t bits) { return bits; });
}
VX_EXEC(FMV_D_X) {
  mapLanes(e, e.f(d.rd), e.x(d.rs1), [](uint64_t bits) { return bits; });
}

VX_EXEC(FCVT_S_D) {
  convertLanes<F32, F64>(e, d, true);
}
VX_EXEC(FCVT_D_S) {
  convertLanes<F64, F32>(e, d, false);
}

} // namespace vx::sim::handlers
