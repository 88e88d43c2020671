// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t && env VX_TEXTURES=sw VX_SET=isa.texture=1 %run %t %t.sw | FileCheck %s --check-prefix=PASS
// RUN: env VX_SET=isa.texture=1 %run %t %t.4x8 && cmp %t.sw %t.4x8
// RUN: env VX_SET=isa.texture=1,num_cores=4,core.num_warps=1,core.num_threads=1 %run %t %t.1x1 && cmp %t.sw %t.1x1
// RUN: env VX_SET=isa.texture=1,core.num_warps=16,core.num_threads=16 VX_MODE=timing %run %t %t.16x16 && cmp %t.sw %t.16x16
// RUN: env VX_SET=isa.texture=1,isa.warp=off VX_LOWERING=sw %run %t %t.lowered && cmp %t.sw %t.lowered
// RUN: %vxcc -O2 --vx-xlen=32 %s -o %t.rv32 && env VX_SET=isa.texture=1,isa.xlen=32 %run %t.rv32 %t.32 && cmp %t.sw %t.32
// RUN: env VX_SET=isa.texture=1 VX_STATS=json:%t.json %run %t %t.counted
// RUN: FileCheck %s --check-prefix=COUNT --input-file=%t.json
// RUN: not env VX_TEXTURES=hw %t %t.sw 2>&1 | FileCheck %s --check-prefix=SETTING
//
// The texture unit gives the bits of software sampling, in all modes that it has; in others, software
// samples by itself.

// PASS: PASS
// SETTING: VX_TEXTURES=hw: it is auto or sw
// COUNT: "name": "void byUnit<unsigned int, 1>
// COUNT: "tex_fetches": {{[1-9]}}
// COUNT: "name": "inSoftware(
// COUNT: "tex_fetches": 0,

#include "Inputs/reference.h"

constexpr int n = 64; // fetches

template <class T, int D>
__global__ void byUnit(cudaTextureObject_t t, const float *x, T *out, bool hasLod) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (D == 1)
    out[i] = hasLod ? tex1DLod<T>(t, x[i], x[2 * n + i]) : tex1D<T>(t, x[i]);
  else
    out[i] = hasLod ? tex2DLod<T>(t, x[i], x[n + i], x[2 * n + i]) : tex2D<T>(t, x[i], x[n + i]);
}

/// Each thread one of two textures.
__global__ void byUnitOfMany(const cudaTextureObject_t *t, const float *x, float *out) {
  int i = threadIdx.x;
  out[i] = tex2D<float>(t[i % 3 == 0], x[i], x[n + i]);
}

__global__ void inSoftware(cudaTextureObject_t volume, cudaTextureObject_t layers,
                           cudaTextureObject_t cube, cudaTextureObject_t srgb,
                           cudaTextureObject_t linear, const float *x, float4 *out) {
  int i = threadIdx.x;
  out[i] = make_float4(tex3D<float>(volume, x[i], x[n + i], x[2 * n + i]),
                       tex2DLayered<float>(layers, x[i], x[n + i], i % 3),
                       texCubemap<float>(cube, x[i], x[n + i], x[2 * n + i]),
                       tex1Dfetch<float>(linear, i));
  out[n + i] = tex2D<float4>(srgb, x[i], x[n + i]);
}

FILE *results;

template <class T> void keep(const DeviceArray<T> &array) {
  std::vector<T> values = array.host();
  std::fwrite(values.data(), sizeof(T), values.size(), results);
}

/// Coordinates and levels of detail around a texture, and what floats hold besides.
std::vector<float> coordinates(int seed, float span) {
  const float special[] = {NAN, INFINITY, -INFINITY, -0.0f, 1e30f, -1e30f, 1e-40f, 65536.5f};
  std::vector<float> x(3 * n);
  for (int i = 0; i < 3 * n; ++i) {
    unsigned m = mixed(i + 391 * seed);
    x[i] = m % 11 == 0 ? special[m / 11 % 8] : (float(m % 4099) / 2049 - 0.5f) * span;
  }
  return x;
}

/// Random bytes; floats and halfs among them are whatever they are.
std::vector<unsigned char> image(size_t bytes, int seed) {
  std::vector<unsigned char> memory(bytes);
  for (size_t i = 0; i < bytes; ++i)
    memory[i] = (unsigned char)(mixed(unsigned(i) + 7919 * seed) >> 8);
  return memory;
}

cudaArray_t fill(cudaArray_t array, int width, int height, size_t texel, int seed) {
  std::vector<unsigned char> memory = image(size_t(width) * height * texel, seed);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, memory.data(), width * texel, width * texel, height,
                            cudaMemcpyHostToDevice));
  return array;
}

cudaResourceDesc resourceOf(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

template <class T, int D>
void fetch(const cudaResourceDesc &resource, const cudaTextureDesc &desc, int seed, bool hasLod) {
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  DeviceArray<float> x(coordinates(seed, desc.normalizedCoords ? 2.0f : 20.0f));
  DeviceArray<T> out(n);
  byUnit<T, D><<<2, n / 2>>>(texture, x, out, hasLod);
  CHECK(cudaDeviceSynchronize());
  keep(out);
  CHECK(cudaDestroyTextureObject(texture));
}

/// The modes of addressing and coordinates, and filters.
cudaTextureDesc modes(int which, bool isLinear, bool isNumber) {
  cudaTextureDesc desc = {};
  for (int d = 0; d < 3; ++d)
    desc.addressMode[d] = cudaTextureAddressMode((which + d * (which / 4)) % 4);
  desc.normalizedCoords = which % 3 != 0;
  desc.filterMode = isLinear ? cudaFilterModeLinear : cudaFilterModePoint;
  desc.readMode = isNumber ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  for (int c = 0; c < 4; ++c)
    desc.borderColor[c] = c == 2 ? -0.0f : 0.3f * (c + 1);
  return desc;
}

template <class T> void formats(int channels) {
  const struct {
    int bits;
    cudaChannelFormatKind kind;
  } kinds[] = {{8, cudaChannelFormatKindUnsigned},  {8, cudaChannelFormatKindSigned},
               {16, cudaChannelFormatKindUnsigned}, {16, cudaChannelFormatKindSigned},
               {32, cudaChannelFormatKindUnsigned}, {32, cudaChannelFormatKindSigned},
               {16, cudaChannelFormatKindFloat},    {32, cudaChannelFormatKindFloat}};
  int seed = channels;
  for (auto kind : kinds) {
    auto bits = [&](int c) { return c < channels ? kind.bits : 0; };
    cudaChannelFormatDesc format = {bits(0), bits(1), bits(2), bits(3), kind.kind};
    constexpr int width = 7, height = 5;
    size_t texel = size_t(channels) * kind.bits / 8;
    cudaArray_t line, plane;
    CHECK(cudaMallocArray(&line, &format, width));
    CHECK(cudaMallocArray(&plane, &format, width, height));
    cudaResourceDesc resources[2] = {resourceOf(fill(line, width, 1, texel, seed)),
                                     resourceOf(fill(plane, width, height, texel, seed))};
    bool isFloat = kind.kind == cudaChannelFormatKindFloat;
    for (int isNumber = 0; isNumber < (!isFloat && kind.bits < 32 ? 2 : 1); ++isNumber)
      for (int isLinear = 0; isLinear < (isFloat || isNumber ? 2 : 1); ++isLinear)
        for (int which = 0; which < 8; which += 1 + (channels == 2)) {
          cudaTextureDesc desc = modes(which, isLinear, isNumber);
          fetch<T, 1>(resources[0], desc, ++seed, false);
          fetch<T, 2>(resources[1], desc, ++seed, which % 2);
        }
    CHECK(cudaFreeArray(line));
    CHECK(cudaFreeArray(plane));
  }
}

template <class T>
void levelsOfDetail(cudaChannelFormatDesc format, size_t texel, bool isNumber, int height) {
  constexpr int width = 16, count = 4;
  cudaMipmappedArray_t array;
  CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(width, height, 0), count));
  for (int i = 0; i < count; ++i) {
    cudaArray_t level;
    CHECK(cudaGetMipmappedArrayLevel(&level, array, i));
    fill(level, width >> i, std::max(height >> i, 1), texel, i);
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  for (int which = 0; which < 16; ++which) {
    cudaTextureDesc desc = modes(which % 8, which & 1, isNumber);
    desc.normalizedCoords = 1;
    desc.mipmapFilterMode = which & 2 ? cudaFilterModeLinear : cudaFilterModePoint;
    desc.mipmapLevelBias = which & 4 ? 0.7f : 0;
    desc.minMipmapLevelClamp = which & 8 ? 0.4f : 0;
    desc.maxMipmapLevelClamp = which & 8 ? 2.3f : 10;
    if (height)
      fetch<T, 2>(resource, desc, which, true);
    else
      fetch<T, 1>(resource, desc, which, which != 5);
  }
  CHECK(cudaFreeMipmappedArray(array));
}

cudaTextureObject_t floats(int width, int height, int depth, unsigned flags, int seed) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  std::vector<unsigned char> memory = image(size_t(width) * height * std::max(depth, 1) * sizeof(float), seed);
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(memory.data(), width * sizeof(float), width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height, std::max(depth, 1));
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource = resourceOf(array);
  cudaTextureDesc desc = modes(1, true, false);
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  return texture;
}

void pitched(DeviceArray<float> &memory) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {memory, cudaCreateChannelDesc<float>(), 13, 8, 64};
  fetch<float, 2>(resource, modes(2, true, false), 5, false);
}

void others() {
  DeviceArray<float> x(coordinates(3, 2)), memory(16 * 16), one(n);
  cudaMemcpy(memory, image(16 * 16 * 4, 9).data(), 16 * 16 * 4, cudaMemcpyHostToDevice);
  pitched(memory);
  cudaTextureObject_t two[2] = {floats(6, 5, 0, 0, 1), floats(3, 9, 0, 0, 2)};
  DeviceArray<cudaTextureObject_t> many(std::vector<cudaTextureObject_t>(two, two + 2));
  byUnitOfMany<<<1, n>>>(many, x, one);
  CHECK(cudaDeviceSynchronize());
  keep(one);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {memory, cudaCreateChannelDesc<float>(), 16 * 16 * sizeof(float)};
  cudaTextureDesc desc = {};
  cudaTextureObject_t linear, srgb;
  CHECK(cudaCreateTextureObject(&linear, &resource, &desc, nullptr));
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, 5, 5));
  resource = resourceOf(fill(array, 5, 5, 4, 8));
  desc = modes(2, true, true);
  desc.sRGB = 1;
  CHECK(cudaCreateTextureObject(&srgb, &resource, &desc, nullptr));
  DeviceArray<float4> out(2 * n);
  inSoftware<<<1, n>>>(floats(4, 3, 2, 0, 3), floats(4, 3, 3, cudaArrayLayered, 4),
                       floats(4, 4, 6, cudaArrayCubemap, 5), srgb, linear, x, out);
  CHECK(cudaDeviceSynchronize());
  keep(out);
}

int main(int, char **arguments) {
  results = std::fopen(arguments[1], "wb");
  formats<unsigned>(1);
  formats<uint2>(2);
  formats<uint4>(4);
  levelsOfDetail<float>(cudaCreateChannelDesc<float>(), 4, false, 8);
  levelsOfDetail<float4>(cudaCreateChannelDesc<uchar4>(), 4, true, 8);
  levelsOfDetail<float2>(cudaCreateChannelDesc<short2>(), 4, true, 0);
  levelsOfDetail<float4>(cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat), 4, false, 4);
  others();
  std::fclose(results);
  return finish();
}
