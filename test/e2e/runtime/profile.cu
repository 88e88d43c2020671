// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profile and the traces of a host program: per kernel, by source line at -O3.
//
// RUN: %vxcc -O3 %s -o %t
// RUN: env VX_PROFILE=%t.profile VX_TRACE=konata:%t.kanata,perfetto:%t.json,commit:%t.commit %run %t | FileCheck %s --check-prefix=OUT
// OUT: PASS
//
// RUN: FileCheck %s --check-prefix=TEXT < %t.profile.txt
// The kernel with the most cycles comes first; its hottest line is that of the loop.
// TEXT: === slow(int*, int)
// TEXT-NEXT: 3 runs, {{[0-9]+}} cycles
// TEXT-NOT: ===
// TEXT: profile.cu:[[#LOOP:]]  sum = sum * 31 + data[j]; // the loop
// TEXT: --- {{.*}}profile.cu
// TEXT: [[#LOOP]]  {{ *}}sum = sum * 31 + data[j]; // the loop
// TEXT: === quick(int*, int)
// TEXT-NEXT: 1 run, {{[0-9]+}} cycles
// TEXT: // one lane of four
// RUN: FileCheck %s --check-prefix=HTML < %t.profile.html
// HTML: slow(int*, int)
// HTML: quick(int*, int)
//
// RUN: %python -c "import json, sys; e = json.load(open(sys.argv[1]))['traceEvents']; k = [x['name'].split('(')[0] for x in e if x.get('cat') == 'run']; sys.exit(k != ['slow', 'slow', 'slow', 'quick'])" %t.json
// RUN: grep -c "^# run" %t.commit | FileCheck %s --check-prefix=RUNS
// RUNS: 4
// RUN: env VX_TRACE=pictures:x not %run %t 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: VX_TRACE=pictures:x: it is konata:FILE, perfetto:FILE or commit:FILE

#include <cstdio>
#include <cuda_runtime.h>

__global__ void slow(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int j = 0; j < n; ++j)
    sum = sum * 31 + data[j]; // the loop
  data[n + i] = sum;
}

__global__ void quick(int *data, int n) {
  int i = threadIdx.x;
  if (i % 4 == 0)
    data[n + i] += data[i] * data[i]; // one lane of four
}

int main() {
  constexpr int n = 32;
  int host[2 * n], *data;
  for (int i = 0; i < n; ++i)
    host[i] = i * i + 1;
  if (cudaMalloc(&data, sizeof host) != cudaSuccess)
    return printf("no device\n"), 1;
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  for (int run = 0; run < 3; ++run)
    slow<<<1, n>>>(data, n);
  quick<<<1, n>>>(data, n);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int j = 0; j < n; ++j)
    sum = int(unsigned(sum) * 31u) + host[j];
  bool ok = cudaGetLastError() == cudaSuccess;
  for (int i = 0; i < n; ++i)
    ok = ok && host[n + i] == (i % 4 ? sum : sum + host[i] * host[i]);
  puts(ok ? "PASS" : "FAIL");
  return !ok;
}
