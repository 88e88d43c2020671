// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How floating-point results are computed for all lanes of a warp; F and D differ by the format.
//
// Registers are 64 bits; a float is boxed with ones above it, and one that is not reads as NaN.
// The fast path: with rounding to nearest and the inexact flag set already, a host operation whose
// result is a normal number (and not the smallest, where tininess matters) can raise no flag that
// is not set, so its result is final. Everything else goes through SoftFloat.

#ifndef VX_SIMULATOR_FUNC_INSNS_FLOAT_H
#define VX_SIMULATOR_FUNC_INSNS_FLOAT_H

#include "simulator/func/SoftFloat.h"
#include "simulator/func/insns/Alu.h"

namespace vx::sim {

inline constexpr uint64_t kBox = 0xffffffff00000000;

/// Register value to bits of format T, and back.
template <typename T> typename T::Bits unbox(uint64_t value) {
  if constexpr (sizeof(typename T::Bits) == 4)
    return (value & kBox) == kBox ? uint32_t(value) : T::nan;
  else
    return value;
}
template <typename T> uint64_t box(typename T::Bits bits) {
  if constexpr (sizeof(typename T::Bits) == 4)
    return bits | kBox;
  else
    return bits;
}

/// The rounding mode that an instruction asks for. False: reserved, a trap has been reported.
inline bool setRounding(Exec &e, const Insn &d, fp::Env &env) {
  constexpr uint8_t dynamic = 7, numModes = 5;
  uint8_t mode = d.rm == dynamic ? e.warp().frm : d.rm;
  if (mode >= numModes) {
    e.trap(TrapCause::IllegalInstruction, e.firstLane(),
           "rounding mode " + std::to_string(mode) + " is reserved");
    return false;
  }
  env.rounding = fp::Rounding(mode);
  return true;
}

/// Whether a host result of the fast path is final.
template <typename T> bool isPlainNormal(typename T::Bits bits) {
  return unsigned(fp::fieldOf<T>(bits) - 2) < unsigned(T::maxField - 2);
}

/// fd := operate(env, host, soft, operands…) with a rounding mode: `host` works on host numbers,
/// `soft` on bits. N operands.
template <typename T, unsigned N, typename HostOp, typename SoftOp>
void arithmetic(Exec &e, const Insn &d, HostOp host, SoftOp soft) {
  using Bits = typename T::Bits;
  using Host = typename T::Host;
  fp::Env env;
  if (!setRounding(e, d, env))
    return;
  const uint64_t *operand[3] = {e.f(d.rs1), e.f(d.rs2), e.f(d.rs3)};
  uint64_t *result = e.f(d.rd);
  uint8_t &sticky = e.warp().fflags;
  bool mayUseHost = env.rounding == fp::Rounding::NearestEven;
  e.forLanes([&](unsigned lane) {
    Bits a = unbox<T>(operand[0][lane]);
    Bits b = N > 1 ? unbox<T>(operand[1][lane]) : 0;
    Bits c = N > 2 ? unbox<T>(operand[2][lane]) : 0;
    if (mayUseHost && (sticky & fp::kInexact)) [[likely]] {
      Bits bits = std::bit_cast<Bits>(
          host(std::bit_cast<Host>(a), std::bit_cast<Host>(b), std::bit_cast<Host>(c)));
      if (isPlainNormal<T>(bits)) [[likely]] {
        result[lane] = box<T>(bits);
        return;
      }
    }
    env.flags = 0;
    result[lane] = box<T>(soft(a, b, c, env));
    sticky |= env.flags;
  });
}

/// fd := f(fs1, fs2, env) without rounding.
template <typename T, typename F> void quiet(Exec &e, const Insn &d, F f) {
  const uint64_t *a = e.f(d.rs1), *b = e.f(d.rs2);
  uint64_t *result = e.f(d.rd);
  fp::Env env;
  e.forLanes(
      [&](unsigned lane) { result[lane] = box<T>(f(unbox<T>(a[lane]), unbox<T>(b[lane]), env)); });
  e.warp().fflags |= env.flags;
}

/// rd := f(fs1, fs2, env).
template <typename T, typename F> void compare(Exec &e, const Insn &d, F f) {
  const uint64_t *a = e.f(d.rs1), *b = e.f(d.rs2);
  uint64_t *result = e.x(d.rd);
  fp::Env env;
  e.forLanes([&](unsigned lane) { result[lane] = f(unbox<T>(a[lane]), unbox<T>(b[lane]), env); });
  e.warp().fflags |= env.flags;
}

/// rd := fs1 as an integer of type I.
template <typename T, typename I> void toIntegerLanes(Exec &e, const Insn &d) {
  fp::Env env;
  if (!setRounding(e, d, env))
    return;
  const uint64_t *a = e.f(d.rs1);
  uint64_t *result = e.x(d.rd);
  e.forLanes([&](unsigned lane) {
    I value = fp::toInteger<T, I>(unbox<T>(a[lane]), env);
    result[lane] = uint64_t(int64_t(std::make_signed_t<I>(value)));
  });
  e.warp().fflags |= env.flags;
}

/// fd := rs1, read as an integer of type I.
template <typename T, typename I> void fromIntegerLanes(Exec &e, const Insn &d, bool rounds) {
  fp::Env env;
  if (rounds && !setRounding(e, d, env))
    return;
  const uint64_t *a = e.x(d.rs1);
  uint64_t *result = e.f(d.rd);
  e.forLanes([&](unsigned lane) {
    if constexpr (std::is_signed_v<I>)
      result[lane] = box<T>(fp::fromSigned<T>(I(a[lane]), env));
    else
      result[lane] = box<T>(fp::fromUnsigned<T>(I(a[lane]), env));
  });
  e.warp().fflags |= env.flags;
}

/// fd := fs1 in another format.
template <typename To, typename From> void convertLanes(Exec &e, const Insn &d, bool rounds) {
  fp::Env env;
  if (rounds && !setRounding(e, d, env))
    return;
  const uint64_t *a = e.f(d.rs1);
  uint64_t *result = e.f(d.rd);
  e.forLanes([&](unsigned lane) {
    result[lane] = box<To>(fp::convert<To, From>(unbox<From>(a[lane]), env));
  });
  e.warp().fflags |= env.flags;
}

template <typename T> void addLanes(Exec &e, const Insn &d) {
  arithmetic<T, 2>(
      e, d, [](auto a, auto b, auto) { return a + b; },
      [](auto a, auto b, auto, fp::Env &env) { return fp::add<T>(a, b, env); });
}
template <typename T> void subLanes(Exec &e, const Insn &d) {
  arithmetic<T, 2>(
      e, d, [](auto a, auto b, auto) { return a - b; },
      [](auto a, auto b, auto, fp::Env &env) { return fp::sub<T>(a, b, env); });
}
template <typename T> void mulLanes(Exec &e, const Insn &d) {
  arithmetic<T, 2>(
      e, d, [](auto a, auto b, auto) { return a * b; },
      [](auto a, auto b, auto, fp::Env &env) { return fp::mul<T>(a, b, env); });
}
template <typename T> void divLanes(Exec &e, const Insn &d) {
  arithmetic<T, 2>(
      e, d, [](auto a, auto b, auto) { return a / b; },
      [](auto a, auto b, auto, fp::Env &env) { return fp::div<T>(a, b, env); });
}
template <typename T> void sqrtLanes(Exec &e, const Insn &d) {
  arithmetic<T, 1>(
      e, d, [](auto a, auto, auto) { return std::sqrt(a); },
      [](auto a, auto, auto, fp::Env &env) { return fp::sqrt<T>(a, env); });
}

/// ±(fs1 * fs2) ± fs3. Negating operands does not change which NaN or exception results.
template <typename T, bool NegateProduct, bool NegateAddend> void fmaLanes(Exec &e, const Insn &d) {
  arithmetic<T, 3>(
      e, d,
      [](auto a, auto b, auto c) {
        return std::fma(NegateProduct ? -a : a, b, NegateAddend ? -c : c);
      },
      [](auto a, auto b, auto c, fp::Env &env) {
        return fp::fma<T>(NegateProduct ? a ^ T::signBit : a, b, NegateAddend ? c ^ T::signBit : c,
                          env);
      });
}

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_INSNS_FLOAT_H
