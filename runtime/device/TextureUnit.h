// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches by the texture unit (docs/reference/isa.md, vx_tex_1d), of textures that the runtime has
// marked with abi::kTextureUnit. LLVM does not know the instructions, so they are written with
// .insn: opcode CUSTOM3, format R4; funct2 is log2 of the channels, which go to neighbouring
// registers.

#ifndef VX_RUNTIME_DEVICE_TEXTUREUNIT_H
#define VX_RUNTIME_DEVICE_TEXTUREUNIT_H

#include "intrinsics/texture/Sampling.h"

namespace vx::texture {

/// Values of funct3.
enum class UnitOp { Tex1D = 0, Tex2D = 1, TexLevel1D = 2, TexLevel2D = 3 };

#define VX_TEX(CHANNELS, ...)                                                                      \
  asm volatile("csrw 0x800, %[texture]\n\t"                                                        \
               ".insn r4 0x7b, %[op], " #CHANNELS ", %[c0], %[x], %[y], %[lod]"                    \
               : [c0] "=&f"(c0), ##__VA_ARGS__                                                     \
               : [texture] "r"(&r), [op] "i"(OP), [x] "f"(x), [y] "f"(y), [lod] "f"(lod)           \
               : "memory")

template <unsigned N> struct Registers {
  float value[N];
};

/// N channels of the texture R at (X, Y), as bits of float.
template <UnitOp OP, unsigned N>
VX_INLINE Registers<N> fetchByUnit(const TextureRecord &r, float x, float y, float lod) {
  if constexpr (N == 1) {
    float c0;
    VX_TEX(0);
    return {{c0}};
  } else if constexpr (N == 2) {
    register float c0 asm("fa0"), c1 asm("fa1");
    VX_TEX(1, "=&f"(c1));
    return {{c0, c1}};
  } else {
    register float c0 asm("fa0"), c1 asm("fa1"), c2 asm("fa2"), c3 asm("fa3");
    VX_TEX(2, "=&f"(c1), "=&f"(c2), "=&f"(c3));
    return {{c0, c1, c2, c3}};
  }
}
#undef VX_TEX

/// The levels of a texture, for blendLevels().
template <unsigned D, unsigned N> struct LevelsOfUnit {
  const TextureRecord &r;
  float x, y;

  /// Level I with the weight WHOLE: the fraction of the operand is what is missing to 1.
  VX_INLINE Sum<N> sum(unsigned i, int32_t whole) const {
    constexpr UnitOp op = D == 1 ? UnitOp::TexLevel1D : UnitOp::TexLevel2D;
    float operand = static_cast<float>(static_cast<int32_t>((i << 8) + 256) - whole) * 0x1p-8f;
    return __builtin_bit_cast(Sum<N>, fetchByUnit<op, N>(r, x, y, operand));
  }
  /// Of elements that keep their bits.
  VX_INLINE Texel<N> texel(unsigned i) const { return __builtin_bit_cast(Texel<N>, sum(i, 256)); }
};
template <unsigned D, unsigned N>
[[gnu::noinline]] Texel<N> blendByUnit(const TextureRecord &r, float x, float y, float lod) {
  return blendLevels<N>(r, lod, LevelsOfUnit<D, N>{r, x, y});
}

/// Returns what the texture R shows at (X, Y). A filter between levels takes several instructions.
template <unsigned D, unsigned N>
VX_INLINE Texel<N> sampleByUnit(const TextureRecord &r, float x, float y, float lod) {
  if (r.flags & abi::kTextureMipLinear)
    return blendByUnit<D, N>(r, x, y, lod);
  constexpr UnitOp op = D == 1 ? UnitOp::Tex1D : UnitOp::Tex2D;
  return __builtin_bit_cast(Texel<N>, fetchByUnit<op, N>(r, x, y, lod));
}

} // namespace vx::texture

#endif // VX_RUNTIME_DEVICE_TEXTUREUNIT_H
