// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t
// RUN: %run %t device > %t.device && %run %t host > %t.host && diff %t.device %t.host
// RUN: %vxcc -O0 %s -o %t && %run %t device > %t.device && diff %t.device %t.host
// RUN: %run %t many | sort -n | FileCheck --check-prefix=MANY %s
// RUN: %run %t order | FileCheck --check-prefix=ORDER %s
//
// Device printf formats like the host's: one function prints on both sides and the texts are equal.
// Strings, characters, widths, precisions, flags, 64-bit and floating-point numbers, literal %.

#include <climits>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__host__ __device__ void printAll(const char *name, int i, double d) {
  printf("plain\n");
  printf("%%, %d%%\n", 100);
  printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%x] [%X] [%#x] [%o] [%u]\n", i, i, i, i, i, i, i, i,
         i, i, i);
  printf("[%d] [%u] [%hd] [%hhu]\n", INT_MIN, UINT_MAX, static_cast<short>(-3),
         static_cast<unsigned char>(250));
  printf("[%ld] [%lu] [%lld] [%llu] [%llx] [%zu]\n", LONG_MIN, ULONG_MAX, LLONG_MIN, ULLONG_MAX,
         0x123456789abcdefull, sizeof(long));
  printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%+.0f] [%e] [%.3E] [%g] [%G]\n", d, d, d, d, d, d, d, d,
         d * 1e20);
  printf("[%f] [%f] [%f] [%g] [%a]\n", -0.0, 1.0 / 0.0 * (i > 0 ? 1 : -1), 1e300, 1e-5, 0.5);
  printf("[%s] [%10s] [%-10s] [%.3s] [%c%c]\n", name, name, name, name, 'o', 'k');
  printf("[%*d] [%-*d] [%.*f]\n", 7, i, 6, i, 3, d);
  printf("%s%s%d%s%lld%s%f%c\n", "many", " ", 1, " ", 2ll, " ", 3.0f, '!');
}

__global__ void onDevice() {
  printAll("device text", 42, 3.14159265358979);
}

__global__ void manyThreads() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 10 == 3)
    printf("%d block %d thread %d\n", i, blockIdx.x, threadIdx.x);
}

__device__ int results[6];

__global__ void returns(const char *format) {
  results[0] = printf("none\n");
  results[1] = printf("%d%% %s %f\n", 1, "two", 3.0);
  results[2] = printf("one of two: %d\n", 4, 5);
  results[3] = printf("%*d\n", 3, 6);
  results[4] = printf(format, 7);
  results[5] = printf("%s\n", "eight");
}

/// A kernel's output comes where the host waits for it, not before.
static int order() {
  static const char format[] = "at run time: %d\n";
  char *text;
  int got[6];
  cudaMalloc(&text, sizeof format);
  cudaMemcpy(text, format, sizeof format, cudaMemcpyHostToDevice);
  cudaEvent_t done;
  cudaEventCreate(&done);
  returns<<<1, 1>>>(text);
  cudaEventRecord(done);
  while (cudaEventQuery(done) == cudaErrorNotReady)
    ;
  printf("launched\n");
  cudaMemcpyFromSymbol(got, results, sizeof got);
  for (int result : got)
    printf("returned %d\n", result);
  if (cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20) != cudaErrorInvalidValue)
    printf("the buffer is in use\n");
  manyThreads<<<1, 4>>>();
  return 0; // without waiting: at the end of the program
}
// ORDER: {{^}}launched
// ORDER-NEXT: none
// ORDER-NEXT: 1% two 3.000000
// ORDER-NEXT: one of two: 4
// ORDER-NEXT: {{^}}  6
// ORDER-NEXT: at run time: 7
// ORDER-NEXT: eight
// ORDER-NEXT: returned 0
// ORDER-NEXT: returned 3
// ORDER-NEXT: returned 1
// ORDER-NEXT: returned 2
// ORDER-NEXT: returned 1
// ORDER-NEXT: returned 1
// ORDER-NEXT: 3 block 0 thread 3
// ORDER-NOT: {{.}}

int main(int, char **argv) {
  if (!strcmp(argv[1], "order"))
    return order();
  if (!strcmp(argv[1], "host"))
    printAll("device text", 42, 3.14159265358979);
  else if (!strcmp(argv[1], "device"))
    onDevice<<<1, 1>>>();
  else
    manyThreads<<<3, 20>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
// MANY: 3 block 0 thread 3
// MANY-NEXT: 13 block 0 thread 13
// MANY-NEXT: 23 block 1 thread 3
// MANY-NEXT: 33 block 1 thread 13
// MANY-NEXT: 43 block 2 thread 3
// MANY-NEXT: 53 block 2 thread 13
// MANY-NOT: block
