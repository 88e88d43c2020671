// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApiFixture.h"
#include "cuda_gl_interop_functions.h"

using namespace vx::rt::test;

using ExternalApi = ApiTest;

TEST_F(ExternalApi, NothingCanBeImported) {
  cudaExternalMemory_t memory;
  cudaExternalMemoryHandleDesc file{};
  file.type = cudaExternalMemoryHandleTypeOpaqueFd;
  EXPECT_EQ(cudaImportExternalMemory(&memory, &file), cudaErrorInvalidValue) << "no size";
  file.size = 4096;
  EXPECT_EQ(cudaImportExternalMemory(&memory, &file), cudaErrorNotSupported);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
  EXPECT_EQ(cudaDestroyExternalMemory(nullptr), cudaErrorInvalidResourceHandle);
  cudaExternalSemaphore_t semaphore;
  cudaExternalSemaphoreHandleDesc fence{};
  EXPECT_EQ(cudaImportExternalSemaphore(&semaphore, &fence), cudaErrorNotSupported);
  EXPECT_EQ(cudaImportExternalSemaphore(&semaphore, nullptr), cudaErrorInvalidValue);
  cudaExternalSemaphoreSignalParams signal{};
  semaphore = nullptr;
  EXPECT_EQ(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1),
            cudaErrorInvalidResourceHandle);
  struct cudaGraphicsResource *resource;
  EXPECT_EQ(cudaGraphicsGLRegisterBuffer(&resource, 1, 0), cudaErrorNotSupported);
  unsigned count = 7;
  int device;
  EXPECT_EQ(cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll), cudaErrorNoDevice);
  EXPECT_EQ(count, 0u);
  (void)cudaGetLastError();
}

TEST_F(ExternalApi, WhatOneDeviceCannotDo) {
  EXPECT_EQ(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                               cudaFlushGPUDirectRDMAWritesToOwner),
            cudaErrorNotSupported);
  EXPECT_EQ(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                               cudaFlushGPUDirectRDMAWritesScope(1)),
            cudaErrorInvalidValue);
  cudaLaunchParams launch{};
  EXPECT_EQ(cudaLaunchCooperativeKernelMultiDevice(&launch, 1), cudaErrorNotSupported);
  const void *table = this;
  cudaUUID_t id{};
  EXPECT_EQ(cudaGetExportTable(&table, &id), cudaErrorInvalidValue);
  EXPECT_EQ(table, nullptr);
  (void)cudaGetLastError();
}

TEST_F(ExternalApi, KernelsAsHandles) {
  cudaKernel_t kernel;
  EXPECT_EQ(cudaGetKernel(&kernel, &strangerStub), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaGetKernel(&kernel, &workStub), cudaSuccess);
  size_t offset = 0, size = 0;
  EXPECT_EQ(cudaFuncGetParamInfo(kernel, 1, &offset, &size), cudaSuccess);
  EXPECT_EQ(offset, 8u);
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(cudaFuncGetParamInfo(kernel, 2, &offset, &size), cudaErrorInvalidValue);
  void *pointer = nullptr;
  int number = 3, seen = 0;
  void *arguments[] = {&pointer, &number};
  program = [&](vx::rt::test::FakeDevice &d, const vx::abi::LaunchDescriptor &l) {
    seen = d.load<int>(l.args + 8);
    return vx::rt::RunReport();
  };
  EXPECT_EQ(cudaLaunchKernel((const void *)kernel, 1, 1, arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(seen, 3);
  (void)cudaGetLastError();
}
