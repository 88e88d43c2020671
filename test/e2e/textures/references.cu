// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 -DVX_TEXTURE_REFERENCES %s -o %t && %run %t && env VX_LOWERING=sw %run %t
// RUN: %vxcc -O2 -DVX_TEXTURE_REFERENCES --target=host %s -o %t.host && %run %t.host
// RUN: not %vxcc -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: {{.*}}texture
//
// Texture references of CUDA before 12: bound to linear and pitched memory and to arrays, bound
// anew between launches, read as elements and as numbers.

#include "../Inputs/harness.h"

texture<float, 1, cudaReadModeElementType> line;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> image;
static texture<int2> pairs;
texture<float, 2> plane(true, cudaFilterModeLinear, cudaAddressModeWrap);

__global__ void lines(float *out) {
  out[threadIdx.x] = tex1Dfetch(line, threadIdx.x) + tex1Dfetch(pairs, threadIdx.x).y;
}
__global__ void images(float *out) {
  float4 v = tex2D(image, threadIdx.x % 4, threadIdx.x / 4);
  out[threadIdx.x] = v.x + 2 * v.w;
}
__global__ void planes(float *out) {
  out[threadIdx.x] = tex2D(plane, (threadIdx.x % 8 + 1) / 8.0f, (threadIdx.x / 8 + 0.5f) / 4.0f);
}

int main() {
  const int n = 32;
  std::vector<float> a(n), b(n);
  std::vector<int2> p(n);
  for (int i = 0; i < n; ++i) {
    a[i] = float(mixed(i) % 100);
    b[i] = float(mixed(i + 50) % 100);
    p[i] = make_int2(i, 3 * i);
  }
  DeviceArray<float> first(a), second(b), out(n);
  DeviceArray<int2> third(p);
  size_t offset = 1;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  CHECK(cudaBindTexture(&offset, &line, first, &desc, n * sizeof(float)));
  EXPECT(offset == 0);
  CHECK(cudaBindTexture(nullptr, pairs, third, n * sizeof(int2)));
  lines<<<1, n>>>(out);
  std::vector<float> got = out.host();
  for (int i = 0; i < n; ++i)
    EXPECT(got[i] == a[i] + 3 * i);
  CHECK(cudaBindTexture(nullptr, line, second)); // all that is there
  lines<<<1, n>>>(out);
  got = out.host();
  for (int i = 0; i < n; ++i)
    EXPECT(got[i] == b[i] + 3 * i);

  std::vector<uchar4> pixels(4 * 8);
  for (int i = 0; i < 32; ++i)
    pixels[i] = make_uchar4(8 * i, 0, 0, 255 - i);
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &image.channelDesc, 4, 8));
  CHECK(cudaMemcpyToArray(array, 0, 0, pixels.data(), 128, cudaMemcpyHostToDevice));
  CHECK(cudaBindTextureToArray(image, array));
  images<<<1, n>>>(out);
  got = out.host();
  for (int i = 0; i < n; ++i)
    EXPECT(got[i] == pixels[i].x / 255.0f + 2 * (pixels[i].w / 255.0f));

  CHECK(cudaBindTexture2D(nullptr, plane, first, desc, 8, 4, 8 * sizeof(float)));
  planes<<<1, n>>>(out);
  got = out.host();
  for (int i = 0; i < n; ++i)
    EXPECT(got[i] == (a[i] + a[i / 8 * 8 + (i + 1) % 8]) / 2);
  const textureReference *found;
  CHECK(cudaGetTextureReference(&found, &plane));
  EXPECT(found == &plane && found->normalized && found->addressMode[1] == cudaAddressModeWrap);
  CHECK(cudaUnbindTexture(plane));
  CHECK(cudaUnbindTexture(&line));
  CHECK(cudaFreeArray(array));
  textureReference stranger = {};
  EXPECT(cudaBindTextureToArray(&stranger, array, &desc) != cudaSuccess);
  return finish();
}
