// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of alu.cpp's kernel.

#ifndef ALU_H
#define ALU_H

#include <stdint.h>

struct AluArguments {
  uint32_t threads, rounds;
  uint64_t results; ///< a word of each thread
};

/// What thread NUMBER computes: integer operations without memory accesses.
inline uint32_t alu(uint32_t number, uint32_t rounds) {
  uint32_t a = number, b = number ^ 0x9e3779b9u, c = 1;
  for (uint32_t i = 0; i != rounds; ++i) {
    a = (a << 3 ^ b) + i;
    b = (b >> 1) + (c ^ a);
    c = c * 5 + (a & b);
  }
  return a ^ b ^ c;
}

#endif
