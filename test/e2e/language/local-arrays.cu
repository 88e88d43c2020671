// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// Arrays in a thread's local memory, indexed by data: sorting, a stack, matrices, structs, strings
// and a big frame.

#include "../Inputs/harness.h"

__host__ __device__ unsigned insertionSort(unsigned a, unsigned b) {
  unsigned keys[24];
  const unsigned count = a % 24 + 1;
  for (unsigned i = 0; i < count; ++i)
    keys[i] = (b >> (i % 17)) % 1000 ^ i;
  for (unsigned i = 1; i < count; ++i) {
    unsigned key = keys[i], j = i;
    for (; j > 0 && keys[j - 1] > key; --j)
      keys[j] = keys[j - 1];
    keys[j] = key;
  }
  unsigned hash = 0;
  for (unsigned i = 0; i < count; ++i)
    hash = hash * 31 + keys[i];
  return hash;
}

__host__ __device__ unsigned stackMachine(unsigned a, unsigned b) {
  int stack[16], top = 0;
  for (unsigned i = 0; i < 32; ++i) {
    unsigned operation = (i & 1 ? a : b) >> i / 2 & 3;
    if (operation < 2 && top < 16)
      stack[top++] = static_cast<int>(operation + i);
    else if (operation == 2 && top > 1)
      stack[top - 2] += stack[top - 1], --top;
    else if (top > 0)
      stack[top - 1] = -stack[top - 1];
  }
  int sum = top;
  while (top > 0)
    sum = sum * 3 + stack[--top];
  return static_cast<unsigned>(sum);
}

struct Item {
  char text[8];
  short key;
  double weight;
};

__host__ __device__ unsigned structs(unsigned a, unsigned b) {
  Item items[5] = {};
  for (int i = 0; i < 5; ++i) {
    Item &item = items[(a + i * 2) % 5];
    for (unsigned k = 0; k < (b >> i) % 8; ++k)
      item.text[k] = static_cast<char>('a' + (a + k) % 26);
    item.key = static_cast<short>(a >> i);
    item.weight += (b % 100) * 0.5;
  }
  Item copy = items[b % 5];
  unsigned length = 0;
  while (copy.text[length] != 0)
    ++length;
  return length * 100000 + static_cast<unsigned short>(copy.key) +
         static_cast<unsigned>(copy.weight);
}

__host__ __device__ unsigned matrix(unsigned a, unsigned b) {
  unsigned m[3][3] = {{a % 10, 1, 0}, {b % 10, a % 3, 2}, {1, 1, b % 7}}, r[3][3];
  for (unsigned power = 0; power < a % 4; ++power) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        r[i][j] = 0;
        for (int k = 0; k < 3; ++k)
          r[i][j] += m[i][k] * m[k][j];
      }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        m[i][j] = r[i][j];
  }
  return m[a % 3][b % 3];
}

__host__ __device__ unsigned bigFrame(unsigned a, unsigned b) {
  unsigned short sieve[700];
  for (int i = 0; i < 700; ++i)
    sieve[i] = 1;
  for (unsigned p = 2; p * p < 700; p += 1 + (a & 1))
    for (unsigned q = p * p; q < 700; q += p)
      sieve[q] = 0;
  unsigned count = 0;
  for (unsigned i = 2; i < 300 + b % 400; ++i)
    count += sieve[i];
  return count;
}

int main() {
  COMPARE(insertionSort);
  COMPARE(stackMachine);
  COMPARE(structs);
  COMPARE(matrix);
  compareWithHost<unsigned, bigFrame>("bigFrame", 70, 35);
  return finish();
}
