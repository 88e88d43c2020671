// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs for a core, from the instruction table: every row with random operands, in random
// control flow with splits and loops, votes, shuffles, atomics, barriers, and groups of all sizes.
// They end, and no instruction of theirs is a fault; what they compute is of no interest.
//
//   x1  link          x4       scratch: addresses, predicates    x10…x27  values
//   x2  data          x5…x7    counters of loops, by depth       x28…x30  splits, by depth
//   x3  local memory  x8 x9 x31  masks of loops, by depth

#ifndef VX_RTL_RANDOM_RANDOMPROGRAM_H
#define VX_RTL_RANDOM_RANDOMPROGRAM_H

#include "intrinsics/isa/InsnTable.h"
#include <cstdint>
#include <random>
#include <vector>

namespace vx::rtl {

/// Returns true if the core has the instruction.
bool isImplemented(const isa::InsnInfo &row);

struct ProgramShape {
  uint32_t warps, lanes;
  uint32_t steps; ///< at the top level
};

class RandomProgram {
public:
  static constexpr uint32_t kCode = 0x80000000, kData = 0x10000, kDataBytes = 0x4000;

  RandomProgram(uint64_t seed, ProgramShape shape);

  const std::vector<uint32_t> &code() const { return words; }
  /// The data that it begins with: random words, and many floating-point numbers of special kinds.
  std::vector<uint32_t> data();

private:
  unsigned below(unsigned count) { return unsigned(random() % count); }
  bool oneIn(unsigned count) { return below(count) == 0; }
  unsigned value() { return 10 + below(18); }
  unsigned anyRegister() { return oneIn(8) ? below(32) : value(); }

  void emit(uint32_t word) { words.push_back(word); }
  uint32_t encode(isa::Op op, uint32_t rd, uint32_t rs1, uint32_t rs2);
  uint32_t immediate(isa::Op op, uint32_t rd, uint32_t rs1, int32_t value);
  void branch(isa::Op op, uint32_t rs1, uint32_t rs2, size_t at, size_t target);
  void jump(uint32_t rd, size_t at, size_t target);
  void loadConstant(uint32_t rd, uint32_t value);

  void prologue();
  void step(unsigned depth);
  void block(unsigned depth);
  void straight();
  void access(const isa::InsnInfo &row);
  void csr();
  void split(unsigned depth);
  void loop(unsigned depth);
  void uniformBranch(unsigned depth);
  void call();
  void tile();
  void barrier();

  std::mt19937_64 random;
  ProgramShape shape;
  std::vector<uint32_t> words;
  std::vector<const isa::InsnInfo *> computing, accessing;
  uint32_t groupSize;
  bool allRun = true; ///< no group is suspended
};

} // namespace vx::rtl

#endif // VX_RTL_RANDOM_RANDOMPROGRAM_H
