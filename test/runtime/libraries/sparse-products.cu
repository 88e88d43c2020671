// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuSPARSE's products and vectors against dense ones on the host: all formats, operations, orders
// and types, empty rows and matrices, columns in any order.
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
static constexpr cusparseFormat_t kFormats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC,
                                                CUSPARSE_FORMAT_COO};

template <class T, class Int>
void vectorProduct(int m, int n, int per, cusparseFormat_t format, cusparseOperation_t op, int base,
                   T alpha, T beta) {
  SparseMatrix<T, Int> a(randomEntries<T>(m, n, per, false, m + n), format, base);
  const bool plain = op == kPlain;
  const int rows = plain ? m : n, cols = plain ? n : m;
  DenseVector<T> x(randoms<T>(cols, 3)), y(randoms<T>(rows, 4));
  ScalarArgument<T> a1(handle, alpha), b1(handle, beta);
  size_t size;
  CHECK_SPARSE(cusparseSpMV_bufferSize(handle, op, a1, a, x, b1, y, typeOf<T>,
                                       CUSPARSE_SPMV_ALG_DEFAULT, &size));
  DeviceArray<char> buffer(size);
  CHECK_SPARSE(cusparseSpMV(handle, op, a1, a, x, b1, y, typeOf<T>, CUSPARSE_SPMV_ALG_DEFAULT,
                            (char *)buffer));
  const std::vector<Number> dense = a.entries.dense(op);
  const std::vector<T> got = y.elements.host();
  for (int i = 0; i < rows; ++i) {
    Number sum = 0;
    for (int k = 0; k < cols; ++k)
      sum += dense[i * cols + k] * Number(x.host[k]);
    expectNear(got[i], Number(alpha) * sum + Number(beta) * Number(y.host[i]), "SpMV",
               m * 100 + op * 10 + format);
  }
}

template <class T>
void matrixProduct(int m, int n, int k, cusparseFormat_t format, cusparseOperation_t opA,
                   cusparseOperation_t opB, cusparseOrder_t orderB, cusparseOrder_t orderC) {
  const bool plainA = opA == kPlain, plainB = opB == kPlain;
  SparseMatrix<T> a(randomEntries<T>(plainA ? m : k, plainA ? k : m, 3, false, m + k), format, 0);
  DenseMatrix<T> b(plainB ? k : n, plainB ? n : k, orderB, 5), c(m, n, orderC, 6);
  const T alpha = T(2), beta = T(-0.5f);
  ScalarArgument<T> a1(handle, alpha), b1(handle, beta);
  size_t size;
  CHECK_SPARSE(cusparseSpMM_bufferSize(handle, opA, opB, a1, a, b, b1, c, typeOf<T>,
                                       CUSPARSE_SPMM_ALG_DEFAULT, &size));
  DeviceArray<char> buffer(size);
  CHECK_SPARSE(cusparseSpMM(handle, opA, opB, a1, a, b, b1, c, typeOf<T>,
                            CUSPARSE_SPMM_ALG_DEFAULT, (char *)buffer));
  const std::vector<Number> dense = a.entries.dense(opA);
  const std::vector<T> got = c.elements.host();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      Number sum = 0;
      for (int l = 0; l < k; ++l)
        sum += dense[i * k + l] * b.before(l, j, opB);
      expectNear(got[c.place(i, j)], Number(alpha) * sum + Number(beta) * c.before(i, j), "SpMM",
                 opA * 10 + opB);
    }
}

template <class T>
void sampled(int m, int n, int k, cusparseFormat_t format, cusparseOperation_t opA,
             cusparseOperation_t opB) {
  const bool plainA = opA == kPlain, plainB = opB == kPlain;
  DenseMatrix<T> a(plainA ? m : k, plainA ? k : m, CUSPARSE_ORDER_ROW, 7),
      b(plainB ? k : n, plainB ? n : k, CUSPARSE_ORDER_COL, 8);
  SparseMatrix<T> c(randomEntries<T>(m, n, 3, true, 9), format, 1);
  const T alpha = T(3), beta = T(0.5f);
  ScalarArgument<T> a1(handle, alpha), b1(handle, beta);
  size_t size;
  CHECK_SPARSE(cusparseSDDMM_bufferSize(handle, opA, opB, a1, a, b, b1, c, typeOf<T>,
                                        CUSPARSE_SDDMM_ALG_DEFAULT, &size));
  DeviceArray<char> buffer(size);
  CHECK_SPARSE(cusparseSDDMM_preprocess(handle, opA, opB, a1, a, b, b1, c, typeOf<T>,
                                        CUSPARSE_SDDMM_ALG_DEFAULT, (char *)buffer));
  CHECK_SPARSE(cusparseSDDMM(handle, opA, opB, a1, a, b, b1, c, typeOf<T>,
                             CUSPARSE_SDDMM_ALG_DEFAULT, (char *)buffer));
  const std::vector<T> got = c.values.host();
  for (int e = 0; e < c.entries.count(); ++e) {
    Number sum = 0;
    for (int l = 0; l < k; ++l)
      sum += a.before(c.entries.row[e], l, opA) * b.before(l, c.entries.col[e], opB);
    expectNear(got[e], Number(alpha) * sum + Number(beta) * Number(c.entries.value[e]), "SDDMM", e);
  }
}

/// C = alpha A B, and once more for the pattern that C has.
template <class T> void sparseProduct(int m, int n, int k, bool reuse) {
  SparseMatrix<T> a(randomEntries<T>(m, k, 3, false, 10), CUSPARSE_FORMAT_CSR, 0),
      b(randomEntries<T>(k, n, 3, false, 11), CUSPARSE_FORMAT_CSR, 1);
  const T alpha = T(2);
  ScalarArgument<T> a1(handle, alpha), b0(handle, T(0)), b1(handle, T(3));
  DeviceArray<int> offsets(m + 1);
  cusparseSpMatDescr_t c;
  CHECK_SPARSE(cusparseCreateCsr(&c, m, n, 0, (int *)offsets, nullptr, nullptr, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, typeOf<T>));
  cusparseSpGEMMDescr_t descriptor;
  CHECK_SPARSE(cusparseSpGEMM_createDescr(&descriptor));
  size_t sizes[4] = {};
  DeviceArray<char> buffer(4096);
  char *const memory = buffer;
  const cusparseSpGEMMAlg_t alg = reuse ? CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC
                                        : CUSPARSE_SPGEMM_DEFAULT;
  if (reuse) {
    CHECK_SPARSE(cusparseSpGEMMreuse_workEstimation(handle, kPlain, kPlain, a, b, c, alg,
                                                    descriptor, &sizes[0], nullptr));
    CHECK_SPARSE(cusparseSpGEMMreuse_workEstimation(handle, kPlain, kPlain, a, b, c, alg,
                                                    descriptor, &sizes[0], memory));
    CHECK_SPARSE(cusparseSpGEMMreuse_nnz(handle, kPlain, kPlain, a, b, c, alg, descriptor,
                                         &sizes[1], nullptr, &sizes[2], nullptr, &sizes[3],
                                         nullptr));
    CHECK_SPARSE(cusparseSpGEMMreuse_nnz(handle, kPlain, kPlain, a, b, c, alg, descriptor,
                                         &sizes[1], memory, &sizes[2], memory, &sizes[3], memory));
  } else {
    CHECK_SPARSE(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, a1, a, b, b0, c, typeOf<T>,
                                               alg, descriptor, &sizes[0], nullptr));
    CHECK_SPARSE(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, a1, a, b, b0, c, typeOf<T>,
                                               alg, descriptor, &sizes[0], memory));
    CHECK_SPARSE(cusparseSpGEMM_compute(handle, kPlain, kPlain, a1, a, b, b0, c, typeOf<T>, alg,
                                        descriptor, &sizes[1], nullptr));
    CHECK_SPARSE(cusparseSpGEMM_compute(handle, kPlain, kPlain, a1, a, b, b0, c, typeOf<T>, alg,
                                        descriptor, &sizes[1], memory));
  }
  for (size_t size : sizes)
    expect(size <= 4096, "size of SpGEMM", size);
  int64_t rows, cols, nnz;
  CHECK_SPARSE(cusparseSpMatGetSize(c, &rows, &cols, &nnz));
  DeviceArray<int> columns(nnz + 1);
  DeviceArray<T> values(nnz + 1);
  CHECK_SPARSE(cusparseCsrSetPointers(c, (int *)offsets, (int *)columns, (T *)values));
  if (reuse) {
    CHECK_SPARSE(cusparseSpGEMMreuse_copy(handle, kPlain, kPlain, a, b, c, alg, descriptor,
                                          &sizes[0], nullptr));
    CHECK_SPARSE(cusparseSpGEMMreuse_copy(handle, kPlain, kPlain, a, b, c, alg, descriptor,
                                          &sizes[0], memory));
    CHECK_SPARSE(cusparseSpGEMMreuse_compute(handle, kPlain, kPlain, a1, a, b, b0, c, typeOf<T>,
                                             alg, descriptor));
    CHECK_SPARSE(cusparseSpGEMMreuse_compute(handle, kPlain, kPlain, a1, a, b, b1, c, typeOf<T>,
                                             alg, descriptor)); // 2 A B + 3 (2 A B)
  } else {
    CHECK_SPARSE(cusparseSpGEMM_copy(handle, kPlain, kPlain, a1, a, b, b0, c, typeOf<T>, alg,
                                     descriptor));
  }
  const std::vector<Number> left = a.entries.dense(), right = b.entries.dense();
  std::vector<Number> want(m * n);
  std::vector<char> isThere(m * n);
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < k; ++l)
      for (int j = 0; j < n; ++j) {
        want[i * n + j] += left[i * k + l] * right[l * n + j];
        isThere[i * n + j] |= left[i * k + l] != Number(0) && right[l * n + j] != Number(0);
      }
  const std::vector<int> o = offsets.host(), at = columns.host();
  const std::vector<T> got = values.host();
  expectEqual(o[m], int(nnz) + 1, "last offset of SpGEMM");
  for (int i = 0; i < m; ++i)
    for (int e = o[i] - 1; e < o[i + 1] - 1; ++e) {
      const int j = at[e] - 1;
      expect(isThere[i * n + j] && (e == o[i] - 1 || at[e - 1] < at[e]), "pattern of SpGEMM", e);
      isThere[i * n + j] = 0;
      expectNear(got[e], (reuse ? 8. : 2.) * want[i * n + j], "SpGEMM", e);
    }
  expect(std::count(isThere.begin(), isThere.end(), 1) == 0, "missing elements of SpGEMM");
  CHECK_SPARSE(cusparseSpGEMM_destroyDescr(descriptor));
  CHECK_SPARSE(cusparseDestroySpMat(c));
}

template <class T> void vectors() {
  const int n = 23;
  std::vector<int> indices;
  for (int i = 0; i < n; i += 3)
    indices.push_back((i * 5) % n);
  const int nnz = indices.size();
  for (int base : {0, 1}) {
    const std::vector<T> hostX = randoms<T>(nnz, 12), hostY = randoms<T>(n, 13);
    DeviceArray<T> x(hostX);
    DeviceArray<int> at(shifted<int>(indices, base));
    cusparseSpVecDescr_t sparse;
    CHECK_SPARSE(cusparseCreateSpVec(&sparse, n, nnz, (int *)at, (T *)x, CUSPARSE_INDEX_32I,
                                     cusparseIndexBase_t(base), typeOf<T>));
    DenseVector<T> y(hostY);
    ScalarArgument<T> alpha(handle, T(2)), beta(handle, T(-3));
    size_t size;
    DeviceArray<T> resultThere(1);
    T result{};
    cusparsePointerMode_t mode;
    CHECK_SPARSE(cusparseGetPointerMode(handle, &mode));
    const bool onHost = mode == CUSPARSE_POINTER_MODE_HOST;
    T *const where = onHost ? &result : (T *)resultThere;
    for (cusparseOperation_t op : {kPlain, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
      CHECK_SPARSE(cusparseSpVV_bufferSize(handle, op, sparse, y, where, typeOf<T>, &size));
      CHECK_SPARSE(cusparseSpVV(handle, op, sparse, y, where, typeOf<T>, nullptr));
      Number sum = 0;
      for (int e = 0; e < nnz; ++e)
        sum += (op == kPlain ? Number(hostX[e]) : std::conj(Number(hostX[e]))) *
               Number(hostY[indices[e]]);
      expectNear(onHost ? result : resultThere.host()[0], sum, "SpVV", op);
    }
    CHECK_SPARSE(cusparseAxpby(handle, alpha, sparse, beta, y));
    std::vector<Number> want;
    for (T element : hostY)
      want.push_back(-3. * Number(element));
    for (int e = 0; e < nnz; ++e)
      want[indices[e]] += 2. * Number(hostX[e]);
    std::vector<T> got = y.elements.host();
    for (int i = 0; i < n; ++i)
      expectNear(got[i], want[i], "Axpby", i);
    CHECK_SPARSE(cusparseRot(handle, alpha, beta, sparse, y)); // c = 2, s = -3
    got = y.elements.host();
    const std::vector<T> rotated = x.host();
    for (int e = 0; e < nnz; ++e) {
      const Number a = hostX[e], b = want[indices[e]];
      expectNear(rotated[e], 2. * a - 3. * b, "Rot", e);
      expectNear(got[indices[e]], 2. * b + 3. * a, "Rot", e);
    }
    CHECK_SPARSE(cusparseScatter(handle, sparse, y));
    got = y.elements.host();
    for (int e = 0; e < nnz; ++e)
      expectEqual(got[indices[e]], rotated[e], "Scatter", e);
    CHECK(cudaMemset((T *)x, 0, nnz * sizeof(T)));
    CHECK_SPARSE(cusparseGather(handle, y, sparse));
    const std::vector<T> gathered = x.host();
    for (int e = 0; e < nnz; ++e)
      expectEqual(gathered[e], rotated[e], "Gather", e);
    CHECK_SPARSE(cusparseDestroySpVec(sparse));
  }
}

/// Batches share the pattern, or have one each.
static void batches() {
  const int m = 6, n = 4, k = 5, count = 2;
  SparseMatrix<float> a(randomEntries<float>(m, k, 2, true, 14), CUSPARSE_FORMAT_CSR, 0);
  const int nnz = a.entries.count();
  std::vector<float> values = randoms<float>(count * nnz, 15), b = randoms<float>(count * k * n, 16);
  DeviceArray<float> dv(values), db(b), dc(count * m * n);
  cusparseDnMatDescr_t left, result;
  CHECK_SPARSE(cusparseSpMatSetValues(a, (float *)dv));
  CHECK_SPARSE(cusparseCsrSetStridedBatch(a, count, 0, 0));
  CHECK_SPARSE(cusparseCreateDnMat(&left, k, n, k, (float *)db, CUDA_R_32F, CUSPARSE_ORDER_COL));
  CHECK_SPARSE(cusparseCreateDnMat(&result, m, n, m, (float *)dc, CUDA_R_32F, CUSPARSE_ORDER_COL));
  CHECK_SPARSE(cusparseDnMatSetStridedBatch(left, count, k * n));
  CHECK_SPARSE(cusparseDnMatSetStridedBatch(result, count, m * n));
  ScalarArgument<float> one(handle, 1), zero(handle, 0);
  CHECK_SPARSE(cusparseSpMM(handle, kPlain, kPlain, one, a, left, zero, result, CUDA_R_32F,
                            CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
  const std::vector<float> got = dc.host();
  for (int batch = 0; batch < count; ++batch) {
    std::vector<Number> want(m * n);
    for (int e = 0; e < nnz; ++e)
      for (int j = 0; j < n; ++j)
        want[a.entries.row[e] + j * m] +=
            Number(values[e]) * Number(b[batch * k * n + a.entries.col[e] + j * k]);
    for (int i = 0; i < m * n; ++i)
      expectNear(got[batch * m * n + i], want[i], "batch", i);
  }
  CHECK_SPARSE(cusparseDestroyDnMat(left));
  CHECK_SPARSE(cusparseDestroyDnMat(result));
}

static void statuses() {
  SparseMatrix<float> a(randomEntries<float>(4, 6, 2, true, 17), CUSPARSE_FORMAT_CSR, 0);
  DenseVector<float> x(randoms<float>(6, 1)), y(randoms<float>(4, 2));
  DenseVector<double> wide(randoms<double>(4, 2));
  const float one = 1;
  CHECK_SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  auto multiply = [&](cusparseHandle_t h, cusparseDnVecDescr_t from, cusparseDnVecDescr_t to,
                      const float *alpha, cudaDataType type) {
    return cusparseSpMV(h, kPlain, alpha, a, from, &one, to, type, CUSPARSE_SPMV_ALG_DEFAULT,
                        nullptr);
  };
  EXPECT(multiply(nullptr, x, y, &one, CUDA_R_32F) == CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT(multiply(handle, y, x, &one, CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(multiply(handle, x, nullptr, &one, CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(multiply(handle, x, y, nullptr, CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(multiply(handle, x, y, &one, CUDA_R_64F) == CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT(multiply(handle, x, wide, &one, CUDA_R_32F) == CUSPARSE_STATUS_NOT_SUPPORTED);
  cusparseSpMatDescr_t made;
  cusparseDnMatDescr_t dense;
  float element;
  EXPECT(cusparseCreateCsr(&made, -1, 4, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F) ==
         CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(cusparseCreateDnMat(&dense, 4, 2, 3, &element, CUDA_R_32F, CUSPARSE_ORDER_COL) ==
         CUSPARSE_STATUS_INVALID_VALUE);
  int version = 0;
  CHECK_SPARSE(cusparseGetVersion(handle, &version));
  EXPECT(version == CUSPARSE_VERSION);
  EXPECT(!std::strcmp(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT),
                      "CUSPARSE_STATUS_ZERO_PIVOT"));
}

template <class T> void products(bool all) {
  for (cusparseFormat_t format : kFormats)
    for (cusparseOperation_t op : kOperations) {
      vectorProduct<T, int>(11, 9, 3, format, op, 1, T(2), T(0.5f));
      if (!all)
        continue;
      vectorProduct<T, long long>(20, 31, 4, format, op, 0, T(-1), T(0));
      vectorProduct<T, int>(1, 40, 2, format, op, 0, T(1), T(1));
      vectorProduct<T, int>(40, 1, 1, format, op, 0, T(0), T(2));
      vectorProduct<T, int>(5, 6, 1 << 30, format, op, 0, T(3), T(2)); // no elements
      vectorProduct<T, int>(0, 4, 1, format, op, 0, T(3), T(2));
      vectorProduct<T, int>(90, 80, 2, format, op, 1, T(1), T(0)); // long rows
      for (cusparseOperation_t opB : kOperations)
        for (cusparseOrder_t orderB : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW})
          for (cusparseOrder_t orderC : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW})
            matrixProduct<T>(7, 5, 8, format, op, opB, orderB, orderC);
      for (cusparseOperation_t opB : kOperations)
        sampled<T>(7, 9, 5, format, op, opB);
    }
  matrixProduct<T>(6, 3, 5, CUSPARSE_FORMAT_CSR, kPlain, kPlain, CUSPARSE_ORDER_COL,
                   CUSPARSE_ORDER_ROW);
  sampled<T>(6, 7, 3, CUSPARSE_FORMAT_CSR, kPlain, kPlain);
  sparseProduct<T>(8, 9, 10, false);
  sparseProduct<T>(8, 9, 10, true);
  if (all) {
    sparseProduct<T>(30, 40, 35, false);
    sparseProduct<T>(1, 1, 1, true);
  }
  vectors<T>();
}

int main(int argc, char **) {
  CHECK_SPARSE(cusparseCreate(&handle));
  for (cusparsePointerMode_t mode : {CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE}) {
    CHECK_SPARSE(cusparseSetPointerMode(handle, mode));
    products<float>(argc > 1);
    products<std::complex<double>>(argc > 1);
    if (argc > 1) {
      products<double>(true);
      products<std::complex<float>>(true);
    }
    batches();
  }
  statuses();
  CHECK_SPARSE(cusparseDestroy(handle));
  return finish();
}
