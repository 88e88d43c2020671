// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes floating-point results for all lanes of a warp; F and D differ by the format.
//
// The fast path: with rounding to nearest and the inexact flag set already, a host operation whose
// result is a normal number (and not the smallest, where tininess matters) can raise no flag that
// is not set, so its result is final. Everything else goes through SoftFloat.

#ifndef VX_SIMULATOR_FUNC_INSNS_FLOAT_H
#define VX_SIMULATOR_FUNC_INSNS_FLOAT_H

#include "simulator/func/FloatBox.h"
#include "simulator/func/SoftFloat.h"
#include "simulator/func/insns/Alu.h"

namespace vx::sim {

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

/// Sets the rounding mode that an instruction asks for. Returns false if it is reserved; then a
/// trap has been reported.
[[gnu::always_inline]] inline bool setRounding(Exec &e, const Insn &d, fp::Env &env) {
  constexpr uint8_t dynamic = 7, numModes = 5;
  uint8_t mode = d.rm == dynamic ? e.warp().frm : d.rm;
  if (mode >= numModes) [[unlikely]] {
    e.trap(TrapCause::IllegalInstruction, e.firstLane(),
           "rounding mode " + std::to_string(mode) + " is reserved");
    return false;
  }
  env.rounding = fp::Rounding(mode);
  return true;
}

/// Tells if a host result of the fast path is final: else the sign bit of what is returned is set,
/// so that the answers for several results can be joined.
template <typename T> typename T::Bits notPlainNormal(typename T::Bits bits) {
  using Bits = typename T::Bits;
  constexpr Bits least = Bits(2) << T::manBits, most = T::infinity - 1;
  Bits magnitude = bits & ~T::signBit;
  return (magnitude - least) | (most - magnitude);
}
template <typename T> bool isPlainNormal(typename T::Bits bits) {
  return !(notPlainNormal<T>(bits) & T::signBit);
}

/// A vector of as many of the host's numbers as 16 bytes hold: handlers read and write registers in
/// pieces of that size, and a longer read of what has just been written would have to wait for it.
template <typename Host> using HostVector = Host __attribute__((vector_size(16)));

/// a * b + c by the host's instruction, where it has one: by a call per number otherwise.
#if defined(__x86_64__)
inline const bool kFuses = __builtin_cpu_supports("fma");
template <typename Host>
[[gnu::target("fma")]] HostVector<Host> fuse(HostVector<Host> a, HostVector<Host> b,
                                             HostVector<Host> c) {
#else
inline constexpr bool kFuses = true;
template <typename Host>
HostVector<Host> fuse(HostVector<Host> a, HostVector<Host> b, HostVector<Host> c) {
#endif
  HostVector<Host> result;
  for (unsigned i = 0; i < sizeof result / sizeof(Host); ++i)
    result[i] = std::fma(a[i], b[i], c[i]);
  return result;
}

/// ±(a * b) ± c on host numbers.
template <bool NegateProduct, bool NegateAddend> struct FusedOp {
  template <typename Host> Host operator()(Host a, Host b, Host c) const {
    return std::fma(NegateProduct ? -a : a, b, NegateAddend ? -c : c);
  }
  /// Computes a block of lanes, IN by operand.
  template <typename Host>
  void block(const Host (&in)[3][Exec::kBlock], Host (&out)[Exec::kBlock]) const {
    if (!kFuses) [[unlikely]] {
      for (unsigned i = 0; i < Exec::kBlock; ++i)
        out[i] = (*this)(in[0][i], in[1][i], in[2][i]);
      return;
    }
    HostVector<Host> v[3];
    for (unsigned i = 0; i < Exec::kBlock; i += sizeof v[0] / sizeof(Host)) {
      for (unsigned k = 0; k < 3; ++k)
        std::memcpy(&v[k], &in[k][i], sizeof v[k]);
      v[0] = fuse<Host>(NegateProduct ? -v[0] : v[0], v[1], NegateAddend ? -v[2] : v[2]);
      std::memcpy(&out[i], &v[0], sizeof v[0]);
    }
  }
};

/// result := host(operands…) for a block of lanes from FIRST on, if the host's results are final
/// and the operands are boxed. Returns false if nothing has been written.
template <typename T, unsigned N, typename HostOp>
inline bool hostBlock(uint64_t *result, const uint64_t *const *operand, unsigned first,
                      HostOp host) {
  using Bits = typename T::Bits;
  using Host = typename T::Host;
  constexpr unsigned n = Exec::kBlock;
  Host in[3][n] = {}, out[n];
  uint64_t boxed = ~uint64_t(0);
  for (unsigned k = 0; k < N; ++k)
    for (unsigned i = 0; i < n; ++i) {
      uint64_t value = operand[k][first + i];
      boxed &= value;
      in[k][i] = std::bit_cast<Host>(Bits(value));
    }
  if constexpr (requires { host.block(in, out); })
    host.block(in, out);
  else
    for (unsigned i = 0; i < n; ++i)
      out[i] = host(in[0][i], in[1][i], in[2][i]);
  Bits special = 0;
  for (unsigned i = 0; i < n; ++i)
    special |= notPlainNormal<T>(std::bit_cast<Bits>(out[i]));
  if ((special & T::signBit) || (sizeof(Bits) == 4 && (boxed & kBox) != kBox)) [[unlikely]]
    return false;
  for (unsigned i = 0; i < n; ++i)
    result[first + i] = box<T>(std::bit_cast<Bits>(out[i]));
  return true;
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
  const uint64_t *const operand[3] = {e.f(d.rs1), e.f(d.rs2), e.f(d.rs3)};
  uint64_t *result = e.f(d.rd);
  uint8_t &sticky = e.warp().fflags;
  bool isNearest = env.rounding == fp::Rounding::NearestEven;
  auto one = [&](unsigned lane) {
    Bits a = unbox<T>(operand[0][lane]);
    Bits b = N > 1 ? unbox<T>(operand[1][lane]) : 0;
    Bits c = N > 2 ? unbox<T>(operand[2][lane]) : 0;
    if (isNearest && (sticky & fp::kInexact)) [[likely]] {
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
  };
  unsigned lanes = isNearest && (sticky & fp::kInexact) ? e.fullBlocks() * Exec::kBlock : 0;
  if (!lanes) {
    e.forLanes(one);
    return;
  }
  for (unsigned first = 0; first < lanes; first += Exec::kBlock)
    if (!hostBlock<T, N>(result, operand, first, host)) [[unlikely]]
      for (unsigned i = 0; i < Exec::kBlock; ++i)
        one(first + i);
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

/// fd := f(fs1, fs2), which raises no flags whatever the operands are.
template <typename T, typename F> void bitwise(Exec &e, const Insn &d, F f) {
  mapLanes(e, e.f(d.rd), e.f(d.rs1), e.f(d.rs2),
           [f](uint64_t a, uint64_t b) { return box<T>(f(unbox<T>(a), unbox<T>(b))); });
}

/// rd := host(fs1, fs2) if neither is NaN, else soft(fs1, fs2, env).
template <typename T, typename HostOp, typename SoftOp>
void compare(Exec &e, const Insn &d, HostOp host, SoftOp soft) {
  using Bits = typename T::Bits;
  using Host = typename T::Host;
  const uint64_t *a = e.f(d.rs1), *b = e.f(d.rs2);
  uint64_t *result = e.x(d.rd);
  fp::Env env;
  if (unsigned blocks = e.fullBlocks()) {
    Bits ordered = T::signBit;
    uint64_t boxed = ~uint64_t(0);
    for (unsigned lane = 0; lane < blocks * Exec::kBlock; ++lane) {
      ordered &= (Bits(a[lane]) & ~T::signBit) - T::infinity - 1;
      ordered &= (Bits(b[lane]) & ~T::signBit) - T::infinity - 1;
      boxed &= a[lane] & b[lane];
    }
    if (ordered && (sizeof(Bits) != 4 || (boxed & kBox) == kBox)) [[likely]] {
      mapLanes(e, result, a, b, [host](uint64_t x, uint64_t y) {
        return uint64_t(host(std::bit_cast<Host>(Bits(x)), std::bit_cast<Host>(Bits(y))));
      });
      return;
    }
  }
  e.forLanes(
      [&](unsigned lane) { result[lane] = soft(unbox<T>(a[lane]), unbox<T>(b[lane]), env); });
  e.warp().fflags |= env.flags;
}

/// rd := f(fs1).
template <typename T, typename F> void inspect(Exec &e, const Insn &d, F f) {
  const uint64_t *a = e.f(d.rs1);
  uint64_t *result = e.x(d.rd);
  e.forLanes([&](unsigned lane) { result[lane] = f(unbox<T>(a[lane])); });
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
  arithmetic<T, 3>(e, d, FusedOp<NegateProduct, NegateAddend>(),
                   [](auto a, auto b, auto c, fp::Env &env) {
                     return fp::fma<T>(NegateProduct ? a ^ T::signBit : a, b,
                                       NegateAddend ? c ^ T::signBit : c, env);
                   });
}

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_INSNS_FLOAT_H
