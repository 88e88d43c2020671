// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -std=c++14 -O1 %s -o %t && %t
// RUN: env VX_STATS=text VX_MODE=functional %t 2>&1 >%t.out | FileCheck %s
//
// The C++ form of NVTX: scoped, unique and function ranges, domains, colors and payloads.

#include <cstdio>
#include <cuda_runtime.h>
#include <nvtx3/nvtx3.hpp>

struct solver {
  static constexpr const char *name = "solver";
};
struct step_name {
  static constexpr const char *message = "step";
};

__global__ void work(int *sum) {
  atomicAdd(sum, 1);
}

static void run(int *sum) {
  NVTX3_FUNC_RANGE_IN(solver);
  work<<<1, 4>>>(sum);
}

int main() {
  int *sum, result = 0;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  {
    nvtx3::scoped_range whole("whole", nvtx3::rgb(1, 2, 3), nvtx3::payload(7), nvtx3::category(2));
    run(sum);
    nvtx3::scoped_range_in<solver> step(nvtx3::registered_string_in<solver>::get<step_name>(),
                                        nvtx3::color(0xFF112233u));
    work<<<1, 4>>>(sum);
    nvtx3::mark("here");
    nvtx3::unique_range first{L"unique"}, second(static_cast<nvtx3::unique_range &&>(first));
    work<<<1, 4>>>(sum);
  }
  nvtx3::range_handle handle = nvtx3::start_range(std::string("started").c_str());
  work<<<1, 4>>>(sum);
  nvtx3::end_range(handle);
  work<<<1, 4>>>(sum);
  cudaMemcpy(&result, sum, 4, cudaMemcpyDeviceToHost);
  std::puts(result == 20 ? "PASS" : "FAIL");
  return result != 20;
}

// CHECK: mode
// CHECK-NEXT: range whole, 3 launches
// CHECK-NEXT: range solver: run, 1 launch
// CHECK-NEXT: range solver: step, 2 launches
// CHECK-NEXT: range unique, 1 launch
// CHECK-NEXT: range started, 1 launch
// CHECK: kernel work(int*), 5 launches
