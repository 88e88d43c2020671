// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuSOLVER's dense functions by their definitions: products of factors are the matrix, solutions solve,
// vectors are orthonormal.
// REQUIRES: blas
// RUN: %vxcc -O1 -std=c++17 -I%inputs %s -o %t -lcusolver -lcublas
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t
// RUN: env VX_BACKEND=host %run %t all | FileCheck %s
// CHECK: PASS

#include "harness.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <cusolverDn.h>
#include <type_traits>

typedef std::complex<double> Number;
typedef std::vector<Number> Matrix; // N x N or so, in the order of columns
static cusolverDnHandle_t handle;
static double worst[2]; // the largest errors of float and double, in units of their epsilon

#define CHECK_SOLVER(call)                                                                         \
  do {                                                                                             \
    cusolverStatus_t status_ = (call);                                                             \
    if (status_ != CUSOLVER_STATUS_SUCCESS) {                                                      \
      std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, status_);                          \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

// The functions of one type by the type of elements; std::complex is laid out like cuComplex.
template <class T> struct Api;
#define SOLVER_API(T, NATIVE, REAL, LETTER, TYPE, PART, ORGQR, ORMQR, SYEVD, SYEVJ, SYGVD)         \
  template <> struct Api<T> {                                                                      \
    typedef NATIVE Native;                                                                         \
    typedef REAL Real;                                                                             \
    static constexpr cudaDataType type = TYPE, part = PART;                                        \
    static constexpr auto potrf = cusolverDn##LETTER##potrf;                                       \
    static constexpr auto potrfSize = cusolverDn##LETTER##potrf_bufferSize;                        \
    static constexpr auto potrs = cusolverDn##LETTER##potrs;                                       \
    static constexpr auto potri = cusolverDn##LETTER##potri;                                       \
    static constexpr auto potrfBatched = cusolverDn##LETTER##potrfBatched;                         \
    static constexpr auto potrsBatched = cusolverDn##LETTER##potrsBatched;                         \
    static constexpr auto getrf = cusolverDn##LETTER##getrf;                                       \
    static constexpr auto getrfSize = cusolverDn##LETTER##getrf_bufferSize;                        \
    static constexpr auto getrs = cusolverDn##LETTER##getrs;                                       \
    static constexpr auto geqrf = cusolverDn##LETTER##geqrf;                                       \
    static constexpr auto orgqr = cusolverDn##LETTER##ORGQR;                                       \
    static constexpr auto ormqr = cusolverDn##LETTER##ORMQR;                                       \
    static constexpr auto syevd = cusolverDn##LETTER##SYEVD;                                       \
    static constexpr auto syevj = cusolverDn##LETTER##SYEVJ;                                       \
    static constexpr auto sygvd = cusolverDn##LETTER##SYGVD;                                       \
    static constexpr auto gesvd = cusolverDn##LETTER##gesvd;                                       \
    static constexpr auto gesvdj = cusolverDn##LETTER##gesvdj;                                     \
  }
SOLVER_API(float, float, float, S, CUDA_R_32F, CUDA_R_32F, orgqr, ormqr, syevd, syevj, sygvd);
SOLVER_API(double, double, double, D, CUDA_R_64F, CUDA_R_64F, orgqr, ormqr, syevd, syevj, sygvd);
SOLVER_API(std::complex<float>, cuComplex, float, C, CUDA_C_32F, CUDA_R_32F, ungqr, unmqr, heevd,
           heevj, hegvd);
SOLVER_API(std::complex<double>, cuDoubleComplex, double, Z, CUDA_C_64F, CUDA_R_64F, ungqr, unmqr,
           heevd, heevj, hegvd);
template <class T> constexpr bool isComplex = !std::is_same_v<T, typename Api<T>::Real>;

template <class T> T randomElement(unsigned &state) {
  auto part = [&] {
    return typename Api<T>::Real((state = mixed(state + 0x9e3779b9u)) * 0x1p-31 - 1);
  };
  if constexpr (isComplex<T>)
    return T{part(), part()};
  else
    return part();
}
template <class T> std::vector<T> randoms(size_t count, unsigned seed) {
  std::vector<T> values(count);
  for (T &value : values)
    value = randomElement<T>(seed);
  return values;
}
template <class T> typename Api<T>::Native *native(DeviceArray<T> &array) {
  return reinterpret_cast<typename Api<T>::Native *>(static_cast<T *>(array));
}

template <class T> Matrix numbers(const std::vector<T> &a, int rows, int cols, int lda) {
  Matrix result(size_t(rows) * cols);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i)
      result[i + size_t(j) * rows] = a[i + size_t(j) * lda];
  return result;
}
static Matrix product(const Matrix &a, const Matrix &b, int m, int n, int k) {
  Matrix c(size_t(m) * n);
  for (int j = 0; j < n; ++j)
    for (int l = 0; l < k; ++l)
      for (int i = 0; i < m; ++i)
        c[i + size_t(j) * m] += a[i + size_t(l) * m] * b[l + size_t(j) * k];
  return c;
}
static Matrix adjoint(const Matrix &a, int m, int n) {
  Matrix result(a.size());
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      result[j + size_t(i) * n] = std::conj(a[i + size_t(j) * m]);
  return result;
}
static Matrix unit(int n) {
  Matrix result(size_t(n) * n);
  for (int i = 0; i < n; ++i)
    result[i * (n + 1)] = 1;
  return result;
}

/// Compares matrices whose elements are about SCALE, of sums of N.
template <class T>
void expectNear(const Matrix &got, const Matrix &want, double scale, int n, const char *what) {
  const double epsilon = sizeof(typename Api<T>::Real) == 4 ? 0x1p-24 : 0x1p-53;
  for (size_t i = 0; i < want.size(); ++i) {
    const double error = std::abs(got[i] - want[i]) / scale / (n + 4) / epsilon;
    double &largest = worst[sizeof(typename Api<T>::Real) == 8];
    if (!(error <= largest))
      largest = error;
    if (!expect(error < 10, what, n)) {
      if (wrongResults() <= 10)
        std::printf("  element %zu: got %g %g, wanted %g %g\n", i, got[i].real(), got[i].imag(),
                    want[i].real(), want[i].imag());
      return;
    }
  }
}

/// A Hermitian matrix; positive definite, if it is.
template <class T> std::vector<T> hermitian(int n, int lda, bool positive, unsigned seed) {
  std::vector<T> a = randoms<T>(size_t(lda) * n, seed);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i)
      if constexpr (isComplex<T>)
        a[i + j * lda] = std::conj(a[j + i * lda]);
      else
        a[i + j * lda] = a[j + i * lda];
    a[j * (lda + 1)] = T(std::real(a[j * (lda + 1)]) + (positive ? 2 * n : 0));
  }
  return a;
}

static int read(DeviceArray<int> &info) {
  return info.host()[0];
}

template <class T> void cholesky(int n, bool lower) {
  const int lda = n + 1, nrhs = 3;
  const cublasFillMode_t uplo = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  const std::vector<T> a = hermitian<T>(n, lda, true, n), b = randoms<T>(lda * nrhs, 2);
  const Matrix full = numbers(a, n, n, lda);
  DeviceArray<T> da(a), db(b);
  DeviceArray<int> info(std::vector<int>{7});
  int size = 0;
  CHECK_SOLVER(Api<T>::potrfSize(handle, uplo, n, native(da), lda, &size));
  DeviceArray<T> work(size);
  CHECK_SOLVER(Api<T>::potrf(handle, uplo, n, native(da), lda, native(work), size, info));
  expectEqual(read(info), 0, "info of potrf");
  const std::vector<T> factor = da.host();
  Matrix l = numbers(factor, n, n, lda);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (lower ? i < j : i > j) { // not looked at, and not needed
        expectEqual(factor[i + j * lda], a[i + j * lda], "other triangle of potrf");
        l[i + j * n] = 0;
      }
  const Matrix other = adjoint(l, n, n);
  expectNear<T>(lower ? product(l, other, n, n, n) : product(other, l, n, n, n), full, 2 * n, n,
                "potrf");
  CHECK_SOLVER(Api<T>::potrs(handle, uplo, n, nrhs, native(da), lda, native(db), lda, info));
  expectNear<T>(product(full, numbers(db.host(), n, nrhs, lda), n, nrhs, n),
                numbers(b, n, nrhs, lda), 1, n, "potrs");
  CHECK_SOLVER(Api<T>::potri(handle, uplo, n, native(da), lda, native(work), size, info));
  expectEqual(read(info), 0, "info of potri");
  Matrix inverse = numbers(da.host(), n, n, lda);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (lower ? i < j : i > j)
        inverse[i + j * n] = std::conj(inverse[j + i * n]);
  expectNear<T>(product(full, inverse, n, n, n), unit(n), 1, n, "potri");
  // A minor that is not positive.
  if (n > 20) {
    std::vector<T> wrong = a;
    wrong[19 * (lda + 1)] = T(-1);
    DeviceArray<T> dw(wrong);
    CHECK_SOLVER(Api<T>::potrf(handle, uplo, n, native(dw), lda, native(work), size, info));
    expectEqual(read(info), 20, "info of a failing potrf");
  }
}

template <class T> void choleskyBatches(int n, bool lower) {
  const int lda = n + 1, count = 3;
  const cublasFillMode_t uplo = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  std::vector<T> a, b = randoms<T>(n * count, 4);
  for (int k = 0; k < count; ++k) {
    std::vector<T> one = hermitian<T>(n, lda, true, k);
    if (k == 1)
      one[2 * (lda + 1)] = T(-5);
    a.insert(a.end(), one.begin(), one.end());
  }
  DeviceArray<T> da(a), db(b);
  std::vector<typename Api<T>::Native *> ma, mb;
  for (int k = 0; k < count; ++k) {
    ma.push_back(native(da) + k * lda * n);
    mb.push_back(native(db) + k * n);
  }
  DeviceArray<typename Api<T>::Native *> pa(ma), pb(mb);
  DeviceArray<int> infos(count), info(1);
  CHECK_SOLVER(Api<T>::potrfBatched(handle, uplo, n, pa, lda, infos, count));
  const std::vector<int> got = infos.host();
  for (int k = 0; k < count; ++k)
    expectEqual(got[k], k == 1 ? 3 : 0, "infos of potrfBatched");
  CHECK_SOLVER(Api<T>::potrsBatched(handle, uplo, n, 1, pa, lda, pb, n, info, count));
  const std::vector<T> x = db.host();
  for (int k = 0; k < count; k += 2) {
    const std::vector<T> matrix(a.begin() + k * lda * n, a.begin() + (k + 1) * lda * n),
        solution(x.begin() + k * n, x.begin() + (k + 1) * n),
        side(b.begin() + k * n, b.begin() + (k + 1) * n);
    expectNear<T>(product(numbers(matrix, n, n, lda), numbers(solution, n, 1, n), n, 1, n),
                  numbers(side, n, 1, n), 1, n, "potrsBatched");
  }
}

template <class T> void lu(int m, int n, bool pivoted) {
  const int lda = m + 2, steps = std::min(m, n);
  std::vector<T> a = randoms<T>(lda * n, m + n);
  if (!pivoted)
    for (int i = 0; i < steps; ++i)
      a[i * (lda + 1)] += T(2 * m);
  const Matrix full = numbers(a, m, n, lda);
  DeviceArray<T> da(a);
  DeviceArray<int> pivots(std::max(steps, 1)), info(std::vector<int>{7});
  int size = 0;
  CHECK_SOLVER(Api<T>::getrfSize(handle, m, n, native(da), lda, &size));
  DeviceArray<T> work(size);
  CHECK_SOLVER(Api<T>::getrf(handle, m, n, native(da), lda, native(work),
                             pivoted ? (int *)pivots : nullptr, info));
  expectEqual(read(info), 0, "info of getrf");
  const std::vector<T> factors = da.host();
  const std::vector<int> places = pivots.host();
  Matrix l(m * steps), u(steps * n), moved = full;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      if (i <= j && i < steps)
        u[i + j * steps] = factors[i + j * lda];
      if (j < steps && i >= j)
        l[i + j * m] = i == j ? Number(1) : Number(factors[i + j * lda]);
      if (pivoted && i > j)
        expect(std::fabs(std::real(factors[i + j * lda])) < 1.5, "size of a factor of getrf", i);
    }
  for (int k = 0; pivoted && k < steps; ++k)
    for (int j = 0; j < n; ++j)
      std::swap(moved[k + j * m], moved[places[k] - 1 + j * m]);
  expectNear<T>(product(l, u, m, n, steps), moved, pivoted ? 2 : 2 * m, m, "getrf");
  if (m != n)
    return;
  for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    const std::vector<T> b = randoms<T>(lda * 2, 3);
    DeviceArray<T> db(b);
    CHECK_SOLVER(Api<T>::getrs(handle, op, n, 2, native(da), lda,
                               pivoted ? (int *)pivots : nullptr, native(db), lda, info));
    Matrix left = full;
    if (op != CUBLAS_OP_N)
      left = adjoint(full, n, n);
    if (op == CUBLAS_OP_T)
      for (Number &element : left)
        element = std::conj(element);
    const Matrix x = numbers(db.host(), n, 2, lda);
    double largest = 1;
    for (Number element : x)
      largest = std::max(largest, std::abs(element));
    expectNear<T>(product(left, x, n, 2, n), numbers(b, n, 2, lda), largest * 3, n, "getrs");
  }
}

static void singular() {
  DeviceArray<double> a(std::vector<double>{4, 2, 1, 8, 4, 2, 1, 0, 1}), work(64);
  DeviceArray<int> pivots(3), info(1);
  CHECK_SOLVER(cusolverDnDgetrf(handle, 3, 3, a, 3, work, pivots, info));
  EXPECT(read(info) == 2);
}

template <class T> void qr(int m, int n) {
  const int lda = m + 1, k = std::min(m, n);
  const std::vector<T> a = randoms<T>(lda * n, m);
  const Matrix full = numbers(a, m, n, lda);
  DeviceArray<T> da(a), tau(k), work(64);
  DeviceArray<int> info(std::vector<int>{7});
  CHECK_SOLVER(Api<T>::geqrf(handle, m, n, native(da), lda, native(tau), native(work), 64, info));
  expectEqual(read(info), 0, "info of geqrf");
  Matrix r = numbers(da.host(), m, n, lda), square(size_t(m) * m);
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < m; ++i)
      r[i + j * m] = 0;
  // Q as a product with the unit matrix, from both sides.
  for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
    for (bool adjointed : {false, true}) {
      std::vector<T> c(size_t(lda) * m);
      for (int i = 0; i < m; ++i)
        c[i * (lda + 1)] = T(1);
      DeviceArray<T> dc(c);
      const cublasOperation_t op = !adjointed ? CUBLAS_OP_N : isComplex<T> ? CUBLAS_OP_C : CUBLAS_OP_T;
      CHECK_SOLVER(Api<T>::ormqr(handle, side, op, m, m, k, native(da), lda, native(tau),
                                 native(dc), lda, native(work), 64, info));
      Matrix q = numbers(dc.host(), m, m, lda);
      if (adjointed)
        q = adjoint(q, m, m);
      expectNear<T>(product(q, r, m, n, m), full, 2, m, "ormqr");
      expectNear<T>(product(adjoint(q, m, m), q, m, m, m), unit(m), 1, m, "Q of ormqr");
      square = q;
    }
  if (n > m)
    return;
  CHECK_SOLVER(Api<T>::orgqr(handle, m, n, k, native(da), lda, native(tau), native(work), 64, info));
  const Matrix q = numbers(da.host(), m, n, lda);
  expectNear<T>(q, Matrix(square.begin(), square.begin() + m * n), 1, m, "orgqr");
}

/// Checks A V = V diag(w) and that V is unitary, w sorted.
template <class T>
void eigenvalues(int n, bool lower, int kind) {
  typedef typename Api<T>::Real R;
  const int lda = n + 1;
  std::vector<T> a = hermitian<T>(n, lda, false, n);
  if (kind == 1) // a multiple eigenvalue: 1 and, n - 1 times, 0
    std::fill(a.begin(), a.end(), T(R(1) / n));
  if (kind == 2) // of all sizes
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        a[i + j * lda] *= T(std::pow(R(0.5), R(i + j)));
  const Matrix full = numbers(a, n, n, lda);
  std::vector<T> handed = a;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (lower ? i < j : i > j)
        handed[i + j * lda] = T(99); // not looked at
  DeviceArray<T> da(handed), work(64);
  DeviceArray<R> dw(n);
  DeviceArray<int> info(std::vector<int>{7});
  const cublasFillMode_t uplo = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  if (kind == 0) {
    CHECK_SOLVER(Api<T>::syevd(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, native(da), lda, dw,
                               native(work), 64, info));
  } else {
    syevjInfo_t parameters;
    int sweeps = 0;
    CHECK_SOLVER(cusolverDnCreateSyevjInfo(&parameters));
    CHECK_SOLVER(cusolverDnXsyevjSetTolerance(parameters, 1e-14));
    CHECK_SOLVER(Api<T>::syevj(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, native(da), lda, dw,
                               native(work), 64, info, parameters));
    CHECK_SOLVER(cusolverDnXsyevjGetSweeps(handle, parameters, &sweeps));
    expect(sweeps > 0 && sweeps < 20, "sweeps", sweeps);
    CHECK_SOLVER(cusolverDnDestroySyevjInfo(parameters));
  }
  expectEqual(read(info), 0, "info of syevd");
  const Matrix v = numbers(da.host(), n, n, lda);
  const std::vector<R> w = dw.host();
  expect(std::is_sorted(w.begin(), w.end()), "order of eigenvalues", n);
  Matrix scaled = v;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      scaled[i + j * n] *= w[j];
  expectNear<T>(product(full, v, n, n, n), scaled, std::max(1.0, std::sqrt(n) / 2), n, "syevd");
  expectNear<T>(product(adjoint(v, n, n), v, n, n, n), unit(n), 1, n, "vectors of syevd");
}

template <class T> void generalized(int n, int type, bool lower) {
  typedef typename Api<T>::Real R;
  const int lda = n;
  const std::vector<T> a = hermitian<T>(n, lda, false, 5), b = hermitian<T>(n, lda, true, 6);
  const Matrix fullA = numbers(a, n, n, lda), fullB = numbers(b, n, n, lda);
  DeviceArray<T> da(a), db(b), work(64);
  DeviceArray<R> dw(n);
  DeviceArray<int> info(std::vector<int>{7});
  CHECK_SOLVER(Api<T>::sygvd(handle, cusolverEigType_t(type), CUSOLVER_EIG_MODE_VECTOR,
                             lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, n, native(da),
                             lda, native(db), lda, dw, native(work), 64, info));
  expectEqual(read(info), 0, "info of sygvd");
  const Matrix x = numbers(da.host(), n, n, lda);
  const std::vector<R> w = dw.host();
  Matrix left, right = x;
  if (type == 1) {
    left = product(fullA, x, n, n, n);
    right = product(fullB, x, n, n, n);
  } else {
    left = type == 2 ? product(fullA, product(fullB, x, n, n, n), n, n, n)
                     : product(fullB, product(fullA, x, n, n, n), n, n, n);
  }
  double largest = 1;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      largest = std::max(largest, std::abs(right[i + j * n] *= w[j]));
  expectNear<T>(left, right, largest * 2, n, "sygvd");
}

/// Checks U diag(s) V^H = A and that U and V are unitary. RANK columns are different.
template <class T> void singularValues(int m, int n, char job, int rank) {
  typedef typename Api<T>::Real R;
  const int lda = m + 1;
  std::vector<T> a = randoms<T>(lda * n, m);
  for (int j = rank; j < n; ++j)
    for (int i = 0; i < m; ++i)
      a[i + j * lda] = rank ? a[i + (j - rank) * lda] : T(0);
  const Matrix full = numbers(a, m, n, lda);
  const int small = std::min(m, n), columnsU = job == 'A' ? m : small,
            columnsV = job == 'A' ? n : small;
  DeviceArray<T> da(a), du(m * columnsU), dv(n * std::max(columnsV, n)), work(64);
  DeviceArray<R> ds(small);
  DeviceArray<int> info(std::vector<int>{7});
  Matrix v;
  if (m >= n) {
    CHECK_SOLVER(Api<T>::gesvd(handle, job, job, m, n, native(da), lda, ds, native(du), m,
                               native(dv), n, native(work), 64, nullptr, info));
    v = adjoint(numbers(dv.host(), n, n, n), n, n);
  } else {
    gesvdjInfo_t parameters;
    CHECK_SOLVER(cusolverDnCreateGesvdjInfo(&parameters));
    CHECK_SOLVER(Api<T>::gesvdj(handle, CUSOLVER_EIG_MODE_VECTOR, job != 'A', m, n, native(da), lda,
                                ds, native(du), m, native(dv), n, native(work), 64, info,
                                parameters));
    CHECK_SOLVER(cusolverDnDestroyGesvdjInfo(parameters));
    v = numbers(dv.host(), n, columnsV, n);
  }
  expectEqual(read(info), 0, "info of gesvd");
  const Matrix u = numbers(du.host(), m, columnsU, m);
  const std::vector<R> s = ds.host();
  Matrix scaled(m * small), first(v.begin(), v.begin() + n * small);
  for (int j = 0; j < small; ++j) {
    expect(s[j] >= 0 && (j == 0 || s[j] <= s[j - 1]), "order of singular values", j);
    for (int i = 0; i < m; ++i)
      scaled[i + j * m] = u[i + j * m] * Number(s[j]);
  }
  const int size = std::max(m, n);
  expectNear<T>(product(scaled, adjoint(first, n, small), m, n, small), full, 2, size, "gesvd");
  const int vColumns = v.size() / n;
  expectNear<T>(product(adjoint(v, n, vColumns), v, vColumns, vColumns, n), unit(vColumns), 1, size,
                "V of gesvd");
  if (rank == n || rank == 0) // else the columns of small values are those of roundings
    expectNear<T>(product(adjoint(u, m, columnsU), u, columnsU, columnsU, m), unit(columnsU), 1,
                  size, "U of gesvd");
}

/// The functions whose types are arguments.
template <class T> void generic(int n) {
  typedef typename Api<T>::Real R;
  const std::vector<T> a = hermitian<T>(n, n, true, 3), b = randoms<T>(n, 4);
  const Matrix full = numbers(a, n, n, n);
  DeviceArray<int> info(std::vector<int>{7});
  cusolverDnParams_t parameters;
  CHECK_SOLVER(cusolverDnCreateParams(&parameters));
  size_t deviceBytes, hostBytes;
  for (bool lu : {false, true}) {
    DeviceArray<T> da(a), db(b);
    DeviceArray<int64_t> pivots(n);
    if (lu) {
      CHECK_SOLVER(cusolverDnXgetrf_bufferSize(handle, parameters, n, n, Api<T>::type, (T *)da, n,
                                               Api<T>::type, &deviceBytes, &hostBytes));
      CHECK_SOLVER(cusolverDnXgetrf(handle, parameters, n, n, Api<T>::type, (T *)da, n, pivots,
                                    Api<T>::type, nullptr, 0, nullptr, 0, info));
      CHECK_SOLVER(cusolverDnXgetrs(handle, parameters, CUBLAS_OP_N, n, 1, Api<T>::type, (T *)da, n,
                                    pivots, Api<T>::type, (T *)db, n, info));
    } else {
      CHECK_SOLVER(cusolverDnXpotrf(handle, parameters, CUBLAS_FILL_MODE_LOWER, n, Api<T>::type,
                                    (T *)da, n, Api<T>::type, nullptr, 0, nullptr, 0, info));
      CHECK_SOLVER(cusolverDnXpotrs(handle, parameters, CUBLAS_FILL_MODE_LOWER, n, 1, Api<T>::type,
                                    (T *)da, n, Api<T>::type, (T *)db, n, info));
    }
    expectNear<T>(product(full, numbers(db.host(), n, 1, n), n, 1, n), numbers(b, n, 1, n), 1, n,
                  "X functions");
  }
  DeviceArray<T> da(a);
  DeviceArray<R> w(n);
  CHECK_SOLVER(cusolverDnXsyevd(handle, parameters, CUSOLVER_EIG_MODE_NOVECTOR,
                                CUBLAS_FILL_MODE_LOWER, n, Api<T>::type, (T *)da, n, Api<T>::part,
                                (R *)w, Api<T>::type, nullptr, 0, nullptr, 0, info));
  Number trace = 0;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    trace += full[i * (n + 1)];
  for (R value : w.host())
    sum += value;
  expectNear<T>({sum}, {trace}, 2 * n * n, n, "Xsyevd");
  EXPECT(cusolverDnXpotrf(handle, parameters, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_16F, (T *)da, n,
                          CUDA_R_16F, nullptr, 0, nullptr, 0, info) == CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK_SOLVER(cusolverDnDestroyParams(parameters));
}

static void statuses() {
  DeviceArray<float> a(16);
  DeviceArray<int> info(1);
  int size;
  EXPECT(cusolverDnSpotrf(nullptr, CUBLAS_FILL_MODE_LOWER, 4, a, 4, a, 1, info) ==
         CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT(cusolverDnSpotrf(handle, CUBLAS_FILL_MODE_LOWER, 4, a, 3, a, 1, info) ==
         CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(cusolverDnSgetrf(handle, -1, 4, a, 4, a, nullptr, info) == CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(cusolverDnSgesvd(handle, 'A', 'A', 2, 4, a, 2, a, a, 2, a, 4, a, 1, a, info) ==
         CUSOLVER_STATUS_INVALID_VALUE); // fewer rows than columns
  EXPECT(cusolverDnSgeqrf_bufferSize(handle, 4, 4, a, 4, nullptr) == CUSOLVER_STATUS_INVALID_VALUE);
  CHECK_SOLVER(cusolverDnSgeqrf_bufferSize(handle, 4, 4, a, 4, &size));
  int version = 0;
  CHECK_SOLVER(cusolverGetVersion(&version));
  EXPECT(version == CUSOLVER_VERSION);
}

template <class T> void functions(bool all) {
  for (int n : {1, 7, 16, 33, 50})
    for (bool lower : {false, true})
      if (all || n == 7) {
        cholesky<T>(n, lower);
        choleskyBatches<T>(std::max(n, 4), lower);
        for (int kind = 0; kind < 3; ++kind)
          if (all || lower)
            eigenvalues<T>(n, lower, kind);
      }
  const int sizes[][2] = {{6, 6}, {1, 1}, {20, 35}, {35, 20}, {16, 16}, {40, 40}, {17, 3}, {3, 17}};
  for (auto [m, n] : sizes)
    if (all || m == 6) {
      lu<T>(m, n, true);
      lu<T>(m, n, false);
      qr<T>(m, n);
      singularValues<T>(m, n, 'A', n);
      singularValues<T>(m, n, 'S', n);
      if (all && m >= n) {
        singularValues<T>(m, n, 'A', 0);
        singularValues<T>(m, n, 'S', (n + 1) / 2);
      }
    }
  for (int type : {1, 2, 3})
    if (all || type == 1)
      for (bool lower : {false, true})
        generalized<T>(all ? 18 : 5, type, lower);
  generic<T>(6);
}

int main(int argc, char **) {
  CHECK_SOLVER(cusolverDnCreate(&handle));
  functions<double>(argc > 1);
  functions<std::complex<float>>(argc > 1);
  if (argc > 1) {
    functions<float>(true);
    functions<std::complex<double>>(true);
  }
  singular();
  statuses();
  CHECK_SOLVER(cusolverDnDestroy(handle));
  std::printf("errors: %.2f and %.2f\n", worst[0], worst[1]);
  return finish();
}
