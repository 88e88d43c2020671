// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints, for every standard row of the instruction table and both register widths, the
// disassembly of a few words with random operands: `xlen word text`. test/simulator feeds the texts
// to LLVM's assembler.

#include "intrinsics/isa/Disassembler.h"
#include <random>

using namespace vx::isa;

namespace {

/// Bits that LLVM's syntax cannot express, or fixes: reserved rounding modes, fence modes, and the
/// rounding mode of exact conversions.
uint32_t tame(const InsnInfo &row, uint32_t word, unsigned xlen) {
  constexpr uint32_t roundingField = 7u << 12;
  if (row.form().has(Field::Rounding))
    return (word >> 12 & 7) > 4 ? word | roundingField : word;
  if (row.unit() == Unit::Fpu)
    return word & (~roundingField | row.mask);
  if (row.op == Op::FENCE)
    return (word & 0x0ff0707f) | 0x01100000;
  if (row.op == Op::FENCE_I)
    return row.match;
  return row.form().immediate == Field::Shamt && xlen == 32 ? word & ~(1u << 25) : word;
}

} // namespace

int main() {
  std::mt19937 random(1);
  for (unsigned xlen : {32u, 64u})
    for (const InsnInfo &row : kInsns)
      for (int i = 0; i < 5; ++i) {
        uint32_t word = tame(row, (uint32_t(random()) & ~row.mask) | row.match, xlen);
        if (row.extension >= Extension::VxBase || !decode(word, xlen))
          continue;
        std::printf("%u %08x %s\n", xlen, word, disassemble(word, 0, xlen).c_str());
      }
}
