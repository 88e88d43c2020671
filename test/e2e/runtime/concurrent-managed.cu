// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -std=c++20 -O3 %s -o %t && env VX_SET=core.num_warps=4,core.num_threads=8 %run %t
// RUN: env VX_LOWERING=sw %run %t
// RUN: env VX_MODE=timing %run %t 200
//
// Host threads and a kernel work on managed and mapped memory at the same time: flags in both
// directions, and atomic updates of both sides, none of which is lost.

#include "../Inputs/harness.h"
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

struct Shared {
  int started, stop;    // kernel to host, host to kernel
  unsigned count, most; // updated by both
  unsigned long long wide;
  float sum;            // a loop around compare-and-swap
  int byDevice;         // updates that the kernel has made
  int ping, pong;
};

__global__ void update(Shared *s) {
  volatile Shared *v = s;
  if (threadIdx.x == 0)
    v->started = 1;
  int made = 0;
  for (; !v->stop; ++made) {
    atomicAdd_system(&s->count, 1u);
    atomicMax_system(&s->most, unsigned(made));
    atomicAdd_system(&s->wide, 3ull);
    atomicAdd_system(&s->sum, 1.0f);
  }
  atomicAdd_system(&s->byDevice, made);
}

/// The host counts ping up, the kernel answers in pong.
__global__ void answer(Shared *s, int rounds) {
  volatile Shared *v = s;
  for (int i = 1; i <= rounds; ++i) {
    while (v->ping < i) {
    }
    __threadfence_system();
    v->pong = i;
  }
}

static void updateFromHost(Shared *s, int updates) {
  for (int i = 0; i < updates; ++i) {
    std::atomic_ref<unsigned>(s->count) += 1;
    std::atomic_ref<unsigned long long>(s->wide) += 3;
    float old = s->sum;
    while (!std::atomic_ref<float>(s->sum).compare_exchange_weak(old, old + 1)) {
    }
  }
}

static void test(Shared *s, int updates, const char *what) {
  const int threads = 8, hosts = 2;
  *s = {};
  update<<<1, threads>>>(s);
  while (!std::atomic_ref<int>(s->started) && cudaStreamQuery(0) == cudaErrorNotReady)
    std::this_thread::yield();
  expect(s->stop == 0 && std::atomic_ref<int>(s->started) == 1, "the kernel runs meanwhile");
  std::vector<std::thread> workers;
  for (int i = 0; i < hosts; ++i)
    workers.emplace_back(updateFromHost, s, updates);
  for (std::thread &worker : workers)
    worker.join();
  unsigned seen = std::atomic_ref<unsigned>(s->count);
  while (std::atomic_ref<unsigned>(s->count) < seen + threads &&
         cudaStreamQuery(0) == cudaErrorNotReady) // the kernel continues
    std::this_thread::yield();
  std::atomic_ref<int>(s->stop) = 1;
  CHECK(cudaDeviceSynchronize());
  unsigned all = unsigned(s->byDevice) + hosts * updates;
  expectEqual(s->count, all, what, 0);
  expectEqual(s->wide, 3ull * all, what, 1);
  if (all < 1 << 24)
    expectEqual(s->sum, float(all), what, 2);

  const int rounds = 10;
  answer<<<1, 1>>>(s, rounds);
  int answered = 0;
  for (int i = 1; i <= rounds; ++i) {
    std::atomic_ref<int>(s->ping) = i;
    while (std::atomic_ref<int>(s->pong) < i && cudaStreamQuery(0) == cudaErrorNotReady)
      std::this_thread::yield();
    answered += std::atomic_ref<int>(s->pong) == i;
  }
  CHECK(cudaDeviceSynchronize());
  expectEqual(answered, rounds, what, 3);
}

/// Kernels that do not hear from the host never end.
static void failAfter(int seconds) {
  std::thread([seconds] {
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
    std::printf("no end after %d s\nFAIL\n", seconds);
    std::fflush(stdout);
    std::_Exit(1);
  }).detach();
}

int main(int argc, char **argv) {
  int updates = argc > 1 ? std::atoi(argv[1]) : 20000;
  int concurrent = 0;
  failAfter(100);
  CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
  expectEqual(concurrent, 1, "concurrentManagedAccess");
  Shared *managed, *mapped;
  CHECK(cudaMallocManaged(&managed, sizeof *managed));
  test(managed, updates, "managed");
  CHECK(cudaHostAlloc(&mapped, sizeof *mapped, cudaHostAllocMapped));
  test(mapped, updates, "mapped");
  std::vector<Shared> own(3); // in the middle of a page
  CHECK(cudaHostRegister(&own[1], sizeof own[1], cudaHostRegisterMapped));
  test(&own[1], updates, "registered");
  CHECK(cudaHostUnregister(&own[1]));
  CHECK(cudaFreeHost(mapped));
  CHECK(cudaFree(managed));
  std::puts(wrongResults() ? "FAIL" : "PASS");
  return wrongResults() != 0;
}
