// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// VX_LAUNCHES: a line for each run of a kernel, in their order; the cycles add up to those of the device, and the
// processor time is positive. A launch that is refused has none.
// RUN: %vxcc -O1 %s -o %t
// RUN: env VX_MODE=timing VX_LAUNCHES=%t.csv VX_STATS=json:%t.json %run %t
// RUN: FileCheck %s < %t.csv
// RUN: %python -c "import csv, json; print(sum(int(r['cycles']) for r in csv.DictReader(open('%t.csv'))) == json.load(open('%t.json'))['cycles'])" | FileCheck %s --check-prefix=SUM
// RUN: env VX_LAUNCHES=/no/such/file not %run %t 2>&1 | FileCheck %s --check-prefix=CANNOT

// CHECK: {{^}}cycles,lowering,kernel,seconds{{$}}
// CHECK-NEXT: {{^[1-9][0-9]*}},"{{.+}}","first(int*)",{{[0-9]+\.[0-9]*[1-9][0-9]*$}}
// CHECK-NEXT: {{^[1-9][0-9]*}},"{{.+}}","void second<3>(int*)",{{[0-9]+\.[0-9]*[1-9][0-9]*$}}
// CHECK-NEXT: {{^[1-9][0-9]*}},"{{.+}}","first(int*)",{{[0-9]+\.[0-9]*[1-9][0-9]*$}}
// CHECK-NOT: {{.}}
// SUM: True
// CANNOT: vxrt: VX_LAUNCHES=/no/such/file: No such file or directory

#include <cstdio>

__global__ void first(int *p) {
  p[threadIdx.x] = threadIdx.x;
}

template <int N> __global__ void second(int *p) {
  p[threadIdx.x] *= N;
}

int main() {
  int *p, values[32];
  cudaMalloc(&p, sizeof values);
  first<<<1, 32>>>(p);
  second<3><<<1, 32>>>(p);
  first<<<1, 4096>>>(p);
  bool refused = cudaGetLastError() == cudaErrorInvalidConfiguration;
  first<<<1, 8>>>(p);
  cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost);
  bool right = refused && values[7] == 7 && values[8] == 24;
  std::printf(right ? "PASS\n" : "FAIL\n");
  return !right;
}
