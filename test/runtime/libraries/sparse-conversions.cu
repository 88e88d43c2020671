// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuSPARSE's conversions between formats, sorts, sums, blocks and counts, against the host.
// REQUIRES: blas
// RUN: %vxcc -O1 -std=c++17 -I%inputs %s -o %t -lcusparse
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t
// RUN: env VX_BACKEND=host %run %t all | FileCheck %s
// CHECK: PASS

#include "sparse.h"

static cusparseHandle_t handle;

template <class T>
void sparseToDense(int m, int n, int per, cusparseFormat_t format, cusparseOrder_t order, int base) {
  SparseMatrix<T> a(randomEntries<T>(m, n, per, false, m * n), format, base);
  DenseMatrix<T> b(m, n, order, 3);
  size_t size;
  CHECK_SPARSE(cusparseSparseToDense_bufferSize(handle, a, b, CUSPARSE_SPARSETODENSE_ALG_DEFAULT,
                                                &size));
  CHECK_SPARSE(
      cusparseSparseToDense(handle, a, b, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
  const std::vector<T> got = b.elements.host();
  const std::vector<Number> want = a.entries.dense();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      expect(Number(got[b.place(i, j)]) == want[i * n + j], "SparseToDense", format);
}

template <class T>
void denseToSparse(int m, int n, int per, cusparseFormat_t format, cusparseOrder_t order, int base) {
  const Entries<T> entries = randomEntries<T>(m, n, per, true, m + n);
  DenseMatrix<T> a(m, n, order, 3);
  std::vector<T> elements(a.host.size());
  for (int e = 0; e < entries.count(); ++e)
    elements[a.place(entries.row[e], entries.col[e])] = entries.value[e];
  CHECK(cudaMemcpy((T *)a.elements, elements.data(), elements.size() * sizeof(T),
                   cudaMemcpyHostToDevice));
  const Entries<T> sorted =
      format == CUSPARSE_FORMAT_CSC ? entries.sortedBy(entries.col) : entries;
  Entries<T> none{m, n};
  SparseMatrix<T> b(none, format, base);
  CHECK_SPARSE(cusparseDenseToSparse_analysis(handle, a, b, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                              nullptr));
  int64_t rows, cols, nnz;
  CHECK_SPARSE(cusparseSpMatGetSize(b, &rows, &cols, &nnz));
  expectEqual(int(nnz), entries.count(), "DenseToSparse's size", format);
  DeviceArray<int> first(nnz + 1), second(nnz + 1);
  DeviceArray<T> values(nnz + 1);
  if (format == CUSPARSE_FORMAT_CSR)
    CHECK_SPARSE(cusparseCsrSetPointers(b, (int *)b.first, (int *)second, (T *)values));
  else if (format == CUSPARSE_FORMAT_CSC)
    CHECK_SPARSE(cusparseCscSetPointers(b, (int *)b.first, (int *)second, (T *)values));
  else
    CHECK_SPARSE(cusparseCooSetPointers(b, (int *)first, (int *)second, (T *)values));
  CHECK_SPARSE(cusparseDenseToSparse_convert(handle, a, b, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                             nullptr));
  const std::vector<int> others = second.host(), rowsOrOffsets =
      format == CUSPARSE_FORMAT_COO ? first.host() : b.first.host();
  const std::vector<T> got = values.host();
  for (int e = 0; e < nnz; ++e) {
    expectEqual(others[e], (format == CUSPARSE_FORMAT_CSC ? sorted.row : sorted.col)[e] + base,
                "DenseToSparse's indices", format);
    expectEqual(got[e], sorted.value[e], "DenseToSparse's values", format);
    if (format == CUSPARSE_FORMAT_COO)
      expectEqual(rowsOrOffsets[e], sorted.row[e] + base, "DenseToSparse's rows", e);
  }
  if (format != CUSPARSE_FORMAT_COO) {
    const bool byRow = format == CUSPARSE_FORMAT_CSR;
    const std::vector<int> want = offsetsOf(byRow ? sorted.row : sorted.col, byRow ? m : n, base);
    for (size_t i = 0; i < want.size(); ++i)
      expectEqual(rowsOrOffsets[i], want[i], "DenseToSparse's offsets", i);
  }
}

template <class T> void transposed(int m, int n, int per, int base) {
  SparseMatrix<T> a(randomEntries<T>(m, n, per, false, 5), CUSPARSE_FORMAT_CSR, base);
  const int nnz = a.entries.count();
  const Entries<T> want = a.entries.sortedBy(a.entries.col);
  DeviceArray<int> offsets(n + 1), rows(nnz + 1);
  DeviceArray<T> values(nnz + 1);
  size_t size;
  CHECK_SPARSE(cusparseCsr2cscEx2_bufferSize(
      handle, m, n, nnz, (T *)a.values, a.first, a.second, (T *)values, offsets, rows, typeOf<T>,
      CUSPARSE_ACTION_NUMERIC, cusparseIndexBase_t(base), CUSPARSE_CSR2CSC_ALG_DEFAULT, &size));
  CHECK_SPARSE(cusparseCsr2cscEx2(handle, m, n, nnz, (T *)a.values, a.first, a.second, (T *)values,
                                  offsets, rows, typeOf<T>, CUSPARSE_ACTION_NUMERIC,
                                  cusparseIndexBase_t(base), CUSPARSE_CSR2CSC_ALG_DEFAULT,
                                  nullptr));
  const std::vector<int> gotOffsets = offsets.host(), gotRows = rows.host(),
                         wantOffsets = offsetsOf(want.col, n, base);
  const std::vector<T> got = values.host();
  for (int j = 0; j <= n; ++j)
    expectEqual(gotOffsets[j], wantOffsets[j], "Csr2cscEx2's offsets", j);
  for (int e = 0; e < nnz; ++e) {
    expectEqual(gotRows[e], want.row[e] + base, "Csr2cscEx2's rows", e);
    expectEqual(got[e], want.value[e], "Csr2cscEx2's values", e);
  }
}

static void coordinates(int m, int n, int base) {
  SparseMatrix<float> a(randomEntries<float>(m, n, 2, false, 6), CUSPARSE_FORMAT_CSR, base);
  const int nnz = a.entries.count();
  DeviceArray<int> rows(nnz + 1), offsets(m + 1);
  CHECK_SPARSE(cusparseXcsr2coo(handle, a.first, nnz, m, rows, cusparseIndexBase_t(base)));
  CHECK_SPARSE(cusparseXcoo2csr(handle, rows, nnz, m, offsets, cusparseIndexBase_t(base)));
  const std::vector<int> got = rows.host(), back = offsets.host(), want = a.first.host();
  for (int e = 0; e < nnz; ++e)
    expectEqual(got[e], a.entries.row[e] + base, "csr2coo", e);
  for (int i = 0; i <= m; ++i)
    expectEqual(back[i], want[i], "coo2csr", i);
  // Sorts.
  cusparseMatDescr_t descriptor;
  CHECK_SPARSE(cusparseCreateMatDescr(&descriptor));
  CHECK_SPARSE(cusparseSetMatIndexBase(descriptor, cusparseIndexBase_t(base)));
  DeviceArray<int> permutation(nnz + 1);
  CHECK_SPARSE(cusparseCreateIdentityPermutation(handle, nnz, permutation));
  size_t size;
  CHECK_SPARSE(cusparseXcsrsort_bufferSizeExt(handle, m, n, nnz, a.first, a.second, &size));
  CHECK_SPARSE(cusparseXcsrsort(handle, m, n, nnz, descriptor, a.first, a.second, permutation,
                                nullptr));
  Entries<float> sorted = a.entries.sortedBy(a.entries.col);
  sorted = sorted.sortedBy(sorted.row);
  std::vector<int> columns = a.second.host(), order = permutation.host();
  for (int e = 0; e < nnz; ++e) {
    expectEqual(columns[e], sorted.col[e] + base, "csrsort", e);
    expectEqual(a.entries.value[order[e]], sorted.value[e], "csrsort's permutation", e);
  }
  // By row, and in each row by column.
  DeviceArray<int> someRows(atLeastOne(shifted<int>(a.entries.row, base))),
      someColumns(atLeastOne(shifted<int>(a.entries.col, base)));
  CHECK_SPARSE(cusparseXcoosortByRow(handle, m, n, nnz, someRows, someColumns, nullptr, nullptr));
  const std::vector<int> theirRows = someRows.host(), theirColumns = someColumns.host();
  for (int e = 0; e < nnz; ++e) {
    expectEqual(theirRows[e], sorted.row[e] + base, "coosortByRow of any order", e);
    expectEqual(theirColumns[e], sorted.col[e] + base, "coosortByRow of any order", e);
  }
  CHECK_SPARSE(cusparseCreateIdentityPermutation(handle, nnz, permutation));
  CHECK_SPARSE(cusparseXcoosort_bufferSizeExt(handle, m, n, nnz, rows, a.second, &size));
  CHECK_SPARSE(cusparseXcoosortByColumn(handle, m, n, nnz, rows, a.second, permutation, nullptr));
  Entries<float> byColumn = sorted.sortedBy(sorted.col);
  columns = a.second.host();
  order = permutation.host();
  std::vector<int> gotRows = rows.host();
  for (int e = 0; e < nnz; ++e) {
    expectEqual(columns[e], byColumn.col[e] + base, "coosortByColumn", e);
    expectEqual(gotRows[e], byColumn.row[e] + base, "coosortByColumn's rows", e);
    expectEqual(sorted.value[order[e]], byColumn.value[e], "coosort's permutation", e);
  }
  CHECK_SPARSE(cusparseXcoosortByRow(handle, m, n, nnz, rows, a.second, permutation, nullptr));
  gotRows = rows.host();
  order = permutation.host();
  for (int e = 0; e < nnz; ++e) {
    expectEqual(gotRows[e], sorted.row[e] + base, "coosortByRow", e);
    expectEqual(order[e], e, "coosortByRow's permutation", e);
  }
  CHECK_SPARSE(cusparseDestroyMatDescr(descriptor));
}

// The functions of one type by the type of elements.
template <class T> struct Api;
#define SPARSE_API(T, NATIVE, LETTER)                                                              \
  template <> struct Api<T> {                                                                      \
    typedef NATIVE Native;                                                                         \
    static constexpr auto geam = cusparse##LETTER##csrgeam2;                                       \
    static constexpr auto toBlocks = cusparse##LETTER##csr2bsr;                                    \
    static constexpr auto fromBlocks = cusparse##LETTER##bsr2csr;                                  \
    static constexpr auto blocksByVector = cusparse##LETTER##bsrmv;                                \
    static constexpr auto blocksByMatrix = cusparse##LETTER##bsrmm;                                \
    static constexpr auto count = cusparse##LETTER##nnz;                                           \
    static constexpr auto countLarge = cusparse##LETTER##nnz_compress;                             \
    static constexpr auto compress = cusparse##LETTER##csr2csr_compress;                           \
    static constexpr auto bySparse = cusparse##LETTER##gemvi;                                      \
  }
SPARSE_API(float, float, S);
SPARSE_API(double, double, D);
SPARSE_API(std::complex<float>, cuComplex, C);
SPARSE_API(std::complex<double>, cuDoubleComplex, Z);

template <class T> typename Api<T>::Native *native(T *data) {
  return reinterpret_cast<typename Api<T>::Native *>(data);
}
template <class T> const typename Api<T>::Native *native(const T *data) {
  return reinterpret_cast<const typename Api<T>::Native *>(data);
}

/// An int that the library writes on the host or, in pointer mode device, there.
class Total {
public:
  Total() : there(1) {
    cusparsePointerMode_t mode;
    CHECK_SPARSE(cusparseGetPointerMode(handle, &mode));
    onDevice = mode == CUSPARSE_POINTER_MODE_DEVICE;
  }
  operator int *() { return onDevice ? (int *)there : &here; }
  int get() { return onDevice ? there.host()[0] : here; }

private:
  int here = -1;
  DeviceArray<int> there;
  bool onDevice;
};

template <class T> void sums(int m, int n) {
  SparseMatrix<T> a(randomEntries<T>(m, n, 3, true, 7), CUSPARSE_FORMAT_CSR, 0),
      b(randomEntries<T>(m, n, 2, true, 8), CUSPARSE_FORMAT_CSR, 1);
  const int nnzA = a.entries.count(), nnzB = b.entries.count();
  cusparseMatDescr_t zero, one;
  CHECK_SPARSE(cusparseCreateMatDescr(&zero));
  CHECK_SPARSE(cusparseCreateMatDescr(&one));
  CHECK_SPARSE(cusparseSetMatIndexBase(one, CUSPARSE_INDEX_BASE_ONE));
  DeviceArray<int> offsets(m + 1);
  Total total;
  CHECK_SPARSE(cusparseXcsrgeam2Nnz(handle, m, n, zero, nnzA, a.first, a.second, one, nnzB,
                                    b.first, b.second, one, offsets, total, nullptr));
  DeviceArray<int> columns(total.get() + 1);
  DeviceArray<T> values(total.get() + 1);
  ScalarArgument<T> alpha(handle, T(2)), beta(handle, T(-1));
  CHECK_SPARSE(Api<T>::geam(handle, m, n, native<T>((const T *)alpha), zero, nnzA,
                            native<T>((T *)a.values), a.first, a.second,
                            native<T>((const T *)beta), one, nnzB, native<T>((T *)b.values),
                            b.first, b.second, one, native<T>((T *)values), offsets, columns,
                            nullptr));
  std::vector<Number> want = a.entries.dense(), right = b.entries.dense();
  int there = 0;
  for (int i = 0; i < m * n; ++i) {
    there += want[i] != Number(0) || right[i] != Number(0);
    want[i] = 2. * want[i] - right[i];
  }
  expectEqual(total.get(), there, "csrgeam2's size");
  const std::vector<int> o = offsets.host(), at = columns.host();
  const std::vector<T> got = values.host();
  for (int i = 0; i < m; ++i)
    for (int e = o[i] - 1; e < o[i + 1] - 1; ++e) {
      expectNear(got[e], want[i * n + at[e] - 1], "csrgeam2", e);
      expect(e == o[i] - 1 || at[e - 1] < at[e], "order of csrgeam2", e);
    }
  // Small elements go.
  DeviceArray<int> counts(m), kept(m + 1), keptColumns(nnzA + 1);
  DeviceArray<T> keptValues(nnzA + 1);
  Total large;
  typename Api<T>::Native tolerance{};
  const float limit = 0.5f;
  std::memset(&tolerance, 0, sizeof tolerance);
  *reinterpret_cast<typename Parts<T>::Real *>(&tolerance) = limit;
  CHECK_SPARSE(Api<T>::countLarge(handle, m, zero, native<T>((T *)a.values), a.first, counts, large,
                                  tolerance));
  CHECK_SPARSE(Api<T>::compress(handle, m, n, zero, native<T>((T *)a.values), a.second, a.first,
                                nnzA, counts, native<T>((T *)keptValues), keptColumns, kept,
                                tolerance));
  Entries<T> wanted{m, n};
  for (int e = 0; e < nnzA; ++e)
    if (std::abs(Number(a.entries.value[e])) > limit)
      wanted.add(a.entries.row[e], a.entries.col[e], a.entries.value[e]);
  expectEqual(large.get(), wanted.count(), "nnz_compress");
  expectEqual(kept.host()[m], wanted.count(), "csr2csr_compress's offsets");
  const std::vector<int> gotColumns = keptColumns.host();
  const std::vector<T> gotValues = keptValues.host();
  for (int e = 0; e < wanted.count(); ++e) {
    expectEqual(gotColumns[e], wanted.col[e], "csr2csr_compress's columns", e);
    expectEqual(gotValues[e], wanted.value[e], "csr2csr_compress's values", e);
  }
  CHECK_SPARSE(cusparseDestroyMatDescr(zero));
  CHECK_SPARSE(cusparseDestroyMatDescr(one));
}

/// To blocks and back, and products of the blocks, also by the generic functions.
template <class T> void blocks(int mb, int nb, int size, cusparseDirection_t direction) {
  const int m = mb * size - (size > 1), n = nb * size - (size > 2); // the last blocks are not full
  SparseMatrix<T> a(randomEntries<T>(m, n, 6, false, 9), CUSPARSE_FORMAT_CSR, 0);
  cusparseMatDescr_t zero, one;
  CHECK_SPARSE(cusparseCreateMatDescr(&zero));
  CHECK_SPARSE(cusparseCreateMatDescr(&one));
  CHECK_SPARSE(cusparseSetMatIndexBase(one, CUSPARSE_INDEX_BASE_ONE));
  DeviceArray<int> offsets(mb + 1);
  Total total;
  CHECK_SPARSE(cusparseXcsr2bsrNnz(handle, direction, m, n, zero, a.first, a.second, size, one,
                                   offsets, total));
  const int nnzb = total.get(), area = size * size;
  DeviceArray<int> columns(nnzb + 1);
  DeviceArray<T> values(nnzb * area + 1);
  CHECK_SPARSE(Api<T>::toBlocks(handle, direction, m, n, zero, native<T>((T *)a.values), a.first,
                                a.second, size, one, native<T>((T *)values), offsets, columns));
  DeviceArray<int> plainOffsets(mb * size + 1), plainColumns(nnzb * area + 1);
  DeviceArray<T> plainValues(nnzb * area + 1);
  CHECK_SPARSE(Api<T>::fromBlocks(handle, direction, mb, nb, one, native<T>((T *)values), offsets,
                                  columns, size, zero, native<T>((T *)plainValues), plainOffsets,
                                  plainColumns));
  const int rows = mb * size, cols = nb * size;
  std::vector<Number> want(rows * cols), got(rows * cols);
  for (int e = 0; e < a.entries.count(); ++e)
    want[a.entries.row[e] * cols + a.entries.col[e]] = a.entries.value[e];
  const std::vector<int> o = plainOffsets.host(), at = plainColumns.host();
  const std::vector<T> v = plainValues.host();
  expectEqual(o[rows], nnzb * area, "bsr2csr's size");
  for (int i = 0; i < rows; ++i)
    for (int e = o[i]; e < o[i + 1]; ++e)
      got[i * cols + at[e]] = v[e];
  for (int i = 0; i < rows * cols; ++i)
    expect(got[i] == want[i], "csr2bsr and bsr2csr", i);
  // y = 2 A x - y in three ways.
  const int right = 3;
  const std::vector<T> x = randoms<T>(cols * right, 10), y = randoms<T>(rows * right, 11);
  ScalarArgument<T> alpha(handle, T(2)), beta(handle, T(-1));
  for (int way = 0; way < 3; ++way) {
    DeviceArray<T> dx(x), dy(y);
    const int used = way == 0 ? 1 : right;
    if (way == 0) {
      CHECK_SPARSE(Api<T>::blocksByVector(
          handle, direction, CUSPARSE_OPERATION_NON_TRANSPOSE, mb, nb, nnzb,
          native<T>((const T *)alpha), one, native<T>((T *)values), offsets, columns, size,
          native<T>((T *)dx), native<T>((const T *)beta), native<T>((T *)dy)));
    } else if (way == 1) {
      CHECK_SPARSE(Api<T>::blocksByMatrix(
          handle, direction, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, mb,
          right, nb, nnzb, native<T>((const T *)alpha), one, native<T>((T *)values), offsets,
          columns, size, native<T>((T *)dx), cols, native<T>((const T *)beta), native<T>((T *)dy),
          rows));
    } else {
      cusparseSpMatDescr_t matrix;
      cusparseDnMatDescr_t b, c;
      CHECK_SPARSE(cusparseCreateBsr(
          &matrix, mb, nb, nnzb, size, size, (int *)offsets, (int *)columns, (T *)values,
          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, typeOf<T>,
          direction == CUSPARSE_DIRECTION_ROW ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
      CHECK_SPARSE(cusparseCreateDnMat(&b, cols, right, cols, (T *)dx, typeOf<T>,
                                       CUSPARSE_ORDER_COL));
      CHECK_SPARSE(cusparseCreateDnMat(&c, rows, right, rows, (T *)dy, typeOf<T>,
                                       CUSPARSE_ORDER_COL));
      CHECK_SPARSE(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                CUSPARSE_OPERATION_NON_TRANSPOSE, (const T *)alpha, matrix, b,
                                (const T *)beta, c, typeOf<T>, CUSPARSE_SPMM_BSR_ALG1, nullptr));
      CHECK_SPARSE(cusparseDestroySpMat(matrix));
      CHECK_SPARSE(cusparseDestroyDnMat(b));
      CHECK_SPARSE(cusparseDestroyDnMat(c));
    }
    const std::vector<T> result = dy.host();
    for (int j = 0; j < used; ++j)
      for (int i = 0; i < rows; ++i) {
        Number sum = 0;
        for (int k = 0; k < cols; ++k)
          sum += want[i * cols + k] * Number(x[k + j * cols]);
        expectNear(result[i + j * rows], 2. * sum - Number(y[i + j * rows]), "blocks", way);
      }
  }
  CHECK_SPARSE(cusparseDestroyMatDescr(zero));
  CHECK_SPARSE(cusparseDestroyMatDescr(one));
}

/// Counts of a dense matrix, and its product with a sparse vector.
template <class T> void denseMatrix(int m, int n) {
  const int lda = m + 1;
  std::vector<T> elements = randoms<T>(lda * n, 12);
  for (size_t i = 0; i < elements.size(); i += 3)
    elements[i] = T{};
  DeviceArray<T> a(elements);
  cusparseMatDescr_t descriptor;
  CHECK_SPARSE(cusparseCreateMatDescr(&descriptor));
  for (cusparseDirection_t direction : {CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN}) {
    const bool byRow = direction == CUSPARSE_DIRECTION_ROW;
    DeviceArray<int> counts(byRow ? m : n);
    Total total;
    CHECK_SPARSE(Api<T>::count(handle, direction, m, n, descriptor, native<T>((T *)a), lda, counts,
                               total));
    std::vector<int> want(byRow ? m : n);
    int all = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const bool isThere = Number(elements[i + j * lda]) != Number(0);
        want[byRow ? i : j] += isThere;
        all += isThere;
      }
    const std::vector<int> got = counts.host();
    for (size_t i = 0; i < want.size(); ++i)
      expectEqual(got[i], want[i], "nnz", i);
    expectEqual(total.get(), all, "nnz's sum");
  }
  const std::vector<int> indices = {1, 3, 4};
  const std::vector<T> x = randoms<T>(3, 13), y = randoms<T>(m + n, 14);
  DeviceArray<T> dx(x);
  DeviceArray<int> at(indices);
  ScalarArgument<T> alpha(handle, T(2)), beta(handle, T(3));
  for (cusparseOperation_t op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                 CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
    DeviceArray<T> dy(y);
    CHECK_SPARSE(Api<T>::bySparse(handle, op, m, n, native<T>((const T *)alpha),
                                  native<T>((T *)a), lda, 3, native<T>((T *)dx), at,
                                  native<T>((const T *)beta), native<T>((T *)dy),
                                  CUSPARSE_INDEX_BASE_ZERO, nullptr));
    const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    const std::vector<T> got = dy.host();
    for (int i = 0; i < (plain ? m : n); ++i) {
      Number sum = 0;
      for (int e = 0; e < 3; ++e) {
        Number element(plain ? elements[i + indices[e] * lda] : elements[indices[e] + i * lda]);
        if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
          element = std::conj(element);
        sum += element * Number(x[e]);
      }
      expectNear(got[i], 2. * sum + 3. * Number(y[i]), "gemvi", op);
    }
  }
  CHECK_SPARSE(cusparseDestroyMatDescr(descriptor));
}

/// Elements above a threshold, of a dense and of a sparse matrix.
static void pruned(int m, int n) {
  const int lda = m + 2;
  const std::vector<float> elements = randoms<float>(lda * n, 15);
  const float limit = 0.4f;
  Entries<float> all{m, n}, want{m, n};
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      const float x = elements[i + j * lda];
      all.add(i, j, x);
      if (std::fabs(x) > limit)
        want.add(i, j, x);
    }
  SparseMatrix<float> from(all, CUSPARSE_FORMAT_CSR, 0);
  DeviceArray<float> a(elements);
  cusparseMatDescr_t zero, one;
  CHECK_SPARSE(cusparseCreateMatDescr(&zero));
  CHECK_SPARSE(cusparseCreateMatDescr(&one));
  CHECK_SPARSE(cusparseSetMatIndexBase(one, CUSPARSE_INDEX_BASE_ONE));
  ScalarArgument<float> threshold(handle, limit);
  for (bool dense : {false, true}) {
    DeviceArray<int> offsets(m + 1), columns(want.count() + 1);
    DeviceArray<float> values(want.count() + 1);
    Total total;
    if (dense) {
      CHECK_SPARSE(cusparseSpruneDense2csrNnz(handle, m, n, a, lda, threshold, one, offsets, total,
                                              nullptr));
      CHECK_SPARSE(cusparseSpruneDense2csr(handle, m, n, a, lda, threshold, one, values, offsets,
                                           columns, nullptr));
    } else {
      CHECK_SPARSE(cusparseSpruneCsr2csrNnz(handle, m, n, all.count(), zero, from.values,
                                            from.first, from.second, threshold, one, offsets,
                                            total, nullptr));
      CHECK_SPARSE(cusparseSpruneCsr2csr(handle, m, n, all.count(), zero, from.values, from.first,
                                         from.second, threshold, one, values, offsets, columns,
                                         nullptr));
    }
    expectEqual(total.get(), want.count(), "prune's size", dense);
    const std::vector<int> got = columns.host();
    const std::vector<float> kept = values.host();
    for (int e = 0; e < want.count(); ++e) {
      expectEqual(got[e], want.col[e] + 1, "prune's columns", e);
      expectEqual(kept[e], want.value[e], "prune's values", e);
    }
  }
  CHECK_SPARSE(cusparseDestroyMatDescr(zero));
  CHECK_SPARSE(cusparseDestroyMatDescr(one));
}

template <class T> void conversions(bool all) {
  for (cusparseFormat_t format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO})
    for (cusparseOrder_t order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW})
      for (int per : {3, 1 << 30})
        if (all || (order == CUSPARSE_ORDER_COL && per == 3)) {
          sparseToDense<T>(8, 10, per, format, order, per % 2);
          denseToSparse<T>(8, 10, per, format, order, per % 2);
        }
  transposed<T>(9, 8, 3, 1);
  sums<T>(8, 9);
  blocks<T>(3, 4, 2, CUSPARSE_DIRECTION_ROW);
  denseMatrix<T>(6, 5);
  if (!all)
    return;
  transposed<T>(40, 50, 2, 0);
  transposed<T>(4, 5, 1 << 30, 0);
  sums<T>(30, 20);
  blocks<T>(3, 4, 3, CUSPARSE_DIRECTION_COLUMN);
  blocks<T>(5, 4, 1, CUSPARSE_DIRECTION_COLUMN);
  denseMatrix<T>(20, 15);
}

int main(int argc, char **) {
  CHECK_SPARSE(cusparseCreate(&handle));
  for (cusparsePointerMode_t mode : {CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE}) {
    CHECK_SPARSE(cusparseSetPointerMode(handle, mode));
    conversions<float>(argc > 1);
    conversions<std::complex<double>>(argc > 1);
    if (argc > 1) {
      conversions<double>(true);
      conversions<std::complex<float>>(true);
    }
    pruned(7, 6);
  }
  coordinates(9, 12, 0);
  coordinates(20, 30, 1);
  CHECK_SPARSE(cusparseDestroy(handle));
  return finish();
}
