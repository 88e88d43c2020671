// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in queues: the global range becomes a grid of blocks, the arguments CUDA's argument
// block.

#include "runtime/opencl/Api.h"
#include "runtime/opencl/Kernel.h"
#include "runtime/opencl/Queue.h"
#include <cmath>
#include <numeric>

using namespace vx::cl;

namespace {

/// A launch, complete: nothing of it changes when the kernel object does.
struct Launch {
  Ref<_cl_kernel> kernel;
  CUfunction function;
  size_t groups[3], local[3], offset[3];
  cl_uint dimensions;
  std::vector<std::vector<char>> values; ///< of the arguments, the implicit ones last
  std::vector<Ref<_cl_mem>> memory;
  size_t localBytes = 0;

  void addValue(const void *data, size_t size) {
    const char *bytes = static_cast<const char *>(data);
    values.emplace_back(bytes, bytes + size);
  }
};

/// A size for a group where the program names none: divisors of the range, the first dimension as
/// near to 64 as possible, the others to fill it.
void chooseLocal(const size_t global[3], size_t most, size_t local[3]) {
  size_t room = std::min<size_t>(most, 64);
  for (int d = 0; d < 3; ++d) {
    local[d] = 1;
    for (size_t n = room; n > 1; --n)
      if (global[d] % n == 0) {
        local[d] = n;
        break;
      }
    room /= local[d];
  }
}

cl_int readRange(cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
                 const size_t *local, Launch &launch) {
  if (dimensions < 1 || dimensions > 3)
    return CL_INVALID_WORK_DIMENSION;
  int most = 0;
  if (cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, launch.function))
    return CL_INVALID_PROGRAM_EXECUTABLE;
  const size_t *required = kernel->info.requiredGroup;
  size_t range[3] = {1, 1, 1};
  for (cl_uint d = 0; d < 3; ++d) {
    launch.offset[d] = offset && d < dimensions ? offset[d] : 0;
    if (d < dimensions)
      range[d] = global ? global[d] : 0; // none is a range without work-items (since 2.1)
    if (launch.offset[d] + range[d] < range[d])
      return CL_INVALID_GLOBAL_OFFSET;
  }
  launch.dimensions = dimensions;
  if (local) {
    size_t items = 1;
    for (cl_uint d = 0; d < 3; ++d) {
      launch.local[d] = d < dimensions ? local[d] : 1;
      if (!launch.local[d])
        return CL_INVALID_WORK_GROUP_SIZE;
      if (launch.local[d] > (d < 2 ? kMaxGroupSize : 64))
        return CL_INVALID_WORK_ITEM_SIZE;
      items *= launch.local[d];
    }
    if (items > size_t(most))
      return CL_INVALID_WORK_GROUP_SIZE;
  } else if (required[0]) {
    std::copy(required, required + 3, launch.local);
  } else {
    chooseLocal(range, size_t(most), launch.local);
  }
  for (cl_uint d = 0; d < 3; ++d) {
    if (required[0] && launch.local[d] != required[d])
      return CL_INVALID_WORK_GROUP_SIZE;
    if (range[d] % launch.local[d])
      return CL_INVALID_WORK_GROUP_SIZE;
    launch.groups[d] = range[d] / launch.local[d];
    if (launch.groups[d] > (d == 0 ? 0x7fffffffu : 65535u))
      return CL_INVALID_GLOBAL_WORK_SIZE;
  }
  return CL_SUCCESS;
}

cl_int readArguments(cl_kernel kernel, Launch &launch) {
  int own = 0, room = 0;
  if (cuFuncGetAttribute(&own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, launch.function))
    return CL_INVALID_PROGRAM_EXECUTABLE;
  std::lock_guard lock(kernel->mutex);
  std::vector<size_t> offsets = placeLocals(*kernel, size_t(own));
  for (size_t i = 0; i < kernel->arguments.size(); ++i) {
    const _cl_kernel::Argument &argument = kernel->arguments[i];
    if (!argument.isSet)
      return CL_INVALID_KERNEL_ARGS;
    if (argument.memory) {
      launch.memory.push_back(argument.memory->lock());
      if (!launch.memory.back())
        return CL_INVALID_KERNEL_ARGS; // released since it was set
    }
    uint64_t offset = offsets[i];
    if (kernel->info.arguments[i].kind == ArgumentInfo::Kind::Local)
      launch.addValue(&offset, sizeof offset);
    else
      launch.values.push_back(argument.value);
  }
  launch.localBytes = offsets.back();
  CUdevice device;
  if (cuCtxGetDevice(&device) ||
      cuDeviceGetAttribute(&room, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, device))
    return CL_OUT_OF_RESOURCES;
  if (size_t(own) + launch.localBytes > size_t(room))
    return CL_OUT_OF_RESOURCES;
  for (size_t offset : launch.offset) {
    uint64_t value = offset;
    launch.addValue(&value, sizeof value);
  }
  uint32_t dimensions = launch.dimensions;
  launch.addValue(&dimensions, sizeof dimensions);
  return CL_SUCCESS;
}

CUresult start(Launch &launch, CUstream stream) {
  std::vector<void *> arguments;
  for (std::vector<char> &value : launch.values)
    arguments.push_back(value.data());
  return cuLaunchKernel(launch.function, unsigned(launch.groups[0]), unsigned(launch.groups[1]),
                        unsigned(launch.groups[2]), unsigned(launch.local[0]),
                        unsigned(launch.local[1]), unsigned(launch.local[2]),
                        unsigned(launch.localBytes), stream, arguments.data(), nullptr);
}

/// Runs LAUNCH; the device's simulated time advances by what it takes.
cl_int measure(Launch &launch, cl_device_id device, CUstream stream) {
  CUevent begin = nullptr, end = nullptr;
  CUresult error = cuEventCreate(&begin, CU_EVENT_DEFAULT);
  if (!error)
    error = cuEventCreate(&end, CU_EVENT_DEFAULT);
  if (!error)
    error = cuEventRecord(begin, stream);
  if (!error)
    error = start(launch, stream);
  if (!error)
    error = cuEventRecord(end, stream);
  if (!error)
    error = cuEventSynchronize(end);
  float milliseconds = 0;
  if (!error && !cuEventElapsedTime(&milliseconds, begin, end))
    advanceSimulatedTime(device, cl_ulong(std::llround(double(milliseconds) * 1e6)));
  for (CUevent event : {begin, end})
    if (event)
      cuEventDestroy(event);
  return errorOf(error);
}

} // namespace

VX_CL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                             const size_t *offset, const size_t *global, const size_t *local,
                             cl_uint numWaits, const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_NDRANGE_KERNEL, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  if (!isValid(kernel))
    return CL_INVALID_KERNEL;
  call.name = "kernel '" + kernel->info.name + "'";
  if (kernel->program->context.get() != queue->context.get())
    return CL_INVALID_CONTEXT;
  auto launch = std::make_shared<Launch>();
  launch->kernel = kernel;
  if (cl_int error = kernel->function(queue->device, launch->function))
    return error;
  if (cl_int error = readRange(kernel, dimensions, offset, global, local, *launch))
    return error;
  if (cl_int error = readArguments(kernel, *launch))
    return error;
  // A range without work-items is a command that does nothing.
  if (!launch->groups[0] || !launch->groups[1] || !launch->groups[2])
    return enqueue(call, nullptr);
  bool measured = queue->properties & CL_QUEUE_PROFILING_ENABLE;
  return enqueue(call, [launch, measured, device = queue->device](CUstream stream) {
    return measured ? measure(*launch, device, stream) : errorOf(start(*launch, stream));
  });
}

VX_CL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint numWaits,
                    const cl_event *waits, cl_event *event) {
  size_t one = 1;
  return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, numWaits, waits, event);
}

/// A call of FUNCTION with a copy of its arguments. Pointers to the host copies of buffers go to
/// the places in it that the call names; what it leaves there becomes the buffers' content.
struct NativeCall {
  void(CL_CALLBACK *function)(void *);
  std::vector<char> arguments;
  std::vector<std::pair<Ref<_cl_mem>, size_t>> buffers; ///< and the offset of the pointer

  cl_int operator()(CUstream stream) {
    for (auto &[buffer, place] : buffers) {
      std::lock_guard lock(buffer->mutex);
      void *copy = buffer->hostCopy(0);
      if (!copy)
        return CL_OUT_OF_HOST_MEMORY;
      if (CUresult error = cuMemcpyDtoHAsync(copy, buffer->data, buffer->size, stream))
        return errorOf(error);
      std::memcpy(arguments.data() + place, &copy, sizeof copy);
    }
    if (CUresult error = cuStreamSynchronize(stream))
      return errorOf(error);
    function(arguments.data());
    for (auto &[buffer, place] : buffers) {
      std::lock_guard lock(buffer->mutex);
      if (CUresult error =
              cuMemcpyHtoDAsync(buffer->data, buffer->hostCopy(0), buffer->size, stream))
        return errorOf(error);
    }
    return CL_SUCCESS;
  }
};

VX_CL clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
                            void *arguments, size_t size, cl_uint count, const cl_mem *objects,
                            const void **places, cl_uint numWaits, const cl_event *waits,
                            cl_event *event) {
  Enqueue call{queue, CL_COMMAND_NATIVE_KERNEL, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  if (!function || (arguments == nullptr) != (size == 0) || (!arguments && count) ||
      (count == 0) != (objects == nullptr) || (count == 0) != (places == nullptr))
    return CL_INVALID_VALUE;
  auto *bytes = static_cast<const char *>(arguments);
  NativeCall native{function, {bytes, bytes + size}, {}};
  for (cl_uint i = 0; i < count; ++i) {
    if (!isValid(objects[i]) || objects[i]->isImage())
      return CL_INVALID_MEM_OBJECT;
    // Where the pointer belongs in the arguments.
    size_t place = size_t(static_cast<const char *>(places[i]) - bytes);
    if (place > size || size - place < sizeof(void *))
      return CL_INVALID_VALUE;
    native.buffers.emplace_back(objects[i], place);
  }
  return enqueue(call, std::move(native));
}
