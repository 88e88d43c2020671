// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures as the CUDA C++ Programming Guide defines them ("Texture Fetching"), in double
// precision: an element of an infinite texture for every integer, and sums over it. Tests use
// coordinates that floats hold exactly in elements, too, so that there is one answer.

#ifndef TEST_E2E_TEXTURES_REFERENCE_H
#define TEST_E2E_TEXTURES_REFERENCE_H

#include "../../Inputs/harness.h"
#include <cmath>
#include <functional>

/// An image of numbers: element (i, j, k), channel c.
struct Image {
  int size[3] = {1, 1, 1};
  int channels = 1;
  std::vector<double> values;

  double at(int i, int j, int k, int c) const {
    return values[((size_t(k) * size[1] + j) * size[0] + i) * channels + c];
  }
};

/// A texture without levels.
struct Reference {
  Image image;
  int dimensions = 2;
  bool normalized = false, linear = false;
  cudaTextureAddressMode mode[3] = {cudaAddressModeClamp, cudaAddressModeClamp,
                                    cudaAddressModeClamp};
  double border[4] = {0, 0, 0, 0};

  /// The element of the infinite texture; false for the border.
  bool inside(int &i, int d) const {
    int n = image.size[d];
    cudaTextureAddressMode m = mode[d];
    if (!normalized && (m == cudaAddressModeWrap || m == cudaAddressModeMirror))
      m = cudaAddressModeClamp;
    switch (m) {
    case cudaAddressModeClamp:
      i = i < 0 ? 0 : i >= n ? n - 1 : i;
      return true;
    case cudaAddressModeWrap:
      i = ((i % n) + n) % n;
      return true;
    case cudaAddressModeMirror:
      i = ((i % (2 * n)) + 2 * n) % (2 * n);
      i = i < n ? i : 2 * n - 1 - i;
      return true;
    default:
      return i >= 0 && i < n;
    }
  }
  double element(const int *index, int c) const {
    int i[3] = {index[0], index[1], index[2]};
    for (int d = 0; d < dimensions; ++d)
      if (!inside(i[d], d))
        return border[c];
    return image.at(i[0], i[1], i[2], c);
  }

  /// Channel C at coordinates X; LAYER counts where there are fewer than three dimensions.
  double sample(const double *x, int c, int layer = 0) const {
    int low[3] = {0, 0, layer};
    double weight[3] = {0, 0, 0};
    for (int d = 0; d < dimensions; ++d) {
      double at = x[d], whole = std::floor(at);
      if (normalized && mode[d] == cudaAddressModeWrap)
        at -= whole;
      if (normalized && mode[d] == cudaAddressModeMirror)
        at = std::fmod(whole, 2) == 0 ? at - whole : 1 - (at - whole);
      at *= normalized ? image.size[d] : 1;
      if (linear)
        at -= 0.5;
      low[d] = int(std::floor(at));
      // 9 bits, 8 of them for the fraction.
      weight[d] = linear ? std::floor((at - low[d]) * 256 + 0.5) / 256 : 0;
    }
    double sum = 0;
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
      int index[3] = {low[0], low[1], low[2]};
      double share = 1;
      for (int d = 0; d < dimensions; ++d) {
        bool second = corner >> d & 1;
        index[d] += second;
        share *= second ? weight[d] : 1 - weight[d];
      }
      if (share != 0)
        sum += share * element(index, c);
    }
    return sum;
  }
};

/// GOT is WANT but for the rounding of a few operations on floats.
inline bool isNear(float got, double want, double largest) {
  return std::fabs(got - want) <= 4e-7 * largest;
}

#endif // TEST_E2E_TEXTURES_REFERENCE_H
