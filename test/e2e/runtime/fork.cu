// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc %s -o %t && env ASAN_OPTIONS=detect_leaks=0 %run %t 2>&1 | FileCheck %s
//
// (The search for leaks, in a build with the address sanitizer, asks for the threads of the parent.)
//
// Processes that a program forks: before the first use of CUDA they can use it, afterwards they
// cannot, also while a kernel runs, and still end as they want to.
//
// CHECK:      forked first: 1
// CHECK-NEXT: exit status 3
// CHECK:      vxrt: this process was forked from one that used the device before
// CHECK:      forked later: cudaErrorInitializationError
// CHECK-NEXT: launch: cudaErrorInitializationError
// CHECK-NEXT: devices: cudaErrorInitializationError
// CHECK-NEXT: exit status 4
// CHECK-NEXT: exit status 5
// CHECK-NEXT: PASS

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add(int *p, int times) {
  for (int i = 0; i < times; ++i)
    atomicAdd(p, 1);
}

template <typename F> static void inChild(F &&body) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    setvbuf(stdout, nullptr, _IONBF, 0);
    std::exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("exit status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

int main() {
  alarm(100); // a child that hangs
  int *d, got = 0;
  inChild([&] {
    cudaMalloc(&d, sizeof(int));
    cudaMemset(d, 0, sizeof(int));
    add<<<1, 1>>>(d, 1);
    cudaMemcpy(&got, d, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("forked first: %d\n", got);
    return 3;
  });
  cudaMalloc(&d, sizeof(int));
  cudaMemset(d, 0, sizeof(int));
  add<<<1, 1>>>(d, 1);
  inChild([&] {
    void *memory;
    std::printf("forked later: %s\n", cudaGetErrorName(cudaMalloc(&memory, 4)));
    add<<<1, 1>>>(d, 1);
    std::printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
    int count;
    std::printf("devices: %s\n", cudaGetErrorName(cudaGetDeviceCount(&count)));
    return 4;
  });
  for (int i = 0; i < 20; ++i)
    add<<<4, 64>>>(d, 1000);
  usleep(2000); // the worker runs them
  inChild([] { return 5; });
  cudaMemcpy(&got, d, sizeof(int), cudaMemcpyDeviceToHost);
  std::puts(got == 1 + 20 * 4 * 64 * 1000 ? "PASS" : "FAIL");
}
