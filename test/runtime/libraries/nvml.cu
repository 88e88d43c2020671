// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVML's facts of devices are those of the CUDA runtime; the rest is not supported.
// REQUIRES: blas
// RUN: %vxcc -O1 -std=c++17 -I%inputs %s -o %t -lnvidia-ml
// RUN: %run %t | FileCheck %s
// RUN: env VX_DEVICES=3 %run %t | FileCheck %s
// CHECK: PASS

#include "harness.h"
#include <nvml.h>
#include <string>

#define CHECK_NVML(call)                                                                           \
  do {                                                                                             \
    nvmlReturn_t result_ = (call);                                                                 \
    if (result_ != NVML_SUCCESS) {                                                                 \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, nvmlErrorString(result_));         \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

static void describes(unsigned index) {
  nvmlDevice_t device, found;
  CHECK_NVML(nvmlDeviceGetHandleByIndex(index, &device));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, index));
  char text[NVML_DEVICE_NAME_V2_BUFFER_SIZE];
  CHECK_NVML(nvmlDeviceGetName(device, text, sizeof text));
  EXPECT(std::string(text) == properties.name);
  EXPECT(nvmlDeviceGetName(device, text, 2) == NVML_ERROR_INSUFFICIENT_SIZE);
  CHECK_NVML(nvmlDeviceGetUUID(device, text, sizeof text));
  CHECK_NVML(nvmlDeviceGetHandleByUUID(text, &found));
  EXPECT(found == device && std::string(text).substr(0, 4) == "GPU-");
  nvmlPciInfo_t pci;
  CHECK_NVML(nvmlDeviceGetPciInfo(device, &pci));
  char busId[32];
  CHECK(cudaDeviceGetPCIBusId(busId, sizeof busId, index));
  CHECK_NVML(nvmlDeviceGetHandleByPciBusId(busId, &found));
  EXPECT(found == device);
  CHECK_NVML(nvmlDeviceGetHandleByPciBusId(pci.busId, &found));
  EXPECT(found == device);
  nvmlMemory_t memory;
  size_t free, total;
  CHECK(cudaSetDevice(index));
  DeviceArray<char> some(1 << 16);
  CHECK(cudaMemGetInfo(&free, &total));
  CHECK_NVML(nvmlDeviceGetMemoryInfo(device, &memory));
  EXPECT(memory.free == free && memory.total == total && memory.used == total - free);
  int major, minor, current;
  CHECK_NVML(nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
  EXPECT(major == properties.major && minor == properties.minor);
  CHECK(cudaGetDevice(&current));
  EXPECT(current == int(index)); // the current device stays
  unsigned number;
  CHECK_NVML(nvmlDeviceGetIndex(device, &number));
  EXPECT(number == index);
  CHECK_NVML(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, &number));
  EXPECT(number == unsigned(properties.clockRate) / 1000);
  nvmlUtilization_t utilization;
  EXPECT(nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &number) ==
         NVML_ERROR_NOT_SUPPORTED);
  EXPECT(nvmlDeviceGetPowerUsage(device, &number) == NVML_ERROR_NOT_SUPPORTED);
  EXPECT(nvmlDeviceGetUtilizationRates(device, &utilization) == NVML_ERROR_NOT_SUPPORTED);
}

int main() {
  unsigned count = 0;
  int here = 0, version = 0, driver = 0;
  EXPECT(nvmlDeviceGetCount(&count) == NVML_ERROR_UNINITIALIZED);
  EXPECT(nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
  CHECK_NVML(nvmlInit());
  CHECK_NVML(nvmlDeviceGetCount(&count));
  CHECK(cudaGetDeviceCount(&here));
  EXPECT(count == unsigned(here));
  CHECK_NVML(nvmlSystemGetCudaDriverVersion(&version));
  CHECK(cudaDriverGetVersion(&driver));
  EXPECT(version == driver);
  for (unsigned index = 0; index < count; ++index)
    describes(index);
  nvmlDevice_t device;
  EXPECT(nvmlDeviceGetHandleByIndex(count, &device) == NVML_ERROR_INVALID_ARGUMENT);
  EXPECT(nvmlDeviceGetPowerUsage(nullptr, &count) == NVML_ERROR_INVALID_ARGUMENT);
  CHECK_NVML(nvmlShutdown());
  return finish();
}
