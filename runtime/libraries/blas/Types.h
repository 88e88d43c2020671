// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels of the libraries compute with: complex numbers, and scalars that are on the host
// or on the device.

#ifndef VX_RUNTIME_LIBRARIES_BLAS_TYPES_H
#define VX_RUNTIME_LIBRARIES_BLAS_TYPES_H

#include <cstring>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

#define VX_BLAS_BOTH __host__ __device__ __forceinline__

namespace vx::blas {

/// Has the layout of cuComplex or cuDoubleComplex.
template <class R> struct alignas(2 * sizeof(R)) Complex {
  R re, im;
  Complex() = default;
  VX_BLAS_BOTH Complex(R re, R im = 0) : re(re), im(im) {}
  VX_BLAS_BOTH Complex operator-() const { return {-re, -im}; }
  VX_BLAS_BOTH Complex operator+(Complex b) const { return {re + b.re, im + b.im}; }
  VX_BLAS_BOTH Complex operator-(Complex b) const { return {re - b.re, im - b.im}; }
  VX_BLAS_BOTH Complex operator*(Complex b) const {
    return {re * b.re - im * b.im, re * b.im + im * b.re};
  }
  VX_BLAS_BOTH Complex operator*(R b) const { return {re * b, im * b}; }
  /// Smith's method: nothing overflows that the quotient does not.
  VX_BLAS_BOTH Complex operator/(Complex b) const {
    bool wide = (b.re < 0 ? -b.re : b.re) < (b.im < 0 ? -b.im : b.im);
    R large = wide ? b.im : b.re, small = wide ? b.re : b.im;
    R ratio = small / large, scale = R(1) / (large + small * ratio);
    return wide ? Complex((re * ratio + im) * scale, (im * ratio - re) * scale)
                : Complex((re + im * ratio) * scale, (im - re * ratio) * scale);
  }
  VX_BLAS_BOTH Complex &operator+=(Complex b) { return *this = *this + b; }
  VX_BLAS_BOTH Complex &operator-=(Complex b) { return *this = *this - b; }
  VX_BLAS_BOTH bool operator==(Complex b) const { return re == b.re && im == b.im; }
};

/// The type of a T's parts.
template <class T> struct PartsOf {
  typedef T Real;
  static constexpr bool isComplex = false;
};
template <class R> struct PartsOf<Complex<R>> {
  typedef R Real;
  static constexpr bool isComplex = true;
};
template <class T> using RealOf = typename PartsOf<T>::Real;
template <class T> constexpr bool isComplex = PartsOf<T>::isComplex;

template <class T> VX_BLAS_BOTH T conjugate(T x) {
  if constexpr (isComplex<T>)
    return {x.re, -x.im};
  else
    return x;
}
template <class T> VX_BLAS_BOTH T conjugateIf(bool condition, T x) {
  return condition ? conjugate(x) : x;
}
template <class T> VX_BLAS_BOTH RealOf<T> realPart(T x) {
  if constexpr (isComplex<T>)
    return x.re;
  else
    return x;
}
template <class R> VX_BLAS_BOTH R magnitude(R x) {
  return x < 0 ? -x : x;
}
/// Returns the value that BLAS adds up and compares: |re| + |im|.
template <class T> VX_BLAS_BOTH RealOf<T> sumOfParts(T x) {
  if constexpr (isComplex<T>)
    return magnitude(x.re) + magnitude(x.im);
  else
    return magnitude(x);
}

// The elements of the interface as those of the kernels.
template <class T> T *E(T *p) {
  return p;
}
inline Complex<float> *E(cuComplex *p) {
  return reinterpret_cast<Complex<float> *>(p);
}
inline Complex<double> *E(cuDoubleComplex *p) {
  return reinterpret_cast<Complex<double> *>(p);
}
inline const Complex<float> *E(const cuComplex *p) {
  return reinterpret_cast<const Complex<float> *>(p);
}
inline const Complex<double> *E(const cuDoubleComplex *p) {
  return reinterpret_cast<const Complex<double> *>(p);
}
inline Complex<float> *const *E(cuComplex *const *p) {
  return reinterpret_cast<Complex<float> *const *>(p);
}
inline Complex<double> *const *E(cuDoubleComplex *const *p) {
  return reinterpret_cast<Complex<double> *const *>(p);
}
inline const Complex<float> *const *E(const cuComplex *const *p) {
  return reinterpret_cast<const Complex<float> *const *>(p);
}
inline const Complex<double> *const *E(const cuDoubleComplex *const *p) {
  return reinterpret_cast<const Complex<double> *const *>(p);
}

/// Converts between types of storage and of computation.
template <class To, class From> VX_BLAS_BOTH To convert(From x) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (std::is_same_v<From, __half> || std::is_same_v<From, __nv_bfloat16>)
    return To(float(x));
  else
    return To(x);
}

/// Reads a T of the host that may be aligned less than the type is, as std::complex is.
template <class T> T readUnaligned(const void *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// The place of a scalar of a call.
enum class Source : char { Host, Device, RealOnDevice, HalfOnDevice };

/// A scalar of a call: its value in pointer mode host, else where it is on the device, perhaps in
/// another type than the one that is computed in.
template <class T> struct Scalar {
  T value{};
  const void *pointer = nullptr;
  Source source = Source::Host;
  bool conjugated = false;
  VX_BLAS_BOTH T get() const {
    T result = value;
    if (source == Source::Device)
      result = *static_cast<const T *>(pointer);
    else if (source == Source::RealOnDevice)
      result = T(*static_cast<const RealOf<T> *>(pointer));
    if constexpr (std::is_same_v<T, float>)
      if (source == Source::HalfOnDevice)
        result = float(*static_cast<const __half *>(pointer));
    return conjugateIf(conjugated, result);
  }
};

} // namespace vx::blas

#endif // VX_RUNTIME_LIBRARIES_BLAS_TYPES_H
