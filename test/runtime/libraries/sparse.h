// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that tests of cuSPARSE share: random sparse matrices in all formats, on the host and the
// device.

#ifndef TEST_LIBRARIES_SPARSE_H
#define TEST_LIBRARIES_SPARSE_H

#include "harness.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <cusparse.h>
#include <type_traits>

#define CHECK_SPARSE(call)                                                                         \
  do {                                                                                             \
    cusparseStatus_t status_ = (call);                                                             \
    if (status_ != CUSPARSE_STATUS_SUCCESS) {                                                      \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cusparseGetErrorName(status_));    \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

typedef std::complex<double> Number;

// The elements of tests: std::complex is laid out like cuComplex.
template <class T> constexpr bool isComplex = false;
template <class R> constexpr bool isComplex<std::complex<R>> = true;
template <class T> struct Parts {
  typedef T Real;
};
template <class R> struct Parts<std::complex<R>> {
  typedef R Real;
};
template <class T>
constexpr cudaDataType typeOf = std::is_same_v<T, float>                 ? CUDA_R_32F
                                : std::is_same_v<T, double>              ? CUDA_R_64F
                                : std::is_same_v<T, std::complex<float>> ? CUDA_C_32F
                                                                         : CUDA_C_64F;

inline double randomNumber(unsigned &state) {
  return (state = mixed(state + 0x9e3779b9u)) * 0x1p-31 - 1;
}
template <class T> T randomElement(unsigned &state) {
  typedef typename Parts<T>::Real R;
  const R re = R(randomNumber(state));
  if constexpr (isComplex<T>)
    return {re, R(randomNumber(state))};
  else
    return re;
}
template <class T> std::vector<T> randoms(size_t count, unsigned seed) {
  std::vector<T> values(count);
  for (T &value : values)
    value = randomElement<T>(seed);
  return values;
}

template <class T> void expectNear(T got, Number want, const char *what, long long where) {
  const double bound = sizeof(typename Parts<T>::Real) == 4 ? 2e-5 : 1e-13;
  const double error = std::abs(Number(got) - want);
  if (!expect(error <= bound * (1 + std::abs(want)), what, where) && wrongResults() <= 10)
    std::printf("  got %g %g, wanted %g %g\n", Number(got).real(), Number(got).imag(), want.real(),
                want.imag());
}

/// A sparse matrix as a list of entries, in the order of memory. Some rows and columns are empty.
template <class T> struct Entries {
  int rows, cols;
  std::vector<int> row, col;
  std::vector<T> value;
  int count() const { return int(row.size()); }
  void add(int i, int j, T x) {
    row.push_back(i);
    col.push_back(j);
    value.push_back(x);
  }
  std::vector<Number> dense(cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE) const {
    std::vector<Number> a(rows * cols);
    for (int e = 0; e < count(); ++e) {
      Number x(value[e]);
      if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
        a[row[e] * cols + col[e]] = x;
      else
        a[col[e] * rows + row[e]] = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(x) : x;
    }
    return a;
  }
  Entries permuted(const std::vector<int> &order) const {
    Entries result{rows, cols};
    for (int e : order)
      result.add(row[e], col[e], value[e]);
    return result;
  }
  /// Sorted by KEY, stable.
  Entries sortedBy(const std::vector<int> &key) const {
    std::vector<int> order(count());
    for (int e = 0; e < count(); ++e)
      order[e] = e;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key[a] < key[b]; });
    return permuted(order);
  }
};

/// One of PER elements is there; in rows, columns are in any order unless SORTED.
template <class T>
Entries<T> randomEntries(int rows, int cols, int per, bool sorted, unsigned seed) {
  Entries<T> entries{rows, cols};
  unsigned state = seed;
  for (int i = 0; i < rows; ++i) {
    if (i % 5 == 3) // an empty row
      continue;
    for (int k = 0; k < cols; ++k) {
      const int j = sorted ? k : (k * (cols % 7 ? 7 : 11) + i) % cols;
      if (mixed(state += 77) % per == 0)
        entries.add(i, j, randomElement<T>(state));
    }
  }
  return entries;
}

inline std::vector<int> offsetsOf(const std::vector<int> &keys, int count, int base) {
  std::vector<int> offsets(count + 1, base);
  for (int key : keys)
    for (int i = key; i < count; ++i)
      ++offsets[i + 1];
  return offsets;
}

template <class Int> std::vector<Int> shifted(const std::vector<int> &indices, int by) {
  std::vector<Int> result;
  for (int index : indices)
    result.push_back(Int(index + by));
  return result;
}

/// Returns VALUES with an element more if there are none: an array on the device has a byte at
/// least.
template <class T> std::vector<T> atLeastOne(std::vector<T> values) {
  values.resize(std::max<size_t>(values.size(), 1));
  return values;
}

/// A matrix on the device with its descriptor, of CSR, CSC or COO.
template <class T, class Int = int> class SparseMatrix {
public:
  SparseMatrix(const Entries<T> &any, cusparseFormat_t format, int base)
      : entries(format == CUSPARSE_FORMAT_COO   ? any
                : format == CUSPARSE_FORMAT_CSC ? any.sortedBy(any.col)
                                                : any.sortedBy(any.row)),
        first(atLeastOne(firstOf(format, base))),
        second(atLeastOne(
            shifted<Int>(format == CUSPARSE_FORMAT_CSC ? entries.row : entries.col, base))),
        values(atLeastOne(entries.value)) {
    const cusparseIndexType_t type = sizeof(Int) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    const cusparseIndexBase_t from = cusparseIndexBase_t(base);
    const int m = entries.rows, n = entries.cols, nnz = entries.count();
    if (format == CUSPARSE_FORMAT_CSR)
      CHECK_SPARSE(cusparseCreateCsr(&descriptor, m, n, nnz, (Int *)first, (Int *)second,
                                     (T *)values, type, type, from, typeOf<T>));
    else if (format == CUSPARSE_FORMAT_CSC)
      CHECK_SPARSE(cusparseCreateCsc(&descriptor, m, n, nnz, (Int *)first, (Int *)second,
                                     (T *)values, type, type, from, typeOf<T>));
    else
      CHECK_SPARSE(cusparseCreateCoo(&descriptor, m, n, nnz, (Int *)first, (Int *)second,
                                     (T *)values, type, from, typeOf<T>));
  }
  ~SparseMatrix() { CHECK_SPARSE(cusparseDestroySpMat(descriptor)); }
  operator cusparseSpMatDescr_t() const { return descriptor; }

  Entries<T> entries; ///< In the order of memory.
  DeviceArray<Int> first, second;
  DeviceArray<T> values;

private:
  std::vector<Int> firstOf(cusparseFormat_t format, int base) const {
    if (format == CUSPARSE_FORMAT_COO)
      return shifted<Int>(entries.row, base);
    return format == CUSPARSE_FORMAT_CSC
               ? shifted<Int>(offsetsOf(entries.col, entries.cols, base), 0)
               : shifted<Int>(offsetsOf(entries.row, entries.rows, base), 0);
  }
  cusparseSpMatDescr_t descriptor;
};

/// A dense matrix on the device with its descriptor, and gaps between its lines.
template <class T> class DenseMatrix {
public:
  DenseMatrix(int rows, int cols, cusparseOrder_t order, unsigned seed)
      : rows(rows), cols(cols), order(order), ld((order == CUSPARSE_ORDER_COL ? rows : cols) + 2),
        host(randoms<T>(ld * (order == CUSPARSE_ORDER_COL ? cols : rows), seed)), elements(host) {
    CHECK_SPARSE(cusparseCreateDnMat(&descriptor, rows, cols, ld, (T *)elements, typeOf<T>, order));
  }
  ~DenseMatrix() { CHECK_SPARSE(cusparseDestroyDnMat(descriptor)); }
  operator cusparseDnMatDescr_t() const { return descriptor; }
  size_t place(int i, int j) const {
    return order == CUSPARSE_ORDER_COL ? i + size_t(j) * ld : size_t(i) * ld + j;
  }
  Number before(int i, int j, cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE) const {
    const Number x(op == CUSPARSE_OPERATION_NON_TRANSPOSE ? host[place(i, j)] : host[place(j, i)]);
    return op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(x) : x;
  }
  int rows, cols;
  cusparseOrder_t order;
  int ld;
  std::vector<T> host;
  DeviceArray<T> elements;

private:
  cusparseDnMatDescr_t descriptor;
};

/// A dense vector on the device with its descriptor.
template <class T> class DenseVector {
public:
  explicit DenseVector(const std::vector<T> &values) : host(values), elements(atLeastOne(values)) {
    CHECK_SPARSE(cusparseCreateDnVec(&descriptor, host.size(), (T *)elements, typeOf<T>));
  }
  ~DenseVector() { CHECK_SPARSE(cusparseDestroyDnVec(descriptor)); }
  operator cusparseDnVecDescr_t() const { return descriptor; }
  std::vector<T> host;
  DeviceArray<T> elements;

private:
  cusparseDnVecDescr_t descriptor;
};

/// A scalar on the host or, in pointer mode device, there.
template <class T> class ScalarArgument {
public:
  ScalarArgument(cusparseHandle_t handle, T value) : value(value), copy(std::vector<T>{value}) {
    cusparsePointerMode_t mode;
    CHECK_SPARSE(cusparseGetPointerMode(handle, &mode));
    onDevice = mode == CUSPARSE_POINTER_MODE_DEVICE;
  }
  operator const T *() { return onDevice ? static_cast<T *>(copy) : &value; }

private:
  T value;
  DeviceArray<T> copy;
  bool onDevice;
};

#endif // TEST_LIBRARIES_SPARSE_H
