// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures as the CUDA C++ Programming Guide defines them ("Texture Fetching"), in double
// precision, with the fixed point of GPUs: an element of an infinite texture for every integer, and
// sums over it.

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

  /// Turns I into the element that the infinite texture has there; false for the border.
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

  /// Splits WHOLE into the weights of the elements around fractions F, one dimension after the
  /// other, in whole numbers.
  void weights(int whole, const int *f, int *out) const {
    if (dimensions == 3) {
      int behind = (whole * f[2] + 127) / 256;
      flatWeights(whole - behind, f, out);
      flatWeights(behind, f, out + 4);
    } else {
      flatWeights(whole, f, out);
    }
  }
  void flatWeights(int whole, const int *f, int *out) const {
    int right = (whole * f[0] + 128) / 256, left = whole - right;
    out[0] = left;
    out[1] = right;
    if (dimensions == 1)
      return;
    out[3] = (right * f[1] + 128) / 256;
    out[1] = right - out[3];
    out[0] = (left * (256 - f[1]) + 128) / 256;
    out[2] = left - out[0];
  }

  /// Returns channel C at coordinates X, with the weight WHOLE / 256; LAYER counts where there are
  /// fewer than three dimensions.
  double sample(const double *x, int c, int layer = 0, int whole = 256) const {
    int low[3] = {0, 0, layer}, fraction[3] = {0, 0, 0};
    for (int d = 0; d < dimensions; ++d) {
      double at = normalized ? std::floor(x[d] * (1 << 21)) / (1 << 21) * image.size[d] : x[d];
      if (linear)
        at = std::floor(at * 256 + 0.5) / 256 - 0.5;
      low[d] = int(std::floor(at));
      fraction[d] = linear ? int((at - low[d]) * 256) : 0;
      bool isClamped = mode[d] == cudaAddressModeClamp ||
                       (!normalized && mode[d] != cudaAddressModeBorder);
      if (isClamped && (low[d] < 0 || low[d] >= image.size[d] - 1))
        fraction[d] = 0; // there is one element
    }
    int shares[8];
    weights(whole, fraction, shares);
    double sum = 0;
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
      int index[3] = {low[0], low[1], low[2]};
      for (int d = 0; d < dimensions; ++d)
        index[d] += corner >> d & 1;
      if (shares[corner] != 0)
        sum += shares[corner] / 256.0 * element(index, c);
    }
    return sum;
  }
};

/// Returns true if GOT is WANT except for the rounding of a few operations on floats.
inline bool isNear(float got, double want, double largest) {
  return std::fabs(got - want) <= 4e-7 * largest;
}

#endif // TEST_E2E_TEXTURES_REFERENCE_H
