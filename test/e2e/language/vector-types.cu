// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// CUDA's vector types: constructors, sizes and alignments, element access, arrays of them in
// memory, as arguments and results; dim3 and the coordinates.

#include "../Inputs/harness.h"

static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "float3");
static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "float4");
static_assert(sizeof(double2) == 16 && alignof(double2) == 16, "double2");
static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4, "uchar4");
static_assert(sizeof(char3) == 3 && alignof(char3) == 1, "char3");
static_assert(sizeof(short2) == 4 && alignof(short2) == 4, "short2");
static_assert(sizeof(longlong2) == 16, "longlong2");

__host__ __device__ float4 blend(float4 a, float3 b, float t) {
  return make_float4(a.x + t * b.x, a.y + t * b.y, a.z + t * b.z, a.w);
}

__host__ __device__ double combine(unsigned i) {
  int2 i2 = make_int2(i, -static_cast<int>(i));
  uint3 u3 = make_uint3(i, i + 1, i + 2);
  uchar4 c4 = make_uchar4(i, i * 3, i * 5, i * 7);
  short2 s2 = make_short2(i * 100, -7);
  double2 d2 = make_double2(i * 0.5, i * 0.25);
  longlong2 l2 = make_longlong2(1ll << 33, i);
  float4 f4 = blend(make_float4(i, 2, 3, 4), make_float3(1, 2, 4), 0.5f);
  i2.x += u3.z;
  c4.w ^= c4.y;
  return i2.x + i2.y + u3.x * u3.y + c4.x + c4.z + c4.w + s2.x * s2.y + d2.x * d2.y +
         static_cast<double>(l2.x) + l2.y + f4.x + f4.y * f4.z + f4.w;
}

__global__ void fill(double *sums, float3 *triples, uchar4 *colours, double2 *pairs, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  sums[i] = combine(i);
  triples[i] = make_float3(i, i * 2, i * 3);
  colours[i] = make_uchar4(i, i + 1, i + 2, i + 3);
  pairs[i] = make_double2(i, -i);
}

__global__ void swizzle(const float3 *triples, const uchar4 *colours, float4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = make_float4(triples[i].z, triples[i].x, colours[i].w, colours[i].y);
}

int main() {
  const int n = 130;
  DeviceArray<double> sums(n);
  DeviceArray<float3> triples(n);
  DeviceArray<uchar4> colours(n);
  DeviceArray<double2> pairs(n);
  DeviceArray<float4> mixedUp(n);
  dim3 grid(3), block(50);
  expect(grid.y == 1 && grid.z == 1 && block.x == 50, "dim3");
  fill<<<grid, block>>>(sums, triples, colours, pairs, n);
  swizzle<<<grid, block>>>(triples, colours, mixedUp, n);
  std::vector<double> gotSums = sums.host();
  std::vector<double2> gotPairs = pairs.host();
  std::vector<float4> got = mixedUp.host();
  for (int i = 0; i < n; ++i) {
    expectEqual(gotSums[i], combine(i), "combine", i);
    expect(gotPairs[i].x == i && gotPairs[i].y == -i, "pairs", i);
    expect(got[i].x == i * 3 && got[i].y == i && got[i].z == (i + 3) % 256 &&
               got[i].w == (i + 1) % 256,
           "swizzle", i);
  }
  return finish();
}
