// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 --vx-xlen=32,64 %s -o %t
// RUN: %shapes %t
// RUN: %shapes --few --lower=sw %t
// RUN: %shapes --few --xlen=32 %t
// RUN: env VX_MODE=timing %run %t
// RUN: env VX_SET=memory.read_slack=0 %run %t exact
// RUN: %vxcc -O0 %s -o %t.0 && %run %t.0
// RUN: %vxcc -O2 --target=host %s -o %t.host && %run %t.host
//
// Atomics on 16 bits touch nothing but these 16 bits: they work on an allocation of 2 bytes, and
// neighbours that others write at the same time keep what they are given. Programs may also make them of
// atomics on the whole word.

#include "../Inputs/harness.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> __global__ void add(T *p, T value) {
  atomicAdd(p, value);
}

__device__ void count(unsigned short *p) {
  unsigned short seen = *p, expected;
  do {
    expected = seen;
    seen = atomicCAS(p, expected, static_cast<unsigned short>(expected + 3));
  } while (seen != expected);
}
__global__ void countAll(unsigned short *p) {
  count(p);
}

/// Even threads count in one half of each word, odd threads write the other half.
__global__ void neighbours(unsigned short *words, unsigned short *lost) {
  int i = threadIdx.x + blockIdx.x * blockDim.x, word = i / 8 % 4;
  unsigned short *mine = words + 2 * word;
  if (i % 2 == 0) {
    count(mine);
  } else {
    volatile unsigned short *other = words + 2 * word + 1;
    for (int k = 0; k < 10; ++k)
      *other = static_cast<unsigned short>(0x1234);
    if (*other != 0x1234)
      *lost = 1;
  }
}

template <class T> static T after(T *p) {
  T value;
  CHECK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

/// Counts a byte by atomics on the word around it, as libcu++ does.
__global__ void countByte(unsigned char *p) {
  unsigned shift = reinterpret_cast<size_t>(p) % 4 * 8;
  auto *word = reinterpret_cast<unsigned *>(reinterpret_cast<size_t>(p) & ~size_t(3));
  unsigned seen = *word, expected;
  do {
    expected = seen;
    unsigned count = (expected >> shift) + 1 & 0xff;
    seen = atomicCAS(word, expected, (expected & ~(0xffu << shift)) | count << shift);
  } while (seen != expected);
}

int main(int argc, char **) {
  // Allocations of two bytes: the word around them is not theirs.
  DeviceArray<__half> half(std::vector<__half>{__float2half(1.5f)});
  add<__half><<<3, 40>>>(half, __float2half(2.f));
  expectEqual(__half2float(after<__half>(half)), 241.5f, "half");
  DeviceArray<__nv_bfloat16> bfloat(std::vector<__nv_bfloat16>{__float2bfloat16(1.f)});
  add<__nv_bfloat16><<<2, 16>>>(bfloat, __float2bfloat16(1.f));
  expectEqual(__bfloat162float(after<__nv_bfloat16>(bfloat)), 33.f, "bfloat16");
  DeviceArray<unsigned short> bits(1);
  countAll<<<4, 33>>>(bits);
  expectEqual(after<unsigned short>(bits), static_cast<unsigned short>(396), "short");

  // The upper half of a word of which nothing but the lower half follows, and the other way round.
  DeviceArray<unsigned short> three(std::vector<unsigned short>{7, 8, 9});
  countAll<<<1, 10>>>(three + 1);
  countAll<<<1, 20>>>(three + 2);
  std::vector<unsigned short> got = three.host();
  expectEqual(got[0], static_cast<unsigned short>(7), "three", 0);
  expectEqual(got[1], static_cast<unsigned short>(38), "three", 1);
  expectEqual(got[2], static_cast<unsigned short>(69), "three", 2);

  DeviceArray<unsigned short> words(8), lost(1);
  neighbours<<<4, 64>>>(words, lost);
  got = words.host();
  for (int i = 0; i < 4; ++i) {
    expectEqual(got[2 * i], static_cast<unsigned short>(96), "counted", i);
    expectEqual(got[2 * i + 1], static_cast<unsigned short>(0x1234), "written", i);
  }
  expectEqual(after<unsigned short>(lost), static_cast<unsigned short>(0), "lost");

  // The word that an allocation ends in, where what is beyond it can be read.
  if (argc == 1) {
    DeviceArray<unsigned char> bytes(11);
    countByte<<<2, 50>>>(bytes + 10);
    countByte<<<1, 7>>>(bytes + 8);
    std::vector<unsigned char> counted = bytes.host();
    for (int i = 0; i < 11; ++i)
      expectEqual(int(counted[i]), i == 10 ? 100 : i == 8 ? 7 : 0, "byte", i);
  }
  return finish();
}
