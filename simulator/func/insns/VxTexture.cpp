// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texture unit: vx_tex and vx_tex_level. The arithmetic is that of the device library
// (intrinsics/texture), so that both give the same bits; of a NaN that was computed, those of the
// FPU.

#include "intrinsics/text/Hex.h"
#include "intrinsics/texture/Sampling.h"
#include "intrinsics/texture/UnitModes.h"
#include "simulator/func/FloatBox.h"
#include "simulator/func/Handlers.h"
#include <cmath>
#include <optional>

namespace vx::sim {

namespace {

using abi::TextureRecord;

constexpr uint32_t kNan = 0x7fc00000;

/// The guest's memory as one lane reads it. The result of a read after a trap is not used.
class LaneMemory {
public:
  LaneMemory(Exec &e, unsigned lane) : e(e), lane(lane) {}

  template <typename T> T read(uint64_t address) const {
    T value{};
    if constexpr (sizeof(T) <= sizeof(uint64_t)) {
      if (readInto(address, value))
        note(address, sizeof value, false);
    } else {
      static_assert(sizeof(T) % sizeof(uint64_t) == 0);
      uint64_t words[sizeof(T) / sizeof(uint64_t)] = {};
      for (size_t i = 0; i < std::size(words); ++i)
        if (!readInto(address + i * sizeof(uint64_t), words[i]))
          return value;
      std::memcpy(&value, words, sizeof value);
      note(address, sizeof value, true);
    }
    return value;
  }

private:
  template <typename T> bool readInto(uint64_t address, T &value) const {
    using Bits = std::conditional_t<
        sizeof(T) == 1, uint8_t,
        std::conditional_t<sizeof(T) == 2, uint16_t,
                           std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
    Bits bits = 0;
    if (e.trapped() || !e.load(lane, narrow(address), bits))
      return false;
    value = std::bit_cast<T>(bits);
    return true;
  }
  void note(uint64_t address, size_t bytes, bool isState) const {
    if (e.trace)
      e.trace->textureReads.push_back({narrow(address), uint16_t(bytes), uint8_t(lane), isState});
  }
  uint64_t narrow(uint64_t address) const {
    return e.device.config.xlen == 32 ? uint32_t(address) : address;
  }

  Exec &e;
  const unsigned lane;
};

/// Returns what the CSR vx_texture of LANE holds.
uint64_t textureOf(Exec &e, unsigned lane) {
  return e.x(Core::kTextureRegister * e.device.stride)[lane];
}

class Sampling {
public:
  Sampling(Exec &e, const Insn &d, unsigned lane, const TextureRecord &record)
      : e(e), d(d), lane(lane), memory(e, lane), record(record) {
    // A filter between levels is the program's, with vx_tex_level.
    this->record.flags &= ~uint32_t(abi::kTextureMipLinear);
  }

  /// Samples N channels in D dimensions; ISLEVEL: of the level that rs3 names. False after a trap.
  template <unsigned D, unsigned N> bool run(bool isLevel) {
    if (!check(texture::unitRefusal(record)))
      return false;
    texture::Place place{{operand(d.rs1), D > 1 ? operand(d.rs2) : 0.0f, 0.0f},
                         0,
                         (record.flags & abi::kTextureNormalized) != 0};
    float lod = operand(d.rs3);
    texture::Texel<N> texel;
    if (isLevel) {
      texel = partOf<D, N>(levels<D, N>(place), lod);
    } else if (record.lastLevel) {
      texel = texture::blendLevels<N>(record, lod, levels<D, N>(place));
    } else if (check(texture::unitRefusal(record.base))) {
      texel = texture::sampleLevel<D, N>(memory, record, record.base, place);
    }
    if (e.trapped())
      return false;
    bool isComputed = record.flags & abi::kTextureIntegers
                          ? !isLevel && record.divisor != 0
                          : record.flags & abi::kTextureLinear || (isLevel && isPart(lod));
    for (unsigned c = 0; c < N; ++c) {
      uint32_t bits = texel.bits[c];
      bool isNan = (bits & 0x7fffffff) > 0x7f800000;
      e.f(d.rd + c * e.device.stride)[lane] = kBox | (isComputed && isNan ? kNan : bits);
    }
    return true;
  }

private:
  /// The levels of the texture, each checked when it is sampled.
  template <unsigned D, unsigned N> struct Levels {
    Sampling &of;
    const texture::Place &place;
    texture::Texel<N> texel(unsigned i) const {
      texture::Level level = of.level(i);
      return of.e.trapped() ? texture::Texel<N>{}
                            : texture::sampleLevel<D, N>(of.memory, of.record, level, place);
    }
    texture::Sum<N> sum(unsigned i, int32_t whole) const {
      texture::Level level = of.level(i);
      return of.e.trapped() ? texture::Sum<N>{}
                            : texture::levelSum<D, N>(of.memory, of.record, level, place, whole);
    }
  };
  template <unsigned D, unsigned N> Levels<D, N> levels(const texture::Place &place) {
    return {*this, place};
  }

  float operand(uint32_t offset) {
    uint64_t bits = e.f(offset)[lane];
    return std::bit_cast<float>((bits & kBox) == kBox ? uint32_t(bits) : kNan);
  }
  /// Levels in 1/256.
  int steps(float number) const {
    float bounded = std::fmin(std::fmax(number, 0.0f), float(record.lastLevel + 1));
    return std::min(int(bounded * 256), int(record.lastLevel * 256 + 255));
  }
  bool isPart(float number) const { return steps(number) & 255; }
  /// Returns what NUMBER means: a level, and, as the fraction, how much its weight is below 1.
  /// Elements with the weight 1 that no filter changes keep their bits. Not-a-number counts as 0.
  template <unsigned D, unsigned N>
  texture::Texel<N> partOf(const Levels<D, N> &levels, float number) const {
    unsigned level = unsigned(steps(number)) >> 8;
    int whole = 256 - (steps(number) & 255);
    if (whole == 256 && record.divisor == 0 && !(record.flags & abi::kTextureLinear))
      return levels.texel(level);
    return std::bit_cast<texture::Texel<N>>(levels.sum(level, whole));
  }
  texture::Level level(unsigned i) {
    if (!record.lastLevel) {
      check(texture::unitRefusal(record.base));
      return record.base;
    }
    auto level = memory.read<texture::Level>(record.levels + i * sizeof(texture::Level));
    if (!e.trapped())
      check(texture::unitRefusal(level));
    return level;
  }
  bool check(const char *refusal) {
    if (!refusal)
      return true;
    e.trap(TrapCause::IllegalInstruction, lane,
           "the texture unit cannot sample the texture at " + hexText(textureOf(e, lane)) + ": " +
               refusal);
    return false;
  }

  Exec &e;
  const Insn &d;
  const unsigned lane;
  LaneMemory memory;
  TextureRecord record;
};

template <unsigned D, unsigned N> void sampleLanes(Exec &e, const Insn &d, bool isLevel) {
  TextureRecord record{};
  std::optional<uint64_t> last; // lanes mostly have the same texture
  e.whileLanes([&](unsigned lane) {
    uint64_t address = textureOf(e, lane);
    if (last != address || !e.isPublic(address))
      record = LaneMemory(e, lane).read<TextureRecord>(address);
    last = address;
    return !e.trapped() && Sampling(e, d, lane, record).run<D, N>(isLevel);
  });
}

template <unsigned D> void sample(Exec &e, const Insn &d, bool isLevel) {
  ++e.core().stats.texFetches;
  if (e.trace)
    e.trace->textureReads.clear();
  switch (d.imm) {
  case 1:
    sampleLanes<D, 1>(e, d, isLevel);
    break;
  case 2:
    sampleLanes<D, 2>(e, d, isLevel);
    break;
  default:
    sampleLanes<D, 4>(e, d, isLevel);
    break;
  }
  if (e.trace)
    e.trace->accessBytes = 0; // the texture unit's accesses, not the LSU's
}

} // namespace

namespace handlers {

VX_EXEC(VX_TEX_1D) {
  sample<1>(e, d, false);
}
VX_EXEC(VX_TEX_2D) {
  sample<2>(e, d, false);
}
VX_EXEC(VX_TEX_LEVEL_1D) {
  sample<1>(e, d, true);
}
VX_EXEC(VX_TEX_LEVEL_2D) {
  sample<2>(e, d, true);
}

} // namespace handlers
} // namespace vx::sim
