// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of cuFFT: a thread computes butterflies, whose elements it keeps in registers.

#include "Pass.h"

namespace vx::fft {
namespace {

constexpr int kThreads = 16;

/// cos and sin of 2 pi t / N for the odd radices.
template <int N> struct Circle;
template <> struct Circle<3> {
  static constexpr double cosine[] = {1, -0.5, -0.5};
  static constexpr double sine[] = {0, 0.86602540378443864676, -0.86602540378443864676};
};
template <> struct Circle<5> {
  static constexpr double cosine[] = {1, 0.30901699437494742410, -0.80901699437494742410,
                                      -0.80901699437494742410, 0.30901699437494742410};
  static constexpr double sine[] = {0, 0.95105651629515357212, 0.58778525229247312917,
                                    -0.58778525229247312917, -0.95105651629515357212};
};
template <> struct Circle<7> {
  static constexpr double cosine[] = {1,
                                      0.62348980185873353053,
                                      -0.22252093395631440429,
                                      -0.90096886790241912624,
                                      -0.90096886790241912624,
                                      -0.22252093395631440429,
                                      0.62348980185873353053};
  static constexpr double sine[] = {0,
                                    0.78183148246802980871,
                                    0.97492791218182360702,
                                    0.43388373911755812048,
                                    -0.43388373911755812048,
                                    -0.97492791218182360702,
                                    -0.78183148246802980871};
};

template <class R> __device__ __forceinline__ Complex<R> timesI(Complex<R> x, bool minus) {
  return minus ? Complex<R>(x.im, -x.re) : Complex<R>(-x.im, x.re);
}

/// The discrete Fourier transform of N elements, in place.
template <int N, class R> struct Butterfly {
  static __device__ __forceinline__ void apply(Complex<R> (&u)[N], bool inverse) {
    static_assert(N % 2 == 1);
    constexpr int half = N / 2;
    Complex<R> sums[half], differences[half];
    const Complex<R> first = u[0];
#pragma unroll
    for (int k = 1; k <= half; ++k) {
      sums[k - 1] = u[k] + u[N - k];
      differences[k - 1] = u[k] - u[N - k];
      u[0] += sums[k - 1];
    }
#pragma unroll
    for (int m = 1; m <= half; ++m) {
      Complex<R> even = first, odd(0);
#pragma unroll
      for (int k = 1; k <= half; ++k) {
        even += sums[k - 1] * R(Circle<N>::cosine[k * m % N]);
        odd += differences[k - 1] * R(Circle<N>::sine[k * m % N]);
      }
      odd = timesI(odd, !inverse);
      u[m] = even + odd;
      u[N - m] = even - odd;
    }
  }
};
template <class R> struct Butterfly<1, R> {
  static __device__ __forceinline__ void apply(Complex<R> (&)[1], bool) {}
};
template <class R> struct Butterfly<2, R> {
  static __device__ __forceinline__ void apply(Complex<R> (&u)[2], bool) {
    const Complex<R> difference = u[0] - u[1];
    u[0] += u[1];
    u[1] = difference;
  }
};
template <class R> struct Butterfly<4, R> {
  static __device__ __forceinline__ void apply(Complex<R> (&u)[4], bool inverse) {
    const Complex<R> a = u[0] + u[2], b = u[0] - u[2], c = u[1] + u[3],
                     d = timesI(u[1] - u[3], !inverse);
    u[0] = a + c;
    u[1] = b + d;
    u[2] = a - c;
    u[3] = b - d;
  }
};
template <class R> struct Butterfly<8, R> {
  static __device__ __forceinline__ void apply(Complex<R> (&u)[8], bool inverse) {
    Complex<R> even[4] = {u[0], u[2], u[4], u[6]}, odd[4] = {u[1], u[3], u[5], u[7]};
    Butterfly<4, R>::apply(even, inverse);
    Butterfly<4, R>::apply(odd, inverse);
    const R root = R(0.70710678118654752440);
    odd[1] = (odd[1] + timesI(odd[1], !inverse)) * root;
    odd[2] = timesI(odd[2], !inverse);
    odd[3] = (timesI(odd[3], !inverse) - odd[3]) * root;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      u[k] = even[k] + odd[k];
      u[k + 4] = even[k] - odd[k];
    }
  }
};

/// Returns the element AT of a line.
template <class R>
__device__ __forceinline__ Complex<R> load(const Side &side, long long line, unsigned at,
                                           bool conjugated) {
  if (at >= side.present)
    return Complex<R>(0);
  Complex<R> element;
  if (side.elements == Elements::Real) {
    element = static_cast<const R *>(side.data)[line + at * side.step];
  } else {
    const bool mirrored = side.elements == Elements::Half && at > side.present / 2;
    const unsigned place = mirrored ? side.present - at : at;
    element = blas::conjugateIf(
        mirrored, static_cast<const Complex<R> *>(side.data)[line + place * side.step]);
  }
  if (side.factors)
    element =
        element * blas::conjugateIf(conjugated, static_cast<const Complex<R> *>(side.factors)[at]);
  return element;
}

template <class R>
__device__ __forceinline__ void store(const Side &side, long long line, unsigned at,
                                      bool conjugated, Complex<R> element) {
  if (at >= side.present || (side.elements == Elements::Half && at > side.present / 2))
    return;
  if (side.factors)
    element =
        element * blas::conjugateIf(conjugated, static_cast<const Complex<R> *>(side.factors)[at]);
  if (side.elements == Elements::Real)
    static_cast<R *>(side.data)[line + at * side.step] = element.re;
  else
    static_cast<Complex<R> *>(side.data)[line + at * side.step] = element;
}

__device__ __forceinline__ long long lineOf(const Side &side, unsigned a, unsigned b, unsigned c) {
  return a * side.lines[0] + b * side.lines[1] + c * side.lines[2];
}

template <class R, int Radix>
__global__ void __launch_bounds__(kThreads) transform(Pass<R> pass, unsigned count) {
  const unsigned butterflies = pass.length / Radix;
  for (unsigned index = blockIdx.x * kThreads + threadIdx.x; index < count;
       index += gridDim.x * kThreads) {
    unsigned rest = index, j, a;
    if (pass.alongLines) {
      j = rest % butterflies;
      rest /= butterflies;
      a = rest % pass.lines[0];
      rest /= pass.lines[0];
    } else {
      a = rest % pass.lines[0];
      rest /= pass.lines[0];
      j = rest % butterflies;
      rest /= butterflies;
    }
    const unsigned b = rest % pass.lines[1], c = rest / pass.lines[1];
    const long long from = lineOf(pass.in, a, b, c), to = lineOf(pass.out, a, b, c);
    Complex<R> u[Radix];
#pragma unroll
    for (int q = 0; q < Radix; ++q)
      u[q] = load<R>(pass.in, from, j + q * butterflies, pass.conjugated);
    const unsigned k = pass.previous == 1 ? 0 : j % pass.previous;
    if (Radix > 1 && pass.previous > 1) {
      const unsigned root = k * (butterflies / pass.previous);
#pragma unroll
      for (int q = 1; q < Radix; ++q)
        u[q] = u[q] * blas::conjugateIf(pass.inverse, pass.roots[root * q]);
    }
    Butterfly<Radix, R>::apply(u, pass.inverse);
    const unsigned target = (j - k) * Radix + k;
#pragma unroll
    for (int q = 0; q < Radix; ++q)
      store(pass.out, to, target + q * pass.previous, pass.conjugated, u[q]);
  }
}

} // namespace

template <class R> cudaError_t launchPass(const Pass<R> &pass, cudaStream_t stream) {
  constexpr unsigned largest = 4096;
  const unsigned count = unsigned(pass.butterflies());
  if (count == 0)
    return cudaSuccess;
  const unsigned wanted = (count - 1) / kThreads + 1, blocks = wanted < largest ? wanted : largest;
  switch (pass.radix) {
#define VX_FFT_RADIX(N)                                                                            \
  case N:                                                                                          \
    transform<R, N><<<blocks, kThreads, 0, stream>>>(pass, count);                                 \
    break;
    VX_FFT_RADIX(1)
    VX_FFT_RADIX(2)
    VX_FFT_RADIX(3)
    VX_FFT_RADIX(4)
    VX_FFT_RADIX(5)
    VX_FFT_RADIX(7)
    VX_FFT_RADIX(8)
#undef VX_FFT_RADIX
  default:
    return cudaErrorInvalidValue;
  }
  return cudaGetLastError();
}

template cudaError_t launchPass(const Pass<float> &, cudaStream_t);
template cudaError_t launchPass(const Pass<double> &, cudaStream_t);

} // namespace vx::fft
