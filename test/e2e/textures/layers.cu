// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t && %shapes --few %t && env VX_LOWERING=sw %run %t
// RUN: %vxcc -O2 --target=host %s -o %t.host && %run %t.host
//
// Layered textures, cube maps, tex2Dgather, tex1Dfetch, pitched memory, views, and the types that a
// fetch may have, against the manual's formulas.

#include "Inputs/reference.h"

constexpr int n = 128; // fetches

/// Makes an array of floats: element (i, j) of slice k is numbered.
cudaArray_t numbered(int w, int h, int slices, unsigned flags, Image &image) {
  std::vector<float> values(size_t(w) * std::max(h, 1) * slices);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(int(mixed(i) % 512) - 256);
  image.size[0] = w, image.size[1] = std::max(h, 1), image.size[2] = slices;
  image.values.assign(values.begin(), values.end());
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &desc, make_cudaExtent(w, h, slices), flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), w * sizeof(float), w, std::max(h, 1));
  copy.dstArray = array;
  copy.extent = make_cudaExtent(w, std::max(h, 1), slices);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

cudaResourceDesc resourceOf(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

cudaTextureObject_t textureOf(const cudaResourceDesc &resource, const Reference &want,
                              const cudaResourceViewDesc *view = nullptr) {
  cudaTextureDesc desc = {};
  std::copy(want.mode, want.mode + 3, desc.addressMode);
  desc.filterMode = want.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  desc.normalizedCoords = want.normalized;
  for (int c = 0; c < 4; ++c)
    desc.borderColor[c] = float(want.border[c]);
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &desc, view));
  return texture;
}

/// Returns coordinates in 1/512 of a texture, and of elements.
std::vector<float> coordinates(double span, unsigned seed) {
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = float((int(mixed(i + seed) % 1024) - 256) / 512.0 * span);
  return x;
}

__global__ void layered1D(cudaTextureObject_t t, const float *x, float *out) {
  int i = threadIdx.x;
  out[i] = tex1DLayered<float>(t, x[i], i % 5 - 1);
}
__global__ void layered2D(cudaTextureObject_t t, const float *x, const float *y, float *out) {
  int i = threadIdx.x;
  tex2DLayered(&out[i], t, x[i], y[i], i % 5 - 1);
}

void layers() {
  for (int linear = 0; linear < 2; ++linear)
    for (int d = 1; d < 3; ++d) {
      Reference want;
      want.dimensions = d;
      want.linear = linear;
      want.normalized = true;
      want.mode[0] = cudaAddressModeMirror;
      want.mode[1] = cudaAddressModeWrap;
      cudaArray_t array = numbered(6, d == 2 ? 5 : 0, 3, cudaArrayLayered, want.image);
      cudaTextureObject_t texture = textureOf(resourceOf(array), want);
      std::vector<float> x = coordinates(1, 1), y = coordinates(1, 99);
      DeviceArray<float> dx(x), dy(y), out(n);
      if (d == 1)
        layered1D<<<1, n>>>(texture, dx, out);
      else
        layered2D<<<1, n>>>(texture, dx, dy, out);
      std::vector<float> got = out.host();
      for (int i = 0; i < n; ++i) {
        const double at[3] = {x[i], y[i], 0};
        int layer = int(std::min(unsigned(i % 5 - 1), 2u)); // one below 0 is beyond the last
        expect(isNear(got[i], want.sample(at, 0, layer), 256), "layer", d * 1000 + i);
      }
      CHECK(cudaDestroyTextureObject(texture));
      CHECK(cudaFreeArray(array));
    }
}

__global__ void cube(cudaTextureObject_t t, const float3 *v, float *out, bool layered) {
  int i = threadIdx.x;
  out[i] = layered ? texCubemapLayered<float>(t, v[i].x, v[i].y, v[i].z, i % 2)
                   : texCubemap<float>(t, v[i].x, v[i].y, v[i].z);
}

/// Returns the face by the manual's table: the major axis chooses.
int faceOf(const float3 &v, double &s, double &t) {
  double x = v.x, y = v.y, z = v.z, m, a, b;
  int face;
  if (std::fabs(x) > std::fabs(y) && std::fabs(x) > std::fabs(z))
    x >= 0 ? (face = 0, m = x, a = -z, b = -y) : (face = 1, m = -x, a = z, b = -y);
  else if (std::fabs(y) > std::fabs(z))
    y >= 0 ? (face = 2, m = y, a = x, b = z) : (face = 3, m = -y, a = x, b = -z);
  else
    z >= 0 ? (face = 4, m = z, a = x, b = -y) : (face = 5, m = -z, a = -x, b = -y);
  s = (a / m + 1) / 2;
  t = (b / m + 1) / 2;
  return face;
}

void cubes() {
  for (int linear = 0; linear < 2; ++linear)
    for (int layers = 1; layers < 3; ++layers) {
      Reference want;
      want.linear = linear;
      want.normalized = true;
      cudaArray_t array = numbered(
          4, 4, 6 * layers, cudaArrayCubemap | (layers > 1 ? cudaArrayLayered : 0), want.image);
      cudaTextureObject_t texture = textureOf(resourceOf(array), want);
      std::vector<float3> v(n);
      for (int i = 0; i < n; ++i) { // the major axis is a power of two, the others are less
        float c[3];
        for (int d = 0; d < 3; ++d)
          c[d] = (int(mixed(3 * i + d) % 255) - 127) / 64.0f;
        c[i % 3] = i & 8 ? 2 : -2;
        v[i] = make_float3(c[0], c[1], c[2]);
      }
      DeviceArray<float3> directions(v);
      DeviceArray<float> out(n);
      cube<<<1, n>>>(texture, directions, out, layers > 1);
      std::vector<float> got = out.host();
      for (int i = 0; i < n; ++i) {
        double at[3] = {0, 0, 0};
        int face = faceOf(v[i], at[0], at[1]);
        int slice = face + (layers > 1 ? 6 * (i % 2) : 0);
        expect(isNear(got[i], want.sample(at, 0, slice), 256), "cube", i);
      }
      CHECK(cudaDestroyTextureObject(texture));
      CHECK(cudaFreeArray(array));
    }
}

__global__ void gather(cudaTextureObject_t t, const float *x, const float *y, float4 *out) {
  int i = threadIdx.x;
  out[i] = tex2Dgather<float4>(t, x[i], y[i], 0);
}
__global__ void gatherBytes(cudaTextureObject_t t, int4 *out) {
  for (int c = 0; c < 4; ++c) {
    char4 v = tex2Dgather<char4>(t, 1.0f, 1.0f, c);
    out[c] = make_int4(v.x, v.y, v.z, v.w);
  }
}

void gathers() {
  Reference want;
  want.mode[0] = cudaAddressModeBorder;
  want.border[0] = 7;
  cudaArray_t array = numbered(6, 5, 1, 0, want.image);
  CHECK(cudaFreeArray(array));
  Image image;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &desc, 6, 5, cudaArrayTextureGather));
  std::vector<float> values(want.image.values.begin(), want.image.values.end());
  CHECK(cudaMemcpyToArray(array, 0, 0, values.data(), 120, cudaMemcpyHostToDevice));
  cudaTextureObject_t texture = textureOf(resourceOf(array), want);
  std::vector<float> x = coordinates(6, 3), y = coordinates(5, 5);
  DeviceArray<float> dx(x), dy(y);
  DeviceArray<float4> out(n);
  gather<<<1, n>>>(texture, dx, dy, out);
  std::vector<float4> got = out.host();
  for (int i = 0; i < n; ++i) {
    auto first = [](float at) { return (int(std::floor(at * 256 + 0.5f)) - 128) >> 8; };
    int left = first(x[i]), top = first(y[i]);
    auto at = [&](int dx, int dy) {
      int index[3] = {left + dx, top + dy, 0};
      return want.element(index, 0);
    };
    EXPECT(got[i].x == at(0, 1) && got[i].y == at(1, 1) && got[i].z == at(1, 0) &&
           got[i].w == at(0, 0));
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
  // Each channel of bytes.
  desc = cudaCreateChannelDesc<char4>();
  std::vector<signed char> bytes(16);
  for (int i = 0; i < 16; ++i)
    bytes[i] = (signed char)(10 * i - 80);
  CHECK(cudaMallocArray(&array, &desc, 2, 2, cudaArrayTextureGather));
  CHECK(cudaMemcpyToArray(array, 0, 0, bytes.data(), 16, cudaMemcpyHostToDevice));
  texture = textureOf(resourceOf(array), Reference());
  DeviceArray<int4> channels(4);
  gatherBytes<<<1, 1>>>(texture, channels);
  std::vector<int4> four = channels.host();
  for (int c = 0; c < 4; ++c)
    EXPECT(four[c].x == bytes[8 + c] && four[c].y == bytes[12 + c] && four[c].z == bytes[4 + c] &&
           four[c].w == bytes[c]);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

template <class T> __global__ void fetches(cudaTextureObject_t t, T *out) {
  int i = threadIdx.x;
  out[i] = tex1Dfetch<T>(t, i - 4);
}

/// Elements of linear memory as they are, and 0 outside.
template <class T> void fetchType(const char *name) {
  std::vector<T> values(24);
  auto *bytes = reinterpret_cast<unsigned char *>(values.data());
  for (size_t i = 0; i < values.size() * sizeof(T); ++i)
    bytes[i] = (unsigned char)mixed(i);
  DeviceArray<T> memory(values), out(32);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = (T *)memory;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = values.size() * sizeof(T);
  Reference plain;
  plain.mode[0] = cudaAddressModeWrap; // without effect
  cudaTextureObject_t texture = textureOf(resource, plain);
  fetches<T><<<1, 32>>>(texture, out);
  std::vector<T> got = out.host();
  for (int i = 0; i < 32; ++i) {
    T want = {};
    if (i >= 4 && i < 28)
      want = values[i - 4];
    expectEqual(got[i], want, name, i);
  }
  CHECK(cudaDestroyTextureObject(texture));
}

__global__ void pitched(cudaTextureObject_t t, uchar2 *out) {
  out[threadIdx.x] = tex2D<uchar2>(t, float(threadIdx.x % 8) - 1, float(threadIdx.x / 8) - 1);
}

void pitch() {
  std::vector<uchar2> rows(5 * 16);
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = make_uchar2(mixed(i) & 255, mixed(i) >> 8 & 255);
  DeviceArray<uchar2> memory(rows), out(64);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  auto &r = resource.res.pitch2D;
  r.devPtr = (uchar2 *)memory;
  r.desc = cudaCreateChannelDesc<uchar2>();
  r.width = 6, r.height = 5, r.pitchInBytes = 32;
  Reference border;
  border.mode[0] = border.mode[1] = cudaAddressModeBorder;
  border.border[0] = 0x1.0000aap0f; // the low bits are the border of bytes
  border.border[1] = -0x1.000066p0f;
  cudaTextureObject_t texture = textureOf(resource, border);
  pitched<<<1, 64>>>(texture, out);
  std::vector<uchar2> got = out.host();
  for (int i = 0; i < 64; ++i) {
    int x = i % 8 - 1, y = i / 8 - 1;
    bool inside = x >= 0 && x < 6 && y >= 0 && y < 5;
    expectEqual(got[i], inside ? rows[y * 16 + x] : make_uchar2(0x55, 0x33), "pitched", i);
  }
  // Linear filters are for what is read as numbers.
  cudaTextureDesc desc = {};
  desc.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t none;
  EXPECT(cudaCreateTextureObject(&none, &resource, &desc, nullptr) ==
         cudaErrorInvalidFilterSetting);
  r.desc = cudaCreateChannelDesc<unsigned>();
  desc.readMode = cudaReadModeNormalizedFloat;
  EXPECT(cudaCreateTextureObject(&none, &resource, &desc, nullptr) == cudaErrorInvalidNormSetting);
  cudaTextureDesc back;
  CHECK(cudaGetTextureObjectTextureDesc(&back, texture));
  EXPECT(back.addressMode[1] == cudaAddressModeBorder && back.borderColor[0] == 0x1.0000aap0f);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaDestroyTextureObject(texture)); // of no texture: not an error
  (void)cudaGetLastError();
}

__global__ void viewed(cudaTextureObject_t t, uchar4 *out) {
  out[threadIdx.x] = tex2DLayered<uchar4>(t, float(threadIdx.x % 6), float(threadIdx.x / 6 % 5),
                                          int(threadIdx.x / 30));
}

/// Layers 1 and 2 of an array of floats, as bytes.
void view() {
  Reference want;
  cudaArray_t array = numbered(6, 5, 4, cudaArrayLayered, want.image);
  cudaResourceViewDesc part = {};
  part.format = cudaResViewFormatUnsignedChar4;
  part.width = 6, part.height = 5;
  part.firstLayer = 1, part.lastLayer = 2;
  cudaTextureObject_t texture = textureOf(resourceOf(array), want, &part);
  DeviceArray<uchar4> out(90);
  viewed<<<1, 90>>>(texture, out);
  std::vector<uchar4> got = out.host();
  for (int i = 0; i < 90; ++i) {
    float f = float(want.image.at(i % 6, i / 6 % 5, std::min(1 + i / 30, 2), 0));
    uchar4 bytes;
    std::memcpy(&bytes, &f, 4);
    expectEqual(got[i], bytes, "view", i);
  }
  cudaResourceViewDesc back;
  CHECK(cudaGetTextureObjectResourceViewDesc(&back, texture));
  EXPECT(back.format == part.format && back.lastLayer == 2);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

int main() {
  layers();
  cubes();
  gathers();
  fetchType<unsigned char>("uchar");
  fetchType<char2>("char2");
  fetchType<short4>("short4");
  fetchType<int>("int");
  fetchType<uint4>("uint4");
  fetchType<float2>("float2");
  pitch();
  view();
  return finish();
}
