// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that become lanes of vectors compute what they do one by one: forms of control flow,
// addresses and values, for blocks of several shapes.
//
// RUN: %vxcc -O2 --target=host %s -o %t && %t
// RUN: %vxcc -O3 --target=vortex %s -o %t && %t

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>
#include <vector>

struct Size {
  unsigned n;
  int w;
};

__device__ __host__ inline unsigned mix(unsigned x) {
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ (x >> 13);
}

// Two exits, a continue, an inner loop with a count of each thread's own.
__device__ __host__ unsigned walk(const unsigned *in, unsigned i, unsigned n) {
  unsigned sum = i;
  for (unsigned k = 0; k < 40; ++k) {
    unsigned v = in[(i + k * 7) % n];
    if (v % 11 == 3)
      continue;
    if (v % 23 == 7)
      return sum * 3 + k;
    for (unsigned j = 0; j < v % 5; ++j) {
      if (sum % 97 == 13)
        break;
      sum = mix(sum + j);
    }
    sum += v;
  }
  return sum;
}

__device__ __host__ unsigned choose(const unsigned *in, unsigned i, unsigned n, int w) {
  unsigned v = in[i % n];
  switch (v % 6) {
  case 0:
    return v / (i % 7 + 1);
  case 1:
    return w > 100 ? mix(v) : v % (i % 5 + 3);
  case 2:
    v += 5;
    [[fallthrough]];
  case 4:
    return w % 2 ? v * 2 : v * 3;
  default:
    return i;
  }
}

// A local array with an index that is not known.
__device__ __host__ unsigned sortFive(const unsigned *in, unsigned i, unsigned n) {
  unsigned local[5];
  for (unsigned k = 0; k < 5; ++k)
    local[k] = in[(i * 3 + k) % n] % 1000;
  for (int a = 1; a < 5; ++a) {
    unsigned v = local[a];
    int b = a - 1;
    for (; b >= 0 && local[b] > v; --b)
      local[b + 1] = local[b];
    local[b + 1] = v;
  }
  return local[2] + local[in[i % n] % 5] * 1000;
}

// Indices below 0 in threads that do not use them; backwards; every third.
__device__ __host__ unsigned neighbours(const unsigned *in, unsigned i, unsigned n) {
  unsigned sum = 0;
  if (i > 0 && i < n)
    sum += in[i - 1];
  if (i < n)
    sum += 3 * in[n - 1 - i];
  if (i * 3 + 2 < n)
    sum += 5 * in[i * 3 + 1] + 7 * in[i * 3 + 2];
  unsigned char narrow = (unsigned char)(i + 251);
  if (narrow < n)
    sum += 11 * in[narrow];
  return sum;
}

__device__ __host__ double narrowAndWide(const unsigned *in, unsigned i, unsigned n) {
  unsigned v = in[i % n];
  auto byte = (signed char)v;
  auto word = (short)(v >> 3);
  int64_t large = int64_t(v) * int64_t(i + 1) - (int64_t(byte) << 33);
  double d = double(large % 1000003) / (double(word) + 0.5);
  float f = float(v % 1000) * 0.25f - float(byte);
  d += f > 3.0f ? sqrtf(f) : -f;
  return d + double(int(f * 1024.0f));
}

#define KERNEL(NAME, TYPE, CALL)                                                                   \
  __global__ void NAME(const unsigned *in, TYPE *out, Size s) {                                    \
    unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;              \
    unsigned i = blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;                            \
    if (i < s.n)                                                                                   \
      out[i] = CALL;                                                                               \
  }                                                                                                \
  bool NAME##Test(const unsigned *in, const std::vector<unsigned> &host, Size s, dim3 block) {     \
    TYPE *out;                                                                                     \
    cudaMallocManaged(&out, s.n * sizeof(TYPE));                                                   \
    memset(out, 0, s.n * sizeof(TYPE));                                                            \
    unsigned threads = block.x * block.y * block.z;                                                \
    NAME<<<(s.n + threads - 1) / threads, block>>>(in, out, s);                                    \
    bool good = cudaDeviceSynchronize() == cudaSuccess;                                            \
    for (unsigned i = 0; good && i < s.n; ++i) {                                                   \
      const unsigned *in = host.data();                                                            \
      TYPE expected = CALL;                                                                        \
      good = memcmp(&expected, &out[i], sizeof(TYPE)) == 0;                                        \
      if (!good)                                                                                   \
        printf("%s, blocks of %u x %u x %u: thread %u\n", #NAME, block.x, block.y, block.z, i);    \
    }                                                                                              \
    cudaFree(out);                                                                                 \
    return good;                                                                                   \
  }

KERNEL(walkKernel, unsigned, walk(in, i, s.n))
KERNEL(chooseKernel, unsigned, choose(in, i, s.n, s.w))
KERNEL(sortKernel, unsigned, sortFive(in, i, s.n))
KERNEL(neighboursKernel, unsigned, neighbours(in, i, s.n))
KERNEL(wideKernel, double, narrowAndWide(in, i, s.n))

// Atomic operations: with a result, on one address, on one of several; the least of all threads.
__global__ void atomics(const unsigned *in, unsigned *totals, unsigned *order, unsigned n) {
  __shared__ unsigned counts[16];
  unsigned t = threadIdx.x;
  if (t < 16)
    counts[t] = 0;
  __syncthreads();
  for (unsigned k = t; k < n; k += blockDim.x) {
    atomicAdd(&counts[in[k] % 16], 1);
    if (in[k] % 3 == 0)
      atomicMax(&totals[16], in[k]);
    atomicXor(&totals[17], in[k] * 5);
    atomicSub(&totals[18], 1);
  }
  if (in[t % n] % 2)
    order[atomicAdd(&totals[19], 1)] = t;
  __syncthreads();
  if (t < 16)
    totals[t] = counts[t];
}

bool testAtomics(const unsigned *in, const std::vector<unsigned> &host, unsigned block) {
  unsigned n = host.size(), *totals, *order;
  cudaMallocManaged(&totals, 20 * sizeof(unsigned));
  cudaMallocManaged(&order, block * sizeof(unsigned));
  memset(totals, 0, 20 * sizeof(unsigned));
  atomics<<<1, block>>>(in, totals, order, n);
  std::vector<unsigned> expected(20), seen(block);
  for (unsigned v : host) {
    ++expected[v % 16];
    if (v % 3 == 0 && v > expected[16])
      expected[16] = v;
    expected[17] ^= v * 5;
    --expected[18];
  }
  for (unsigned t = 0; t < block; ++t)
    expected[19] += host[t % n] % 2;
  bool good = cudaDeviceSynchronize() == cudaSuccess &&
              memcmp(totals, expected.data(), 20 * sizeof(unsigned)) == 0;
  for (unsigned k = 0; good && k < expected[19]; ++k)
    good = order[k] < block && host[order[k] % n] % 2 && !seen[order[k]]++;
  if (!good)
    printf("atomics, blocks of %u\n", block);
  cudaFree(totals);
  cudaFree(order);
  return good;
}

// Halves through branches and loops, and copies of structures.
struct alignas(16) Four {
  float x, y, z, w;
};
__global__ void halves(const __half *in, const Four *from, Four *to, __half *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half sum = in[i];
  for (unsigned k = 0; k < i % 4; ++k)
    sum = __hgt(sum, __float2half(100.0f)) ? __hmul(sum, __float2half(0.5f)) : __hadd(sum, in[k]);
  out[i] = sum;
  to[i] = from[i];
  if (i % 5 == 2)
    to[i].z = from[i].x + from[i].w;
}

bool testHalves(unsigned n, unsigned block) {
  __half *in, *out;
  Four *from, *to;
  cudaMallocManaged(&in, n * sizeof(__half));
  cudaMallocManaged(&out, n * sizeof(__half));
  cudaMallocManaged(&from, n * sizeof(Four));
  cudaMallocManaged(&to, n * sizeof(Four));
  for (unsigned i = 0; i < n; ++i) {
    in[i] = __float2half(float(mix(i) % 4000) * 0.0625f);
    from[i] = {float(i), float(i) * 2, float(i) * 3, float(i) * 4};
  }
  halves<<<(n + block - 1) / block, block>>>(in, from, to, out, n);
  bool good = cudaDeviceSynchronize() == cudaSuccess;
  for (unsigned i = 0; good && i < n; ++i) {
    __half sum = in[i];
    for (unsigned k = 0; k < i % 4; ++k)
      sum = __half2float(sum) > 100.0f
                ? __float2half(__half2float(sum) * 0.5f)
                : __float2half(__half2float(sum) + __half2float(in[k]));
    float z = i % 5 == 2 ? from[i].x + from[i].w : from[i].z;
    good = memcmp(&sum, &out[i], sizeof sum) == 0 && to[i].x == from[i].x && to[i].y == from[i].y &&
           to[i].z == z && to[i].w == from[i].w;
    if (!good)
      printf("halves, blocks of %u: thread %u\n", block, i);
  }
  for (void *p : {(void *)in, (void *)out, (void *)from, (void *)to})
    cudaFree(p);
  return good;
}

int main() {
  bool good = true;
  for (unsigned n : {1000u, 1543u}) {
    std::vector<unsigned> host(n);
    for (unsigned i = 0; i < n; ++i)
      host[i] = mix(i * 2654435761u + 12345);
    unsigned *in;
    cudaMallocManaged(&in, n * sizeof(unsigned));
    memcpy(in, host.data(), n * sizeof(unsigned));
    for (dim3 block : {dim3(256), dim3(1), dim3(15), dim3(33), dim3(100), dim3(16, 16), dim3(5, 3, 7),
                       dim3(32, 4), dim3(4, 8, 3)})
      for (Size s : {Size{n, 7}, Size{n, 1000}}) {
        good &= walkKernelTest(in, host, s, block);
        good &= chooseKernelTest(in, host, s, block);
        good &= sortKernelTest(in, host, s, block);
        good &= neighboursKernelTest(in, host, s, block);
        good &= wideKernelTest(in, host, s, block);
      }
    for (unsigned block : {16u, 33u, 64u, 255u, 256u})
      good &= testAtomics(in, host, block) && testHalves(n, block);
    cudaFree(in);
  }
  puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
