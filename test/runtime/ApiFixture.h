// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program for the API to serve: one fat binary with kernels `work(void*, int)` and `empty()` and
// the variable `table[4]`, registered as compiled code does it, on a FakeDevice.

#ifndef VX_TEST_RUNTIME_APIFIXTURE_H
#define VX_TEST_RUNTIME_APIFIXTURE_H

#include "FakeDevice.h"
#include "ImageBuilder.h"
#include "cuda_runtime_api.h"
#include "runtime/context/Runtime.h"
#include <future>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

namespace vx::rt::test {

/// Host stand-ins: only their addresses count.
inline char workStub, emptyStub, tableShadow[16], strangerStub;

class ApiTest : public ::testing::Test {
protected:
  FakeDevice *device = nullptr; ///< valid once the context exists
  FakeDevice::Program program;  ///< given to the next device
  FatWrapper wrapper;
  Bytes fat;
  void **handle = nullptr;

  void SetUp() override {
    KernelSpec work = kernelSpec("_Z4workPvi", {8, 4});
    work.record.maxThreads = 512;
    work.record.staticSharedBytes = 64;
    KernelSpec empty = kernelSpec("_Z5emptyv", {});
    Bytes data(64);
    std::iota(data.begin(), data.end(), 0);
    fat = fatBinary({{elfImage({work, empty}, {{"table", 16, 16}}, data)}});
    wrapper.data = fat.data();
    Runtime::get().setOpener([this](const DeviceIdentity &) -> Result<std::unique_ptr<Device>> {
      auto opened = std::make_unique<FakeDevice>();
      opened->program = [this](FakeDevice &d, const abi::LaunchDescriptor &l) {
        return program ? program(d, l) : RunReport();
      };
      device = opened.get();
      return std::unique_ptr<Device>(std::move(opened));
    });
    handle = __cudaRegisterFatBinary(&wrapper);
    registerKernel(&workStub, "_Z4workPvi");
    registerKernel(&emptyStub, "_Z5emptyv");
    char name[] = "table";
    __cudaRegisterVar(handle, tableShadow, name, name, 0, sizeof tableShadow, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    (void)cudaGetLastError();
  }

  void TearDown() override {
    cudaDeviceReset();
    __cudaUnregisterFatBinary(handle);
  }

  void registerKernel(const char *stub, const char *name) {
    __cudaRegisterFunction(handle, stub, const_cast<char *>(name), name, -1, nullptr, nullptr,
                           nullptr, nullptr, nullptr);
  }

  cudaError_t launchEmpty(dim3 grid = 1, dim3 block = 1, size_t shared = 0,
                          cudaStream_t stream = nullptr) {
    return cudaLaunchKernel((const void *)&emptyStub, grid, block, nullptr, shared, stream);
  }
  cudaError_t launchWork(void *pointer, int number, dim3 grid = 1, dim3 block = 1,
                         cudaStream_t stream = nullptr) {
    void *arguments[] = {&pointer, &number};
    return cudaLaunchKernel((const void *)&workStub, grid, block, arguments, 0, stream);
  }

  /// Returns a run that was stopped.
  static RunReport stopped(FaultKind kind, uint64_t address = 0) {
    RunReport report;
    report.fault.kind = kind;
    report.fault.cause = "a test fault";
    report.fault.address = address;
    report.fault.pc = 0x80000010;
    return report;
  }
};

} // namespace vx::rt::test

#endif // VX_TEST_RUNTIME_APIFIXTURE_H
