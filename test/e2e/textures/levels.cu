// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t && %shapes --few %t && env VX_LOWERING=sw %run %t
// RUN: env VX_SET=isa.texture=1 %run %t
// RUN: %vxcc -O2 --target=host %s -o %t.host && %run %t.host
//
// Mipmapped textures: levels of detail with bias and limits, filters between levels, gradients,
// views of some levels.

#include "Inputs/reference.h"

constexpr int n = 160, levels = 5, width = 16, height = 8;

struct Fetch {
  float x, y, lod, dx, dy;
};

__global__ void sample(cudaTextureObject_t t, const Fetch *f, float *out) {
  int i = threadIdx.x;
  Fetch at = f[i];
  if (i % 5 == 0)
    out[i] = tex2D<float>(t, at.x, at.y);
  else if (i % 5 < 3)
    out[i] = tex2DLod<float>(t, at.x, at.y, at.lod);
  else
    out[i] = tex2DGrad<float>(t, at.x, at.y, make_float2(at.dx, 0), make_float2(0, at.dy));
}

/// Returns the level of detail that fetch I asks for.
double detail(const Fetch &f, int i, int w, int h) {
  if (i % 5 == 0)
    return 0;
  return i % 5 < 3 ? f.lod : std::log2(std::fmax(f.dx * w, f.dy * h));
}

int main() {
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array;
  CHECK(cudaMallocMipmappedArray(&array, &desc, make_cudaExtent(width, height, 0), levels));
  Reference level[levels];
  for (int l = 0; l < levels; ++l) {
    Image &image = level[l].image;
    image.size[0] = std::max(width >> l, 1);
    image.size[1] = std::max(height >> l, 1);
    std::vector<float> values(image.size[0] * image.size[1]);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = float(mixed(i + 1000 * l) % 256);
    image.values.assign(values.begin(), values.end());
    cudaArray_t one;
    CHECK(cudaGetMipmappedArrayLevel(&one, array, l));
    size_t pitch = image.size[0] * sizeof(float);
    CHECK(cudaMemcpy2DToArray(one, 0, 0, values.data(), pitch, pitch, image.size[1],
                              cudaMemcpyHostToDevice));
    level[l].normalized = true;
  }
  std::vector<Fetch> fetches(n);
  for (int i = 0; i < n; ++i) {
    auto random = [&](int k) { return mixed(8 * i + k); };
    fetches[i] = {float(int(random(0) % 512) - 128) / 256, float(int(random(1) % 512) - 128) / 256,
                  float(int(random(2) % 1792) - 256) / 256, // in steps of 1/256
                  // Powers of two in elements, so that the logarithm is exact.
                  std::ldexp(1.0f, int(random(3) % 7) - 5),
                  std::ldexp(1.0f, int(random(4) % 7) - 4)};
  }
  DeviceArray<Fetch> device(fetches);
  for (int mode = 0; mode < 16; ++mode) {
    bool linear = mode & 1, mipLinear = mode & 2, limited = mode & 4, viewed = mode & 8;
    cudaTextureDesc t = {};
    t.addressMode[0] = t.addressMode[1] = cudaAddressModeWrap;
    t.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    t.mipmapFilterMode = mipLinear ? cudaFilterModeLinear : cudaFilterModePoint;
    t.normalizedCoords = 1;
    t.mipmapLevelBias = limited ? 0.75f : 0;
    t.minMipmapLevelClamp = limited ? 1.25f : 0;
    t.maxMipmapLevelClamp = limited ? 2.5f : 20;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array;
    int first = viewed ? 1 : 0, last = viewed ? 3 : levels - 1;
    cudaResourceViewDesc view = {};
    view.format = cudaResViewFormatFloat1, view.width = width, view.height = height;
    view.firstMipmapLevel = first, view.lastMipmapLevel = last;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &t, viewed ? &view : nullptr));
    DeviceArray<float> out(n);
    sample<<<1, n>>>(texture, device, out);
    std::vector<float> got = out.host();
    for (int l = 0; l < levels; ++l) {
      level[l].linear = linear;
      level[l].mode[0] = level[l].mode[1] = cudaAddressModeWrap;
    }
    for (int i = 0; i < n; ++i) {
      const double at[3] = {fetches[i].x, fetches[i].y, 0};
      const Image &base = level[first].image;
      // Fetches without a level of detail have no bias either.
      double d = i % 5 == 0 ? 0 : detail(fetches[i], i, base.size[0], base.size[1]) + t.mipmapLevelBias;
      d = std::fmin(std::fmax(d, t.minMipmapLevelClamp), t.maxMipmapLevelClamp);
      d = std::fmin(std::fmax(d, 0), last - first);
      double want;
      if (mipLinear) {
        int near = int(d), far = std::min(near + 1, last - first), weight = int((d - near) * 256);
        want = level[first + near].sample(at, 0, 0, 256 - weight) +
               level[first + far].sample(at, 0, 0, weight);
      } else {
        want = level[first + int(d + 0.5)].sample(at, 0);
      }
      if (!expect(isNear(got[i], want, 256), "level", mode * 1000 + i) && wrongResults() <= 10)
        std::printf("  detail %g: got %.9g, wanted %.9g\n", d, got[i], want);
    }
    CHECK(cudaDestroyTextureObject(texture));
  }
  CHECK(cudaFreeMipmappedArray(array));
  return finish();
}
