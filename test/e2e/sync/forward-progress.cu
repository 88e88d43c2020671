// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It is about both kinds of divergence.
// UNSUPPORTED: paths
//
// Threads of one warp that wait for each other. Each program ends: with paths (core.divergence =
// paths) the machine lets them proceed, with the mask stack they proceed in rounds. What waits for
// ever all the same is stopped, and the report names the loop and the store that it waits for.
//
// RUN: %vxcc -O3 --vx-isa=warp,paths --vx-xlen=32,64 %s -o %t
// RUN: env VX_SET=core.divergence=paths %run %t
// RUN: env VX_SET=core.divergence=paths,isa.xlen=32,core.num_threads=8 %run %t
// RUN: env VX_SET=core.divergence=paths,core.num_warps=2,core.num_threads=32 %run %t
// RUN: env VX_SET=core.divergence=paths,core.num_warps=16,core.num_threads=2 %run %t
// RUN: env VX_MODE=timing VX_SET=core.divergence=paths,core.num_threads=8 %run %t
// RUN: env VX_MODE=timing VX_SET=core.divergence=paths,num_cores=4,isa.xlen=32 %run %t
// RUN: %vxcc -O0 --vx-isa=paths %s -o %t.0 && env VX_SET=core.divergence=paths %run %t.0
// RUN: %run %t && env VX_LOWERING=sw %run %t
// RUN: env VX_LOWERING=hw VX_SET=core.num_threads=8 %run %t
// RUN: env VX_LOWERING=hw VX_MODE=timing %run %t
// RUN: env VX_LOWERING=hw VX_MODE=timing VX_SET=isa.xlen=32,core.num_threads=8 %run %t
//
// The thread with the lock waits at a barrier for those that wait for the lock.
// RUN: env VX_LOWERING=hw not %run %t held 2>&1 | FileCheck %s --check-prefix=HELD
// RUN: env VX_LOWERING=hw VX_MODE=timing not %run %t held 2>&1 | FileCheck %s --check-prefix=HELD
// What these wait for is never written, whatever the machine.
// RUN: not %run %t never 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: env VX_SET=core.divergence=paths not %run %t never 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: env VX_MODE=timing VX_SET=core.divergence=paths not %run %t never 2>&1 | FileCheck %s --check-prefix=NEVER
//
// A program without code for paths says how to get it.
// RUN: %vxcc -O3 %s -o %t.stack
// RUN: env VX_SET=core.divergence=paths not %run %t.stack 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: runs what is compiled with --vx-isa=paths
// RUN: not %run %t.0 2>&1 | FileCheck %s --check-prefix=STACK
// STACK: it is for devices with core.divergence=paths

#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ int lockWord, nextTicket, nowServing, count, flags[64];

__device__ void addOne() {
  *static_cast<volatile int *>(&count) = *static_cast<volatile int *>(&count) + 1;
  __threadfence();
}

__global__ void inside() {
  for (bool done = false; !done;)
    if (atomicCAS(&lockWord, 0, 1) == 0) {
      addOne();
      atomicExch(&lockWord, 0);
      done = true;
    }
}

__global__ void behind() {
  while (atomicCAS(&lockWord, 0, 1) != 0)
    ;
  addOne();
  atomicExch(&lockWord, 0);
}

__global__ void leftByBreak() {
  while (true)
    if (atomicCAS(&lockWord, 0, 1) == 0) {
      addOne();
      atomicExch(&lockWord, 0);
      break;
    }
}

__global__ void ticket() {
  int mine = atomicAdd(&nextTicket, 1);
  while (*static_cast<volatile int *>(&nowServing) != mine)
    ;
  addOne();
  atomicAdd(&nowServing, 1);
}

__global__ void handOver() {
  volatile int *flag = flags;
  if (threadIdx.x % 2 == 0) {
    while (flag[threadIdx.x + 1] == 0)
      ;
    atomicAdd(&count, 1);
    flag[threadIdx.x] = 1;
  } else {
    flag[threadIdx.x] = 1;
    while (flag[threadIdx.x - 1] == 0)
      ;
    atomicAdd(&count, 1);
  }
}

// The scan of ones, each lane adding to what the one before has published.
__global__ void lookBack() {
  int i = threadIdx.x, sum = 1;
  volatile int *published = flags;
  if (i > 0) {
    while (published[i - 1] == 0)
      ;
    sum += published[i - 1];
  }
  published[i] = sum;
  atomicAdd(&count, sum == i + 1);
}

// The clock takes part, but ends nothing.
__global__ void backOff() {
  while (atomicCAS(&lockWord, 0, 1) != 0)
    __nanosleep(50);
  addOne();
  atomicExch(&lockWord, 0);
}

__device__ __noinline__ void acquireAfter(int calls) {
  if (calls > 0) {
    acquireAfter(calls - 1);
    atomicAdd(&nextTicket, 1);
    return;
  }
  while (atomicCAS(&lockWord, 0, 1) != 0)
    ;
  addOne();
  atomicExch(&lockWord, 0);
}
__global__ void recursive() {
  acquireAfter(2);
}

__global__ void held() {
  while (atomicCAS(&lockWord, 0, 1) != 0)
    ;
  __syncthreads();
  addOne();
  atomicExch(&lockWord, 0);
}
// HELD: kernel `held()` stopped: no forward progress
// HELD: pc {{.*}}forward-progress.cu:[[# @LINE - 7]]
// HELD: waits for the store {{.*}}forward-progress.cu:[[# @LINE - 4]]
// HELD: lanes 0x{{.*}} repeat a loop that reads 0x{{.*}}; the threads that are to write there spin as well
// HELD: cudaErrorLaunchTimeout

__global__ void never() {
  if (threadIdx.x == 3)
    while (*static_cast<volatile int *>(&nowServing) != -1)
      ;
  __syncthreads();
  count = -1;
}
// NEVER: stopped: no forward progress
// NEVER: pc {{.*}}forward-progress.cu:[[# @LINE - 6]]
// NEVER: no thread that can run writes there
// NEVER: cudaErrorLaunchTimeout

struct Program {
  const char *name;
  void (*kernel)();
};
constexpr Program programs[] = {{"inside", inside},     {"behind", behind},     {"leftByBreak", leftByBreak},
                                {"ticket", ticket},     {"handOver", handOver}, {"lookBack", lookBack},
                                {"backOff", backOff},   {"recursive", recursive},
                                {"held", held},         {"never", never}};

static bool run(const Program &program, int threads) {
  const int zero = 0, zeros[64] = {};
  cudaMemcpyToSymbol(count, &zero, sizeof zero);
  cudaMemcpyToSymbol(nextTicket, &zero, sizeof zero);
  cudaMemcpyToSymbol(nowServing, &zero, sizeof zero);
  cudaMemcpyToSymbol(flags, zeros, sizeof zeros);
  program.kernel<<<1, threads>>>();
  cudaError_t error = cudaDeviceSynchronize();
  int result = 0;
  if (error == cudaSuccess)
    cudaMemcpyFromSymbol(&result, count, sizeof result);
  if (error == cudaSuccess && result == threads)
    return true;
  std::printf("%s with %d threads: %s, count %d\n", program.name, threads, cudaGetErrorName(error), result);
  return false;
}

int main(int argc, char **argv) {
  bool good = true;
  for (const Program &program : programs)
    if (argc > 1 ? !std::strcmp(program.name, argv[1])
                 : program.kernel != never && program.kernel != held)
      for (int threads : {16, 64}) {
        good = good && run(program, threads);
      }
  std::puts(good ? "PASS" : "FAIL");
  return !good;
}
