// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS's level 1, batches, factorisations, half precision and products whose types are arguments:
// vectors against Debian's BLAS, the rest against its definition.
// REQUIRES: blas
// RUN: %vxcc -O1 -std=c++17 -I%inputs %s -o %t -lcublas -lblas
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t
// RUN: env VX_BACKEND=host %run %t | FileCheck %s
// CHECK: PASS

#include "blas.h"
#include <cstring>
#include <cuda_fp16.h>

BLAS(axpy)
BLAS(copy)
BLAS(swap)
BLAS(scal)
BLAS(rotg)
namespace host {
HOST_BLAS(rot, srot_, drot_, csrot_, zdrot_)
HOST_BLAS(rotm, srotm_, drotm_, srotm_, drotm_)
HOST_BLAS(rotmg, srotmg_, drotmg_, srotmg_, drotmg_)
} // namespace host
namespace device {
DEVICE_BLAS(rot, cublasSrot, cublasDrot, cublasCsrot, cublasZdrot)
DEVICE_BLAS(rotm, cublasSrotm, cublasDrotm, cublasSrotm, cublasDrotm)
DEVICE_BLAS(rotmg, cublasSrotmg, cublasDrotmg, cublasSrotmg, cublasDrotmg)
DEVICE_BLAS(nrm2, cublasSnrm2, cublasDnrm2, cublasScnrm2, cublasDznrm2)
DEVICE_BLAS(asum, cublasSasum, cublasDasum, cublasScasum, cublasDzasum)
DEVICE_BLAS(amax, cublasIsamax, cublasIdamax, cublasIcamax, cublasIzamax)
DEVICE_BLAS(amin, cublasIsamin, cublasIdamin, cublasIcamin, cublasIzamin)
DEVICE_BLAS(dot, cublasSdot, cublasDdot, cublasCdotc, cublasZdotc)
DEVICE_BLAS(gemmBatched, cublasSgemmBatched, cublasDgemmBatched, cublasCgemmBatched,
            cublasZgemmBatched)
DEVICE_BLAS(gemmStrided, cublasSgemmStridedBatched, cublasDgemmStridedBatched,
            cublasCgemmStridedBatched, cublasZgemmStridedBatched)
DEVICE_BLAS(getrf, cublasSgetrfBatched, cublasDgetrfBatched, cublasCgetrfBatched,
            cublasZgetrfBatched)
DEVICE_BLAS(getrs, cublasSgetrsBatched, cublasDgetrsBatched, cublasCgetrsBatched,
            cublasZgetrsBatched)
DEVICE_BLAS(getri, cublasSgetriBatched, cublasDgetriBatched, cublasCgetriBatched,
            cublasZgetriBatched)
} // namespace device

static cublasHandle_t handle;

template <class T> T element(std::complex<double> x) {
  if constexpr (isComplex<T>)
    return {RealOf<T>(x.real()), RealOf<T>(x.imag())};
  else if constexpr (sizeof(T) == 2)
    return T(float(x.real()));
  else
    return T(x.real());
}

template <class T> void vectors(int n, int incx, int incy) {
  typedef RealOf<T> R;
  auto x = randoms<T>(n * std::abs(incx) + 1, 7), y = randoms<T>(n * std::abs(incy) + 1, 8);
  DeviceArray<T> dx(x), dy(y);
  const T alpha = element<T>({0.7, -0.3});
  const R c = 0.8, s = 0.6;
  device::axpy<T>(handle, n, &alpha, (T *)dx, incx, (T *)dy, incy);
  host::axpy<T>(&n, &alpha, x.data(), &incx, y.data(), &incy);
  compare(y, dy.host(), "axpy", n);
  device::rot<T>(handle, n, (T *)dx, incx, (T *)dy, incy, &c, &s);
  host::rot<T>(&n, x.data(), &incx, y.data(), &incy, &c, &s);
  compare(x, dx.host(), "rot", n);
  compare(y, dy.host(), "rot", n);
  device::swap<T>(handle, n, (T *)dx, incx, (T *)dy, incy);
  host::swap<T>(&n, x.data(), &incx, y.data(), &incy);
  compare(x, dx.host(), "swap", n);
  device::scal<T>(handle, n, &alpha, (T *)dx, incx);
  host::scal<T>(&n, &alpha, x.data(), &incx);
  compare(x, dx.host(), "scal", n);
  // Reductions, by their definitions.
  std::complex<double> dot = 0;
  double squares = 0, sum = 0, largest = -1, smallest = 1e9;
  int largestAt = 0, smallestAt = 0;
  for (int i = 0; i < n; ++i) {
    auto a = number(x[i * incx]), b = number(y[incy < 0 ? (i - n + 1) * incy : i * incy]);
    dot += std::conj(a) * b;
    squares += std::norm(a);
    R size = std::fabs(R(a.real())) + std::fabs(R(a.imag()));
    sum += size;
    if (size > largest)
      largest = size, largestAt = i + 1;
    if (size < smallest)
      smallest = size, smallestAt = i + 1;
  }
  for (auto mode : {CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE}) {
    CHECK_BLAS(cublasSetPointerMode(handle, mode));
    const bool there = mode == CUBLAS_POINTER_MODE_DEVICE;
    DeviceArray<T> product(1);
    DeviceArray<R> reals(2);
    DeviceArray<int> indices(2);
    T p;
    R r[2];
    int i[2];
    device::dot<T>(handle, n, (T *)dx, incx, (T *)dy, incy, there ? (T *)product : &p);
    device::nrm2<T>(handle, n, (T *)dx, incx, there ? (R *)reals : r);
    device::asum<T>(handle, n, (T *)dx, incx, there ? (R *)reals + 1 : r + 1);
    device::amax<T>(handle, n, (T *)dx, incx, there ? (int *)indices : i);
    device::amin<T>(handle, n, (T *)dx, incx, there ? (int *)indices + 1 : i + 1);
    if (there) {
      p = product.host()[0];
      r[0] = reals.host()[0], r[1] = reals.host()[1];
      i[0] = indices.host()[0], i[1] = indices.host()[1];
    }
    compare<T>({element<T>(dot)}, {p}, "dot", n);
    compare<R>({R(std::sqrt(squares)), R(sum)}, {r[0], r[1]}, "nrm2, asum", n);
    expectEqual(i[0], largestAt, "amax", n);
    expectEqual(i[1], smallestAt, "amin", n);
  }
  CHECK_BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

/// Squares that overflow or vanish, and parameters of rotations.
template <class T> void scalars() {
  const T big = sizeof(T) == 4 ? T(1e30) : T(1e300), tiny = 1 / big;
  DeviceArray<T> values(std::vector<T>{3 * big, 4 * big, 3 * tiny, 4 * tiny});
  T norms[2];
  device::nrm2<T>(handle, 2, (T *)values, 1, norms);
  device::nrm2<T>(handle, 2, (T *)values + 2, 1, norms + 1);
  compare<T>({5, 5}, {norms[0] / big, norms[1] / tiny}, "nrm2 of large and small elements", 0);
  for (int k = 0; k < 24; ++k) {
    auto start = randoms<T>(9, 20 + k);
    start[0] = std::fabs(start[0]) * std::pow(T(2), k % 4 * 10 - 15);
    start[1] *= std::pow(T(2), k % 3 * 12 - 12);
    auto a = start, b = start;
    std::fill(a.begin() + 4, a.end(), T(0));
    std::copy(a.begin(), a.end(), b.begin());
    host::rotmg<T>(&a[0], &a[1], &a[2], &a[3], &a[4]);
    device::rotmg<T>(handle, &b[0], &b[1], &b[2], &b[3], &b[4]);
    compare(a, b, "rotmg", k);
    auto x = randoms<T>(8, 50), y = randoms<T>(8, 51);
    DeviceArray<T> dx(x), dy(y);
    const int n = 8, one = 1;
    host::rotm<T>(&n, x.data(), &one, y.data(), &one, &a[4]);
    device::rotm<T>(handle, n, (T *)dx, 1, (T *)dy, 1, &a[4]);
    compare(x, dx.host(), "rotm", k);
    compare(y, dy.host(), "rotm", k);
    a = b = {start[2], start[3], 0, 0};
    host::rotg<T>(&a[0], &a[1], &a[2], &a[3]);
    device::rotg<T>(handle, &b[0], &b[1], &b[2], &b[3]);
    compare(a, b, "rotg", k);
  }
}

/// The product of matrices of n rows and columns, C = A B.
template <class T> std::vector<T> multiply(int n, const T *a, const T *b) {
  std::vector<T> c(n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      std::complex<double> sum = 0;
      for (int k = 0; k < n; ++k)
        sum += number(a[i + k * n]) * number(b[k + j * n]);
      c[i + j * n] = element<T>(sum);
    }
  return c;
}

/// A batch of three: factorised, solved and inverted, and the results multiplied in both kinds of
/// batches.
template <class T> void batches() {
  constexpr int n = 9, count = 3, size = n * n;
  auto a = randoms<T>(count * size, 30), b = randoms<T>(count * size, 31);
  DeviceArray<T> da(a), factors(a), db(b), solutions(b), inverses(count * size), c(count * size);
  DeviceArray<int> pivots(count * n), info(count);
  auto pointers = [&](T *first) {
    std::vector<T *> all;
    for (int i = 0; i < count; ++i)
      all.push_back(first + i * size);
    return all;
  };
  DeviceArray<T *> pa(pointers(da)), pf(pointers(factors)), ps(pointers(solutions)),
      pi(pointers(inverses)), pc(pointers(c));
  const T one = element<T>(1), zero = element<T>(0);
  int hostInfo = 7;
  device::getrf<T>(handle, n, (T **)pf, n, (int *)pivots, (int *)info, count);
  for (int i : info.host())
    expectEqual(i, 0, "info of getrf");
  for (auto trans : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    CHECK(cudaMemcpy(solutions, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice));
    device::getrs<T>(handle, trans, n, n, (T **)pf, n, (int *)pivots, (T **)ps, n, &hostInfo,
                     count);
    expectEqual(hostInfo, 0, "info of getrs");
    device::gemmBatched<T>(handle, trans, CUBLAS_OP_N, n, n, n, &one, (T **)pa, n, (T **)ps, n,
                           &zero, (T **)pc, n, count);
    compare(b, c.host(), "getrs", trans);
  }
  device::getri<T>(handle, n, (T **)pf, n, (int *)pivots, (T **)pi, n, (int *)info, count);
  device::gemmStrided<T>(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, (T *)da, n,
                         (long long)size, (T *)inverses, n, (long long)size, &zero, (T *)c, n,
                         (long long)size, count);
  std::vector<T> units(count * size, zero);
  for (int i = 0; i < count * n; ++i)
    units[i / n * size + i % n * (n + 1)] = one;
  compare(units, c.host(), "getri", 0);
  // Without structure in the result: one more product against its definition.
  device::gemmStrided<T>(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, (T *)da, n,
                         (long long)size, (T *)db, n, 0ll, &zero, (T *)c, n, (long long)size,
                         count);
  std::vector<T> got = c.host();
  for (int i = 0; i < count; ++i)
    compare(multiply(n, &a[i * size], b.data()),
            std::vector<T>(got.begin() + i * size, got.begin() + (i + 1) * size), "batch", i);
}

/// Small integers, so that every type is exact.
template <class In, class Out, class Scalar>
void anyTypes(cudaDataType in, cudaDataType out, cublasComputeType_t compute) {
  constexpr int n = 17;
  std::vector<In> a(n * n), b(n * n);
  std::vector<double> exactA(n * n), exactB(n * n);
  for (int i = 0; i < n * n; ++i) {
    exactA[i] = int(mixed(i) % 7) - 3;
    exactB[i] = int(mixed(i + 1000) % 5) - 2;
    a[i] = In(float(exactA[i]));
    b[i] = In(float(exactB[i]));
  }
  DeviceArray<In> da(a), db(b);
  DeviceArray<Out> c(n * n);
  const Scalar one(1.0f), zero(0.0f);
  CHECK_BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, da, in, n, db, in, n,
                          &zero, c, out, n, compute, CUBLAS_GEMM_DEFAULT));
  auto want = multiply(n, exactA.data(), exactB.data());
  auto got = c.host();
  for (int i = 0; i < n * n; ++i)
    expect(double(float(got[i])) == want[i], "GemmEx", in);
  if constexpr (std::is_same_v<Scalar, float>) {
    // The forms in which the type that is computed in is a data type.
    DeviceArray<Out> again(n * n);
    CHECK_BLAS(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, da, in, n,
                                          0, db, in, n, 0, &zero, again, out, n, 0, 1, CUDA_R_32F,
                                          CUBLAS_GEMM_DEFAULT));
    auto same = again.host();
    expect(!std::memcmp(same.data(), got.data(), n * n * sizeof(Out)),
           "GemmStridedBatchedEx of a data type", in);
    EXPECT(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, da, in, n, db, in, n, &zero,
                        c, out, n, CUDA_R_8I, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  }
}

/// Level 1 with types as arguments, of small integers. FACTOR: the type that is computed in.
template <class T, class Factor>
void anyVectors(cudaDataType type, cudaDataType real, cudaDataType computed) {
  constexpr int n = 19;
  std::vector<T> x(n), y(n);
  std::vector<std::complex<double>> sum(n), scaled(n);
  std::complex<double> product = 0, conjugated = 0;
  double squares = 0;
  for (int i = 0; i < n; ++i) {
    const int imaginary = isComplex<T> ? int(mixed(i + 2000) % 3) - 1 : 0;
    const std::complex<double> a(int(mixed(i) % 5) - 2, imaginary), b(int(mixed(i + 1000) % 3), 1 - imaginary);
    x[i] = element<T>(a);
    y[i] = element<T>(isComplex<T> ? b : b.real());
    product += number(x[i]) * number(y[i]);
    conjugated += std::conj(number(x[i])) * number(y[i]);
    squares += std::norm(a);
    sum[i] = 2.0 * a + number(y[i]);
    scaled[i] = 2.0 * a;
  }
  DeviceArray<T> dx(x), dy(y);
  T dot, dotc;
  RealOf<T> norm;
  const Factor two = element<Factor>(2);
  CHECK_BLAS(cublasDotEx(handle, n, dx, type, 1, dy, type, 1, &dot, type, computed));
  CHECK_BLAS(cublasDotcEx(handle, n, dx, type, 1, dy, type, 1, &dotc, type, computed));
  CHECK_BLAS(cublasNrm2Ex(handle, n, dx, type, 1, &norm, real,
                          computed == type ? real : computed));
  expect(number(dot) == product, "DotEx", type);
  expect(number(dotc) == conjugated, "DotcEx", type);
  expect(std::abs(number(norm) - std::sqrt(squares)) <= 0.01 * std::sqrt(squares), "Nrm2Ex", type);
  CHECK_BLAS(cublasAxpyEx(handle, n, &two, computed, dx, type, 1, dy, type, 1, computed));
  CHECK_BLAS(cublasScalEx(handle, n, &two, computed, dx, type, 1, computed));
  const std::vector<T> gotX = dx.host(), gotY = dy.host();
  for (int i = 0; i < n; ++i) {
    expect(number(gotY[i]) == sum[i], "AxpyEx", type);
    expect(number(gotX[i]) == scaled[i], "ScalEx", type);
  }
}

int main() {
  CHECK_BLAS(cublasCreate(&handle));
  anyVectors<__half, float>(CUDA_R_16F, CUDA_R_16F, CUDA_R_32F);
  anyVectors<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F);
  anyVectors<float, float>(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  anyVectors<double, double>(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F);
  anyVectors<cuComplex, cuComplex>(CUDA_C_32F, CUDA_R_32F, CUDA_C_32F);
  anyVectors<cuDoubleComplex, cuDoubleComplex>(CUDA_C_64F, CUDA_R_64F, CUDA_C_64F);
  EXPECT(cublasDotEx(handle, 1, &handle, CUDA_R_16F, 1, &handle, CUDA_R_16F, 1, &handle,
                     CUDA_R_16F, CUDA_R_16F) == CUBLAS_STATUS_NOT_SUPPORTED);
  for (int n : {1, 37, 700}) {
    vectors<float>(n, 1, -2);
    vectors<double>(n, 2, 1);
    vectors<cuComplex>(n, 1, 3);
    vectors<cuDoubleComplex>(n, 3, -1);
  }
  scalars<float>();
  scalars<double>();
  batches<float>();
  batches<double>();
  batches<cuComplex>();
  batches<cuDoubleComplex>();
  anyTypes<__half, __half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  anyTypes<__half, __half, float>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  anyTypes<__half, float, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  anyTypes<__nv_bfloat16, float, float>(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  anyTypes<signed char, int, int>(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
  anyTypes<double, double, double>(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  EXPECT(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &handle, nullptr, CUDA_R_4I, 1,
                      nullptr, CUDA_R_4I, 1, &handle, nullptr, CUDA_R_4I, 1, CUBLAS_COMPUTE_32I,
                      CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT(cublasDestroy(nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK_BLAS(cublasDestroy(handle));
  return finish();
}
