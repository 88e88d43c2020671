// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc %s -o %t
// RUN: %run %t | FileCheck %s
//
// Programs that end while kernels run and other threads use CUDA; objects with static storage that
// use it in their destructors.
//
// CHECK: destructor: cudaSuccess, 11
// CHECK: PASS

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

__global__ void add(int *p, int times) {
  for (int i = 0; i < times; ++i)
    atomicAdd(p, 1);
}

static int *d;

struct Static {
  int *memory;
  cudaStream_t stream;
  Static() {
    cudaMalloc(&memory, sizeof(int));
    cudaMemset(memory, 0, sizeof(int));
    cudaStreamCreate(&stream);
    add<<<1, 1, 0, stream>>>(memory, 1);
  }
  ~Static() {
    add<<<1, 1, 0, stream>>>(memory, 10);
    int got = 0;
    cudaError_t error = cudaMemcpyAsync(&got, memory, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::printf("destructor: %s, %d\n", cudaGetErrorName(error), got);
    cudaFree(memory);
    cudaStreamDestroy(stream);
  }
};

/// A thread that never ends.
template <typename F> static void start(F &&body) {
  std::thread([body] {
    for (;;)
      body();
  }).detach();
  usleep(10000);
}

static void endAs(const char *way) {
  auto is = [&](const char *name) { return std::strcmp(way, name) == 0; };
  cudaMalloc(&d, sizeof(int));
  cudaMemset(d, 0, sizeof(int));
  for (int i = 0; i < 10; ++i)
    add<<<4, 64>>>(d, 300);
  if (is("a thread"))
    std::thread([] { std::exit(4); }).join();
  if (is("while a thread waits"))
    start([] { cudaDeviceSynchronize(); });
  if (is("while a thread launches"))
    start([] { add<<<1, 32>>>(d, 10); });
  if (is("while a thread allocates"))
    start([] {
      void *memory;
      cudaStream_t stream;
      cudaMalloc(&memory, 100);
      cudaStreamCreate(&stream);
      cudaStreamDestroy(stream);
      cudaFree(memory);
    });
  if (is("while a thread resets"))
    start([] {
      cudaDeviceReset();
      void *memory;
      cudaMalloc(&memory, 100);
      add<<<1, 32>>>(d, 0);
    });
  if (is("a host function")) {
    cudaLaunchHostFunc(
        0, [](void *) { std::exit(4); }, nullptr);
    cudaDeviceSynchronize();
  }
  if (is("quick_exit"))
    std::quick_exit(4);
  if (is("an object"))
    static Static object;
  std::exit(4);
}

int main() {
  bool right = true;
  for (const char *way : {"exit", "a thread", "while a thread waits", "while a thread launches",
                          "while a thread allocates", "while a thread resets", "a host function",
                          "quick_exit", "an object"}) {
    std::fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      endAs(way);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 4) {
      std::printf("%s: status %#x\n", way, unsigned(status));
      right = false;
    }
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
