// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// M: multiply and divide. Division by zero and overflow have defined results, no trap.

#include "simulator/func/insns/Alu.h"
#include <limits>

namespace vx::sim {

namespace {

using Wide = __int128;
using UWide = unsigned __int128;

template <typename U> U divide(U a, U b) {
  using S = std::make_signed_t<U>;
  if (b == 0)
    return ~U(0);
  if (S(a) == std::numeric_limits<S>::min() && S(b) == -1)
    return a;
  return U(S(a) / S(b));
}

template <typename U> U remainder(U a, U b) {
  using S = std::make_signed_t<U>;
  if (b == 0)
    return a;
  if (S(b) == -1)
    return 0;
  return U(S(a) % S(b));
}

template <typename U> U divideUnsigned(U a, U b) {
  return b == 0 ? ~U(0) : U(a / b);
}
template <typename U> U remainderUnsigned(U a, U b) {
  return b == 0 ? a : U(a % b);
}

} // namespace

namespace handlers {

VX_EXEC(MUL) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return a * b; });
}
VX_EXEC(MULH) {
  registerOp<XLEN>(e, d, [](auto a, auto b) {
    return UInt<XLEN>((Wide(SInt<XLEN>(a)) * Wide(SInt<XLEN>(b))) >> XLEN);
  });
}
VX_EXEC(MULHSU) {
  registerOp<XLEN>(
      e, d, [](auto a, auto b) { return UInt<XLEN>((Wide(SInt<XLEN>(a)) * Wide(b)) >> XLEN); });
}
VX_EXEC(MULHU) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return UInt<XLEN>((UWide(a) * UWide(b)) >> XLEN); });
}
VX_EXEC(DIV) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return divide(a, b); });
}
VX_EXEC(DIVU) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return divideUnsigned(a, b); });
}
VX_EXEC(REM) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return remainder(a, b); });
}
VX_EXEC(REMU) {
  registerOp<XLEN>(e, d, [](auto a, auto b) { return remainderUnsigned(a, b); });
}

VX_EXEC(MULW) {
  wordOp(e, d, [](auto a, auto b) { return a * b; });
}
VX_EXEC(DIVW) {
  wordOp(e, d, [](auto a, auto b) { return divide(a, b); });
}
VX_EXEC(DIVUW) {
  wordOp(e, d, [](auto a, auto b) { return divideUnsigned(a, b); });
}
VX_EXEC(REMW) {
  wordOp(e, d, [](auto a, auto b) { return remainder(a, b); });
}
VX_EXEC(REMUW) {
  wordOp(e, d, [](auto a, auto b) { return remainderUnsigned(a, b); });
}

} // namespace handlers
} // namespace vx::sim
