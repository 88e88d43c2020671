// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 --lower=hw --vx-xlen=32,64 %s -o %t && %run %t && env VX_SET=isa.xlen=32 %run %t
// RUN: env VX_SET=isa.texture=1 %run %t
// RUN: %vxcc -O1 --target=host %s -o %t.host && %run %t.host
//
// Fetches have the bits that a GPU gave (Inputs/gpu-results.def): positions of coordinates at edges and of special ones,
// weights and precision of filters, borders, levels of detail.

#include "Inputs/reference.h"

struct Query {
  cudaTextureObject_t texture;
  int dimensions; // 0: a level of detail in two dimensions
  float x, y, z;
};
__global__ void fetch(const Query *queries, uint4 *out) {
  Query q = queries[blockIdx.x];
  if (q.dimensions == 0)
    out[blockIdx.x] = q.z == 77 ? tex2D<uint4>(q.texture, q.x, q.y) : tex2DLod<uint4>(q.texture, q.x, q.y, q.z);
  else if (q.dimensions == 1)
    out[blockIdx.x] = tex1D<uint4>(q.texture, q.x);
  else if (q.dimensions == 2)
    out[blockIdx.x] = tex2D<uint4>(q.texture, q.x, q.y);
  else
    out[blockIdx.x] = tex3D<uint4>(q.texture, q.x, q.y, q.z);
}

enum Format { F32, F16, U8, S8, U16, S16, SRGB, I8, I16, I32 };
enum { Point, Linear };
constexpr auto Wrap = cudaAddressModeWrap, Clamp = cudaAddressModeClamp, Mirror = cudaAddressModeMirror,
               Border = cudaAddressModeBorder;

std::vector<Query> queries;
std::vector<uint4> wanted; // y is kOnlyX of elements with one channel
constexpr unsigned kOnlyX = 0xdeadbeef;

float floatOf(unsigned bits) {
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}
void ask(const Query &query, uint4 want) {
  queries.push_back(query);
  wanted.push_back(want);
}

int bytesOf(Format f) { return f == F32 || f == I32 ? 4 : f == F16 || f == U16 || f == S16 || f == I16 ? 2 : 1; }

/// Makes a texture of elements of CHANNELS channels, whose bits are in WORDS.
cudaTextureObject_t textureOf(Format f, int channels, cudaExtent size, const std::vector<unsigned> &words,
                              const cudaTextureDesc &modes) {
  int bytes = bytesOf(f);
  auto kind = f == F32 || f == F16                ? cudaChannelFormatKindFloat
              : f == U8 || f == U16 || f == SRGB ? cudaChannelFormatKindUnsigned
                                                  : cudaChannelFormatKindSigned;
  auto bits = [&](int c) { return c < channels ? 8 * bytes : 0; };
  cudaChannelFormatDesc format = cudaCreateChannelDesc(bits(0), bits(1), bits(2), bits(3), kind);
  std::vector<unsigned char> memory(words.size() * bytes);
  for (size_t i = 0; i < words.size(); ++i)
    std::memcpy(&memory[i * bytes], &words[i], bytes);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  CHECK(cudaMalloc3DArray(&resource.res.array.array, &format, size, 0));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(memory.data(), size.width * channels * bytes, size.width,
                                    std::max<size_t>(size.height, 1));
  copy.dstArray = resource.res.array.array;
  copy.extent = make_cudaExtent(size.width, std::max<size_t>(size.height, 1), std::max<size_t>(size.depth, 1));
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  cudaTextureDesc desc = modes;
  desc.readMode = f == F32 || f == F16 || f >= I8 ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  desc.sRGB = f == SRGB;
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  return texture;
}

cudaTextureDesc modesOf(cudaTextureAddressMode mode, int filter) {
  cudaTextureDesc desc = {};
  desc.addressMode[0] = mode, desc.addressMode[1] = desc.addressMode[2] = cudaAddressModeClamp;
  desc.filterMode = filter ? cudaFilterModeLinear : cudaFilterModePoint;
  return desc;
}

void position(cudaTextureAddressMode mode, int filter, bool normalized, int size, unsigned x, unsigned want) {
  std::vector<unsigned> words(size);
  for (int i = 0; i < size; ++i) {
    float index = float(i);
    std::memcpy(&words[i], &index, sizeof index);
  }
  cudaTextureDesc desc = modesOf(mode, filter);
  desc.normalizedCoords = normalized;
  std::fill(desc.borderColor, desc.borderColor + 4, 0.5f);
  ask({textureOf(F32, 1, make_cudaExtent(size, 0, 0), words, desc), 1, floatOf(x)}, {want, kOnlyX});
}

void filter(Format f, std::vector<unsigned> elements, int x, int y, unsigned want) {
  ask({textureOf(f, 1, make_cudaExtent(2, 2, 0), elements, modesOf(Clamp, Linear)), 2, 0.5f + x / 256.0f,
       0.5f + y / 256.0f},
      {want, kOnlyX});
}

void weights(int x, int y, int z, std::vector<int> want) {
  for (int half = 0; half < 2; ++half) {
    std::vector<unsigned> words(32);
    for (int c = 0; c < 4; ++c)
      words[16 * half + 5 * c] = 0x3f800000;
    auto bits = [&](int c) {
      float w = want[4 * half + c] / 256.0f;
      unsigned u;
      std::memcpy(&u, &w, sizeof u);
      return u;
    };
    ask({textureOf(F32, 4, make_cudaExtent(2, 2, 2), words, modesOf(Clamp, Linear)), 3, 0.5f + x / 256.0f,
         0.5f + y / 256.0f, 0.5f + z / 256.0f},
        {bits(0), bits(1), bits(2), bits(3)});
  }
}

void border(Format f, std::vector<float> color, uint4 want) {
  cudaTextureDesc desc = modesOf(Border, Point);
  std::copy(color.begin(), color.end(), desc.borderColor);
  ask({textureOf(f, 4, make_cudaExtent(1, 1, 0), {0, 0, 0, 0}, desc), 2, -2, 0}, want);
}

void detail(bool mipLinear, float bias, float least, float most, unsigned lod, int want) {
  constexpr int side = 128, levels = 8;
  static cudaMipmappedArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  if (!array) {
    CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(side, side, 0), levels));
    for (int l = 0; l < levels; ++l) {
      cudaArray_t level;
      CHECK(cudaGetMipmappedArrayLevel(&level, array, l));
      std::vector<float> values((side >> l) * (side >> l), 256.0f * l);
      CHECK(cudaMemcpy2DToArray(level, 0, 0, values.data(), (side >> l) * 4, (side >> l) * 4, side >> l,
                                cudaMemcpyHostToDevice));
    }
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  cudaTextureDesc desc = modesOf(Clamp, Point);
  desc.normalizedCoords = 1;
  desc.mipmapFilterMode = mipLinear ? cudaFilterModeLinear : cudaFilterModePoint;
  desc.mipmapLevelBias = bias, desc.minMipmapLevelClamp = least, desc.maxMipmapLevelClamp = most;
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  float value = float(want);
  unsigned bits;
  std::memcpy(&bits, &value, sizeof bits);
  ask({texture, 0, 0.3f, 0.3f, floatOf(lod)}, {bits, kOnlyX});
}

int main() {
#define POSITION(MODE, FILTER, NORMALIZED, SIZE, X, WANT) position(MODE, FILTER, NORMALIZED, SIZE, X, WANT);
#define FILTER(FORMAT, A, B, C, D, X, Y, WANT) filter(FORMAT, {A, B, C, D}, X, Y, WANT);
#define WEIGHTS(X, Y, Z, ...) weights(X, Y, Z, {__VA_ARGS__});
#define BORDER(FORMAT, R, G, B, A, ...) border(FORMAT, {R, G, B, A}, {__VA_ARGS__});
#define DETAIL(FILTER, BIAS, LEAST, MOST, LOD, WANT) detail(FILTER, BIAS, LEAST, MOST, LOD, WANT);
#include "Inputs/gpu-results.def"
  DeviceArray<Query> device(queries);
  DeviceArray<uint4> out(queries.size());
  fetch<<<unsigned(queries.size()), 1>>>(device, out);
  std::vector<uint4> got = out.host();
  auto isEqual = [](unsigned a, unsigned b) {
    auto isNan = [](unsigned u) { return (u & 0x7fffffff) > 0x7f800000; };
    return a == b || (isNan(a) && isNan(b));
  };
  for (size_t i = 0; i < queries.size(); ++i) {
    uint4 g = got[i], w = wanted[i];
    // Channels that an element does not have are 0.
    uint4 rest = w.y == kOnlyX ? make_uint4(w.x, 0, 0, 0) : w;
    expect(isEqual(g.x, rest.x) && isEqual(g.y, rest.y) && isEqual(g.z, rest.z) && isEqual(g.w, rest.w), "query", int(i));
  }
  return finish();
}
