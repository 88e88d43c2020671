// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 --vx-xlen=32,64 %s -o %t
// RUN: %python %S/run-cases.py --tool=memcheck --configurations=hw,sw,timing,rv32 %t %s
// RUN: env VX_CHECK=memcheck %run %t copy-behind bad 2>&1 | FileCheck --check-prefix=NAME %s
// NAME: kernel `f` [
//
// memcheck: wrong accesses to each kind of memory, each found at its line, in hardware and software,
// functional and cycle-level; none in the corrected twin.

#include "cases.h"

// --- global memory -------------------------------------------------------------------------------

__global__ void readBehind(const int *from, int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i]; // FINDS read-behind: invalid-read
}
static void runReadBehind(bool bad) {
  int *from = numbers<int>(100), *to = numbers<int>(128);
  readBehind<<<2, 64>>>(from, to, bad ? 101 : 100); // within what is forgiven elsewhere
  cudaFree(from);
  cudaFree(to);
}

__global__ void writeBefore(char *to, int offset) {
  to[int(threadIdx.x) - offset] = 1; // FINDS write-before: invalid-write
}
static void runWriteBefore(bool bad) {
  char *to = numbers<char>(64);
  writeBefore<<<1, 32>>>(to, bad);
  cudaFree(to);
}

__global__ void readByte(const char *from, char *to) {
  to[threadIdx.x] = from[0]; // FINDS last-byte: invalid-read
}
static void runLastByte(bool bad) {
  char *p = numbers<char>(64); // of all addresses the last one, which no timing model may take for none
  readByte<<<1, 32>>>(bad ? reinterpret_cast<const char *>(~size_t(0)) : p, p + 32);
  cudaFree(p);
}

__global__ void halfBehind(double *to, int n) {
  to[threadIdx.x] = n; // FINDS half-behind: invalid-write
}
static void runHalfBehind(bool bad) {
  double *to;
  cudaMalloc(&to, 32 * sizeof(double) - (bad ? 4 : 0));
  halfBehind<<<1, 32>>>(to, 3);
  cudaFree(to);
}

// The loops that copies and fills become are of the line of the call; a kernel's name that is not C++
// name stays what it is.

extern "C" __global__ void f(int *to, const int *from, int bytes) {
  memcpy(to, from, bytes); // FINDS copy-behind: invalid-read
}
static void runCopyBehind(bool bad) {
  int *to = numbers<int>(64), *from = numbers<int>(40);
  f<<<1, 1>>>(to, from, 160 + (bad ? 1 : 0));
  cudaFree(to);
  cudaFree(from);
}

__global__ void fill(char *to, int bytes) {
  memset(to, 7, bytes); // FINDS fill-behind: invalid-write
}
static void runFillBehind(bool bad) {
  char *to = numbers<char>(40);
  fill<<<1, 1>>>(to, 40 + (bad ? 1 : 0));
  cudaFree(to);
}

__global__ void atomicBehind(unsigned *to, int place) {
  atomicAdd(to + place, 1u); // FINDS atomic-behind: invalid-write
}
static void runAtomicBehind(bool bad) {
  unsigned *to = numbers<unsigned>(4);
  atomicBehind<<<2, 32>>>(to, bad ? 4 : 3);
  cudaFree(to);
}

__global__ void increment(int *p) {
  p[threadIdx.x] += 1; // FINDS use-after-free: invalid-read FINDS use-after-free: invalid-write
}
static void runUseAfterFree(bool bad) {
  int *p = numbers<int>(64);
  int *q = numbers<int>(64);
  cudaFree(p);
  int *r = numbers<int>(64); // does not take the place of p
  increment<<<1, 64>>>(bad ? p : q);
  cudaFree(q);
  cudaFree(r);
}

__global__ void setLater(int *p) {
  p[threadIdx.x] = 3; // FINDS freed-in-stream: invalid-write
}
static void runFreedInStream(bool bad) {
  int *p;
  cudaMallocAsync(&p, 64 * sizeof(int), 0);
  setLater<<<1, 64>>>(p);
  cudaFreeAsync(p, 0);
  if (bad)
    setLater<<<1, 64>>>(p);
}

__global__ void nullPointer(int *p, int i) {
  p[i] = 1; // FINDS null-pointer: invalid-write
}
static void runNullPointer(bool bad) {
  int *p = numbers<int>(4);
  nullPointer<<<1, 1>>>(bad ? nullptr : p, 2);
  cudaFree(p);
}

__global__ void misaligned(char *p) {
  *reinterpret_cast<int *>(p) = 7; // FINDS misaligned: misaligned
}
static void runMisaligned(bool bad) {
  char *p = numbers<char>(64);
  misaligned<<<1, 1>>>(p + (bad ? 2 : 4));
  cudaFree(p);
}

// Arrays of bytes are aligned for what they are cast to.

__device__ int word;
__global__ void misalignedVariable(int offset) {
  char *bytes = reinterpret_cast<char *>(&word);
  *reinterpret_cast<volatile int *>(bytes + offset) = 5; // FINDS misaligned-variable: misaligned
}
static void runMisalignedVariable(bool bad) { misalignedVariable<<<1, 1>>>(bad ? 1 : 0); }

__global__ void misalignedShared(int *to, int offset) {
  __shared__ char first[1];
  __shared__ char bytes[72];
  char *at = bytes + 4 * threadIdx.x + offset;
  first[0] = 1;
  *reinterpret_cast<volatile int *>(at) = 6; // FINDS misaligned-shared: misaligned
  to[threadIdx.x] = first[0];
}
static void runMisalignedShared(bool bad) {
  int *to = numbers<int>(16);
  misalignedShared<<<1, 16>>>(to, bad ? 2 : 4);
  cudaFree(to);
}

__global__ void twoErrors(int *p, int n) {
  p[n + threadIdx.x] = 1;     // FINDS goes-on: invalid-write
  p[threadIdx.x] = p[n] + 2;  // FINDS goes-on: invalid-read
}
static void runGoesOn(bool bad) {
  int *p = numbers<int>(64);
  twoErrors<<<1, 32>>>(p, bad ? 64 : 32);
  cudaFree(p);
}

__global__ void setManaged(int *p, int first) {
  p[first + threadIdx.x] = 4; // FINDS managed: invalid-write
}
static void runManaged(bool bad) {
  int *p;
  cudaMallocManaged(&p, 1000 * sizeof(int));
  setManaged<<<1, 32>>>(p, bad ? 969 : 968);
  cudaDeviceSynchronize();
  cudaFree(p);
}

// --- calls of the host ---------------------------------------------------------------------------

static void runDoubleFree(bool bad) {
  int *p = numbers<int>(4);
  cudaFree(p);
  if (bad)
    cudaFree(p); // FINDS double-free: double-free on the host
  cudaGetLastError();
}
static void runInvalidFree(bool bad) {
  int *p = numbers<int>(4);
  if (bad)
    cudaFree(p + 1); // FINDS invalid-free: invalid-free on the host
  cudaGetLastError();
  cudaFree(p);
}
// --- shared memory -------------------------------------------------------------------------------

__global__ void staticShared(int *to, int beyond) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  tile[threadIdx.x + beyond] = 1; // FINDS static-shared: invalid-write
  __syncthreads();
  to[threadIdx.x] = tile[63 - threadIdx.x];
}
static void runStaticShared(bool bad) {
  int *to = numbers<int>(64);
  staticShared<<<3, 64>>>(to, bad ? 4 : 0);
  cudaFree(to);
}

__global__ void dynamicShared(int *to, int n) {
  extern __shared__ int dynamic[];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    dynamic[i] = i; // FINDS dynamic-shared: invalid-write
  __syncthreads();
  to[threadIdx.x] = dynamic[threadIdx.x];
}
static void runDynamicShared(bool bad) {
  int *to = numbers<int>(32);
  dynamicShared<<<2, 32, 512>>>(to, bad ? 129 : 128);
  cudaFree(to);
}

__global__ void otherBlock(int *to, int far) {
  __shared__ int tile[32];
  volatile int *p = tile;
  p[threadIdx.x] = blockIdx.x;
  __syncthreads();
  to[blockIdx.x] = p[threadIdx.x + far]; // FINDS other-block: invalid-read
}
static void runOtherBlock(bool bad) {
  int *to = numbers<int>(8);
  otherBlock<<<8, 4>>>(to, bad ? 32 : 0);
  cudaFree(to);
}

// --- the device's heap ---------------------------------------------------------------------------

__global__ void heapBehind(int *to, int n) {
  char *p = static_cast<char *>(malloc(n));
  p[13] = 5; // FINDS heap-behind: invalid-write
  to[threadIdx.x] = p[1];
  free(p);
}
static void runHeapBehind(bool bad) {
  int *to = numbers<int>(64);
  heapBehind<<<1, 64>>>(to, bad ? 13 : 14);
  cudaFree(to);
}

__global__ void heapAfterFree(int *to, bool early) {
  volatile int *p = static_cast<int *>(malloc(16));
  p[0] = 5;
  if (early)
    free(const_cast<int *>(p));
  to[threadIdx.x] = p[0]; // FINDS heap-after-free: invalid-read
  if (!early)
    free(const_cast<int *>(p));
}
static void runHeapAfterFree(bool bad) {
  int *to = numbers<int>(1);
  heapAfterFree<<<1, 1>>>(to, bad);
  cudaFree(to);
}

__global__ void heapDoubleFree(int *to, bool twice) {
  int *p = static_cast<int *>(malloc(8 + threadIdx.x));
  p[0] = to[0];
  to[threadIdx.x] = p[0];
  __syncthreads(); // none gets the memory again
  free(p);
  if (twice)
    free(p); // FINDS heap-double-free: double-free
}
static void runHeapDoubleFree(bool bad) {
  int *to = numbers<int>(32);
  heapDoubleFree<<<1, 32>>>(to, bad);
  cudaFree(to);
}

// --- variables -----------------------------------------------------------------------------------

__constant__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__global__ void writeConstant(int *to, bool bad) {
  volatile int *p = bad ? const_cast<int *>(table) : to;
  p[threadIdx.x] = table[threadIdx.x] + 1; // FINDS write-constant: invalid-write
}
static void runWriteConstant(bool bad) {
  int *to = numbers<int>(8);
  writeConstant<<<1, 8>>>(to, bad);
  cudaFree(to);
}

// --- what ends a kernel --------------------------------------------------------------------------

__global__ void callsPointer(int *to, void (*function)(int *)) {
  if (function) // the place of a wild call is not known: FINDS wild-call: invalid-pc on the host
    function(to);
  to[0] = 1;
}
static void runWildCall(bool bad) {
  int *to = numbers<int>(1);
  callsPointer<<<1, 1>>>(to, reinterpret_cast<void (*)(int *)>(bad ? 0x5678 : 0));
  cudaFree(to);
}

__device__ __noinline__ int deep(volatile int *seen, int levels) {
  volatile int room[64];
  room[levels % 64] = levels; // FINDS stack: stack-overflow
  return levels ? deep(seen, levels - 1) + room[levels % 64] : seen[0];
}
__global__ void recurses(int *to, int levels) { to[0] = deep(to, levels); }
static void runStack(bool bad) {
  int *to = numbers<int>(1);
  recurses<<<1, 1>>>(to, bad ? 100000 : 3);
  cudaFree(to);
}

/// Stops for what no checker reports otherwise: that must not count as nothing being wrong.
__global__ void traps(int *to, bool bad) {
  if (bad)
    __trap(); // FINDS trap: stopped
  to[0] = 1;
}
static void runTrap(bool bad) {
  int *to = numbers<int>(1);
  traps<<<1, 1>>>(to, bad);
  cudaFree(to);
}

static void runFailedLaunch(bool bad) {
  int *to = numbers<int>(1);
  traps<<<1, bad ? 2048 : 32>>>(to, false); // FINDS failed-launch: failed-launch on the host
  cudaFree(to);
}

/// Calls of the API that fail, and are not asked whether they did.
static void runCopyTooLarge(bool bad) {
  static int host[8];
  int *to = numbers<int>(8);
  cudaMemcpy(to, host, bad ? 33 : 32, cudaMemcpyHostToDevice); // FINDS copy-too-large: failed-call on the host
  cudaFree(to);
}
static void runCopyToHost(bool bad) {
  static int host[8], other[8];
  int *to = numbers<int>(8);
  cudaMemcpy(bad ? other : to, host, 32, cudaMemcpyHostToDevice); // FINDS copy-to-host: failed-call on the host
  cudaFree(to);
}
static void runNoStream(bool bad) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  if (bad)
    cudaStreamDestroy(stream);
  int *to = numbers<int>(8);
  cudaMemsetAsync(to, 0, 32, stream); // FINDS no-stream: failed-call on the host
  cudaFree(to);
}

static const Case cases[] = {
    {"copy-too-large", runCopyTooLarge},    {"copy-to-host", runCopyToHost}, {"no-stream", runNoStream},
    {"read-behind", runReadBehind},         {"write-before", runWriteBefore},
    {"copy-behind", runCopyBehind},         {"fill-behind", runFillBehind},
    {"last-byte", runLastByte},             {"half-behind", runHalfBehind},         {"atomic-behind", runAtomicBehind},
    {"use-after-free", runUseAfterFree},    {"null-pointer", runNullPointer},
    {"misaligned", runMisaligned},          {"misaligned-variable", runMisalignedVariable},
    {"misaligned-shared", runMisalignedShared}, {"goes-on", runGoesOn},
    {"double-free", runDoubleFree},         {"invalid-free", runInvalidFree},
    {"static-shared", runStaticShared},
    {"dynamic-shared", runDynamicShared},   {"other-block", runOtherBlock},
    {"heap-behind", runHeapBehind},         {"heap-after-free", runHeapAfterFree},
    {"write-constant", runWriteConstant},
    {"freed-in-stream", runFreedInStream},  {"managed", runManaged},
    {"heap-double-free", runHeapDoubleFree},
    {"wild-call", runWildCall},             {"stack", runStack},
    {"trap", runTrap},                      {"failed-launch", runFailedLaunch},
};

int main(int argc, char **argv) {
  return runCase(cases, argc, argv);
}
