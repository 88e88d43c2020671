// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
// RUN: %vxcc -O3 --emit=elf %s -o %t.elf && %vx_objdump --check-divergence %t.elf
// RUN: %vxcc -O0 --emit=elf %s -o %t.elf && %vx_objdump --check-divergence %t.elf
//
// Gotos forward, backward and out of loops, irreducible loops with two entries, switches dense and
// sparse, with fallthrough, in loops (continue and break meaning different things), Duff's device
// and a state machine.

#include "../Inputs/harness.h"

__host__ __device__ unsigned gotos(unsigned a, unsigned b) {
  unsigned r = 0, budget = 100;
start:
  if (--budget == 0)
    goto done;
  r = r * 5 + (a & 3);
  a >>= 2;
  if (r & 8)
    goto odd;
  if (a == 0)
    goto done;
  if ((b ^ r) & 1)
    goto start;
  b >>= 1;
  r += 2;
odd:
  r ^= b & 0xff;
  b = b >> 3 | b << 29;
  if (a & 1)
    goto start;
  r += 7;
  if (b % 5 > 2)
    goto start;
done:
  return r * 128 + budget;
}

__host__ __device__ unsigned irreducible(unsigned a, unsigned b) {
  unsigned x = a, i = 0;
  if (b & 1)
    goto second;
first:
  x = x * 3 + 1;
  if (++i > 20 + a % 9)
    goto end;
  if (x & 4)
    goto first;
second:
  x ^= b >> (i % 16);
  if (++i > 25)
    goto end;
  if ((x & 3) != 1)
    goto first;
  x += i;
  if (x & 16)
    goto second;
end:
  return x + i;
}

__host__ __device__ unsigned threeEntries(unsigned a, unsigned b) {
  unsigned x = b, steps = 0;
  switch (a % 3) {
  case 0:
    goto one;
  case 1:
    goto two;
  default:
    goto three;
  }
one:
  x += 13;
  if (++steps > 30)
    return x;
  if (x % 3 == 0)
    goto three;
two:
  x ^= a >> steps % 20;
  if (++steps > 28)
    return x * 3;
  if (x & 1)
    goto one;
three:
  x = x / 2 + steps;
  if (++steps > 26)
    return ~x;
  if (x & 2)
    goto two;
  goto one;
}

__host__ __device__ unsigned denseSwitch(unsigned a, unsigned b) {
  switch (a % 16) {
  case 0:
    return b;
  case 1:
    b += 3;
  case 2:
    b *= 5;
    break;
  case 3:
    return b ^ a;
  case 4:
  case 5:
  case 6:
    b = a / (b | 1);
    break;
  case 7:
    b = ~b;
  case 8:
    b += 1;
  case 9:
    b += 2;
  case 10:
    b += 4;
    break;
  case 12:
    return 99;
  case 13:
    b -= a;
    break;
  case 15:
    b <<= 2;
    break;
  default:
    b = 1;
  }
  return b * 2 + 1;
}

__host__ __device__ unsigned sparseSwitch(unsigned a, unsigned b) {
  unsigned r = 0;
  for (unsigned i = 0; i < 6; ++i) {
    switch ((a >> i * 4 & 15) * 1000003u) {
    case 0:
      r += 1;
      break;
    case 1000003u:
      r += b;
      continue;
    case 3000009u:
      r ^= 0xabc;
      break;
    case 7000021u:
      r = r << 1 | r >> 31;
      break;
    case 9000027u:
      return r + i;
    case 15000045u:
      r -= 5;
      continue;
    default:
      r += 2;
    }
    r = r * 3 + i;
  }
  return r;
}

__host__ __device__ unsigned duff(unsigned a, unsigned b) {
  unsigned sum = 0, count = a % 40 + 1, n = (count + 7) / 8;
  switch (count % 8) {
  case 0:
    do {
      sum += b;
    case 7:
      sum ^= n;
    case 6:
      sum += 3;
    case 5:
      sum = sum << 1 | sum >> 31;
    case 4:
      sum += b >> 5;
    case 3:
      sum -= a;
    case 2:
      sum += 11;
    case 1:
      sum ^= b;
    } while (--n > 0);
  }
  return sum;
}

__host__ __device__ unsigned stateMachine(unsigned a, unsigned b) {
  enum State { Start, Number, Word, Space, Done } state = Start;
  unsigned words = 0, numbers = 0, steps = 0;
  while (state != Done) {
    unsigned symbol = mixed(a + steps) % 4;
    if (++steps > 10 + b % 20)
      symbol = 3;
    switch (state) {
    case Start:
      state = symbol == 0 ? Number : symbol == 1 ? Word : Space;
      break;
    case Number:
      if (symbol != 0) {
        ++numbers;
        state = symbol == 3 ? Done : Space;
      }
      break;
    case Word:
      if (symbol == 1)
        break;
      ++words;
      state = symbol == 3 ? Done : symbol == 0 ? Number : Space;
      break;
    case Space:
      if (symbol == 3)
        state = steps > 10 + b % 20 ? Done : Start;
      else
        state = symbol == 0 ? Number : Word;
      break;
    case Done:
      break;
    }
  }
  return words << 20 | numbers << 10 | steps;
}

int main() {
  COMPARE(gotos);
  COMPARE(irreducible);
  COMPARE(threeEntries);
  COMPARE(denseSwitch);
  COMPARE(sparseSwitch);
  COMPARE(duff);
  COMPARE(stateMachine);
  return finish();
}
