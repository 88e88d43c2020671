// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
// RUN: env VX_LOWERING=sw %shapes --few %t.3
//
// The __nv_atomic_* functions: all operations, objects of 1 to 8 bytes, orders and scopes.

#include "../Inputs/harness.h"

struct Pair {
  int a, b;
};
struct Results {
  int sum, difference, low, high, either, all, odd, exchanged, loaded, flag, data, received;
  long long wide;
  unsigned long long down;
  float real;
  double real8;
  Pair pair, swapped;
  unsigned char byte, byteWas;
  short half;
};

__global__ void kernel(Results *r) {
  int t = threadIdx.x;
  __nv_atomic_fetch_add(&r->sum, 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_sub(&r->difference, 1, __NV_ATOMIC_ACQ_REL);
  __nv_atomic_fetch_min(&r->low, -t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_max(&r->high, t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER);
  __nv_atomic_fetch_or(&r->either, 1 << (t & 31), __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_and(&r->all, ~(1 << (t & 15)), __NV_ATOMIC_SEQ_CST);
  __nv_atomic_fetch_xor(&r->odd, t, __NV_ATOMIC_RELAXED);
  __nv_atomic_add(&r->wide, 1ll << 33, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_sub(&r->down, 3, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_fetch_add(&r->real, 0.5f, __NV_ATOMIC_RELAXED);
  __nv_atomic_add(&r->real8, 0.25, __NV_ATOMIC_RELAXED);

  Pair have, want;
  __nv_atomic_load(&r->pair, &have, __NV_ATOMIC_RELAXED);
  do
    want = {have.a + 1, have.b - 2};
  while (!__nv_atomic_compare_exchange(&r->pair, &have, &want, true, __NV_ATOMIC_RELAXED,
                                       __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE));
  unsigned char byte = __nv_atomic_load_n(&r->byte, __NV_ATOMIC_RELAXED);
  while (!__nv_atomic_compare_exchange_n(&r->byte, &byte, (unsigned char)(byte + 1), false,
                                         __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED))
    ;
  short half = 0;
  while (!__nv_atomic_compare_exchange_n(&r->half, &half, short(half + 3), true,
                                         __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED))
    ;
  int value = 5, was;
  __nv_atomic_exchange(&r->exchanged, &value, &was, __NV_ATOMIC_RELAXED);
  if (was != 0 && was != 5)
    r->exchanged = -1;
  if (t == 0) {
    __nv_atomic_store_n(&r->loaded, 33, __NV_ATOMIC_RELEASE);
    r->loaded += __nv_atomic_load_n(&r->loaded, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
    Pair pair = {8, 9};
    __nv_atomic_store(&r->swapped, &pair, __NV_ATOMIC_RELAXED);
    r->byteWas = __nv_atomic_exchange_n((volatile unsigned char *)&r->byteWas, 200, __NV_ATOMIC_RELAXED) + 1;
  }
  if (t == 40) {
    r->data = 123;
    __nv_atomic_store_n(&r->flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  }
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_thread_fence(__NV_ATOMIC_RELAXED);
  __syncthreads();
  if (t == 90 && __nv_atomic_load_n(&r->flag, __NV_ATOMIC_ACQUIRE))
    r->received = r->data;
}

int main() {
  DeviceArray<Results> results(std::vector<Results>(1));
  CHECK(cudaMemset(static_cast<Results *>(results), 0, sizeof(Results)));
  const int all = -1;
  CHECK(cudaMemcpy(&static_cast<Results *>(results)->all, &all, 4, cudaMemcpyHostToDevice));
  kernel<<<1, 96>>>(static_cast<Results *>(results));
  Results r = results.host()[0];
  EXPECT(r.sum == 192 && r.difference == -96 && r.low == -95 && r.high == 95 && r.either == -1);
  EXPECT(r.all == int(0xffff0000) && r.odd == 0 && r.wide == 96ll << 33 && (long long)r.down == -288);
  EXPECT(r.real == 48 && r.real8 == 24 && r.pair.a == 96 && r.pair.b == -192);
  EXPECT(r.byte == 96 && r.half == 288 && r.exchanged == 5 && r.loaded == 66);
  EXPECT(r.swapped.a == 8 && r.swapped.b == 9 && r.byteWas == 1 && r.received == 123);
  return finish();
}
