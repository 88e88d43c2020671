// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync of every form of compute capability 8.0 but m8n8k4 of halves, ldmatrix, stmatrix and movmatrix, against products on
// the host of small whole numbers, which are exact in any order.
// RUN: %vxcc -O2 -std=c++17 -I%inputs %s -o %t
// RUN: %shapes --warp --lower=hw %t
// RUN: %shapes --few --lower=sw %t
// RUN: %vxcc -O0 -std=c++17 -I%inputs %s -o %t
// RUN: %run %t

#include "harness.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned long long Word; // holds any register

struct Registers {
  Word a[4], b[2], c[4], d[4];
};

enum Type { F16, BF16, TF32, F64, F32, S32, S8, U8, S4, U4, B1 };
constexpr int kBits[] = {16, 16, 32, 64, 32, 32, 8, 8, 4, 4, 1};

/// Returns X, a small whole number, as an element.
static Word encode(Type type, int x) {
  float single = x;
  double wide = x;
  unsigned bits;
  Word word;
  std::memcpy(&bits, &single, 4);
  std::memcpy(&word, &wide, 8);
  switch (type) {
  case F16: {
    __half half = __float2half(single);
    unsigned short got;
    std::memcpy(&got, &half, 2);
    return got;
  }
  case BF16:
    return bits >> 16;
  case TF32: // what is after the significand does not count
    return x ? bits | 0x1234 : 0;
  case F32:
    return bits;
  case F64:
    return word;
  default:
    return x & ((2ull << (kBits[type] - 1)) - 1);
  }
}
static int decode(Type type, Word word) {
  float single;
  double wide;
  std::memcpy(&wide, &word, 8);
  if (type == F64)
    return (int)wide;
  if (type == S32)
    return (int)word;
  if (type == F16) {
    unsigned short bits = word;
    __half half;
    std::memcpy(&half, &bits, 2);
    return (int)__half2float(half);
  }
  unsigned bits = word;
  std::memcpy(&single, &bits, 4);
  return (int)single;
}

static int smallNumber(Type type, unsigned seed) {
  unsigned x = mixed(seed);
  switch (type) {
  case B1:
    return x % 2;
  case U4:
    return x % 16;
  case S4:
    return (int)(x % 16) - 8;
  case U8:
    return x % 256;
  case S8:
    return (int)(x % 256) - 128;
  default:
    return (int)(x % 9) - 4;
  }
}

// One function for each number of registers of D, A, B and C.
#define FORM(NAME, TEXT, BODY)                                                                     \
  struct NAME {                                                                                    \
    static __device__ void run(Registers &r) {                                                     \
      unsigned a[4], b[2], c[4], d[4] = {};                                                        \
      for (int i = 0; i < 4; ++i)                                                                  \
        a[i] = r.a[i], c[i] = r.c[i], b[i / 2] = r.b[i / 2];                                       \
      BODY(TEXT);                                                                                  \
      for (int i = 0; i < 4; ++i)                                                                  \
        r.d[i] = d[i];                                                                             \
    }                                                                                              \
  };
#define R4(X, N) X(N[0]), X(N[1]), X(N[2]), X(N[3])
#define OUT(N) "=r"(N)
#define IN(N) "r"(N)
#define BODY_4424(TEXT)                                                                            \
  asm volatile("mma.sync.aligned." TEXT                                                            \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                        \
               : R4(OUT, d)                                                                        \
               : R4(IN, a), IN(b[0]), IN(b[1]), R4(IN, c))
#define BODY_4214(TEXT)                                                                            \
  asm volatile("mma.sync.aligned." TEXT " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"           \
               : R4(OUT, d)                                                                        \
               : IN(a[0]), IN(a[1]), IN(b[0]), R4(IN, c))
#define BODY_2422(TEXT)                                                                            \
  asm volatile("mma.sync.aligned." TEXT " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"               \
               : OUT(d[0]), OUT(d[1])                                                              \
               : R4(IN, a), IN(b[0]), IN(b[1]), IN(c[0]), IN(c[1]))
#define BODY_2212(TEXT)                                                                            \
  asm volatile("mma.sync.aligned." TEXT " {%0,%1}, {%2,%3}, {%4}, {%5,%6};"                        \
               : OUT(d[0]), OUT(d[1])                                                              \
               : IN(a[0]), IN(a[1]), IN(b[0]), IN(c[0]), IN(c[1]))
#define BODY_2112(TEXT)                                                                            \
  asm volatile("mma.sync.aligned." TEXT " {%0,%1}, {%2}, {%3}, {%4,%5};"                           \
               : OUT(d[0]), OUT(d[1])                                                              \
               : IN(a[0]), IN(b[0]), IN(c[0]), IN(c[1]))

FORM(Half16, "m16n8k16.row.col.f32.f16.f16.f32", BODY_4424)
FORM(Half8, "m16n8k8.row.col.f32.f16.f16.f32", BODY_4214)
FORM(HalfSum16, "m16n8k16.row.col.f16.f16.f16.f16", BODY_2422)
FORM(HalfSum8, "m16n8k8.row.col.f16.f16.f16.f16", BODY_2212)
FORM(Brain16, "m16n8k16.row.col.f32.bf16.bf16.f32", BODY_4424)
FORM(Brain8, "m16n8k8.row.col.f32.bf16.bf16.f32", BODY_4214)
FORM(Tensor8, "m16n8k8.row.col.f32.tf32.tf32.f32", BODY_4424)
FORM(Tensor4, "m16n8k4.row.col.f32.tf32.tf32.f32", BODY_4214)
FORM(Byte8x16, "m8n8k16.row.col.s32.s8.u8.s32", BODY_2112)
FORM(Byte16, "m16n8k16.row.col.s32.u8.s8.s32", BODY_4214)
FORM(Byte32, "m16n8k32.row.col.s32.s8.s8.s32", BODY_4424)
FORM(ByteLimit, "m16n8k32.row.col.satfinite.s32.u8.u8.s32", BODY_4424)
FORM(Nibble8x32, "m8n8k32.row.col.s32.u4.s4.s32", BODY_2112)
FORM(Nibble32, "m16n8k32.row.col.s32.s4.s4.s32", BODY_4214)
FORM(Nibble64, "m16n8k64.row.col.satfinite.s32.s4.u4.s32", BODY_4424)
FORM(Bit8, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc", BODY_2112)
FORM(Bit128, "m16n8k128.row.col.s32.b1.b1.s32.and.popc", BODY_4214)
FORM(Bit256, "m16n8k256.row.col.s32.b1.b1.s32.xor.popc", BODY_4424)

struct Double4 {
  static __device__ void run(Registers &r) {
    double a = __longlong_as_double(r.a[0]), b = __longlong_as_double(r.b[0]), d0, d1;
    double c0 = __longlong_as_double(r.c[0]), c1 = __longlong_as_double(r.c[1]);
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
                 : "=d"(d0), "=d"(d1)
                 : "d"(a), "d"(b), "d"(c0), "d"(c1));
    r.d[0] = __double_as_longlong(d0);
    r.d[1] = __double_as_longlong(d1);
  }
};

template <class Form> __global__ void multiply(Registers *registers) {
  Registers r = registers[threadIdx.x];
  Form::run(r);
  registers[threadIdx.x] = r;
}

/// K and rows of A, its type and that of B; what adds up, and how.
template <class Form>
static void check(const char *name, int m, int k, Type typeA, Type typeB, Type sum, bool isAnd = false,
                  int start = 0) {
  auto elementA = [&](int row, int i) { return smallNumber(typeA, row * 1000 + i); };
  auto elementB = [&](int i, int column) { return smallNumber(typeB, 77777 + i * 8 + column); };
  auto elementC = [&](int row, int column) {
    return start ? start : smallNumber(F32, 5555 + row * 8 + column);
  };
  int rows = m / 8, each = typeA == F64 ? 1 : 32 / kBits[typeA], chunks = k / (4 * each);
  bool packed = sum == F16;
  std::vector<Registers> registers(64);
  for (int thread = 0; thread < 64; ++thread) {
    Registers &r = registers[thread];
    int g = thread % 32 / 4, t = thread % 4;
    for (int i = 0; i < rows * chunks; ++i)
      for (int j = 0; j < each; ++j)
        r.a[i] |= encode(typeA, elementA(g + 8 * (i % rows), (i / rows * 4 + t) * each + j))
                  << kBits[typeA] % 64 * j;
    for (int i = 0; i < chunks; ++i)
      for (int j = 0; j < each; ++j)
        r.b[i] |= encode(typeB, elementB((i * 4 + t) * each + j, g)) << kBits[typeB] % 64 * j;
    for (int i = 0; i < 2 * rows; ++i) {
      Word c = encode(sum, elementC(g + i / 2 * 8, 2 * t + i % 2));
      if (packed)
        r.c[i / 2] |= c << 16 * (i % 2);
      else
        r.c[i] = c;
    }
  }
  DeviceArray<Registers> device(registers);
  multiply<Form><<<1, 64>>>(device);
  std::vector<Registers> got = device.host();
  for (int thread = 0; thread < 64; ++thread)
    for (int i = 0; i < 2 * rows; ++i) {
      int row = thread % 32 / 4 + i / 2 * 8, column = 2 * (thread % 4) + i % 2;
      long long wanted = elementC(row, column);
      for (int j = 0; j < k; ++j) {
        int x = elementA(row, j), y = elementB(j, column);
        wanted += typeA != B1 ? x * y : isAnd ? x & y : x ^ y;
      }
      if (sum == S32)
        wanted = wanted > 0x7fffffff ? 0x7fffffff : wanted;
      Word word = packed ? got[thread].d[i / 2] >> 16 * (i % 2) : got[thread].d[i];
      expectEqual(decode(sum, word), (int)wanted, name, thread * 4 + i);
    }
}

/// Matrices of bytes' pairs in shared memory, each row at a place of its own.
__global__ void loadMatrices(unsigned *out) {
  __shared__ __align__(16) unsigned short rows[32][8 * 3];
  unsigned lane = threadIdx.x;
  for (int i = 0; i < 24; ++i)
    rows[lane][i] = lane * 100 + i;
  __syncthreads();
  // Matrix 0 to 3: rows 8i to 8i + 7, from their element 8 on.
  unsigned address = (unsigned)__cvta_generic_to_shared(&rows[lane][8]), r[14];
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
               : "=r"(r[1]), "=r"(r[2])
               : "r"(address));
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6])
               : "r"(address));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1+16];"
               : "=r"(r[7])
               : "r"(address - 16));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(r[8]), "=r"(r[9])
               : "r"(address));
  asm volatile("ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[10]), "=r"(r[11]), "=r"(r[12]), "=r"(r[13])
               : "r"(address));
  for (int i = 0; i < 14; ++i)
    out[lane * 14 + i] = r[i];
}

static void checkLoads() {
  DeviceArray<unsigned> out(32 * 14);
  loadMatrices<<<1, 32>>>(out);
  std::vector<unsigned> got = out.host();
  const int matrices[] = {0, 0, 1, 0, 1, 2, 3};
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 14; ++i) {
      int g = lane / 4, t = lane % 4, matrix = matrices[i % 7];
      auto element = [&](int row, int column) {
        return (unsigned)(unsigned short)((8 * matrix + row) * 100 + 8 + column);
      };
      unsigned wanted = i < 7 ? element(g, 2 * t) | element(g, 2 * t + 1) << 16
                              : element(2 * t, g) | element(2 * t + 1, g) << 16;
      expectEqual(got[lane * 14 + i], wanted, "ldmatrix", lane * 14 + i);
    }
}

/// Moves matrices by ldmatrix and stmatrix, in turns, and transposes one.
__global__ void moveMatrices(unsigned *out, unsigned short *stored) {
  __shared__ __align__(16) unsigned short rows[3][32][8];
  unsigned lane = threadIdx.x, moved, r[4];
  for (int i = 0; i < 8; ++i)
    rows[0][lane][i] = lane * 100 + i;
  __syncthreads();
  unsigned address = (unsigned)__cvta_generic_to_shared(&rows[0][lane][0]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(address + 512),
               "r"(r[3]), "r"(r[2]), "r"(r[1]), "r"(r[0])
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0+1024], {%1,%2,%3,%4};" ::"r"(address),
               "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(r[1]));
  out[lane] = moved;
  __syncthreads();
  for (int i = 0; i < 8; ++i) {
    stored[lane * 8 + i] = rows[1][lane][i];
    stored[256 + lane * 8 + i] = rows[2][lane][i];
  }
}

static void checkMoves() {
  DeviceArray<unsigned> out(32);
  DeviceArray<unsigned short> stored(512);
  moveMatrices<<<1, 32>>>(out, stored);
  std::vector<unsigned> moved = out.host();
  std::vector<unsigned short> got = stored.host();
  for (int lane = 0; lane < 32; ++lane) {
    int g = lane / 4, t = lane % 4;
    expectEqual(moved[lane], unsigned((8 + 2 * t) * 100 + g + ((8 + 2 * t + 1) * 100 + g) * 65536), "movmatrix", lane);
    for (int i = 0; i < 8; ++i) {
      int matrix = lane / 8, row = lane % 8;
      expectEqual(got[lane * 8 + i], (unsigned short)(((3 - matrix) * 8 + row) * 100 + i), "stmatrix", lane);
      expectEqual(got[256 + lane * 8 + i], (unsigned short)((matrix * 8 + i) * 100 + row), "stmatrix.trans", lane);
    }
  }
}

int main() {
  check<Half16>("f16 k16", 16, 16, F16, F16, F32);
  check<Half8>("f16 k8", 16, 8, F16, F16, F32);
  check<HalfSum16>("f16 sum k16", 16, 16, F16, F16, F16);
  check<HalfSum8>("f16 sum k8", 16, 8, F16, F16, F16);
  check<Brain16>("bf16 k16", 16, 16, BF16, BF16, F32);
  check<Brain8>("bf16 k8", 16, 8, BF16, BF16, F32);
  check<Tensor8>("tf32 k8", 16, 8, TF32, TF32, F32);
  check<Tensor4>("tf32 k4", 16, 4, TF32, TF32, F32);
  check<Byte8x16>("s8 u8 m8", 8, 16, S8, U8, S32);
  check<Byte16>("u8 s8 k16", 16, 16, U8, S8, S32);
  check<Byte32>("s8 k32", 16, 32, S8, S8, S32);
  check<ByteLimit>("u8 satfinite", 16, 32, U8, U8, S32, false, 0x7fffffff);
  check<ByteLimit>("u8 satfinite", 16, 32, U8, U8, S32);
  check<Nibble8x32>("u4 s4 m8", 8, 32, U4, S4, S32);
  check<Nibble32>("s4 k32", 16, 32, S4, S4, S32);
  check<Nibble64>("s4 u4 k64", 16, 64, S4, U4, S32);
  check<Bit8>("b1 m8", 8, 128, B1, B1, S32);
  check<Bit128>("b1 k128", 16, 128, B1, B1, S32, true);
  check<Bit256>("b1 k256", 16, 256, B1, B1, S32);
  check<Double4>("f64", 8, 4, F64, F64, F64);
  checkLoads();
  checkMoves();
  return finish();
}
