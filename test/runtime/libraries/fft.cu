// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuFFT against the definition of the discrete Fourier transform: lengths of all factors and of
// large primes, one to three dimensions, batches, basic and advanced layouts, in place and not.
// REQUIRES: blas
// RUN: %vxcc -O1 -std=c++17 -I%inputs %s -o %t -lcufft
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t
// RUN: env VX_BACKEND=host %run %t all | FileCheck %s
// CHECK: PASS

#include "harness.h"
#include <cmath>
#include <complex>
#include <cufftXt.h>
#include <numeric>

typedef std::complex<long double> Number;
typedef std::vector<int> Sizes;

#define CHECK_FFT(call)                                                                            \
  do {                                                                                             \
    cufftResult result_ = (call);                                                                  \
    if (result_ != CUFFT_SUCCESS) {                                                                \
      std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, result_);                          \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

static double worst[2]; // the largest errors of float and double, in units of their epsilon

/// Transforms all lines of ELEMENTS along each dimension by the definition.
static void transform(std::vector<Number> &elements, const Sizes &n, int sign) {
  size_t inner = 1;
  for (size_t d = n.size(); d-- > 0;) {
    const size_t length = n[d];
    std::vector<Number> line(length), roots(length);
    for (size_t k = 0; k < length; ++k)
      roots[k] = std::polar(1.0L, sign * 2 * 3.14159265358979323846264L * k / length);
    for (size_t at = 0; at < elements.size(); ++at) {
      if (at / inner % length != 0)
        continue;
      for (size_t k = 0; k < length; ++k) {
        line[k] = 0;
        for (size_t j = 0; j < length; ++j)
          line[k] += elements[at + j * inner] * roots[j * k % length];
      }
      for (size_t k = 0; k < length; ++k)
        elements[at + k * inner] = line[k];
    }
    inner *= length;
  }
}

static double number(unsigned &state) {
  return (state = mixed(state + 0x9e3779b9u)) * 0x1p-31 - 1;
}

/// Where elements of one side are.
struct Layout {
  Sizes embed;
  int stride = 1, distance = 0;
  size_t place(const Sizes &n, int batch, size_t element) const {
    size_t place = 0, step = stride;
    for (size_t d = n.size(); d-- > 0; element /= n[d]) {
      place += element % n[d] * step;
      step *= embed[d];
    }
    return place + size_t(batch) * distance;
  }
};
static int product(const Sizes &n) {
  return std::accumulate(n.begin(), n.end(), 1, [](int a, int b) { return a * b; });
}
static Layout basic(Sizes embed) {
  return {embed, 1, product(embed)};
}

/// What a case transforms: SIZES as the complex side of a real transform has them.
struct Case {
  Sizes n;
  int batch;
  bool inPlace;
  bool advanced;
};

template <class R> struct Types;
template <> struct Types<float> {
  static constexpr cufftType c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R;
  static constexpr cudaDataType real = CUDA_R_32F, complex = CUDA_C_32F;
};
template <> struct Types<double> {
  static constexpr cufftType c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D;
  static constexpr cudaDataType real = CUDA_R_64F, complex = CUDA_C_64F;
};

static cufftHandle planOf(const Case &c, const Layout &in, const Layout &out, cufftType type) {
  cufftHandle plan;
  Sizes n = c.n, inEmbed = in.embed, outEmbed = out.embed;
  if (c.advanced)
    CHECK_FFT(cufftPlanMany(&plan, n.size(), n.data(), inEmbed.data(), in.stride, in.distance,
                            outEmbed.data(), out.stride, out.distance, type, c.batch));
  else if (c.batch > 1 && n.size() > 1)
    CHECK_FFT(cufftPlanMany(&plan, n.size(), n.data(), nullptr, 1, 0, nullptr, 1, 0, type,
                            c.batch));
  else if (n.size() == 1)
    CHECK_FFT(cufftPlan1d(&plan, n[0], type, c.batch));
  else if (n.size() == 2)
    CHECK_FFT(cufftPlan2d(&plan, n[0], n[1], type));
  else
    CHECK_FFT(cufftPlan3d(&plan, n[0], n[1], n[2], type));
  return plan;
}

/// Counts an error of a result whose largest elements are about SCALE.
template <class R> void compare(Number got, Number want, double scale, const char *what, int where) {
  const double epsilon = sizeof(R) == 4 ? 0x1p-24 : 0x1p-53;
  const double error = double(std::abs(got - want)) / scale / epsilon;
  if (!(error <= worst[sizeof(R) == 8]))
    worst[sizeof(R) == 8] = error;
  if (!expect(error < 8, what, where) && wrongResults() < 10)
    std::printf("  got %g %g, wanted %g %g\n", double(got.real()), double(got.imag()),
                double(want.real()), double(want.imag()));
}

static size_t roomOf(const Layout &layout, const Sizes &n, int batch) {
  return layout.place(n, batch - 1, product(n) - 1) + 1;
}
static double scaleOf(const Sizes &n) {
  return std::sqrt(double(product(n))) * std::max(1.0, std::log2(double(product(n))) / 4);
}

template <class R> void complexToComplex(const Case &c, int direction) {
  typedef std::complex<R> Element;
  Layout in = basic(c.n), out = in;
  if (c.advanced) {
    for (int &size : in.embed)
      ++size;
    in = {in.embed, 2, 2 * product(in.embed) + 3};
    out = c.inPlace ? in : Layout{out.embed, c.batch, 1}; // the batch is the fastest axis
  }
  const int count = product(c.n);
  const size_t room = std::max(roomOf(in, c.n, c.batch), roomOf(out, c.n, c.batch));
  unsigned state = count;
  std::vector<Element> data(room);
  for (Element &element : data)
    element = {R(number(state)), R(number(state))};
  DeviceArray<Element> from(data), to(std::vector<Element>(room, Element(7)));
  cufftHandle plan = planOf(c, in, out, Types<R>::c2c);
  CHECK_FFT(cufftXtExec(plan, from, c.inPlace ? from : to, direction));
  std::vector<Element> got = c.inPlace ? from.host() : to.host();
  std::vector<char> isOutput(room);
  for (int b = 0; b < c.batch; ++b) {
    std::vector<Number> want(count);
    for (int i = 0; i < count; ++i)
      want[i] = Number(data[in.place(c.n, b, i)]);
    transform(want, c.n, direction);
    for (int i = 0; i < count; ++i) {
      compare<R>(Number(got[out.place(c.n, b, i)]), want[i], scaleOf(c.n), "complex", count);
      isOutput[out.place(c.n, b, i)] = 1;
    }
  }
  for (size_t i = 0; i < room; ++i) // gaps stay as they are
    if (!isOutput[i])
      expect(got[i] == (c.inPlace ? data[i] : Element(7)), "gap", count);
  CHECK_FFT(cufftDestroy(plan));
}

/// Transforms real data, and back.
template <class R> void realAndBack(const Case &c) {
  typedef std::complex<R> Element;
  Sizes half = c.n, padded = c.n;
  half.back() = c.n.back() / 2 + 1;
  padded.back() = c.inPlace ? 2 * half.back() : c.n.back();
  Layout real = basic(padded), complex = basic(half);
  if (c.advanced) {
    complex.embed.back() += 1;
    complex = {complex.embed, 1, product(complex.embed)};
    if (c.inPlace) {
      real.embed.back() = 2 * complex.embed.back();
      real = {real.embed, 1, product(real.embed)};
    } else {
      real = {real.embed, 3, 3 * product(real.embed) + 1};
    }
  }
  const int count = product(c.n), halfCount = product(half);
  const size_t room =
      std::max(roomOf(real, c.n, c.batch) / 2 + 1, roomOf(complex, half, c.batch)) + 1;
  unsigned state = count;
  std::vector<Element> data(room);
  R *const reals = reinterpret_cast<R *>(data.data());
  for (size_t i = 0; i < 2 * room; ++i)
    reals[i] = R(number(state));
  DeviceArray<Element> from(data), to(room), back(room);
  Element *const spectrum = c.inPlace ? from : to, *const result = c.inPlace ? from : back;
  cufftHandle plan = planOf(c, real, complex, Types<R>::r2c);
  CHECK_FFT(cufftXtExec(plan, from, spectrum, CUFFT_FORWARD));
  const std::vector<Element> got = c.inPlace ? from.host() : to.host();
  cufftHandle inverse = planOf(c, complex, real, Types<R>::c2r);
  CHECK_FFT(cufftXtExec(inverse, spectrum, result, CUFFT_INVERSE));
  const std::vector<Element> last = c.inPlace ? from.host() : back.host();
  const R *const returned = reinterpret_cast<const R *>(last.data());
  for (int b = 0; b < c.batch; ++b) {
    std::vector<Number> want(count);
    for (int i = 0; i < count; ++i)
      want[i] = reals[real.place(c.n, b, i)];
    transform(want, c.n, -1);
    for (int i = 0; i < halfCount; ++i) {
      const size_t column = i % half.back(), row = i / half.back();
      compare<R>(Number(got[complex.place(half, b, i)]), want[row * c.n.back() + column], scaleOf(c.n),
                 "real to complex", count);
    }
    for (int i = 0; i < count; ++i) {
      const size_t place = real.place(c.n, b, i);
      compare<R>(returned[place] / count, reals[place], std::max(1.0, std::log2(count) / 4),
                 "complex to real", count);
    }
  }
  CHECK_FFT(cufftDestroy(plan));
  CHECK_FFT(cufftDestroy(inverse));
}

template <class R> void transforms(const Case &c) {
  complexToComplex<R>(c, CUFFT_FORWARD);
  complexToComplex<R>(c, CUFFT_INVERSE);
  realAndBack<R>(c);
}

static void workAreas() {
  const int n = 60;
  std::vector<cufftComplex> data(n, cufftComplex{1, 0});
  DeviceArray<cufftComplex> elements(data);
  cufftHandle plan;
  size_t size = 1, estimated = 0, ofPlan = 0;
  CHECK_FFT(cufftCreate(&plan));
  EXPECT(cufftExecC2C(plan, elements, elements, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  CHECK_FFT(cufftSetAutoAllocation(plan, 0));
  CHECK_FFT(cufftMakePlan1d(plan, n, CUFFT_C2C, 1, &size));
  CHECK_FFT(cufftEstimate1d(n, CUFFT_C2C, 1, &estimated));
  CHECK_FFT(cufftGetSize(plan, &ofPlan));
  EXPECT(size > 0 && size == estimated && size == ofPlan);
  EXPECT(cufftExecC2C(plan, elements, elements, CUFFT_FORWARD) == CUFFT_NO_WORKSPACE);
  DeviceArray<char> area(size);
  CHECK_FFT(cufftSetWorkArea(plan, (char *)area));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK_FFT(cufftSetStream(plan, stream));
  CHECK_FFT(cufftExecC2C(plan, elements, elements, CUFFT_FORWARD));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(elements.host()[0].x == n);
  CHECK_FFT(cufftDestroy(plan));
  EXPECT(cufftDestroy(plan) == CUFFT_INVALID_PLAN);
}

static void statuses() {
  cufftHandle plan = 99;
  int n[] = {4, 4, 4, 4};
  EXPECT(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  EXPECT(cufftPlan1d(&plan, 8, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE);
  EXPECT(cufftPlan2d(&plan, 8, -1, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  EXPECT(cufftPlan1d(&plan, 8, cufftType(1), 1) == CUFFT_INVALID_TYPE);
  EXPECT(cufftPlanMany(&plan, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) ==
         CUFFT_INVALID_VALUE);
  EXPECT(cufftPlanMany(&plan, 1, n, n, 0, 4, n, 1, 4, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  EXPECT(plan == 99); // no plan was made
  CHECK_FFT(cufftPlan1d(&plan, 8, CUFFT_C2C, 1));
  DeviceArray<cufftComplex> data(8);
  EXPECT(cufftExecC2C(plan, nullptr, data, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  EXPECT(cufftExecC2C(plan, data, data, 3) == CUFFT_INVALID_VALUE);
  EXPECT(cufftExecR2C(plan, (float *)(cufftComplex *)data, data) == CUFFT_INVALID_TYPE);
  EXPECT(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, nullptr) == CUFFT_INVALID_PLAN);
  EXPECT(cufftXtSetCallback(plan, nullptr, CUFFT_CB_LD_COMPLEX, nullptr) == CUFFT_NOT_IMPLEMENTED);
  CHECK_FFT(cufftDestroy(plan));
  long long size = 6;
  size_t work;
  CHECK_FFT(cufftCreate(&plan));
  EXPECT(cufftXtMakePlanMany(plan, 1, &size, nullptr, 1, 0, CUDA_C_16F, nullptr, 1, 0, CUDA_C_16F,
                             1, &work, CUDA_C_16F) == CUFFT_NOT_SUPPORTED);
  CHECK_FFT(cufftXtMakePlanMany(plan, 1, &size, nullptr, 1, 0, CUDA_R_64F, nullptr, 1, 0,
                                CUDA_C_64F, 1, &work, CUDA_C_64F));
  CHECK_FFT(cufftDestroy(plan));
  int version = 0, major = 0;
  CHECK_FFT(cufftGetVersion(&version));
  CHECK_FFT(cufftGetProperty(MAJOR_VERSION, &major));
  EXPECT(version == CUFFT_VERSION && major == CUFFT_VER_MAJOR);
}

int main(int argc, char **) {
  const bool all = argc > 1;
  std::vector<Case> cases = {{{11}, 2, true, true},     {{12}, 3, false, true},
                             {{16}, 1, true, false},    {{35}, 2, false, false},
                             {{4, 6}, 2, true, true},   {{3, 10}, 1, false, false},
                             {{2, 3, 4}, 1, true, false}, {{7}, 2, true, false}};
  if (all) {
    for (int n = 1; n <= 100; ++n)
      cases.push_back({{n}, 1 + n % 3, n % 2 == 0, n % 5 == 0});
    for (int n : {121, 128, 210, 243, 251, 256, 343, 509, 512, 625, 720, 997, 1000, 1024, 2048})
      cases.push_back({{n}, 1, n % 2 == 1, false});
    for (bool inPlace : {false, true})
      for (bool advanced : {false, true})
        for (const Sizes &n : std::initializer_list<Sizes>{
                 {1, 1}, {8, 8}, {13, 17}, {16, 9}, {1, 5}, {32, 1}, {4, 5, 6}, {3, 11, 2}, {8, 1, 8}})
          cases.push_back({n, 1 + inPlace, inPlace, advanced});
  }
  for (const Case &c : cases) {
    transforms<float>(c);
    transforms<double>(c);
  }
  workAreas();
  statuses();
  std::printf("errors: %.1f and %.1f\n", worst[0], worst[1]);
  return finish();
}
