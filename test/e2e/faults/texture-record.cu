// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t
// RUN: env VX_SET=isa.texture=1 %run %t 32 2>&1 | FileCheck %s
// RUN: env VX_SET=isa.texture=1,num_cores=4 VX_MODE=timing %run %t 32 2>&1 | FileCheck %s
// RUN: env VX_SET=isa.texture=0 %run %t 32 2>&1 | FileCheck --check-prefix=WITHOUT %s
//
// Bytes of a program that claim to be a texture for the texture unit: the kernel is stopped, with a
// report.
//
// CHECK: kernel `sample(unsigned long long, float*)` stopped: illegal instruction
// CHECK: the texture unit cannot sample the texture at 0x{{[0-9a-f]+}}: its format does not exist
// CHECK: sample: cudaErrorIllegalInstruction
// WITHOUT: CSR 0x800 is switched off in the configuration (isa.texture)
// WITHOUT: sample: cudaErrorIllegalInstruction

#include "../Inputs/fault.h"
#include <cstdlib>
#include <vector>

__global__ void sample(cudaTextureObject_t t, float *out) { *out = tex2D<float>(t, 0.5f, 0.5f); }

int main(int, char **arguments) {
  std::vector<unsigned> words(64, unsigned(std::atoi(arguments[1]))); // flags: the unit's
  void *p;
  cudaMalloc(&p, 1024);
  cudaMemcpy(p, words.data(), 256, cudaMemcpyHostToDevice);
  sample<<<1, 1>>>(cudaTextureObject_t(p), static_cast<float *>(p) + 128);
  outcome("sample");
  return ended();
}
