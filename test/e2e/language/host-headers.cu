// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc --expt-relaxed-constexpr -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc --expt-relaxed-constexpr -O3 %s -o %t.3 && %shapes --few %t.3
//
// A .cu that is mostly ordinary C++: containers, algorithms, streams, strings, threads' primitives
// and exceptions on the host beside a kernel that uses <cmath> and <limits>.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../Inputs/harness.h"

template <class T> __global__ void clampRoots(const T *in, T *out, int n) {
  static_assert(std::is_floating_point<T>::value, "real numbers");
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T x = in[i];
  T root = x < 0 ? std::numeric_limits<T>::max() : std::sqrt(x);
  out[i] = std::fabs(root) > T(5) ? std::floor(root) : root;
}

static int hostOnly() {
  std::map<std::string, std::unique_ptr<int>> numbers;
  for (const char *word : {"one", "two", "three"})
    numbers[word] = std::make_unique<int>(static_cast<int>(numbers.size()) + 1);
  std::function<int(int)> total = [&](int start) {
    return std::accumulate(numbers.begin(), numbers.end(), start,
                           [](int sum, const auto &entry) { return sum + *entry.second; });
  };
  try {
    throw std::runtime_error("thrown on purpose");
  } catch (const std::exception &error) {
    return total(static_cast<int>(std::string(error.what()).size()));
  }
}

int main() {
  const int n = 64;
  std::vector<double> in(n);
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> numbers(-10, 100);
  std::generate(in.begin(), in.end(), [&] { return numbers(generator); });
  std::sort(in.begin(), in.end());
  DeviceArray<double> deviceIn(in), deviceOut(n);
  clampRoots<<<2, 40>>>(static_cast<const double *>(deviceIn), static_cast<double *>(deviceOut), n);
  std::vector<double> out = deviceOut.host();
  for (int i = 0; i < n; ++i) {
    double root = in[i] < 0 ? std::numeric_limits<double>::max() : std::sqrt(in[i]);
    expectEqual(out[i], root > 5 ? std::floor(root) : root, "clampRoots", i);
  }
  expectEqual(hostOnly(), 23, "host code");
  std::ostringstream text;
  text << std::setw(6) << std::fixed << std::setprecision(2) << std::complex<double>(1, 2).imag();
  expect(text.str() == "  2.00", "streams");
  std::cout << "host headers: " << std::get<1>(std::make_tuple(1, "done")) << std::endl;
  return finish();
}
