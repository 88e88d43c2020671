// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS, level 1: vectors.

#include "Reductions.h"
#include "Rotations.h"

namespace vx::blas {

/// Calls OPERATION for each index below N.
template <class Operation> __global__ void forEach(int n, Operation operation) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    operation(i);
}

template <class Operation>
cublasStatus_t launch(cublasHandle_t handle, int n, const Operation &operation) {
  if (n <= 0)
    return CUBLAS_STATUS_SUCCESS;
  constexpr int threads = 16, largest = 4096;
  const int wanted = (n - 1) / threads + 1, blocks = wanted < largest ? wanted : largest;
  forEach<<<blocks, threads, 0, handle->stream>>>(n, operation);
  return statusOf(cudaGetLastError());
}

/// An operation on scalars: on the host, or in one thread of the device.
template <class Operation>
cublasStatus_t applyToScalars(cublasHandle_t handle, const Operation &operation) {
  if (handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE)
    return launch(handle, 1, operation);
  operation(0);
  return CUBLAS_STATUS_SUCCESS;
}

/// Computed in A.
template <class T, class A> struct AddScaled {
  Scalar<A> alpha;
  Vector<const T> x;
  Vector<T> y;
  VX_BLAS_BOTH void operator()(int i) const {
    y[i] = convert<T>(convert<A>(y[i]) + alpha.get() * convert<A>(x[i]));
  }
};
template <class T, class A>
cublasStatus_t axpy(cublasHandle_t handle, int n, const A *alpha, const T *x, int incx, T *y,
                    int incy) {
  VX_BLAS_CHECK(handle, alpha);
  return launch(handle, n, AddScaled<T, A>{scalarOf(handle, alpha), {x, n, incx}, {y, n, incy}});
}

/// Of S or T, a real factor of complex elements.
template <class T, class S> struct Scale {
  typedef std::conditional_t<isComplex<T>, T, S> Computed;
  Scalar<S> alpha;
  Vector<T> x;
  VX_BLAS_BOTH void operator()(int i) const {
    x[i] = convert<T>(convert<Computed>(x[i]) * alpha.get());
  }
};
template <class T, class S>
cublasStatus_t scal(cublasHandle_t handle, int n, const S *alpha, T *x, int incx) {
  VX_BLAS_CHECK(handle, alpha);
  return launch(handle, incx > 0 ? n : 0, Scale<T, S>{scalarOf(handle, alpha), {x, n, incx}});
}

// Copies do not care for the kind of elements, only for their size.
template <class T> struct Copy {
  Vector<const T> x;
  Vector<T> y;
  VX_BLAS_BOTH void operator()(int i) const { y[i] = x[i]; }
};
template <class T>
cublasStatus_t copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy) {
  VX_BLAS_CHECK(handle, true);
  return launch(handle, n, Copy<T>{{x, n, incx}, {y, n, incy}});
}
template <class T> struct Swap {
  Vector<T> x, y;
  VX_BLAS_BOTH void operator()(int i) const {
    const T element = x[i];
    x[i] = y[i];
    y[i] = element;
  }
};
template <class T>
cublasStatus_t swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy) {
  VX_BLAS_CHECK(handle, true);
  return launch(handle, n, Swap<T>{{x, n, incx}, {y, n, incy}});
}

template <class T, class S> struct Rotate {
  Vector<T> x, y;
  Scalar<RealOf<T>> c;
  Scalar<S> s;
  VX_BLAS_BOTH void operator()(int i) const {
    const T a = x[i], b = y[i];
    const S sine = s.get();
    x[i] = a * c.get() + b * sine;
    y[i] = b * c.get() - a * conjugate(sine);
  }
};
template <class T, class S>
cublasStatus_t rot(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const RealOf<T> *c,
                   const S *s) {
  VX_BLAS_CHECK(handle, c && s);
  return launch(handle, n,
                Rotate<T, S>{{x, n, incx}, {y, n, incy}, scalarOf(handle, c), scalarOf(handle, s)});
}

template <class T> struct RotateModified {
  Vector<T> x, y;
  T values[5];
  const T *pointer; ///< In place of the values.
  VX_BLAS_BOTH void operator()(int i) const {
    const T *param = pointer ? pointer : values;
    const T flag = param[0], a = x[i], b = y[i];
    if (flag == T(-2))
      return;
    // 0 and 1 leave out what they imply.
    const T h11 = flag == T(0) ? T(1) : param[1], h22 = flag == T(0) ? T(1) : param[4];
    const T h21 = flag == T(1) ? T(-1) : param[2], h12 = flag == T(1) ? T(1) : param[3];
    x[i] = h11 * a + h12 * b;
    y[i] = h21 * a + h22 * b;
  }
};
template <class T>
cublasStatus_t rotm(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const T *param) {
  VX_BLAS_CHECK(handle, param);
  RotateModified<T> operation{{x, n, incx}, {y, n, incy}, {}, nullptr};
  if (handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE)
    operation.pointer = param;
  else
    for (int i = 0; i < 5; ++i)
      operation.values[i] = param[i];
  return launch(handle, n, operation);
}

template <class T> cublasStatus_t rotg(cublasHandle_t handle, T *a, T *b, RealOf<T> *c, T *s) {
  VX_BLAS_CHECK(handle, a && b && c && s);
  return applyToScalars(handle, GivensRotation<T>{a, b, c, s});
}
template <class T>
cublasStatus_t rotmg(cublasHandle_t handle, T *d1, T *d2, T *x1, const T *y1, T *param) {
  VX_BLAS_CHECK(handle, d1 && d2 && x1 && y1 && param);
  return applyToScalars(handle, ModifiedRotation<T>{d1, d2, x1, y1, param});
}

template <class T>
cublasStatus_t dot(cublasHandle_t handle, int n, bool conjugated, const T *x, int incx, const T *y,
                   int incy, T *result) {
  VX_BLAS_CHECK(handle, result);
  return launchReduction(handle, DotProduct<T>{{x, n, incx}, {y, n, incy}, conjugated}, n, result);
}
template <class... Arguments> cublasStatus_t dotu(Arguments... arguments) {
  return dot(arguments...);
}
template <class... Arguments> cublasStatus_t dotc(Arguments... arguments) {
  return dot(arguments...);
}

// Of one vector; one that does not go forwards is empty.
#define VX_BLAS_REDUCTION(NAME, OPERATION, RESULT)                                                 \
  template <class T>                                                                               \
  cublasStatus_t NAME(cublasHandle_t handle, int n, const T *x, int incx, RESULT *result) {        \
    VX_BLAS_CHECK(handle, result);                                                                 \
    return launchReduction(handle, OPERATION{{x, n, incx}}, incx > 0 ? n : 0, result);             \
  }
#define VX_BLAS_EXTREME(LARGEST) ExtremeIndex<T, LARGEST>
VX_BLAS_REDUCTION(nrm2, EuclideanNorm<T>, RealOf<T>)
VX_BLAS_REDUCTION(asum, SumOfMagnitudes<T>, RealOf<T>)
VX_BLAS_REDUCTION(amax, VX_BLAS_EXTREME(true), int)
VX_BLAS_REDUCTION(amin, VX_BLAS_EXTREME(false), int)

/// Types of elements, and of what is computed with them.
template <class T, class A> struct Types {
  typedef T Element;
  typedef A Computed;
};

/// Calls ACTION with the Types that the arguments of a function name.
template <class Action>
cublasStatus_t withTypes(cudaDataType element, cudaDataType computed, const Action &action) {
  const bool same = element == computed;
  if (element == CUDA_R_16F && computed == CUDA_R_32F)
    return action(Types<__half, float>());
  if (element == CUDA_R_16BF && computed == CUDA_R_32F)
    return action(Types<__nv_bfloat16, float>());
  if (element == CUDA_R_32F && same)
    return action(Types<float, float>());
  if (element == CUDA_R_64F && same)
    return action(Types<double, double>());
  if (element == CUDA_C_32F && same)
    return action(Types<Complex<float>, Complex<float>>());
  if (element == CUDA_C_64F && same)
    return action(Types<Complex<double>, Complex<double>>());
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t dotEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType, int incx,
                     const void *y, cudaDataType yType, int incy, void *result,
                     cudaDataType resultType, cudaDataType executionType, bool conjugated) {
  VX_BLAS_CHECK(handle, result);
  if (yType != xType || resultType != xType)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return withTypes(xType, executionType, [&](auto types) {
    typedef typename decltype(types)::Element T;
    typedef DotProduct<T, typename decltype(types)::Computed> Product;
    const auto *a = static_cast<const T *>(x), *b = static_cast<const T *>(y);
    return launchReduction(handle, Product{{a, n, incx}, {b, n, incy}, conjugated}, n,
                           static_cast<T *>(result));
  });
}

} // namespace vx::blas

using namespace vx::blas;

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                           int incx, const void *y, cudaDataType yType, int incy, void *result,
                           cudaDataType resultType, cudaDataType executionType) {
  return dotEx(handle, n, x, xType, incx, y, yType, incy, result, resultType, executionType, false);
}

cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                            int incx, const void *y, cudaDataType yType, int incy, void *result,
                            cudaDataType resultType, cudaDataType executionType) {
  return dotEx(handle, n, x, xType, incx, y, yType, incy, result, resultType, executionType, true);
}

cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                            int incx, void *result, cudaDataType resultType,
                            cudaDataType executionType) {
  VX_BLAS_CHECK(handle, result);
  // Of complex elements the norm is real, and so is what it is computed in.
  const cudaDataType real = xType == CUDA_C_32F   ? CUDA_R_32F
                            : xType == CUDA_C_64F ? CUDA_R_64F
                                                  : xType;
  if (resultType != real)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const cudaDataType computed = executionType == real ? xType : executionType;
  return withTypes(xType, computed, [&](auto types) {
    typedef typename decltype(types)::Element T;
    typedef EuclideanNorm<T, typename decltype(types)::Computed> Norm;
    return launchReduction(handle, Norm{{static_cast<const T *>(x), n, incx}}, incx > 0 ? n : 0,
                           static_cast<RealOf<T> *>(result));
  });
}

cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alphaType,
                            const void *x, cudaDataType xType, int incx, void *y,
                            cudaDataType yType, int incy, cudaDataType executionType) {
  VX_BLAS_CHECK(handle, alpha);
  if (yType != xType || alphaType != executionType)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return withTypes(xType, executionType, [&](auto types) {
    typedef typename decltype(types)::Element T;
    return axpy(handle, n, static_cast<const typename decltype(types)::Computed *>(alpha),
                static_cast<const T *>(x), incx, static_cast<T *>(y), incy);
  });
}

cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alphaType,
                            void *x, cudaDataType xType, int incx, cudaDataType executionType) {
  VX_BLAS_CHECK(handle, alpha);
  if (alphaType != executionType)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return withTypes(xType, executionType, [&](auto types) {
    return scal(handle, n, static_cast<const typename decltype(types)::Computed *>(alpha),
                static_cast<typename decltype(types)::Element *>(x), incx);
  });
}

#define VX_BLAS_LEVEL "vx/blas/level1.def"
#include "vx/blas/rows.h"
