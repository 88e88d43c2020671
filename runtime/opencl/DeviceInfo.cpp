// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clGetDeviceInfo. One line each; what the driver knows is asked from it.

#include "intrinsics/opencl/Convention.h"
#include "runtime/opencl/Api.h"
#include "runtime/opencl/Device.h"
#include "runtime/opencl/Svm.h"

using namespace vx::cl;

namespace {

/// Returns true if DEVICE works on the memory of the host and of the other devices.
bool sharesMemory(cl_device_id device) {
  return svmCapabilities(device) & CL_DEVICE_SVM_ATOMICS;
}

/// Returns the features that CL_DEVICE_OPENCL_C_FEATURES lists.
std::vector<std::string> features(cl_device_id device) {
  std::vector<std::string> names;
  auto add = [&](std::string name, bool) {
    bool missing = name == "__opencl_c_atomic_scope_all_devices" && !sharesMemory(device);
    if (name.starts_with("__opencl_c_") && !missing)
      names.push_back(std::move(name));
  };
#define OPENCL_EXTENSION(NAME, REPORTED) add(#NAME, REPORTED);
#include "intrinsics/opencl/Extensions.def"
  return names;
}

std::vector<cl_name_version> languageVersions() {
  std::vector<cl_name_version> versions;
  for (auto [major, minor] : {std::pair(1, 0), {1, 1}, {1, 2}, {2, 0}, {3, 0}}) {
    cl_name_version v = {cl_version(CL_MAKE_VERSION(major, minor, 0)), "OpenCL C"};
    versions.push_back(v);
  }
  return versions;
}

cl_device_atomic_capabilities atomicCapabilities(cl_device_id device) {
  cl_device_atomic_capabilities can =
      CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
      CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |
      CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE;
  return sharesMemory(device) ? can | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES : can;
}

size_t memoryOf(cl_device_id device) {
  size_t bytes = 0;
  return cuDeviceTotalMem(&bytes, device->device) == CUDA_SUCCESS ? bytes : 0;
}

// Arithmetic keeps denormals, but libclc's functions of floats do not: exp(-90.f) is zero.
constexpr cl_device_fp_config kFloats =
    CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;

} // namespace

namespace vx::cl {

std::vector<cl_name_version> namesWithVersion(const std::vector<std::string> &names) {
  std::vector<cl_name_version> list;
  for (const std::string &name : names) {
    bool isFeature = name.starts_with("__opencl_c_");
    cl_name_version entry = {isFeature ? kVersion : cl_version(CL_MAKE_VERSION(1, 0, 0)), {}};
    std::strncpy(entry.name, name.c_str(), CL_NAME_VERSION_MAX_NAME_SIZE - 1);
    list.push_back(entry);
  }
  return list;
}

} // namespace vx::cl

/// A table: a row for each thing that can be asked about.
VX_CL clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void *value,
                      size_t *needed) {
  if (!isValid(device))
    return CL_INVALID_DEVICE;
  InfoWriter out(size, value, needed);
  switch (name) {
#define VX_ROW(NAME, ...)                                                                          \
  case NAME:                                                                                       \
    return out.__VA_ARGS__;
    // Who it is.
    VX_ROW(CL_DEVICE_TYPE, number(cl_device_type(CL_DEVICE_TYPE_GPU)))
    VX_ROW(CL_DEVICE_VENDOR_ID, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_VENDOR, text("vxcc"))
    VX_ROW(CL_DRIVER_VERSION, text(VX_VERSION))
    VX_ROW(CL_DEVICE_PROFILE, text("FULL_PROFILE"))
    VX_ROW(CL_DEVICE_VERSION, text("OpenCL 3.0 vxcc"))
    VX_ROW(CL_DEVICE_NUMERIC_VERSION, number(kVersion))
    VX_ROW(CL_DEVICE_OPENCL_C_VERSION, text("OpenCL C 1.2 vxcc"))
    VX_ROW(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, number(cl_version(CL_MAKE_VERSION(1, 2, 0))))
    VX_ROW(CL_DEVICE_OPENCL_C_ALL_VERSIONS, list(languageVersions()))
    VX_ROW(CL_DEVICE_OPENCL_C_FEATURES, list(namesWithVersion(features(device))))
    VX_ROW(CL_DEVICE_EXTENSIONS, text(extensionText()))
    VX_ROW(CL_DEVICE_EXTENSIONS_WITH_VERSION, list(namesWithVersion(extensions())))
    VX_ROW(CL_DEVICE_BUILT_IN_KERNELS, text(""))
    VX_ROW(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, list(std::vector<cl_name_version>()))
    VX_ROW(CL_DEVICE_ILS_WITH_VERSION, list(intermediateLanguages()))
    VX_ROW(CL_DEVICE_IL_VERSION, text(intermediateLanguageNames()))
    VX_ROW(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, text(""))
    VX_ROW(CL_DEVICE_PLATFORM, number(platform()))
    VX_ROW(CL_DEVICE_PARENT_DEVICE, number(cl_device_id(nullptr)))
    VX_ROW(CL_DEVICE_REFERENCE_COUNT, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_AVAILABLE, number(cl_bool(CL_TRUE)))
    VX_ROW(CL_DEVICE_COMPILER_AVAILABLE, number(cl_bool(CL_TRUE)))
    VX_ROW(CL_DEVICE_LINKER_AVAILABLE, number(cl_bool(CL_TRUE)))
    // How it computes.
    VX_ROW(CL_DEVICE_MAX_COMPUTE_UNITS,
           number(cl_uint(device->attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT))))
    VX_ROW(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, number(cl_uint(3)))
    VX_ROW(CL_DEVICE_MAX_WORK_ITEM_SIZES,
           list(std::vector<size_t>{kMaxGroupSize, kMaxGroupSize, 64}))
    VX_ROW(CL_DEVICE_MAX_WORK_GROUP_SIZE, number(kMaxGroupSize))
    VX_ROW(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, number(size_t(vx::opencl::kSubGroupSize)))
    VX_ROW(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, number(cl_bool(CL_FALSE)))
    VX_ROW(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, number(cl_bool(CL_TRUE)))
    VX_ROW(CL_DEVICE_MAX_NUM_SUB_GROUPS, number(cl_uint(kMaxGroupSize / 8)))
    VX_ROW(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, number(cl_bool(CL_FALSE)))
    VX_ROW(CL_DEVICE_SUB_GROUP_SIZES_INTEL, list(std::vector<size_t>{8, 16, 32}))
    VX_ROW(CL_DEVICE_MAX_CLOCK_FREQUENCY,
           number(cl_uint(device->attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000)))
    VX_ROW(CL_DEVICE_ADDRESS_BITS, number(cl_uint(64)))
    VX_ROW(CL_DEVICE_ENDIAN_LITTLE, number(cl_bool(CL_TRUE)))
    VX_ROW(CL_DEVICE_SINGLE_FP_CONFIG, number(kFloats | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT))
    VX_ROW(CL_DEVICE_DOUBLE_FP_CONFIG, number(kFloats | CL_FP_DENORM))
    VX_ROW(CL_DEVICE_HALF_FP_CONFIG, number(cl_device_fp_config(0)))
    VX_ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_EXECUTION_CAPABILITIES,
           number(cl_device_exec_capabilities(CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL)))
    VX_ROW(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, number(atomicCapabilities(device)))
    VX_ROW(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, number(atomicCapabilities(device)))
    VX_ROW(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, number(cl_bool(CL_TRUE)))
    // Memory.
    VX_ROW(CL_DEVICE_GLOBAL_MEM_SIZE, number(cl_ulong(memoryOf(device))))
    VX_ROW(CL_DEVICE_MAX_MEM_ALLOC_SIZE, number(cl_ulong(memoryOf(device) / 4)))
    VX_ROW(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, number(cl_device_mem_cache_type(CL_READ_WRITE_CACHE)))
    VX_ROW(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE,
           number(cl_ulong(device->attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE))))
    VX_ROW(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, number(cl_uint(64)))
    VX_ROW(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE,
           number(cl_ulong(device->attribute(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY))))
    VX_ROW(CL_DEVICE_MAX_CONSTANT_ARGS, number(cl_uint(64)))
    VX_ROW(CL_DEVICE_MAX_PARAMETER_SIZE, number(size_t(4096)))
    VX_ROW(CL_DEVICE_LOCAL_MEM_TYPE, number(cl_device_local_mem_type(CL_LOCAL)))
    VX_ROW(CL_DEVICE_LOCAL_MEM_SIZE,
           number(cl_ulong(device->attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK))))
    VX_ROW(CL_DEVICE_MEM_BASE_ADDR_ALIGN, number(cl_uint(kAlignment * 8)))
    VX_ROW(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, number(cl_uint(kAlignment)))
    VX_ROW(CL_DEVICE_ERROR_CORRECTION_SUPPORT, number(cl_bool(CL_FALSE)))
    VX_ROW(CL_DEVICE_HOST_UNIFIED_MEMORY, number(cl_bool(CL_FALSE)))
    VX_ROW(CL_DEVICE_SVM_CAPABILITIES, number(svmCapabilities(device)))
    VX_ROW(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, number(size_t(65536)))
    VX_ROW(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, number(size_t(65536)))
    VX_ROW(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, number(cl_bool(CL_TRUE)))
    // Images.
    VX_ROW(CL_DEVICE_IMAGE_SUPPORT, number(cl_bool(CL_TRUE)))
    VX_ROW(CL_DEVICE_MAX_READ_IMAGE_ARGS, number(cl_uint(128)))
    VX_ROW(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, number(cl_uint(64)))
    VX_ROW(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, number(cl_uint(64)))
    VX_ROW(CL_DEVICE_IMAGE2D_MAX_WIDTH, number(kMaxImageWidth))
    VX_ROW(CL_DEVICE_IMAGE2D_MAX_HEIGHT, number(kMaxImageWidth))
    VX_ROW(CL_DEVICE_IMAGE3D_MAX_WIDTH, number(kMaxImageDepth))
    VX_ROW(CL_DEVICE_IMAGE3D_MAX_HEIGHT, number(kMaxImageDepth))
    VX_ROW(CL_DEVICE_IMAGE3D_MAX_DEPTH, number(kMaxImageDepth))
    VX_ROW(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, number(kMaxImageBuffer))
    VX_ROW(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, number(kMaxImageArray))
    VX_ROW(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, number(cl_uint(1)))
    VX_ROW(CL_DEVICE_MAX_SAMPLERS, number(cl_uint(16)))
    // Queues and the rest.
    VX_ROW(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
           number(cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE |
                                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)))
    VX_ROW(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, number(cl_command_queue_properties(0)))
    VX_ROW(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_MAX_ON_DEVICE_QUEUES, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_MAX_ON_DEVICE_EVENTS, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, number(cl_device_device_enqueue_capabilities(0)))
    VX_ROW(CL_DEVICE_PIPE_SUPPORT, number(cl_bool(CL_FALSE)))
    VX_ROW(CL_DEVICE_MAX_PIPE_ARGS, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_PIPE_MAX_PACKET_SIZE, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_PROFILING_TIMER_RESOLUTION, number(size_t(1)))
    VX_ROW(CL_DEVICE_PRINTF_BUFFER_SIZE, number(size_t(1 << 20)))
    VX_ROW(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, number(cl_uint(0)))
    VX_ROW(CL_DEVICE_PARTITION_PROPERTIES, list(std::vector<cl_device_partition_property>{0}))
    VX_ROW(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, number(cl_device_affinity_domain(0)))
    VX_ROW(CL_DEVICE_PARTITION_TYPE, list(std::vector<cl_device_partition_property>{0}))
#undef VX_ROW
  case CL_DEVICE_NAME: {
    char text[256] = "";
    cuDeviceGetName(text, sizeof text, device->device);
    return out.text(text);
  }
  default:
    return CL_INVALID_VALUE;
  }
}
