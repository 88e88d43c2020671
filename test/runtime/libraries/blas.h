// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that tests of cuBLAS share: the same function of the host's BLAS and of cuBLAS by its
// name and the type of elements, and comparison of what they leave in memory.

#ifndef TEST_LIBRARIES_BLAS_H
#define TEST_LIBRARIES_BLAS_H

#include "harness.h"
#include <cmath>
#include <complex>
#include <cublas_v2.h>
#include <type_traits>

#define CHECK_BLAS(call)                                                                           \
  do {                                                                                             \
    cublasStatus_t status_ = (call);                                                               \
    if (status_ != CUBLAS_STATUS_SUCCESS) {                                                        \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cublasGetStatusName(status_));     \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

template <class T> struct Real {
  typedef T type;
  static constexpr bool isComplex = false;
};
template <> struct Real<cuComplex> {
  typedef float type;
  static constexpr bool isComplex = true;
};
template <> struct Real<cuDoubleComplex> {
  typedef double type;
  static constexpr bool isComplex = true;
};
template <class T> using RealOf = typename Real<T>::type;
template <class T> constexpr bool isComplex = Real<T>::isComplex;

template <class T> std::complex<double> number(T x) {
  if constexpr (isComplex<T>)
    return {x.x, x.y};
  else if constexpr (sizeof x == 2) // half precision
    return float(x);
  else
    return double(x);
}

// The host's functions have Fortran's interface: everything is passed by address. NAMED has the
// letters that choose the type.
#define HOST_BLAS(NAME, S, D, C, Z)                                                                \
  extern "C" void S(...);                                                                          \
  extern "C" void D(...);                                                                          \
  extern "C" void C(...);                                                                          \
  extern "C" void Z(...);                                                                          \
  template <class T, class... Arguments> void NAME(Arguments... arguments) {                       \
    if constexpr (std::is_same_v<T, float>)                                                        \
      S(arguments...);                                                                             \
    else if constexpr (std::is_same_v<T, double>)                                                  \
      D(arguments...);                                                                             \
    else if constexpr (std::is_same_v<T, cuComplex>)                                               \
      C(arguments...);                                                                             \
    else                                                                                           \
      Z(arguments...);                                                                             \
  }
#define DEVICE_BLAS(NAME, S, D, C, Z)                                                              \
  template <class T, class... Arguments> void NAME(Arguments... arguments) {                       \
    if constexpr (std::is_same_v<T, float>)                                                        \
      CHECK_BLAS(S(arguments...));                                                                 \
    else if constexpr (std::is_same_v<T, double>)                                                  \
      CHECK_BLAS(D(arguments...));                                                                 \
    else if constexpr (std::is_same_v<T, cuComplex>)                                               \
      CHECK_BLAS(C(arguments...));                                                                 \
    else                                                                                           \
      CHECK_BLAS(Z(arguments...));                                                                 \
  }
// A function of one name for real and one for complex types; of one name for all.
#define BLAS_PAIR(REAL, COMPLEX)                                                                   \
  namespace host {                                                                                 \
  HOST_BLAS(REAL, s##REAL##_, d##REAL##_, c##COMPLEX##_, z##COMPLEX##_)                            \
  }                                                                                                \
  namespace device {                                                                               \
  DEVICE_BLAS(REAL, cublasS##REAL, cublasD##REAL, cublasC##COMPLEX, cublasZ##COMPLEX)              \
  }
#define BLAS(NAME) BLAS_PAIR(NAME, NAME)

template <class T> T random(unsigned &state) {
  auto part = [&] { return RealOf<T>((state = mixed(state + 0x9e3779b9u)) * 0x1p-31 - 1); };
  if constexpr (isComplex<T>)
    return {part(), part()};
  else
    return part();
}
template <class T> std::vector<T> randoms(int count, unsigned seed) {
  std::vector<T> values(count);
  for (T &value : values)
    value = random<T>(seed);
  return values;
}

/// Compares what the device has with what the host has, both of REAL numbers; sizes of one element
/// or so.
template <class T>
void compare(const std::vector<T> &want, const std::vector<T> &got, const char *what, int where) {
  auto *a = reinterpret_cast<const RealOf<T> *>(want.data());
  auto *b = reinterpret_cast<const RealOf<T> *>(got.data());
  const double bound = sizeof(RealOf<T>) == 4 ? 2e-4 : 1e-12;
  for (size_t i = 0; i < want.size() * sizeof(T) / sizeof *a; ++i)
    if (!expect(std::fabs(a[i] - b[i]) <= bound * (1 + std::fabs(a[i])), what, where)) {
      if (wrongResults() <= 10)
        std::printf("  element %zu of %s: got %g, wanted %g\n", i, typeid(T).name(), double(b[i]),
                    double(a[i]));
      return;
    }
}

/// A scalar on the host or, in pointer mode device, there.
template <class T> class ScalarArgument {
public:
  ScalarArgument(cublasHandle_t handle, T value) : value(value), copy(std::vector<T>{value}) {
    cublasPointerMode_t mode;
    CHECK_BLAS(cublasGetPointerMode(handle, &mode));
    onDevice = mode == CUBLAS_POINTER_MODE_DEVICE;
  }
  operator const T *() { return onDevice ? static_cast<T *>(copy) : &value; }

private:
  T value;
  DeviceArray<T> copy;
  bool onDevice;
};

#endif // TEST_LIBRARIES_BLAS_H
