// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApiFixture.h"
#include <thread>

using namespace vx::rt;
using namespace vx::rt::test;

using LaunchApi = ApiTest;

TEST_F(LaunchApi, TheDeviceSeesArgumentsAndDimensions) {
  vx::abi::LaunchDescriptor seen{};
  uint64_t pointer = 0, entry = 0;
  int number = 0;
  program = [&](FakeDevice &d, const vx::abi::LaunchDescriptor &l) {
    seen = l;
    pointer = d.load<uint64_t>(l.args);
    number = d.load<int>(l.args + 8);
    entry = d.startedAt;
    return RunReport();
  };
  void *p;
  ASSERT_EQ(cudaMalloc(&p, 4), cudaSuccess);
  EXPECT_EQ(launchWork(p, -7, dim3(2, 3, 4), dim3(4, 2)), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(pointer, uint64_t(p));
  EXPECT_EQ(number, -7);
  EXPECT_EQ(entry, 0x80000000u) << "the image's start-up code";
  EXPECT_EQ(seen.kernelEntry, 0x80000010u);
  EXPECT_EQ(seen.numBlocks, 24u);
  EXPECT_EQ(seen.blockThreads, 8u);
  EXPECT_EQ(seen.sharedBase, 0x1FFFF0000u);
  EXPECT_NE(seen.printfBuffer, 0u);
  EXPECT_NE(seen.heap, 0u);
  EXPECT_EQ(launchWork(p, 0, 1, 100), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(seen.kernelEntry, 0x80000020u) << "larger than a core: the chunked entry";
}

TEST_F(LaunchApi, BadConfigurations) {
  EXPECT_EQ(launchEmpty(0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launchEmpty(1, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launchEmpty(1, 1025), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launchEmpty(1, dim3(32, 33)), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launchEmpty(1, dim3(1, 1, 65)), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launchEmpty(dim3(1, 65536)), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launchEmpty(1, dim3(65536, 65536, 1)), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launchEmpty(1, 1, 48 * 1024 + 1), cudaErrorInvalidValue);
  EXPECT_EQ(launchWork(nullptr, 0, 1, 513), cudaErrorInvalidValue) << "above its launch bounds";
  EXPECT_EQ(launchEmpty(1, 1024), cudaSuccess);
  EXPECT_EQ(launchEmpty(1, 1, 48 * 1024), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(LaunchApi, UnknownFunctionsAndStreams) {
  EXPECT_EQ(cudaLaunchKernel((const void *)&strangerStub, 1, 1, nullptr, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaLaunchKernel((const void *)nullptr, 1, 1, nullptr, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(launchEmpty(1, 1, 0, reinterpret_cast<cudaStream_t>(0x77)),
            cudaErrorInvalidResourceHandle);
  cudaFuncAttributes attributes;
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, (const void *)&strangerStub),
            cudaErrorInvalidDeviceFunction);
}

TEST_F(LaunchApi, FunctionAttributes) {
  cudaFuncAttributes attributes;
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, (const void *)&workStub), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 512);
  EXPECT_EQ(attributes.sharedSizeBytes, 64u);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 48 * 1024 - 64);
  EXPECT_EQ(cudaFuncSetAttribute((const void *)&emptyStub,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024),
            cudaSuccess);
  EXPECT_EQ(launchEmpty(1, 1, 64 * 1024), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute((const void *)&emptyStub,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute((const void *)&emptyStub, cudaFuncAttribute(77), 1),
            cudaErrorInvalidValue);
}

TEST_F(LaunchApi, CooperativeLaunchesMustBeResident) {
  unsigned flags = 0;
  program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &l) {
    flags = l.flags;
    return RunReport();
  };
  auto launch = [&](unsigned blocks) {
    return cudaLaunchCooperativeKernel((const void *)&emptyStub, dim3(blocks), dim3(4), nullptr, 0,
                                       nullptr);
  };
  EXPECT_EQ(launch(8), cudaSuccess) << "4 warps on each of 2 cores";
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(flags, unsigned(vx::abi::kLaunchCooperative));
  EXPECT_EQ(launch(9), cudaErrorCooperativeLaunchTooLarge);
}

TEST_F(LaunchApi, LaunchAttributes) {
  unsigned flags = 77;
  program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &l) {
    flags = l.flags;
    return RunReport();
  };
  cudaLaunchAttribute attribute = {};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(9);
  config.blockDim = dim3(4);
  config.attrs = &attribute;
  config.numAttrs = 1;
  auto launch = [&] { return cudaLaunchKernelExC(&config, (const void *)&emptyStub, nullptr); };
  attribute.id = cudaLaunchAttributePriority;
  EXPECT_EQ(launch(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(flags, 0u);
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  EXPECT_EQ(launch(), cudaErrorCooperativeLaunchTooLarge);
  config.gridDim = dim3(8);
  EXPECT_EQ(launch(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(flags, unsigned(vx::abi::kLaunchCooperative));
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {3, 1, 1};
  EXPECT_EQ(launch(), cudaErrorInvalidClusterSize); // of a grid of 8
  attribute.val.clusterDim = {0, 1, 1};
  EXPECT_EQ(launch(), cudaErrorInvalidClusterSize);
  attribute.val.clusterDim = {2, 1, 1};
  EXPECT_EQ(launch(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  attribute.id = cudaLaunchAttributeID(99);
  EXPECT_EQ(launch(), cudaErrorInvalidValue);
  config.attrs = nullptr;
  EXPECT_EQ(launch(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernelExC(nullptr, (const void *)&emptyStub, nullptr), cudaErrorInvalidValue);
}

TEST_F(LaunchApi, Occupancy) {
  int blocks = -1;
  auto query = [&](int size, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)&emptyStub, size,
                                                         shared);
  };
  EXPECT_EQ(query(4, 0), cudaSuccess);
  EXPECT_EQ(blocks, 4);
  EXPECT_EQ(query(8, 0), cudaSuccess);
  EXPECT_EQ(blocks, 2);
  EXPECT_EQ(query(4, 8192), cudaSuccess);
  EXPECT_EQ(blocks, 2);
  EXPECT_EQ(query(2000, 0), cudaSuccess);
  EXPECT_EQ(blocks, 0);
  EXPECT_EQ(query(0, 0), cudaErrorInvalidValue);
  int grid = 0, size = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &size, &workStub), cudaSuccess);
  EXPECT_EQ(size, 512);
  EXPECT_EQ(grid, 2);
}

TEST_F(LaunchApi, PushedConfigurationsComeBackInReverse) {
  __cudaPushCallConfiguration(dim3(1), dim3(2), 3, nullptr);
  __cudaPushCallConfiguration(dim3(4), dim3(5), 6, nullptr);
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(grid.x, 4u);
  EXPECT_EQ(shared, 6u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(block.x, 2u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
            cudaErrorMissingConfiguration);
}

TEST_F(LaunchApi, PrintedTextAppearsAndTheBufferIsReused) {
  program = [](FakeDevice &d, const vx::abi::LaunchDescriptor &l) {
    auto header = d.load<vx::abi::PrintfBuffer>(l.printfBuffer);
    EXPECT_EQ(header.used, 0u);
    uint64_t format = *d.memAlloc(16, 3);
    std::memcpy(d.at(format, 16), "n=%d\n", 6);
    uint64_t record = l.printfBuffer + sizeof header;
    EXPECT_EQ(d.load<vx::abi::PrintfRecord>(record).valid, 0u);
    d.store(record, vx::abi::PrintfRecord{format, 4, 1});
    d.store(record + sizeof(vx::abi::PrintfRecord), d.load<int>(l.args + 8));
    d.store(l.printfBuffer + 8, uint64_t(24));
    return RunReport();
  };
  testing::internal::CaptureStdout();
  launchWork(nullptr, 1);
  launchWork(nullptr, 2);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "n=1\nn=2\n");
}

TEST_F(LaunchApi, LargeSharedMemoryIsGlobalMemory) {
  vx::abi::LaunchDescriptor seen{};
  program = [&](FakeDevice &d, const vx::abi::LaunchDescriptor &l) {
    seen = l;
    EXPECT_NE(d.at(l.sharedBase, l.sharedCoreStride * 2), nullptr) << "it is all mapped";
    return RunReport();
  };
  EXPECT_EQ(launchEmpty(4, 16, 40000), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_NE(seen.sharedBase, 0x1FFFF0000u);
  EXPECT_GE(seen.sharedCoreStride, 40000u);
}

TEST_F(LaunchApi, ObjectsWithTheSameAddressesTakeTurns) {
  Bytes data(64, 9);
  KernelSpec other = kernelSpec("_Z5emptyv", {}); // the same name as in the first object
  other.record.directEntry = 0x80000030;
  Bytes secondFat = fatBinary({{elfImage({other}, {{"own", 0, 4}}, data)}});
  FatWrapper second;
  second.data = secondFat.data();
  static char otherStub, ownShadow[4];
  void **secondHandle = __cudaRegisterFatBinary(&second);
  __cudaRegisterFunction(secondHandle, &otherStub, &otherStub, "_Z5emptyv", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  __cudaRegisterVar(secondHandle, ownShadow, ownShadow, "own", 0, 4, 0, 0);
  std::vector<uint64_t> entries;
  program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &l) {
    entries.push_back(l.kernelEntry);
    return RunReport();
  };
  int value = 77, read = 0;
  EXPECT_EQ(cudaMemcpyToSymbol(tableShadow, &value, 4), cudaSuccess);
  EXPECT_EQ(launchEmpty(), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel((const void *)&otherStub, 1, 1, nullptr, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(&read, ownShadow, 4), cudaSuccess);
  EXPECT_EQ(read, 0x09090909);
  EXPECT_EQ(cudaMemcpyFromSymbol(&read, tableShadow, 4), cudaSuccess);
  EXPECT_EQ(read, 77) << "the first object's variable kept its value";
  EXPECT_EQ(entries, (std::vector<uint64_t>{0x80000010, 0x80000030}));
  __cudaUnregisterFatBinary(secondHandle);
  EXPECT_EQ(cudaLaunchKernel((const void *)&otherStub, 1, 1, nullptr, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
}

TEST_F(LaunchApi, ObjectsThatCanBeMovedAreOnTheDeviceTogether) {
  // A pointer variable that holds its own address, as the linker would leave it.
  Bytes data(64);
  uint64_t linked = 0x80001000;
  std::memcpy(data.data(), &linked, 8);
  KeptRelocations kept{{0}};
  KernelSpec other = kernelSpec("other", {});
  Bytes secondFat = fatBinary({{elfImage({other}, {{"self", 0, 8}}, data, &kept)}});
  FatWrapper second;
  second.data = secondFat.data();
  static char otherStub, selfShadow[8];
  void **secondHandle = __cudaRegisterFatBinary(&second);
  __cudaRegisterFunction(secondHandle, &otherStub, &otherStub, "other", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  __cudaRegisterVar(secondHandle, selfShadow, selfShadow, "self", 0, 8, 0, 0);
  vx::abi::LaunchDescriptor seen{};
  uint64_t startedAt = 0;
  program = [&](FakeDevice &d, const vx::abi::LaunchDescriptor &l) {
    seen = l;
    startedAt = d.startedAt;
    EXPECT_NE(d.at(0x80000000, 64), nullptr) << "the first object is still there";
    return RunReport();
  };
  EXPECT_EQ(launchEmpty(), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel((const void *)&otherStub, 1, 1, nullptr, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_GT(startedAt, 0x80000000u);
  EXPECT_EQ(seen.kernelEntry - startedAt, 0x10u);
  void *address = nullptr, *self = nullptr;
  EXPECT_EQ(cudaGetSymbolAddress(&address, selfShadow), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(&self, selfShadow, 8), cudaSuccess);
  EXPECT_EQ(uint64_t(address) - startedAt, 0x1000u);
  EXPECT_EQ(self, address) << "the stored address moved along";
  __cudaUnregisterFatBinary(secondHandle);
}

TEST_F(LaunchApi, DamagedDeviceCodeIsAnErrorOfTheLaunch) {
  Bytes broken = fat;
  broken[0] ^= 1;
  FatWrapper second;
  second.data = broken.data();
  static char brokenStub;
  void **secondHandle = __cudaRegisterFatBinary(&second);
  __cudaRegisterFunction(secondHandle, &brokenStub, &brokenStub, "k", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaLaunchKernel((const void *)&brokenStub, 1, 1, nullptr, 0, nullptr),
            cudaErrorNoKernelImageForDevice);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("fat binary"), std::string::npos);
  EXPECT_EQ(launchEmpty(), cudaSuccess) << "the rest of the program still works";
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  __cudaUnregisterFatBinary(secondHandle);
}

TEST_F(LaunchApi, ManyThreadsLaunch) {
  std::atomic<int> runs{0};
  program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &) {
    ++runs;
    return RunReport();
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      cudaStream_t stream;
      EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
      for (int i = 0; i < 50; ++i) {
        void *p;
        EXPECT_EQ(cudaMalloc(&p, 64), cudaSuccess);
        EXPECT_EQ(launchWork(p, i, 1, 1, stream), cudaSuccess);
        EXPECT_EQ(cudaFree(p), cudaSuccess);
      }
      EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(runs, 200);
}
