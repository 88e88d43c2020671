// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is no mapping coarsened with paths.
// UNSUPPORTED: paths
// RUN: %vxcc -O3 -I%inputs %s -o %t
// RUN: env VX_HW_MAPPING=coarsened %shapes --few --lower=hw %t
// RUN: %vxcc -O1 --vx-xlen=32 -I%inputs %s -o %t.32
// RUN: env VX_LOWERING=hw VX_HW_MAPPING=coarsened VX_SET=isa.xlen=32,num_cores=2,core.num_warps=4,core.num_threads=8 %run %t.32
//
// Taken without being asked for where that is estimated to be faster, and not for blocks of two dimensions, or,
// where the warp votes whether its threads pass a guard together, on devices without votes.
// RUN: env VX_LOWERING=hw VX_STATS=text VX_SET=core.num_warps=4,core.num_threads=8 %run %t 2>&1 | FileCheck %s
// RUN: env VX_LOWERING=hw VX_STATS=text VX_SET=isa.warp=off,core.num_warps=4,core.num_threads=8 %run %t 2>&1 | FileCheck %s --check-prefix=NONE
// CHECK-DAG: kernel guarded({{.*}} (hw, coarsened)
// CHECK-DAG: kernel plane({{.*}} (hw)
// CHECK-DAG: PASS
// NONE-DAG: kernel guarded({{.*}} (hw)
// NONE-DAG: PASS
// RUN: %vxcc -O3 --vx-isa=base -I%inputs %s -o %t.base
// RUN: env VX_LOWERING=hw VX_HW_MAPPING=coarsened VX_STATS=text VX_SET=isa.warp=off,core.num_warps=4,core.num_threads=8 %run %t.base 2>&1 | FileCheck %s
//
// A fault names the thread whose access it was, also where a lane does those of four threads side by side or the
// threads of a warp disagree on whether to enter the guarded code.
// RUN: env VX_HW_MAPPING=coarsened VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 not %t 77 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: env VX_HW_MAPPING=coarsened VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 not %t 1021 2>&1 | FileCheck %s --check-prefix=LAST
// RUN: env VX_CHECK=memcheck VX_HW_MAPPING=coarsened VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 not %t 77 2>&1 | FileCheck %s --check-prefix=MEMCHECK
// MEMCHECK: kernel `faulty({{.*}} block (1,0,0), thread (13,0,0)
// FAULT: kernel `faulty(
// FAULT: block: [1,0,0], thread: [13,0,0]
// LAST: block: [15,0,0], thread: [61,0,0]
//
// Kernels without warp functions in mapping coarsened: guards that some warps' threads all pass, or none, or some;
// effects after a guard and after a second one; loops that end at different times; barriers;
// functions that stay calls; locals.

#include "harness.h"

__host__ __device__ unsigned valueOf(unsigned i) { return i * 2654435761u >> 7; }

__global__ void guarded(const unsigned *in, unsigned *out, unsigned first, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= first && i < n)
    out[i] = in[i] * 3 + in[(i + 7) % n];
}

__global__ void twice(const unsigned *in, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = in[i];
  if (in[i] & 1)
    out[i] = out[i] * 5 + 1;
  else if (in[i] & 2)
    out[i] = ~out[i];
}

__global__ void counted(const unsigned *in, unsigned *bins, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&bins[in[i] % 64], 1u);
}

__global__ void steps(const unsigned *in, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
  if (i < n)
    for (unsigned v = in[i] % 1000 + 1; v != 1; v = v & 1 ? 3 * v + 1 : v / 2)
      ++count;
  if (i < n)
    out[i] = count;
}

__global__ void sums(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ unsigned tile[1024];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d; d /= 2) {
    if (threadIdx.x < d)
      tile[threadIdx.x] += tile[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = tile[0];
}

__host__ __device__ __noinline__ unsigned mixedBy(unsigned v, unsigned by) { return (v ^ by) * 40503u + (v >> by % 8); }

__global__ void called(const unsigned *in, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, local[5];
  if (i >= n)
    return;
  for (unsigned k = 0; k < 5; ++k)
    local[(k + in[i]) % 5] = mixedBy(in[i], k);
  out[i] = local[in[i] / 16 % 5] ^ local[2];
}

__global__ void plane(unsigned *out) {
  out[(blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = threadIdx.y * 100 + threadIdx.x;
}

__global__ void faulty(unsigned *out, unsigned n, unsigned where) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i == where ? 1u << 29 : i] = out[i] + i;
}

static void check(unsigned block, unsigned n) {
  unsigned blocks = (n + block - 1) / block;
  std::vector<unsigned> in(n), want(n), bins(64);
  for (unsigned i = 0; i < n; ++i)
    in[i] = valueOf(i);
  DeviceArray<unsigned> device(in), out(n), counts(64), sum(blocks);
  auto compare = [&](const char *what) {
    CHECK(cudaGetLastError());
    std::vector<unsigned> got = out.host();
    for (unsigned i = 0; i < n; ++i)
      expectEqual(got[i], want[i], what, i);
  };
  guarded<<<blocks, block>>>(device, out, 100, n);
  for (unsigned i = 100; i < n; ++i)
    want[i] = in[i] * 3 + in[(i + 7) % n];
  compare("guarded");
  twice<<<blocks, block>>>(device, out, n);
  for (unsigned i = 0; i < n; ++i)
    want[i] = in[i] & 1 ? in[i] * 5 + 1 : in[i] & 2 ? ~in[i] : in[i];
  compare("twice");
  steps<<<blocks, block>>>(device, out, n);
  for (unsigned i = 0; i < n; ++i) {
    want[i] = 0;
    for (unsigned v = in[i] % 1000 + 1; v != 1; v = v & 1 ? 3 * v + 1 : v / 2)
      ++want[i];
  }
  compare("steps");
  called<<<blocks, block>>>(device, out, n);
  for (unsigned i = 0; i < n; ++i) {
    unsigned local[5];
    for (unsigned k = 0; k < 5; ++k)
      local[(k + in[i]) % 5] = mixedBy(in[i], k);
    want[i] = local[in[i] / 16 % 5] ^ local[2];
  }
  compare("called");
  counted<<<3, block>>>(device, counts, n);
  for (unsigned v : in)
    ++bins[v % 64];
  std::vector<unsigned> gotBins = counts.host();
  for (unsigned b = 0; b < 64; ++b)
    expectEqual(gotBins[b], bins[b], "counted", b);
  if (block & (block - 1))
    return;
  sums<<<blocks, block>>>(device, sum, n);
  std::vector<unsigned> gotSums = sum.host();
  for (unsigned b = 0; b < blocks; ++b) {
    unsigned wanted = 0;
    for (unsigned i = b * block; i < (b + 1) * block && i < n; ++i)
      wanted += in[i];
    expectEqual(gotSums[b], wanted, "sums", b);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) {
    DeviceArray<unsigned> out(1022);
    faulty<<<16, 64>>>(out, 1022, std::atoi(argv[1]));
    CHECK(cudaDeviceSynchronize());
  }
  for (unsigned block : {32, 64, 96, 50, 256, 1024})
    check(block, 1003);
  check(128, 9000);
  DeviceArray<unsigned> out(8 * 64);
  plane<<<8, dim3(16, 4)>>>(out);
  std::vector<unsigned> got = out.host();
  for (unsigned i = 0; i < got.size(); ++i)
    expectEqual(got[i], i / 16 % 4 * 100 + i % 16, "plane", i);
  return finish();
}
