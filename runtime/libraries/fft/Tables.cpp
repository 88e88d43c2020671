// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tables.h"
#include <cmath>
#include <complex>

namespace vx::fft {
namespace {

typedef std::complex<double> Number;
constexpr long double kPi = 3.14159265358979323846264338327950288L;

/// What is left of LENGTH without the factors 2, 3, 5 and 7.
unsigned long long withoutSmallFactors(unsigned long long length) {
  for (unsigned factor : {2, 3, 5, 7})
    while (length % factor == 0)
      length /= factor;
  return length;
}

/// Returns exp(-2 pi i NUMERATOR / DENOMINATOR).
Number rootOf(unsigned long long numerator, unsigned long long denominator) {
  const long double angle = -2 * kPi * numerator / denominator;
  return {double(std::cos(angle)), double(std::sin(angle))};
}

/// Returns all roots of 1 of the order COUNT.
std::vector<Number> rootsOf(size_t count) {
  std::vector<Number> roots(count);
  for (size_t k = 0; k < count; ++k)
    roots[k] = rootOf(k, count);
  return roots;
}

/// The discrete Fourier transform of elements of IN that are STEP apart; ROOTS are of the order
/// COUNT * STEP.
std::vector<Number> transform(const Number *in, size_t count, size_t step, const Number *roots) {
  if (count == 1)
    return {*in};
  size_t radix = 2;
  while (count % radix)
    ++radix;
  const size_t part = count / radix;
  std::vector<Number> out(count);
  for (size_t q = 0; q < radix; ++q) {
    const std::vector<Number> inner = transform(in + q * step, part, step * radix, roots);
    for (size_t k = 0; k < count; ++k)
      out[k] += roots[q * k % count * step] * inner[k % part];
  }
  return out;
}

template <class R> bool upload(DeviceMemory &memory, const std::vector<Number> &numbers) {
  std::vector<Complex<R>> rounded;
  rounded.reserve(numbers.size());
  for (Number number : numbers)
    rounded.push_back({R(number.real()), R(number.imag())});
  const size_t bytes = rounded.size() * sizeof(Complex<R>);
  return memory.allocate(bytes) && cudaMemcpy(memory.as<void>(), rounded.data(), bytes,
                                              cudaMemcpyHostToDevice) == cudaSuccess;
}

/// A transform of LENGTH as a convolution: x(j) times chirp(j), convolved with the conjugated
/// chirp, times chirp(k), where chirp(k) is exp(-pi i k^2 / length). The filter is the transform of
/// the conjugated chirp, with the scale of the inverse transform that ends the convolution.
template <class R>
bool fillConvolution(Tables &tables, unsigned long long length, const std::vector<Number> &roots) {
  const size_t padded = tables.padded;
  std::vector<Number> chirp(length), filter(padded);
  for (unsigned long long k = 0; k < length; ++k)
    chirp[k] = rootOf(k * k % (2 * length), 2 * length);
  filter[0] = std::conj(chirp[0]);
  for (size_t k = 1; k < length; ++k)
    filter[k] = filter[padded - k] = std::conj(chirp[k]);
  filter = transform(filter.data(), padded, 1, roots.data());
  for (Number &number : filter)
    number /= double(padded);
  return upload<R>(tables.chirp, chirp) && upload<R>(tables.filter, filter);
}

} // namespace

std::vector<unsigned> radicesOf(unsigned long long length) {
  std::vector<unsigned> radices;
  auto divide = [&](unsigned radix) {
    length /= radix;
    radices.push_back(radix);
  };
  for (unsigned radix : {7, 5, 3})
    while (length % radix == 0)
      divide(radix);
  // Of 2 to the power n, no 2 is left over where two 4s do.
  while (length % 8 == 0 && length != 16)
    divide(8);
  while (length % 4 == 0)
    divide(4);
  if (length % 2 == 0)
    divide(2);
  if (radices.empty())
    radices.push_back(1);
  return radices;
}

unsigned paddedLength(unsigned long long length) {
  if (withoutSmallFactors(length) == 1)
    return 0;
  unsigned long long padded = 2 * length - 1;
  while (withoutSmallFactors(padded) != 1)
    ++padded;
  return unsigned(padded);
}

template <class R> bool fillTables(Tables &tables, unsigned long long length) {
  tables.padded = paddedLength(length);
  const std::vector<Number> roots = rootsOf(tables.padded ? tables.padded : length);
  return upload<R>(tables.roots, roots) &&
         (!tables.padded || fillConvolution<R>(tables, length, roots));
}

template bool fillTables<float>(Tables &, unsigned long long);
template bool fillTables<double>(Tables &, unsigned long long);

} // namespace vx::fft
