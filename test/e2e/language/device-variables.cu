// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
// RUN: %vxcc -rdc=true %s -o %t.rdc && %run %t.rdc
//
// __device__ and __constant__ variables: initialised, copied to and from with offsets, arrays,
// structs, pointers to other device data, addresses taken on the host, changed between launches,
// constants that only the host uses.

#include "../Inputs/harness.h"

struct Setting {
  int a;
  float b;
  char name[6];
};

__device__ int counter = 5;
__device__ double table[16] = {1.5, 2.5};
__device__ int *link;
__constant__ Setting setting = {1, 2.0f, "first"};
__constant__ int primes[8];
static __device__ unsigned char bytes[10] = {9, 8, 7};
__device__ const char *const words[] = {"zero", "one", "two"};

// Device code has the values of these.
static __device__ const double half = 0.5;
__device__ const int answers[2] = {41, 42};
namespace inner {
__device__ const char letter = 'x';
namespace {
__device__ constexpr short year = 2024;
}
} // namespace inner
template <class T> __device__ const T three = T(3);

__global__ void useConstants(double *out) {
  *out = half + answers[threadIdx.x] + inner::letter + three<float>;
}

template <class T> void expectConstant(const T &symbol, const T &want, const char *what) {
  T got;
  std::memset(&got, 0, sizeof got);
  CHECK(cudaMemcpyFromSymbol(&got, symbol, sizeof got));
  expect(std::memcmp(&got, &want, sizeof got) == 0, what);
}

static void expectConstants() {
  const int wantAnswers[2] = {41, 42};
  expectConstant(half, 0.5, "half");
  expectConstant(answers, wantAnswers, "answers");
  expectConstant(inner::letter, 'x', "letter");
  expectConstant(inner::year, short(2024), "year");
  expectConstant(three<float>, 3.0f, "three");
  expectConstant(three<int>, 3, "three, for the host only");
  void *address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, half));
  double value = 0;
  CHECK(cudaMemcpy(&value, address, sizeof value, cudaMemcpyDeviceToHost));
  expectEqual(value, 0.5, "at the address");
  DeviceArray<double> out(1);
  useConstants<<<1, 1>>>(out);
  expectEqual(out.host()[0], 0.5 + 41 + 'x' + 3, "on the device");
}

__global__ void readAll(int *out) {
  out[0] = counter;
  out[1] = static_cast<int>(table[1] * 10);
  out[2] = link ? *link : -1;
  out[3] = setting.a;
  out[4] = static_cast<int>(setting.b * 10);
  out[5] = setting.name[1];
  for (int i = 0; i < 8; ++i)
    out[6 + i] = primes[i];
  out[14] = bytes[2];
  out[15] = words[2][1];
}

__global__ void change() {
  atomicAdd(&counter, 1);
  table[threadIdx.x % 16] = threadIdx.x % 16;
}

static std::vector<int> read() {
  DeviceArray<int> out(16);
  readAll<<<1, 1>>>(out);
  return out.host();
}

static void expectValues(const std::vector<int> &want, const char *what) {
  std::vector<int> got = read();
  for (size_t i = 0; i < want.size(); ++i)
    expectEqual(got[i], want[i], what, i);
}

int main() {
  expectConstants();
  expectValues({5, 25, -1, 1, 20, 'i', 0, 0, 0, 0, 0, 0, 0, 0, 7, 'w'}, "initial values");

  int value = 41, two[2] = {13, 17};
  Setting changed = {-3, 0.5f, "other"};
  double half = 0.5;
  CHECK(cudaMemcpyToSymbol(counter, &value, sizeof value));
  CHECK(cudaMemcpyToSymbol(primes, two, sizeof two, 3 * sizeof(int)));
  CHECK(cudaMemcpyToSymbol(setting, &changed, sizeof changed));
  CHECK(cudaMemcpyToSymbol(table, &half, sizeof half, sizeof half, cudaMemcpyHostToDevice));
  void *address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, counter));
  CHECK(cudaMemcpyToSymbol(link, &address, sizeof address));
  expectValues({41, 5, 41, -3, 5, 't', 0, 0, 0, 13, 17, 0, 0, 0, 7, 'w'}, "after copies");

  change<<<2, 50>>>();
  int back = 0;
  double tableBack[3];
  CHECK(cudaMemcpyFromSymbol(&back, counter, sizeof back));
  CHECK(cudaMemcpyFromSymbol(tableBack, table, sizeof tableBack, 2 * sizeof(double)));
  expectEqual(back, 141, "counter");
  for (int i = 0; i < 3; ++i)
    expectEqual(tableBack[i], 2.0 + i, "table", i);

  size_t size = 0;
  CHECK(cudaGetSymbolSize(&size, table));
  expectEqual(size, sizeof table, "size of table");
  CHECK(cudaGetSymbolSize(&size, primes));
  expectEqual(size, sizeof primes, "size of primes");
  CHECK(cudaMemset(address, 0, sizeof(int)));
  CHECK(cudaMemcpyFromSymbol(&back, counter, sizeof back));
  expectEqual(back, 0, "counter after memset");
  return finish();
}
