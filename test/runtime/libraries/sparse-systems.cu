// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuSPARSE's triangular systems, incomplete factorizations and systems of three diagonals, by what
// their results are multiplied back to.
// REQUIRES: blas
// RUN: %vxcc -O1 -std=c++17 -I%inputs %s -o %t -lcusparse
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t
// RUN: env VX_BACKEND=host %run %t all | FileCheck %s
// CHECK: PASS

#include "sparse.h"

static cusparseHandle_t handle;
static constexpr cusparseOperation_t kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;
static constexpr cusparseOperation_t kOperations[] = {
    kPlain, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

/// A full matrix with a large diagonal; its triangles are the systems.
template <class T> Entries<T> dominant(int n, int per, bool sorted) {
  Entries<T> entries{n, n};
  unsigned state = n;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const int j = sorted ? k : n - 1 - k;
      if (i == j)
        entries.add(i, j, T(4) + randomElement<T>(state));
      else if (mixed(state += 77) % per == 0)
        entries.add(i, j, randomElement<T>(state) * T(1. / 4));
    }
  return entries;
}

/// op(the triangle of A)
template <class T>
std::vector<Number> triangle(const Entries<T> &a, bool lower, bool unit, cusparseOperation_t op,
                             const std::vector<Number> *diagonal = nullptr) {
  const int n = a.rows;
  std::vector<Number> full = a.dense(), result(n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      Number x = i == j ? (unit ? Number(1) : diagonal ? (*diagonal)[i] : full[i * n + i])
                 : (lower ? j < i : j > i) ? full[i * n + j]
                                           : Number(0);
      if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
        x = std::conj(x);
      result[op == kPlain ? i * n + j : j * n + i] = x;
    }
  return result;
}

template <class T>
void expectSolves(const std::vector<Number> &a, int n, const std::vector<T> &x,
                  const std::vector<T> &b, double alpha, const char *what, int where) {
  for (int i = 0; i < n; ++i) {
    Number sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[i * n + k] * Number(x[k]);
    expectNear(T(typename Parts<T>::Real(alpha)) * b[i], sum, what, where);
  }
}

template <class T>
void vectorSystem(int n, int per, cusparseFormat_t format, cusparseOperation_t op, bool lower,
                  bool unit) {
  SparseMatrix<T> a(dominant<T>(n, per, false), format, n % 2);
  cusparseFillMode_t fill = lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
  cusparseDiagType_t diagonal = unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
  CHECK_SPARSE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  CHECK_SPARSE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
  DenseVector<T> x(randoms<T>(n, 3)), y(std::vector<T>(n, T{}));
  ScalarArgument<T> alpha(handle, T(2));
  cusparseSpSVDescr_t descriptor;
  size_t size;
  CHECK_SPARSE(cusparseSpSV_createDescr(&descriptor));
  EXPECT(cusparseSpSV_solve(handle, op, alpha, a, x, y, typeOf<T>, CUSPARSE_SPSV_ALG_DEFAULT,
                            descriptor) == CUSPARSE_STATUS_INVALID_VALUE); // not analyzed
  CHECK_SPARSE(cusparseSpSV_bufferSize(handle, op, alpha, a, x, y, typeOf<T>,
                                       CUSPARSE_SPSV_ALG_DEFAULT, descriptor, &size));
  DeviceArray<char> buffer(size);
  CHECK_SPARSE(cusparseSpSV_analysis(handle, op, alpha, a, x, y, typeOf<T>,
                                     CUSPARSE_SPSV_ALG_DEFAULT, descriptor, (char *)buffer));
  auto solve = [&] {
    CHECK_SPARSE(cusparseSpSV_solve(handle, op, alpha, a, x, y, typeOf<T>,
                                    CUSPARSE_SPSV_ALG_DEFAULT, descriptor));
    return y.elements.host();
  };
  expectSolves(triangle(a.entries, lower, unit, op), n, solve(), x.host, 2, "SpSV",
               op * 10 + format);
  // New values, of all elements and of the diagonal.
  Entries<T> newer = a.entries;
  for (T &value : newer.value)
    value *= T(1.5f);
  DeviceArray<T> values(newer.value);
  CHECK_SPARSE(cusparseSpSV_updateMatrix(handle, descriptor, (T *)values,
                                         CUSPARSE_SPSV_UPDATE_GENERAL));
  expectSolves(triangle(newer, lower, unit, op), n, solve(), x.host, 2, "SpSV, updated", op);
  std::vector<T> elements(n, T(5));
  std::vector<Number> wanted(n, Number(5));
  DeviceArray<T> other(elements);
  CHECK_SPARSE(cusparseSpSV_updateMatrix(handle, descriptor, (T *)other,
                                         CUSPARSE_SPSV_UPDATE_DIAGONAL));
  expectSolves(triangle(newer, lower, unit, op, &wanted), n, solve(), x.host, 2,
               "SpSV, new diagonal", op);
  CHECK_SPARSE(cusparseSpSV_destroyDescr(descriptor));
}

template <class T>
void matrixSystem(int n, int columns, cusparseOperation_t opA, cusparseOperation_t opB,
                  cusparseOrder_t order) {
  SparseMatrix<T> a(dominant<T>(n, 3, true), CUSPARSE_FORMAT_CSR, 0);
  const bool plainB = opB == kPlain;
  DenseMatrix<T> b(plainB ? n : columns, plainB ? columns : n, order, 4), c(n, columns, order, 5);
  ScalarArgument<T> alpha(handle, T(3));
  cusparseSpSMDescr_t descriptor;
  size_t size;
  CHECK_SPARSE(cusparseSpSM_createDescr(&descriptor));
  CHECK_SPARSE(cusparseSpSM_bufferSize(handle, opA, opB, alpha, a, b, c, typeOf<T>,
                                       CUSPARSE_SPSM_ALG_DEFAULT, descriptor, &size));
  DeviceArray<char> buffer(size);
  CHECK_SPARSE(cusparseSpSM_analysis(handle, opA, opB, alpha, a, b, c, typeOf<T>,
                                     CUSPARSE_SPSM_ALG_DEFAULT, descriptor, (char *)buffer));
  CHECK_SPARSE(cusparseSpSM_solve(handle, opA, opB, alpha, a, b, c, typeOf<T>,
                                  CUSPARSE_SPSM_ALG_DEFAULT, descriptor));
  const std::vector<T> got = c.elements.host();
  const std::vector<Number> wanted = triangle(a.entries, true, false, opA);
  for (int j = 0; j < columns; ++j) {
    std::vector<T> x(n);
    for (int i = 0; i < n; ++i)
      x[i] = got[c.place(i, j)];
    for (int i = 0; i < n; ++i) {
      Number sum = 0;
      for (int k = 0; k < n; ++k)
        sum += wanted[i * n + k] * Number(x[k]);
      expectNear<std::complex<typename Parts<T>::Real>>(
          std::complex<typename Parts<T>::Real>(3. * b.before(i, j, opB)), sum, "SpSM", opA);
    }
  }
  CHECK_SPARSE(cusparseSpSM_destroyDescr(descriptor));
}

// The functions of one type by the type of elements.
template <class T> struct Api;
#define SPARSE_API(T, NATIVE, LETTER)                                                              \
  template <> struct Api<T> {                                                                      \
    typedef NATIVE Native;                                                                         \
    static constexpr auto ilu = cusparse##LETTER##csrilu02;                                        \
    static constexpr auto iluSize = cusparse##LETTER##csrilu02_bufferSize;                         \
    static constexpr auto iluAnalysis = cusparse##LETTER##csrilu02_analysis;                       \
    static constexpr auto iluBoost = cusparse##LETTER##csrilu02_numericBoost;                      \
    static constexpr auto ic = cusparse##LETTER##csric02;                                          \
    static constexpr auto icSize = cusparse##LETTER##csric02_bufferSize;                           \
    static constexpr auto icAnalysis = cusparse##LETTER##csric02_analysis;                         \
    static constexpr auto gtsv = cusparse##LETTER##gtsv2;                                          \
    static constexpr auto gtsvSize = cusparse##LETTER##gtsv2_bufferSizeExt;                        \
    static constexpr auto strided = cusparse##LETTER##gtsv2StridedBatch;                           \
    static constexpr auto interleaved = cusparse##LETTER##gtsvInterleavedBatch;                    \
  }
SPARSE_API(float, float, S);
SPARSE_API(double, double, D);
SPARSE_API(std::complex<float>, cuComplex, C);
SPARSE_API(std::complex<double>, cuDoubleComplex, Z);

/// L U, and L L^H, of which the elements are those of A where A has some.
template <class T> void factors(int n, int per, int base) {
  typedef typename Api<T>::Native Native;
  Entries<T> entries = dominant<T>(n, per, true);
  for (int e = 0; e < entries.count(); ++e) // Hermitian
    for (int f = 0; f < entries.count(); ++f)
      if (entries.row[e] == entries.col[f] && entries.col[e] == entries.row[f] && e <= f) {
        if constexpr (isComplex<T>)
          entries.value[f] = e == f ? T(entries.value[e].real()) : std::conj(entries.value[e]);
        else
          entries.value[f] = entries.value[e];
      }
  const int nnz = entries.count();
  DeviceArray<int> offsets(shifted<int>(offsetsOf(entries.row, n, 0), base)),
      columns(shifted<int>(entries.col, base));
  cusparseMatDescr_t a;
  CHECK_SPARSE(cusparseCreateMatDescr(&a));
  CHECK_SPARSE(cusparseSetMatIndexBase(a, cusparseIndexBase_t(base)));
  const std::vector<Number> full = entries.dense();
  for (bool cholesky : {false, true}) {
    DeviceArray<T> values(entries.value);
    Native *const data = reinterpret_cast<Native *>((T *)values);
    int size;
    ScalarArgument<int> position(handle, 7);
    int *const place = const_cast<int *>((const int *)position);
    csrilu02Info_t ilu;
    csric02Info_t ic;
    CHECK_SPARSE(cusparseCreateCsrilu02Info(&ilu));
    CHECK_SPARSE(cusparseCreateCsric02Info(&ic));
    const cusparseSolvePolicy_t policy = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
    if (cholesky) {
      CHECK_SPARSE(Api<T>::icSize(handle, n, nnz, a, data, offsets, columns, ic, &size));
      DeviceArray<char> buffer(size);
      CHECK_SPARSE(Api<T>::icAnalysis(handle, n, nnz, a, data, offsets, columns, ic, policy,
                                      (char *)buffer));
      CHECK_SPARSE(
          Api<T>::ic(handle, n, nnz, a, data, offsets, columns, ic, policy, (char *)buffer));
      CHECK_SPARSE(cusparseXcsric02_zeroPivot(handle, ic, place));
    } else {
      CHECK_SPARSE(Api<T>::iluSize(handle, n, nnz, a, data, offsets, columns, ilu, &size));
      DeviceArray<char> buffer(size);
      CHECK_SPARSE(Api<T>::iluAnalysis(handle, n, nnz, a, data, offsets, columns, ilu, policy,
                                       (char *)buffer));
      CHECK_SPARSE(
          Api<T>::ilu(handle, n, nnz, a, data, offsets, columns, ilu, policy, (char *)buffer));
      CHECK_SPARSE(cusparseXcsrilu02_zeroPivot(handle, ilu, place));
    }
    int found = 7;
    CHECK(cudaMemcpy(&found, place, sizeof found, cudaMemcpyDefault));
    expectEqual(found, -1, "zero pivot");
    Entries<T> result = entries;
    result.value = values.host();
    const std::vector<Number> left = triangle(result, true, !cholesky, kPlain),
                              right = cholesky ? triangle(result, true, false,
                                                          CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
                                               : triangle(result, false, false, kPlain);
    for (int e = 0; e < nnz; ++e) {
      const int i = entries.row[e], j = entries.col[e];
      if (cholesky && j > i) { // not looked at
        expectEqual(result.value[e], entries.value[e], "upper triangle of IC", e);
        continue;
      }
      Number sum = 0;
      for (int k = 0; k < n; ++k)
        sum += left[i * n + k] * right[k * n + j];
      expectNear(entries.value[e], sum, cholesky ? "IC" : "ILU", e);
    }
    CHECK_SPARSE(cusparseDestroyCsrilu02Info(ilu));
    CHECK_SPARSE(cusparseDestroyCsric02Info(ic));
  }
  CHECK_SPARSE(cusparseDestroyMatDescr(a));
}

/// A pivot that is 0, in the numbers and in the structure, and one that is replaced.
static void zeroPivots() {
  CHECK_SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  cusparseMatDescr_t a;
  CHECK_SPARSE(cusparseCreateMatDescr(&a));
  DeviceArray<int> offsets(std::vector<int>{0, 2, 4, 5}), columns(std::vector<int>{0, 1, 0, 1, 2});
  for (bool boosts : {false, true}) {
    DeviceArray<float> values(std::vector<float>{1, 2, 2, 4, 3}); // the second pivot is 0
    csrilu02Info_t info;
    int position = 0;
    CHECK_SPARSE(cusparseCreateCsrilu02Info(&info));
    CHECK_SPARSE(cusparseScsrilu02_analysis(handle, 3, 5, a, values, offsets, columns, info,
                                            CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
    double tolerance = 1e-3;
    float boost = 9;
    if (boosts)
      CHECK_SPARSE(cusparseScsrilu02_numericBoost(handle, info, 1, &tolerance, &boost));
    CHECK_SPARSE(cusparseScsrilu02(handle, 3, 5, a, values, offsets, columns, info,
                                   CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
    EXPECT(cusparseXcsrilu02_zeroPivot(handle, info, &position) ==
           (boosts ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT));
    EXPECT(position == (boosts ? -1 : 1));
    EXPECT(values.host()[3] == (boosts ? 9 : 0));
    CHECK_SPARSE(cusparseDestroyCsrilu02Info(info));
  }
  DeviceArray<int> without(std::vector<int>{0, 1, 1, 2});
  DeviceArray<float> values(std::vector<float>{1, 2, 2, 4, 3});
  csric02Info_t info;
  int position = 0;
  CHECK_SPARSE(cusparseCreateCsric02Info(&info));
  DeviceArray<int> diagonal(std::vector<int>{0, 2});
  CHECK_SPARSE(cusparseScsric02_analysis(handle, 3, 2, a, values, without, diagonal, info,
                                         CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
  EXPECT(cusparseXcsric02_zeroPivot(handle, info, &position) == CUSPARSE_STATUS_ZERO_PIVOT);
  EXPECT(position == 1);
  CHECK_SPARSE(cusparseDestroyCsric02Info(info));
  CHECK_SPARSE(cusparseDestroyMatDescr(a));
}

/// Systems of random diagonals, some of which need exchanges of rows.
template <class T> void tridiagonal(int m, int systems) {
  typedef typename Api<T>::Native Native;
  auto native = [](DeviceArray<T> &array) { return reinterpret_cast<Native *>((T *)array); };
  for (int kind = 0; kind < 3; ++kind) { // one matrix; one each; those of all side by side
    const int stride = m + 1, matrices = kind == 0 ? 1 : systems;
    const int step = kind == 2 ? systems : 1, next = kind == 2 ? 1 : stride;
    const size_t count = std::max(stride, step) * size_t(std::max(systems, m)) + 1;
    std::vector<T> l = randoms<T>(count, 1), d = randoms<T>(count, 2), u = randoms<T>(count, 3),
                   x = randoms<T>(count, 4);
    for (int s = 0; s < matrices; ++s)
      d[s * next + step] = T{}; // a pivot of 0, if rows stay
    for (int s = 0; s < matrices; ++s) {
      l[s * next] = T{};
      u[s * next + (m - 1) * step] = T{};
    }
    DeviceArray<T> dl(l), dd(d), du(u), dx(x);
    size_t size = 0;
    if (kind == 0) {
      CHECK_SPARSE(Api<T>::gtsvSize(handle, m, systems, native(dl), native(dd), native(du),
                                    native(dx), stride, &size));
      CHECK_SPARSE(Api<T>::gtsv(handle, m, systems, native(dl), native(dd), native(du), native(dx),
                                stride, nullptr));
    } else if (kind == 1) {
      CHECK_SPARSE(Api<T>::strided(handle, m, native(dl), native(dd), native(du), native(dx),
                                   systems, stride, nullptr));
    } else {
      CHECK_SPARSE(Api<T>::interleaved(handle, 1, m, native(dl), native(dd), native(du),
                                       native(dx), systems, nullptr));
    }
    const std::vector<T> got = dx.host();
    for (int s = 0; s < systems; ++s)
      for (int i = 0; i < m; ++i) {
        const size_t at = s * next + i * step, matrix = (kind == 0 ? 0 : s * next) + i * step;
        Number sum = Number(d[matrix]) * Number(got[at]), scale = std::abs(sum);
        if (i > 0)
          sum += Number(l[matrix]) * Number(got[at - step]);
        if (i + 1 < m)
          sum += Number(u[matrix]) * Number(got[at + step]);
        const double bound = sizeof(typename Parts<T>::Real) == 4 ? 1e-4 : 1e-12;
        expect(std::abs(sum - Number(x[at])) <= bound * (1 + std::abs(scale)), "gtsv", kind);
      }
  }
}

template <class T> void systems(bool all) {
  for (cusparseFormat_t format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO})
    for (cusparseOperation_t op : kOperations)
      for (bool lower : {false, true})
        for (bool unit : {false, true})
          if (all || (unit == lower && format == CUSPARSE_FORMAT_CSR)) {
            vectorSystem<T>(10, 3, format, op, lower, unit);
            if (all) {
              vectorSystem<T>(90, 40, format, op, lower, unit); // few, wide levels
              vectorSystem<T>(1, 1, format, op, lower, unit);
              vectorSystem<T>(40, 1, format, op, lower, unit); // a level for each row
            }
          }
  for (cusparseOperation_t opA : kOperations)
    for (cusparseOperation_t opB : kOperations)
      if (all || opA == opB)
        for (cusparseOrder_t order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW})
          matrixSystem<T>(9, 4, opA, opB, order);
  for (int n : {1, 8, 30, 70})
    if (all || n == 8)
      factors<T>(n, 5, n % 2);
  tridiagonal<T>(9, 3);
  if (all)
    tridiagonal<T>(64, 20);
}

int main(int argc, char **) {
  CHECK_SPARSE(cusparseCreate(&handle));
  for (cusparsePointerMode_t mode : {CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE}) {
    CHECK_SPARSE(cusparseSetPointerMode(handle, mode));
    systems<double>(argc > 1);
    systems<std::complex<float>>(argc > 1);
    if (argc > 1) {
      systems<float>(true);
      systems<std::complex<double>>(true);
    }
    if (mode == CUSPARSE_POINTER_MODE_HOST)
      zeroPivots();
  }
  CHECK_SPARSE(cusparseDestroy(handle));
  return finish();
}
