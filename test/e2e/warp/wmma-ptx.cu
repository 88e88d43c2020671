// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wmma.load, wmma.mma and wmma.store in inline PTX, in every shape and type of compute capability 8.0
// but saturated sums of halves, both layouts, with and without a stride, from shared memory; against
// products on the host of small whole numbers, which are exact in any order.
// RUN: %vxcc -O2 -std=c++17 -I%inputs %s -o %t
// RUN: %shapes --warp --lower=hw %t
// RUN: %shapes --few --lower=sw %t
// RUN: %vxcc -O0 -std=c++17 -I%inputs %s -o %t
// RUN: %run %t

#include "harness.h"
#include <cuda_fp16.h>

enum Type { F16, BF16, TF32, F64, F32, S32, S8, U8, S4, U4, B1 };
constexpr int kBits[] = {16, 16, 32, 64, 32, 32, 8, 8, 4, 4, 1};

/// A matrix in memory, from its first element on.
struct Matrix {
  Type type;
  std::vector<unsigned char> bytes;

  Matrix(Type type, int elements) : type(type), bytes(elements * kBits[type] / 8) {}
  void set(int i, int x) {
    float single = x;
    double wide = x;
    __half half = __float2half(single);
    unsigned bits;
    std::memcpy(&bits, &single, 4);
    unsigned short upper = bits >> 16;
    const void *from = type == F16    ? (const void *)&half
                       : type == BF16 ? (const void *)&upper
                       : type == F64  ? (const void *)&wide
                       : type == S32 || kBits[type] == 8 ? (const void *)&x
                                                         : (const void *)&single;
    if (kBits[type] >= 8)
      std::memcpy(&bytes[i * kBits[type] / 8], from, kBits[type] / 8);
    else
      bytes[i * kBits[type] / 8] |= (x & ((1 << kBits[type]) - 1)) << i * kBits[type] % 8;
  }
  int get(int i) const {
    const unsigned char *at = &bytes[i * kBits[type] / 8];
    __half half;
    float single;
    double wide;
    int whole;
    switch (type) {
    case F16:
      std::memcpy(&half, at, 2);
      return (int)__half2float(half);
    case F64:
      std::memcpy(&wide, at, 8);
      return (int)wide;
    case S32:
      std::memcpy(&whole, at, 4);
      return whole;
    default:
      std::memcpy(&single, at, 4);
      return (int)single;
    }
  }
};

static int smallNumber(Type type, unsigned seed) {
  int x = mixed(seed) & 0xffff, bits = kBits[type];
  bool isSigned = type == S8 || type == S4;
  return bits > 8 ? x % 9 - 4 : (x & ((1 << bits) - 1)) - (isSigned ? 1 << (bits - 1) : 0);
}

#define IO8(N)                                                                                     \
  "+r"(N[0]), "+r"(N[1]), "+r"(N[2]), "+r"(N[3]), "+r"(N[4]), "+r"(N[5]), "+r"(N[6]), "+r"(N[7])
#define IN8(N)                                                                                     \
  "r"(N[0]), "r"(N[1]), "r"(N[2]), "r"(N[3]), "r"(N[4]), "r"(N[5]), "r"(N[6]), "r"(N[7])
// Lists of the first operands, and of those from 8, 16 and 24 on.
#define FIRST_1 "{%0}"
#define FIRST_2 "{%0,%1}"
#define FIRST_4 "{%0,%1,%2,%3}"
#define FIRST_8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define A_1 "{%8}"
#define A_2 "{%8,%9}"
#define A_4 "{%8,%9,%10,%11}"
#define A_8 "{%8,%9,%10,%11,%12,%13,%14,%15}"
#define B_1 "{%16}"
#define B_2 "{%16,%17}"
#define B_4 "{%16,%17,%18,%19}"
#define B_8 "{%16,%17,%18,%19,%20,%21,%22,%23}"
#define C_2 "{%24,%25}"
#define C_4 "{%24,%25,%26,%27}"
#define C_8 "{%24,%25,%26,%27,%28,%29,%30,%31}"

struct Operands {
  const void *a, *b, *c;
  void *d;
  int lda, ldb, ldc;
};

// The layouts of A, B, and of C and D, and of each matrix its type and number of registers.
#define FORM(NAME, SHAPE, LA, LB, LC, A, NA, B, NB, C, NC, D, ND, OP, TYPES)                       \
  struct NAME {                                                                                    \
    static __device__ void run(Operands o) {                                                       \
      unsigned a[8] = {}, b[8] = {}, c[8] = {}, d[8] = {};                                         \
      asm volatile("wmma.load.a.sync.aligned." LA "." SHAPE "." A " " FIRST_##NA ", [%8], %9;"     \
                   : IO8(a)                                                                        \
                   : "l"(o.a), "r"(o.lda));                                                        \
      asm volatile("wmma.load.b.sync.aligned." LB "." SHAPE ".global." B " " FIRST_##NB            \
                   ", [%8], %9;"                                                                   \
                   : IO8(b)                                                                        \
                   : "l"(o.b), "r"(o.ldb));                                                        \
      asm volatile("wmma.load.c.sync.aligned." LC "." SHAPE "." C " " FIRST_##NC ", [%8], %9;"     \
                   : IO8(c)                                                                        \
                   : "l"(o.c), "r"(o.ldc));                                                        \
      asm volatile("wmma.mma" OP ".sync.aligned." LA "." LB "." SHAPE "." TYPES " " FIRST_##ND     \
                   ", " A_##NA ", " B_##NB ", " C_##NC ";"                                         \
                   : IO8(d)                                                                        \
                   : IN8(a), IN8(b), IN8(c));                                                      \
      asm volatile("wmma.store.d.sync.aligned." LC "." SHAPE ".global." D " [%8], " FIRST_##ND     \
                   ", %9;"                                                                         \
                   : IO8(d)                                                                        \
                   : "l"(o.d), "r"(o.ldc)                                                          \
                   : "memory");                                                                    \
    }                                                                                              \
  };

FORM(HalfSquare, "m16n16k16", "row", "col", "row", "f16", 8, "f16", 8, "f32", 8, "f32", 8, "", "f32.f32")
FORM(HalfSum, "m16n16k16", "col", "row", "col", "f16", 8, "f16", 8, "f16", 4, "f16", 4, "", "f16.f16")
FORM(HalfToSingle, "m32n8k16", "row", "row", "row", "f16", 8, "f16", 8, "f16", 4, "f32", 8, "", "f32.f16")
FORM(SingleToHalf, "m8n32k16", "col", "col", "row", "f16", 8, "f16", 8, "f32", 8, "f16", 4, "", "f16.f32")
FORM(BrainSquare, "m16n16k16", "row", "col", "col", "bf16", 4, "bf16", 4, "f32", 8, "f32", 8, "", "f32.bf16.bf16.f32")
FORM(BrainHigh, "m32n8k16", "col", "row", "row", "bf16", 8, "bf16", 2, "f32", 8, "f32", 8, "", "f32.bf16.bf16.f32")
FORM(BrainWide, "m8n32k16", "row", "row", "row", "bf16", 2, "bf16", 8, "f32", 8, "f32", 8, "", "f32.bf16.bf16.f32")
FORM(Tensor, "m16n16k8", "row", "col", "row", "tf32", 4, "tf32", 4, "f32", 8, "f32", 8, "", "f32.tf32.tf32.f32")
FORM(ByteSquare, "m16n16k16", "row", "col", "row", "s8", 2, "s8", 2, "s32", 8, "s32", 8, "", "s32.s8.s8.s32")
FORM(ByteHigh, "m32n8k16", "col", "row", "col", "u8", 4, "u8", 1, "s32", 8, "s32", 8, "", "s32.u8.u8.s32.satfinite")
FORM(ByteWide, "m8n32k16", "col", "col", "row", "s8", 1, "s8", 4, "s32", 8, "s32", 8, "", "s32.s8.s8.s32")
FORM(Nibble, "m8n8k32", "row", "col", "row", "s4", 1, "s4", 1, "s32", 2, "s32", 2, "", "s32.s4.s4.s32")
FORM(NibbleLimit, "m8n8k32", "row", "col", "col", "u4", 1, "u4", 1, "s32", 2, "s32", 2, "", "s32.u4.u4.s32.satfinite")
FORM(BitXor, "m8n8k128", "row", "col", "row", "b1", 1, "b1", 1, "s32", 2, "s32", 2, ".xor.popc", "s32.b1.b1.s32")
FORM(BitAnd, "m8n8k128", "row", "col", "col", "b1", 1, "b1", 1, "s32", 2, "s32", 2, ".and.popc", "s32.b1.b1.s32")

struct Double {
  static __device__ void run(Operands o) {
    double a, b, c0, c1, d0, d1;
    asm volatile("wmma.load.a.sync.aligned.col.m8n8k4.f64 {%0}, [%1], %2;" : "=d"(a) : "l"(o.a), "r"(o.lda));
    asm volatile("wmma.load.b.sync.aligned.row.m8n8k4.f64 {%0}, [%1], %2;" : "=d"(b) : "l"(o.b), "r"(o.ldb));
    asm volatile("wmma.load.c.sync.aligned.row.m8n8k4.f64 {%0,%1}, [%2], %3;"
                 : "=d"(c0), "=d"(c1)
                 : "l"(o.c), "r"(o.ldc));
    asm volatile("wmma.mma.sync.aligned.col.row.m8n8k4.rn.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
                 : "=d"(d0), "=d"(d1)
                 : "d"(a), "d"(b), "d"(c0), "d"(c1));
    asm volatile("wmma.store.d.sync.aligned.row.m8n8k4.f64 [%0], {%1,%2}, %3;" ::"l"(o.d), "d"(d0), "d"(d1),
                 "r"(o.ldc)
                 : "memory");
  }
};

template <class Form> __global__ void multiply(Operands o, int size) {
  o.d = (char *)o.d + threadIdx.x / 32 * size;
  Form::run(o);
}

/// Lines of matrices have elements after them that are not of the product.
template <class Form>
static void check(const char *name, int m, int n, int k, Type typeA, bool rowsA, bool rowsB, bool rowsC, Type typeC,
                  Type typeD, bool isAnd = false, int start = 0) {
  int pad = 128 / kBits[typeA], lda = (rowsA ? k : m) + pad, ldb = (rowsB ? n : k) + 2 * pad, ldc = (rowsC ? n : m) + 8;
  Matrix a(typeA, lda * (rowsA ? m : k)), b(typeA, ldb * (rowsB ? k : n));
  Matrix c(typeC, ldc * (rowsC ? m : n)), d(typeD, ldc * (rowsC ? m : n));
  auto elementA = [&](int row, int i) { return smallNumber(typeA, row * 1000 + i); };
  auto elementB = [&](int i, int column) { return smallNumber(typeA, 77777 + i * 32 + column); };
  auto elementC = [&](int row, int column) { return start ? start : smallNumber(F32, 5555 + row * 32 + column); };
  auto placeC = [&](int row, int column) { return rowsC ? row * ldc + column : column * ldc + row; };
  for (int row = 0; row < m; ++row)
    for (int i = 0; i < k; ++i)
      a.set(rowsA ? row * lda + i : i * lda + row, elementA(row, i));
  for (int column = 0; column < n; ++column)
    for (int i = 0; i < k; ++i)
      b.set(rowsB ? i * ldb + column : column * ldb + i, elementB(i, column));
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column)
      c.set(placeC(row, column), elementC(row, column));
  DeviceArray<unsigned char> da(a.bytes), db(b.bytes), dc(c.bytes), dd(2 * d.bytes.size());
  int size = d.bytes.size();
  multiply<Form><<<1, 64>>>({da, db, dc, dd, lda, ldb, ldc}, size);
  std::vector<unsigned char> got = dd.host();
  for (int warp = 0; warp < 2; ++warp) {
    d.bytes.assign(got.begin() + warp * size, got.begin() + (warp + 1) * size);
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column) {
        long long wanted = elementC(row, column);
        for (int i = 0; i < k; ++i) {
          int x = elementA(row, i), y = elementB(i, column);
          wanted += typeA != B1 ? x * y : isAnd ? x & y : x ^ y;
        }
        wanted = wanted > 0x7fffffff ? 0x7fffffff : wanted;
        if (!expectEqual(d.get(placeC(row, column)), (int)wanted, name, row * n + column))
          return;
      }
  }
}

/// From shared memory, without strides, a list that has the address in it, under a condition.
__global__ void inShared(float *sums) {
  __shared__ __align__(32) __half a[16 * 16], b[16 * 16];
  __shared__ __align__(32) float c[16 * 16];
  for (int i = threadIdx.x; i < 256; i += 32)
    a[i] = i % 7, b[i] = i % 5, c[i] = 1;
  __syncthreads();
  unsigned atA = (unsigned)__cvta_generic_to_shared(a), atC = (unsigned)__cvta_generic_to_shared(c);
  unsigned beforeB = (unsigned)__cvta_generic_to_shared(b) - 32;
  asm volatile("{ .reg .b32 x<8>, y<8>; .reg .f32 z<8>; .reg .pred p; setp.eq.u32 p, 0, 0;\n"
               "mov.b32 x0, %0;\n"
               "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {x0,x1,x2,x3,x4,x5,x6,x7}, [x0];\n"
               "@p wmma.load.b.sync.aligned.row.m16n16k16.shared::cta.f16 {y0,y1,y2,y3,y4,y5,y6,y7}, [%2+32];\n"
               "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {z0,z1,z2,z3,z4,z5,z6,z7}, [%1], 16;\n"
               "wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {z0,z1,z2,z3,z4,z5,z6,z7}, {x0,x1,x2,x3,x4,x5,x6,x7},"
               " {y0,y1,y2,y3,y4,y5,y6,y7}, {z0,z1,z2,z3,z4,z5,z6,z7};\n"
               "wmma.store.d.sync.aligned.col.m16n16k16.shared.f32 [%1], {z0,z1,z2,z3,z4,z5,z6,z7}; }"
               :
               : "r"(atA), "r"(atC), "r"(beforeB)
               : "memory");
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32)
    sums[i] = c[i];
}

static void checkShared() {
  DeviceArray<float> sums(256);
  inShared<<<1, 32>>>(sums);
  std::vector<float> got = sums.host();
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column) {
      float wanted = 1;
      for (int i = 0; i < 16; ++i)
        wanted += (row * 16 + i) % 7 * ((i * 16 + column) % 5);
      expectEqual(got[column * 16 + row], wanted, "shared", row * 16 + column);
    }
}

int main() {
  check<HalfSquare>("f16", 16, 16, 16, F16, true, false, true, F32, F32);
  check<HalfSum>("f16 sum", 16, 16, 16, F16, false, true, false, F16, F16);
  check<HalfToSingle>("f16 to f32", 32, 8, 16, F16, true, true, true, F16, F32);
  check<SingleToHalf>("f32 to f16", 8, 32, 16, F16, false, false, true, F32, F16);
  check<BrainSquare>("bf16", 16, 16, 16, BF16, true, false, false, F32, F32);
  check<BrainHigh>("bf16 m32", 32, 8, 16, BF16, false, true, true, F32, F32);
  check<BrainWide>("bf16 n32", 8, 32, 16, BF16, true, true, true, F32, F32);
  check<Tensor>("tf32", 16, 16, 8, TF32, true, false, true, F32, F32);
  check<ByteSquare>("s8", 16, 16, 16, S8, true, false, true, S32, S32);
  check<ByteHigh>("u8 m32", 32, 8, 16, U8, false, true, false, S32, S32, false, 0x7fffffff);
  check<ByteWide>("s8 n32", 8, 32, 16, S8, false, false, true, S32, S32);
  check<Nibble>("s4", 8, 8, 32, S4, true, false, true, S32, S32);
  check<NibbleLimit>("u4", 8, 8, 32, U4, true, false, false, S32, S32, false, 0x7fffff00);
  check<BitXor>("b1 xor", 8, 8, 128, B1, true, false, true, S32, S32);
  check<BitAnd>("b1 and", 8, 8, 128, B1, true, false, false, S32, S32, true);
  check<Double>("f64", 8, 8, 4, F64, false, true, true, F64, F64);
  checkShared();
  return finish();
}
