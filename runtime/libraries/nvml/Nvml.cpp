// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVML: the devices as the CUDA runtime describes them.

#include <cstdio>
#include <cstring>
#include <cuda_runtime_api.h>
#include <mutex>
#include <nvml.h>
#include <string>
#include <strings.h>
#include <vector>

/// A handle is the address of a device's entry.
struct nvmlDevice_st {
  int index;
  cudaDeviceProp properties;
};

namespace {

std::mutex lock;
int users = 0;                      ///< Initializations less shutdowns.
std::vector<nvmlDevice_st> devices; ///< Never changed after the first initialization.

bool isInitialized() {
  std::lock_guard guard(lock);
  return users > 0;
}
bool isDevice(nvmlDevice_t device) {
  return !devices.empty() && device >= &devices.front() && device <= &devices.back();
}

nvmlReturn_t initialize() {
  std::lock_guard guard(lock);
  int count = 0;
  if (devices.empty() && cudaGetDeviceCount(&count) == cudaSuccess)
    for (int index = 0; index < count; ++index) {
      nvmlDevice_st device{index, {}};
      if (cudaGetDeviceProperties(&device.properties, index) != cudaSuccess)
        return NVML_ERROR_UNKNOWN;
      devices.push_back(device);
    }
  ++users;
  return NVML_SUCCESS;
}

nvmlReturn_t write(const std::string &text, char *to, unsigned length) {
  if (!to)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (text.size() >= length)
    return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVML_SUCCESS;
}

template <class T> nvmlReturn_t write(T value, T *to) {
  if (!to)
    return NVML_ERROR_INVALID_ARGUMENT;
  *to = value;
  return NVML_SUCCESS;
}

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string uuidOf(const nvmlDevice_st &device) {
  const auto *bytes = reinterpret_cast<const unsigned char *>(device.properties.uuid.bytes);
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    if (i == 4 || i == 6 || i == 8 || i == 10)
      text += '-';
    text += digits;
  }
  return text;
}

/// DIGITS is how many the domain has.
std::string busIdOf(const nvmlDevice_st &device, int digits) {
  const cudaDeviceProp &properties = device.properties;
  char text[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
  std::snprintf(text, sizeof text, "%0*X:%02X:%02X.0", digits, properties.pciDomainID,
                properties.pciBusID, properties.pciDeviceID);
  return text;
}

/// The memory of a device in bytes; the thread's current device stays as it is.
nvmlReturn_t memoryOf(const nvmlDevice_st &device, size_t &free, size_t &total) {
  int current = 0;
  if (cudaGetDevice(&current) != cudaSuccess || cudaSetDevice(device.index) != cudaSuccess)
    return NVML_ERROR_UNKNOWN;
  cudaError_t error = cudaMemGetInfo(&free, &total);
  cudaSetDevice(current);
  return error == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}

/// A device runs at one clock, in MHz.
nvmlReturn_t clockOf(const nvmlDevice_st &device, nvmlClockType_t type, unsigned *clock) {
  const cudaDeviceProp &properties = device.properties;
  switch (type) {
  case NVML_CLOCK_GRAPHICS:
  case NVML_CLOCK_SM:
    return write(unsigned(properties.clockRate) / 1000, clock);
  case NVML_CLOCK_MEM:
    return write(unsigned(properties.memoryClockRate) / 1000, clock);
  case NVML_CLOCK_VIDEO:
    return NVML_ERROR_NOT_SUPPORTED;
  default:
    return NVML_ERROR_INVALID_ARGUMENT;
  }
}

template <class Match> nvmlReturn_t find(nvmlDevice_t *device, const Match &match) {
  if (!device)
    return NVML_ERROR_INVALID_ARGUMENT;
  for (nvmlDevice_st &one : devices)
    if (match(one)) {
      *device = &one;
      return NVML_SUCCESS;
    }
  return NVML_ERROR_NOT_FOUND;
}

} // namespace

#define VX_NVML_INITIALIZED                                                                        \
  if (!isInitialized())                                                                            \
  return NVML_ERROR_UNINITIALIZED
#define VX_NVML_DEVICE                                                                             \
  VX_NVML_INITIALIZED;                                                                             \
  if (!isDevice(device))                                                                           \
  return NVML_ERROR_INVALID_ARGUMENT

extern "C" {

const char *nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
  case NVML_SUCCESS:
    return "The operation was successful";
  case NVML_ERROR_UNINITIALIZED:
    return "Uninitialized";
  case NVML_ERROR_INVALID_ARGUMENT:
    return "Invalid Argument";
  case NVML_ERROR_NOT_SUPPORTED:
    return "Not Supported";
  case NVML_ERROR_NO_PERMISSION:
    return "Insufficient Permissions";
  case NVML_ERROR_ALREADY_INITIALIZED:
    return "Already Initialized";
  case NVML_ERROR_NOT_FOUND:
    return "Not Found";
  case NVML_ERROR_INSUFFICIENT_SIZE:
    return "Insufficient Size";
  case NVML_ERROR_INSUFFICIENT_POWER:
    return "Insufficient External Power";
  case NVML_ERROR_DRIVER_NOT_LOADED:
    return "Driver Not Loaded";
  case NVML_ERROR_TIMEOUT:
    return "Timeout";
  case NVML_ERROR_IRQ_ISSUE:
    return "Interrupt Request Issue";
  case NVML_ERROR_LIBRARY_NOT_FOUND:
    return "NVML Shared Library Not Found";
  case NVML_ERROR_FUNCTION_NOT_FOUND:
    return "Function Not Found";
  case NVML_ERROR_CORRUPTED_INFOROM:
    return "Corrupted infoROM";
  case NVML_ERROR_GPU_IS_LOST:
    return "GPU is lost";
  case NVML_ERROR_RESET_REQUIRED:
    return "GPU requires reset";
  case NVML_ERROR_OPERATING_SYSTEM:
    return "GPU access blocked by the operating system";
  case NVML_ERROR_LIB_RM_VERSION_MISMATCH:
    return "Driver/library version mismatch";
  case NVML_ERROR_IN_USE:
    return "In use by another client";
  case NVML_ERROR_MEMORY:
    return "Insufficient Memory";
  case NVML_ERROR_NO_DATA:
    return "No data";
  case NVML_ERROR_VGPU_ECC_NOT_SUPPORTED:
    return "ECC is enabled";
  case NVML_ERROR_INSUFFICIENT_RESOURCES:
    return "Insufficient resources";
  case NVML_ERROR_FREQ_NOT_SUPPORTED:
    return "Frequency not supported";
  case NVML_ERROR_ARGUMENT_VERSION_MISMATCH:
    return "Argument version mismatch";
  case NVML_ERROR_DEPRECATED:
    return "Deprecated";
  case NVML_ERROR_NOT_READY:
    return "Not ready";
  case NVML_ERROR_GPU_NOT_FOUND:
    return "GPU not found";
  case NVML_ERROR_UNKNOWN:
    return "Unknown Error";
  }
  return "Unknown Error";
}

nvmlReturn_t nvmlInit_v2(void) {
  return initialize();
}
nvmlReturn_t nvmlInitWithFlags(unsigned flags) {
  const unsigned known = NVML_INIT_FLAG_NO_GPUS | NVML_INIT_FLAG_NO_ATTACH;
  return flags & ~known ? NVML_ERROR_INVALID_ARGUMENT : initialize();
}
nvmlReturn_t nvmlShutdown(void) {
  std::lock_guard guard(lock);
  if (users == 0)
    return NVML_ERROR_UNINITIALIZED;
  --users;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length) {
  VX_NVML_INITIALIZED;
  int driver = 0;
  cudaDriverGetVersion(&driver);
  return write(versionText(driver), version, length);
}
nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length) {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  return write(NVML_API_VERSION_STR "." + versionText(driver), version, length);
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version) {
  if (!version)
    return NVML_ERROR_INVALID_ARGUMENT;
  return cudaDriverGetVersion(version) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version) {
  return nvmlSystemGetCudaDriverVersion(version);
}
nvmlReturn_t nvmlSystemGetProcessName(unsigned, char *, unsigned) {
  VX_NVML_INITIALIZED;
  return NVML_ERROR_NOT_FOUND; // no other process is seen
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count) {
  VX_NVML_INITIALIZED;
  return write(unsigned(devices.size()), count);
}
nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device) {
  VX_NVML_INITIALIZED;
  return index < devices.size() ? write(&devices[index], device) : NVML_ERROR_INVALID_ARGUMENT;
}
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
  VX_NVML_INITIALIZED;
  if (!uuid)
    return NVML_ERROR_INVALID_ARGUMENT;
  return find(device, [&](const nvmlDevice_st &one) { return uuidOf(one) == uuid; });
}
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *busId, nvmlDevice_t *device) {
  VX_NVML_INITIALIZED;
  if (!busId)
    return NVML_ERROR_INVALID_ARGUMENT;
  return find(device, [&](const nvmlDevice_st &one) {
    return !strcasecmp(busIdOf(one, 4).c_str(), busId) ||
           !strcasecmp(busIdOf(one, 8).c_str(), busId);
  });
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index) {
  VX_NVML_DEVICE;
  return write(unsigned(device->index), index);
}
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned *number) {
  VX_NVML_DEVICE;
  return write(unsigned(device->index), number);
}
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned length) {
  VX_NVML_DEVICE;
  return write(device->properties.name, name, length);
}
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned length) {
  VX_NVML_DEVICE;
  return write(uuidOf(*device), uuid, length);
}
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  VX_NVML_DEVICE;
  if (!pci)
    return NVML_ERROR_INVALID_ARGUMENT;
  *pci = {};
  pci->domain = device->properties.pciDomainID;
  pci->bus = device->properties.pciBusID;
  pci->device = device->properties.pciDeviceID;
  write(busIdOf(*device, 4), pci->busIdLegacy, sizeof pci->busIdLegacy);
  return write(busIdOf(*device, 8), pci->busId, sizeof pci->busId);
}
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  VX_NVML_DEVICE;
  size_t free = 0, total = 0;
  nvmlReturn_t result = memory ? memoryOf(*device, free, total) : NVML_ERROR_INVALID_ARGUMENT;
  return result == NVML_SUCCESS ? write(nvmlMemory_t{total, free, total - free}, memory) : result;
}
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory) {
  VX_NVML_DEVICE;
  if (!memory)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (memory->version != nvmlMemory_v2)
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  size_t free = 0, total = 0;
  nvmlReturn_t result = memoryOf(*device, free, total);
  return result == NVML_SUCCESS
             ? write(nvmlMemory_v2_t{memory->version, total, 0, free, total - free}, memory)
             : result;
}
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor) {
  VX_NVML_DEVICE;
  nvmlReturn_t result = write(device->properties.major, major);
  return result == NVML_SUCCESS ? write(device->properties.minor, minor) : result;
}
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode) {
  VX_NVML_DEVICE;
  return write(nvmlComputeMode_t(device->properties.computeMode), mode);
}
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *clock) {
  VX_NVML_DEVICE;
  return clockOf(*device, type, clock);
}
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *clock) {
  VX_NVML_DEVICE;
  return clockOf(*device, type, clock);
}
nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned *width) {
  VX_NVML_DEVICE;
  return write(unsigned(device->properties.memoryBusWidth), width);
}

// What there is nothing to say about.
#define VX_NVML_MISSING(NAME, ...)                                                                 \
  nvmlReturn_t nvml##NAME(nvmlDevice_t device __VA_OPT__(, ) __VA_ARGS__) {                        \
    VX_NVML_DEVICE;                                                                                \
    return NVML_ERROR_NOT_SUPPORTED;                                                               \
  }
VX_NVML_MISSING(DeviceGetSerial, char *, unsigned int)
VX_NVML_MISSING(DeviceGetBoardPartNumber, char *, unsigned int)
VX_NVML_MISSING(DeviceGetVbiosVersion, char *, unsigned int)
VX_NVML_MISSING(DeviceGetBrand, nvmlBrandType_t *)
VX_NVML_MISSING(DeviceGetArchitecture, nvmlDeviceArchitecture_t *)
VX_NVML_MISSING(DeviceGetNumGpuCores, unsigned int *)
VX_NVML_MISSING(DeviceGetTemperature, nvmlTemperatureSensors_t, unsigned int *)
VX_NVML_MISSING(DeviceGetTemperatureThreshold, nvmlTemperatureThresholds_t, unsigned int *)
VX_NVML_MISSING(DeviceGetFanSpeed, unsigned int *)
VX_NVML_MISSING(DeviceGetPowerUsage, unsigned int *)
VX_NVML_MISSING(DeviceGetPowerManagementMode, nvmlEnableState_t *)
VX_NVML_MISSING(DeviceGetPowerManagementLimit, unsigned int *)
VX_NVML_MISSING(DeviceGetPowerManagementDefaultLimit, unsigned int *)
VX_NVML_MISSING(DeviceGetPowerManagementLimitConstraints, unsigned int *, unsigned int *)
VX_NVML_MISSING(DeviceGetEnforcedPowerLimit, unsigned int *)
VX_NVML_MISSING(DeviceSetPowerManagementLimit, unsigned int)
VX_NVML_MISSING(DeviceGetTotalEnergyConsumption, unsigned long long *)
VX_NVML_MISSING(DeviceGetUtilizationRates, nvmlUtilization_t *)
VX_NVML_MISSING(DeviceGetPerformanceState, nvmlPstates_t *)
VX_NVML_MISSING(DeviceGetPersistenceMode, nvmlEnableState_t *)
VX_NVML_MISSING(DeviceSetPersistenceMode, nvmlEnableState_t)
VX_NVML_MISSING(DeviceSetComputeMode, nvmlComputeMode_t)
VX_NVML_MISSING(DeviceGetEccMode, nvmlEnableState_t *, nvmlEnableState_t *)
VX_NVML_MISSING(DeviceGetDisplayMode, nvmlEnableState_t *)
VX_NVML_MISSING(DeviceGetDisplayActive, nvmlEnableState_t *)
VX_NVML_MISSING(DeviceGetBAR1MemoryInfo, nvmlBAR1Memory_t *)
VX_NVML_MISSING(DeviceGetPcieThroughput, nvmlPcieUtilCounter_t, unsigned int *)
VX_NVML_MISSING(DeviceGetCurrPcieLinkGeneration, unsigned int *)
VX_NVML_MISSING(DeviceGetCurrPcieLinkWidth, unsigned int *)
VX_NVML_MISSING(DeviceGetMaxPcieLinkGeneration, unsigned int *)
VX_NVML_MISSING(DeviceGetMaxPcieLinkWidth, unsigned int *)
VX_NVML_MISSING(DeviceGetApplicationsClock, nvmlClockType_t, unsigned int *)
VX_NVML_MISSING(DeviceSetApplicationsClocks, unsigned int, unsigned int)
VX_NVML_MISSING(DeviceResetApplicationsClocks)
VX_NVML_MISSING(DeviceGetSupportedMemoryClocks, unsigned int *, unsigned int *)
VX_NVML_MISSING(DeviceGetSupportedGraphicsClocks, unsigned int, unsigned int *, unsigned int *)
VX_NVML_MISSING(DeviceSetGpuLockedClocks, unsigned int, unsigned int)
VX_NVML_MISSING(DeviceResetGpuLockedClocks)
VX_NVML_MISSING(DeviceGetComputeRunningProcesses_v3, unsigned int *, nvmlProcessInfo_t *)
VX_NVML_MISSING(DeviceGetGraphicsRunningProcesses_v3, unsigned int *, nvmlProcessInfo_t *)
VX_NVML_MISSING(DeviceGetMigMode, unsigned int *, unsigned int *)
VX_NVML_MISSING(DeviceGetNvLinkState, unsigned int, nvmlEnableState_t *)
VX_NVML_MISSING(DeviceGetTopologyCommonAncestor, nvmlDevice_t, nvmlGpuTopologyLevel_t *)
VX_NVML_MISSING(DeviceGetCpuAffinity, unsigned int, unsigned long *)
VX_NVML_MISSING(DeviceSetCpuAffinity)
VX_NVML_MISSING(DeviceClearCpuAffinity)

} // extern "C"
