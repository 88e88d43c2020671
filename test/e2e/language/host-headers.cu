// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc --expt-relaxed-constexpr -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc --expt-relaxed-constexpr -O3 %s -o %t.3 && %shapes --few %t.3
//
// A .cu that is mostly ordinary C++: containers, algorithms, streams, strings, threads' primitives
// and exceptions on the host next to kernels that use <cmath>, <limits>, <string_view>, <array> and
// <cstring>.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstring>
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
#include <string_view>
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

__host__ __device__ int useText(std::string_view text, int n) {
  std::array<int, 4> counts = {int(text.size()), int(text.find('d')), int(text.find("bd")), 0};
  counts[3] = (text == "abcabd") + 2 * (text.compare("abd") < 0) + 4 * (text.rfind('z') == text.npos);
  char buffer[8] = "1234567";
  memmove(buffer + 1, buffer, n);
  std::memmove(buffer, buffer + 2, 3);
  return counts.at(0) + counts.at(1) * 10 + counts.at(2) * 100 + counts.at(3) * 1000 +
         text.at(n) * 10000 + buffer[1] + buffer[4];
}
__global__ void texts(int *out) { out[threadIdx.x] = useText("abcabd", threadIdx.x); }

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
  DeviceArray<int> deviceTexts(6);
  texts<<<1, 6>>>(static_cast<int *>(deviceTexts));
  std::vector<int> results = deviceTexts.host();
  for (int i = 0; i < 6; ++i)
    expectEqual(results[i], useText("abcabd", i), "texts", i);
  expectEqual(hostOnly(), 23, "host code");
  std::ostringstream text;
  text << std::setw(6) << std::fixed << std::setprecision(2) << std::complex<double>(1, 2).imag();
  expect(text.str() == "  2.00", "streams");
  std::cout << "host headers: " << std::get<1>(std::make_tuple(1, "done")) << std::endl;
  return finish();
}
