// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuFFT's functions: handles, shapes as its arguments describe them, and transforms.

#include "Plan.h"
#include <cstdio>
#include <cufftXt.h>
#include <mutex>

namespace vx::fft {
namespace {

std::mutex plansLock;
std::map<cufftHandle, std::unique_ptr<Plan>> plans;
cufftHandle nextHandle = 1;

Plan *planOf(cufftHandle handle) {
  std::lock_guard lock(plansLock);
  auto found = plans.find(handle);
  return found == plans.end() ? nullptr : found->second.get();
}

bool setType(Shape &shape, cufftType type) {
  shape.isDouble = type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
  switch (type) {
  case CUFFT_C2C:
  case CUFFT_Z2Z:
    shape.kind = Kind::ComplexToComplex;
    return true;
  case CUFFT_R2C:
  case CUFFT_D2Z:
    shape.kind = Kind::RealToComplex;
    return true;
  case CUFFT_C2R:
  case CUFFT_Z2D:
    shape.kind = Kind::ComplexToReal;
    return true;
  }
  return false;
}

/// One side of the data as an advanced layout describes it.
template <class Int> struct Advanced {
  const Int *embed;
  long long stride, distance;
  constexpr Advanced(const Int *embed, long long stride, long long distance)
      : embed(embed), stride(stride), distance(distance) {}
};

/// The layout of data whose lines have LINE elements, without gaps.
Layout packed(const Shape &shape, long long line) {
  Layout layout;
  layout.steps[kLast] = 1;
  long long step = line;
  for (int axis = kLast - 1; axis >= 0; --axis) {
    layout.steps[axis] = step;
    step *= shape.sizes[axis];
  }
  return layout;
}

template <class Int> Layout advanced(int rank, const Advanced<Int> &side) {
  Layout layout;
  long long step = side.stride;
  for (int dimension = rank - 1; dimension >= 0; --dimension) {
    layout.steps[kAxes - rank + dimension] = step;
    step *= side.embed[dimension];
  }
  layout.steps[0] = side.distance;
  return layout;
}

template <class Int>
cufftResult makeShape(Shape &shape, int rank, const Int *n, const Advanced<Int> &in,
                      const Advanced<Int> &out, cufftType type, long long batch) {
  if (!setType(shape, type))
    return CUFFT_INVALID_TYPE;
  if (rank < 1 || rank >= kAxes || !n)
    return CUFFT_INVALID_VALUE;
  shape.sizes[0] = batch;
  double elements = double(batch);
  for (int dimension = 0; dimension < rank; ++dimension) {
    const long long size = n[dimension];
    shape.sizes[kAxes - rank + dimension] = size;
    elements *= double(size);
    if (size < 1)
      return CUFFT_INVALID_SIZE;
  }
  // The limit leaves room for the lengths of Bluestein's algorithm.
  if (batch < 1 || elements >= 0x1p30)
    return CUFFT_INVALID_SIZE;
  if (!in.embed || !out.embed) {
    const long long real = shape.sizes[kLast], half = real / 2 + 1;
    shape.in = packed(shape, shape.kind == Kind::ComplexToReal ? half : real);
    shape.out = packed(shape, shape.kind == Kind::RealToComplex ? half : real);
    return CUFFT_SUCCESS;
  }
  if (in.stride < 1 || out.stride < 1 || in.distance < 0 || out.distance < 0)
    return CUFFT_INVALID_VALUE;
  shape.isBasicIn = shape.isBasicOut = false;
  shape.in = advanced(rank, in);
  shape.out = advanced(rank, out);
  return CUFFT_SUCCESS;
}

cufftResult create(cufftHandle *handle) {
  if (!handle)
    return CUFFT_INVALID_PLAN;
  std::lock_guard lock(plansLock);
  *handle = nextHandle++;
  plans.emplace(*handle, std::make_unique<Plan>());
  return CUFFT_SUCCESS;
}

template <class Int>
cufftResult make(cufftHandle handle, int rank, const Int *n, const Advanced<Int> &in,
                 const Advanced<Int> &out, cufftType type, long long batch, size_t *workSize) {
  Plan *plan = planOf(handle);
  if (!plan || plan->isMade)
    return CUFFT_INVALID_PLAN;
  Shape shape;
  cufftResult result = makeShape(shape, rank, n, in, out, type, batch);
  if (result == CUFFT_SUCCESS)
    result = makePlan(*plan, shape);
  if (result == CUFFT_SUCCESS && workSize)
    *workSize = plan->workSize;
  return result;
}

template <class Int>
cufftResult createAndMake(cufftHandle *handle, int rank, const Int *n, const Advanced<Int> &in,
                          const Advanced<Int> &out, cufftType type, long long batch) {
  cufftHandle made;
  if (!handle)
    return CUFFT_INVALID_PLAN;
  cufftResult result = create(&made);
  if (result == CUFFT_SUCCESS)
    result = make(made, rank, n, in, out, type, batch, nullptr);
  if (result == CUFFT_SUCCESS)
    *handle = made;
  else
    cufftDestroy(made);
  return result;
}

template <class Int>
cufftResult estimate(int rank, const Int *n, const Advanced<Int> &in, const Advanced<Int> &out,
                     cufftType type, long long batch, size_t *workSize) {
  if (!workSize)
    return CUFFT_INVALID_VALUE;
  Shape shape;
  cufftResult result = makeShape(shape, rank, n, in, out, type, batch);
  return result == CUFFT_SUCCESS ? workSizeOf(shape, workSize) : result;
}
template <class Int>
cufftResult estimate(cufftHandle handle, int rank, const Int *n, const Advanced<Int> &in,
                     const Advanced<Int> &out, cufftType type, long long batch, size_t *workSize) {
  return planOf(handle) ? estimate(rank, n, in, out, type, batch, workSize) : CUFFT_INVALID_PLAN;
}

cufftResult transform(cufftHandle handle, Kind kind, bool isDouble, void *in, void *out,
                      int direction) {
  Plan *plan = planOf(handle);
  if (!plan || !plan->isMade)
    return CUFFT_INVALID_PLAN;
  if (plan->shape.kind != kind || plan->shape.isDouble != isDouble)
    return CUFFT_INVALID_TYPE;
  if (!in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  return execute(*plan, in, out, direction);
}

/// Says what a program asks for that is not there.
cufftResult notImplemented(const char *what) {
  std::fprintf(stderr, "libcufft: this library does not have %s\n", what);
  return CUFFT_NOT_IMPLEMENTED;
}

/// The type of plans between two types of elements.
bool typeOf(cudaDataType in, cudaDataType out, cudaDataType execution, cufftType *type) {
  struct Row {
    cudaDataType in, out, execution;
    cufftType type;
  };
  constexpr Row rows[] = {{CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C},
                          {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
                          {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R},
                          {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
                          {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z},
                          {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D}};
  for (const Row &row : rows)
    if (row.in == in && row.out == out && row.execution == execution) {
      *type = row.type;
      return true;
    }
  return false;
}

constexpr Advanced<int> kBasic(nullptr, 1, 0);

struct Sizes {
  int n[kAxes - 1];
};

} // namespace
} // namespace vx::fft

using namespace vx::fft;

extern "C" {

// What makes and measures plans: in a new handle, in a handle, without one.
#define VX_FFT_PLANS(SUFFIX, PARAMETERS, ...)                                                      \
  cufftResult cufftPlan##SUFFIX(cufftHandle *plan, VX_FFT_UNPACK PARAMETERS) {                     \
    return createAndMake(plan, __VA_ARGS__);                                                       \
  }                                                                                                \
  VX_FFT_SIZED_PLANS(SUFFIX, PARAMETERS, __VA_ARGS__)                                              \
  cufftResult cufftEstimate##SUFFIX(VX_FFT_UNPACK PARAMETERS, size_t *workSize) {                  \
    return estimate(__VA_ARGS__, workSize);                                                        \
  }
#define VX_FFT_SIZED_PLANS(SUFFIX, PARAMETERS, ...)                                                \
  cufftResult cufftMakePlan##SUFFIX(cufftHandle plan, VX_FFT_UNPACK PARAMETERS,                    \
                                    size_t *workSize) {                                            \
    return make(plan, __VA_ARGS__, workSize);                                                      \
  }                                                                                                \
  cufftResult cufftGetSize##SUFFIX(cufftHandle plan, VX_FFT_UNPACK PARAMETERS, size_t *workSize) { \
    return estimate(plan, __VA_ARGS__, workSize);                                                  \
  }
#define VX_FFT_UNPACK(...) __VA_ARGS__
VX_FFT_PLANS(1d, (int nx, cufftType type, int batch), 1, &nx, kBasic, kBasic, type, batch)
VX_FFT_PLANS(2d, (int nx, int ny, cufftType type), 2, Sizes{nx, ny}.n, kBasic, kBasic, type, 1)
VX_FFT_PLANS(3d, (int nx, int ny, int nz, cufftType type), 3, Sizes{nx, ny, nz}.n, kBasic, kBasic,
             type, 1)
VX_FFT_PLANS(Many,
             (int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
              int odist, cufftType type, int batch),
             rank, n, Advanced<int>(inembed, istride, idist),
             Advanced<int>(onembed, ostride, odist), type, batch)
VX_FFT_SIZED_PLANS(Many64,
                   (int rank, long long *n, long long *inembed, long long istride, long long idist,
                    long long *onembed, long long ostride, long long odist, cufftType type,
                    long long batch),
                   rank, n, Advanced<long long>(inembed, istride, idist),
                   Advanced<long long>(onembed, ostride, odist), type, batch)

cufftResult cufftCreate(cufftHandle *handle) {
  return create(handle);
}
cufftResult cufftDestroy(cufftHandle handle) {
  std::unique_ptr<Plan> plan;
  std::lock_guard lock(plansLock);
  auto found = plans.find(handle);
  if (found == plans.end())
    return CUFFT_INVALID_PLAN;
  plan = std::move(found->second);
  plans.erase(found);
  return CUFFT_SUCCESS;
}

cufftResult cufftGetSize(cufftHandle handle, size_t *workSize) {
  Plan *plan = planOf(handle);
  if (!plan || !plan->isMade)
    return CUFFT_INVALID_PLAN;
  if (!workSize)
    return CUFFT_INVALID_VALUE;
  *workSize = plan->workSize;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int autoAllocate) {
  Plan *plan = planOf(handle);
  if (!plan || plan->isMade)
    return CUFFT_INVALID_PLAN;
  plan->allocates = autoAllocate;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void *workArea) {
  Plan *plan = planOf(handle);
  if (!plan)
    return CUFFT_INVALID_PLAN;
  plan->workArea = workArea;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  Plan *plan = planOf(handle);
  if (!plan)
    return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}

#define VX_FFT_EXECUTE(TYPE, KIND, DOUBLE, IN, OUT)                                                \
  cufftResult cufftExec##TYPE(cufftHandle plan, IN *in, OUT *out) {                                \
    return transform(plan, Kind::KIND, DOUBLE, in, out, CUFFT_FORWARD);                            \
  }
VX_FFT_EXECUTE(R2C, RealToComplex, false, cufftReal, cufftComplex)
VX_FFT_EXECUTE(C2R, ComplexToReal, false, cufftComplex, cufftReal)
VX_FFT_EXECUTE(D2Z, RealToComplex, true, cufftDoubleReal, cufftDoubleComplex)
VX_FFT_EXECUTE(Z2D, ComplexToReal, true, cufftDoubleComplex, cufftDoubleReal)
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction) {
  return transform(plan, Kind::ComplexToComplex, false, in, out, direction);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction) {
  return transform(plan, Kind::ComplexToComplex, true, in, out, direction);
}

cufftResult cufftGetVersion(int *version) {
  if (!version)
    return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  if (!value)
    return CUFFT_INVALID_VALUE;
  if (type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUFFT_INVALID_TYPE;
  const int parts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  *value = parts[type];
  return CUFFT_SUCCESS;
}

// Properties are about compilation at run time, which there is not.
cufftResult cufftSetPlanPropertyInt64(cufftHandle plan, cufftProperty, const long long) {
  return planOf(plan) ? CUFFT_NOT_SUPPORTED : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetPlanPropertyInt64(cufftHandle plan, cufftProperty, long long *) {
  return planOf(plan) ? CUFFT_NOT_SUPPORTED : CUFFT_INVALID_PLAN;
}
cufftResult cufftResetPlanProperty(cufftHandle plan, cufftProperty) {
  return planOf(plan) ? CUFFT_NOT_SUPPORTED : CUFFT_INVALID_PLAN;
}

// The extended functions.
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, cudaDataType inputType,
                                long long *onembed, long long ostride, long long odist,
                                cudaDataType outputType, long long batch, size_t *workSize,
                                cudaDataType executionType) {
  cufftType type;
  if (!typeOf(inputType, outputType, executionType, &type))
    return CUFFT_NOT_SUPPORTED;
  return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                             batch, workSize);
}
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long *n, long long *inembed,
                               long long istride, long long idist, cudaDataType inputType,
                               long long *onembed, long long ostride, long long odist,
                               cudaDataType outputType, long long batch, size_t *workSize,
                               cudaDataType executionType) {
  cufftType type;
  if (!typeOf(inputType, outputType, executionType, &type))
    return CUFFT_NOT_SUPPORTED;
  return cufftGetSizeMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                            batch, workSize);
}
cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction) {
  Plan *plan = planOf(handle);
  if (!plan || !plan->isMade)
    return CUFFT_INVALID_PLAN;
  return transform(handle, plan->shape.kind, plan->shape.isDouble, in, out,
                   plan->shape.kind == Kind::ComplexToComplex ? direction : CUFFT_FORWARD);
}
/// The work area has one size.
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle handle, cufftXtWorkAreaPolicy policy, size_t *) {
  if (!planOf(handle))
    return CUFFT_INVALID_PLAN;
  return policy == CUFFT_WORKAREA_PERFORMANCE ? CUFFT_SUCCESS : CUFFT_NOT_IMPLEMENTED;
}

#define VX_FFT_MISSING(NAME, WHAT, ...)                                                            \
  cufftResult cufftXt##NAME(__VA_ARGS__) {                                                         \
    return notImplemented(WHAT);                                                                   \
  }
#define VX_FFT_MISSING_DEVICES(NAME, ...)                                                          \
  VX_FFT_MISSING(NAME, "transforms over several devices", __VA_ARGS__)
#define VX_FFT_MISSING_CALLBACKS(NAME, ...)                                                        \
  VX_FFT_MISSING(NAME, "functions of the program that load and store", __VA_ARGS__)
VX_FFT_MISSING_DEVICES(SetGPUs, cufftHandle, int, int *)
VX_FFT_MISSING_DEVICES(Malloc, cufftHandle, cudaLibXtDesc **, cufftXtSubFormat)
VX_FFT_MISSING_DEVICES(Memcpy, cufftHandle, void *, void *, cufftXtCopyType)
VX_FFT_MISSING_DEVICES(Free, cudaLibXtDesc *)
VX_FFT_MISSING_DEVICES(SetWorkArea, cufftHandle, void **)
VX_FFT_MISSING_DEVICES(ExecDescriptor, cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *, int)
VX_FFT_MISSING_DEVICES(ExecDescriptorC2C, cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *, int)
VX_FFT_MISSING_DEVICES(ExecDescriptorR2C, cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *)
VX_FFT_MISSING_DEVICES(ExecDescriptorC2R, cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *)
VX_FFT_MISSING_DEVICES(ExecDescriptorZ2Z, cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *, int)
VX_FFT_MISSING_DEVICES(ExecDescriptorD2Z, cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *)
VX_FFT_MISSING_DEVICES(ExecDescriptorZ2D, cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *)
VX_FFT_MISSING_DEVICES(QueryPlan, cufftHandle, void *, cufftXtQueryType)
VX_FFT_MISSING_CALLBACKS(SetCallback, cufftHandle, void **, cufftXtCallbackType, void **)
VX_FFT_MISSING_CALLBACKS(ClearCallback, cufftHandle, cufftXtCallbackType)
VX_FFT_MISSING_CALLBACKS(SetCallbackSharedSize, cufftHandle, cufftXtCallbackType, size_t)
VX_FFT_MISSING_CALLBACKS(SetJITCallback, cufftHandle, const char *, const void *, size_t,
                         cufftXtCallbackType, void **)

} // extern "C"
