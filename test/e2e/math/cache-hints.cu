// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores with cache hints, of scalars, vectors and 16-bit floats.
// RUN: %vxcc -O3 -I%inputs %s -o %t
// RUN: %run %t
// RUN: %vxcc --target=host -I%inputs %s -o %t.host
// RUN: %run %t.host

#include "harness.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> __global__ void copy(const T *in, T *out) {
  out[0] = __ldg(in);
  out[1] = __ldcg(in + 1);
  out[2] = __ldca(in + 2);
  out[3] = __ldcs(in + 3);
  out[4] = __ldlu(in + 4);
  out[5] = __ldcv(in + 5);
  __stwb(out + 6, in[6]);
  __stcg(out + 7, in[7]);
  __stcs(out + 8, in[8]);
  __stwt(out + 9, in[9]);
}

template <class T> void check(const char *what) {
  std::vector<T> values(10);
  for (unsigned i = 0; i < sizeof(T) * 10; i++)
    ((unsigned char *)values.data())[i] = (unsigned char)(i + 1);
  DeviceArray<T> in(values), out(10);
  copy<<<1, 1>>>((const T *)(T *)in, (T *)out);
  std::vector<T> got = out.host();
  for (int i = 0; i < 10; i++)
    expect(memcmp(&got[i], &values[i], sizeof(T)) == 0, what, i);
}

int main() {
  check<char>("char");
  check<unsigned>("unsigned");
  check<long long>("long long");
  check<double>("double");
  check<float4>("float4");
  check<uchar4>("uchar4");
  check<__half>("half");
  check<__half2>("half2");
  check<__nv_bfloat16>("bfloat16");
  check<__nv_bfloat162>("bfloat162");
  return finish();
}
