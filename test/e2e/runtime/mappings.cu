// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mapping of the sw lowering is chosen for each launch, from the sizes of grid and block, and is
// what VX_SW_MAPPING says where the kernel and the launch allow it. Two cores of 4 warps x 8 lanes.
// The former spelling of warps-per-lane is accepted.
// RUN: %vxcc -O3 %s -o %t
// RUN: env VX_LOWERING=sw VX_STATS=text VX_SET=num_cores=2,core.num_warps=4,core.num_threads=8,%no_warp_isa %run %t 2> %t.auto
// RUN: FileCheck %s --check-prefix=AUTO --input-file=%t.auto
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=block-per-lane VX_STATS=text VX_SET=num_cores=2,core.num_warps=4,core.num_threads=8,%no_warp_isa %run %t 2> %t.block
// RUN: FileCheck %s --check-prefix=BLOCK --input-file=%t.block
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=warps-per-lane VX_STATS=text VX_SET=num_cores=2,core.num_warps=4,core.num_threads=8,%no_warp_isa %run %t 2> %t.spread
// RUN: FileCheck %s --check-prefix=SPREAD --input-file=%t.spread
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=thread-per-lane VX_STATS=text VX_SET=num_cores=2,core.num_warps=4,core.num_threads=8,%no_warp_isa %run %t 2> %t.warp
// RUN: FileCheck %s --check-prefix=WARP --input-file=%t.warp
// RUN: env VX_LOWERING=hw VX_STATS=text VX_SET=num_cores=2,core.num_warps=4,core.num_threads=8 %run %t 2> %t.hw
// RUN: FileCheck %s --check-prefix=HW --input-file=%t.hw

// AUTO-DAG: kernel {{.*}}convergent{{.*}} (sw, thread-per-lane)
// AUTO-DAG: kernel {{.*}}convergent{{.*}} (sw, block-per-lane)
// AUTO-DAG: kernel {{.*}}plain{{.*}} 1 launch{{.*}} (sw, thread-per-lane)
// AUTO-DAG: kernel {{.*}}plain{{.*}} 1 launch{{.*}} (sw, block-per-lane)
// AUTO-DAG: kernel {{.*}}divergent{{.*}} 2 launches (sw, warps-per-lane)
// BLOCK-NOT: (sw, warps-per-lane)
// BLOCK-NOT: (sw, thread-per-lane)
// BLOCK: (sw, block-per-lane)
// BLOCK-NOT: (sw, warps-per-lane)
// BLOCK-NOT: (sw, thread-per-lane)
// SPREAD-NOT: (sw, thread-per-lane)
// SPREAD: (sw, warps-per-lane)
// SPREAD-NOT: (sw, thread-per-lane)
// WARP-DAG: kernel {{.*}}convergent{{.*}} (sw, thread-per-lane)
// WARP-DAG: kernel {{.*}}plain{{.*}} 2 launches (sw, thread-per-lane)
// WARP-DAG: kernel {{.*}}divergent{{.*}} (sw, warps-per-lane)
// HW-NOT: (sw
// HW: kernel {{.*}}convergent{{.*}} (hw)
// HW-NOT: (sw

#include <cstdio>
#include <vector>

/// The threads of a warp go convergent.
__global__ void convergent(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __any_sync(~0u, in[i] % 2) * 1000 + in[i];
}
/// They have nothing to do with each other.
__global__ void plain(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 3;
}
/// They part around votes.
__global__ void divergent(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
  unsigned odd = __ballot_sync(~0u, v % 2);
  int any = v % 2 ? __any_sync(odd, v == 7) : 2 * __any_sync(~odd, v == 6);
  out[i] = any * 1000 + v + 3 * __any_sync(~0u, any == 1);
}

enum Kind { Together, Plain, Apart };

template <class Kernel>
static bool launch(const char *name, Kernel kernel, Kind kind, int blocks, int threads) {
  int count = blocks * threads, *in, *out;
  std::vector<int> values(count), got(count);
  for (int i = 0; i < count; ++i)
    values[i] = i * 5 % 11 + i / 64 * 2 % 3;
  cudaMalloc(&in, count * sizeof(int));
  cudaMalloc(&out, count * sizeof(int));
  cudaMemcpy(in, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  kernel<<<blocks, threads>>>(in, out);
  cudaMemcpy(got.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = cudaGetLastError() == cudaSuccess;
  for (int i = 0; i < count; ++i) {
    int block = i / threads * threads, first = block + (i - block) / 32 * 32;
    int end = first + 32 < block + threads ? first + 32 : block + threads;
    bool isOdd = false, seven = false, six = false;
    for (int k = first; k < end; ++k) {
      isOdd |= values[k] % 2;
      seven |= values[k] == 7;
      six |= values[k] == 6;
    }
    int v = values[i], any = v % 2 ? seven : 2 * six;
    int wanted[] = {isOdd * 1000 + v, v * 3, any * 1000 + v + 3 * seven};
    good &= got[i] == wanted[kind];
  }
  if (!good)
    std::printf("%s<<<%d, %d>>> is wrong\n", name, blocks, threads);
  cudaFree(in);
  cudaFree(out);
  return good;
}

int main() {
  bool good = launch("convergent", convergent, Together, 4, 128); // a thread on each lane
  good &= launch("convergent", convergent, Together, 128, 2);     // logical warps would not be full
  good &= launch("plain", plain, Plain, 4, 128);
  good &= launch("plain", plain, Plain, 128, 2); // most lanes would be idle
  good &= launch("divergent", divergent, Apart, 4, 128); // fewer blocks than hardware threads
  good &= launch("divergent", divergent, Apart, 70, 64); // two rounds, of halves of blocks
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}

// With paths, block-per-lane is the only mapping of sw.
// UNSUPPORTED: paths
