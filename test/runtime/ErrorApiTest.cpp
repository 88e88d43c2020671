// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error codes: names, what stays and what goes, and what a stopped kernel turns into.

#include "ApiFixture.h"
#include "intrinsics/abi/AddressMap.h"

using namespace vx::rt;
using namespace vx::rt::test;

TEST(ErrorText, NamesAndTextsOfCuda) {
  EXPECT_STREQ(cudaGetErrorName(cudaSuccess), "cudaSuccess");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress),
               "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
  EXPECT_STREQ(cudaGetErrorName(cudaError_t(12345)), "unrecognized error code");
  EXPECT_STREQ(cudaGetErrorString(cudaError_t(12345)), "unrecognized error code");
}

using ErrorApi = ApiTest;

TEST_F(ErrorApi, ArgumentErrorsAreForgottenOnceAskedFor) {
  EXPECT_EQ(cudaMemcpy(nullptr, &workStub, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "the device still works";
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue) << "a success does not clear it";
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(ErrorApi, ErrorsBelongToTheThread) {
  EXPECT_EQ(cudaSetDevice(7), cudaErrorInvalidDevice);
  cudaError_t other = cudaErrorUnknown;
  std::thread([&] { other = cudaPeekAtLastError(); }).join();
  EXPECT_EQ(other, cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST_F(ErrorApi, AStoppedKernelBreaksTheContextUntilReset) {
  program = [](FakeDevice &, const vx::abi::LaunchDescriptor &) {
    return stopped(FaultKind::MemoryAccess, 0x40);
  };
  void *p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 16), cudaSuccess);
  testing::internal::CaptureStderr();
  EXPECT_EQ(launchWork(p, 1, 2, 8), cudaSuccess) << "launches are asynchronous";
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("work(void*, int)"), std::string::npos) << text;
  EXPECT_NE(text.find("0x40"), std::string::npos) << text;
  EXPECT_NE(text.find("0x80000010"), std::string::npos) << text;
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "the context is broken, the thread is not";
  EXPECT_EQ(cudaMalloc(&p, 16), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorIllegalAddress);
  int number = -1;
  cudaPointerAttributes attributes;
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0), cudaSuccess);
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, p), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(p, p, 4, cudaMemcpyKind(9)), cudaErrorInvalidMemcpyDirection);
  cudaError_t other = cudaErrorUnknown;
  std::thread([&] { other = cudaGetLastError(); }).join();
  EXPECT_EQ(other, cudaSuccess);
  EXPECT_EQ(launchEmpty(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaFree(nullptr), cudaErrorIllegalAddress);
  program = nullptr;
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&p, 16), cudaSuccess);
  EXPECT_EQ(launchEmpty(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(ErrorApi, WorkBehindAStoppedKernelDoesNotRun) {
  int runs = 0;
  program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &) {
    ++runs;
    return stopped(FaultKind::IllegalInstruction);
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(launchEmpty(), cudaSuccess);
  (void)launchEmpty(); // fails already when the first one has run by now
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalInstruction);
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(runs, 1);
}

TEST_F(ErrorApi, EveryFaultHasItsError) {
  struct {
    FaultKind kind;
    cudaError_t error;
  } rows[] = {{FaultKind::MemoryAccess, cudaErrorIllegalAddress},
              {FaultKind::Misaligned, cudaErrorMisalignedAddress},
              {FaultKind::IllegalInstruction, cudaErrorIllegalInstruction},
              {FaultKind::InvalidPc, cudaErrorInvalidPc},
              {FaultKind::StackOverflow, cudaErrorHardwareStackError},
              {FaultKind::Timeout, cudaErrorLaunchTimeout},
              {FaultKind::Trap, cudaErrorLaunchFailure},
              {FaultKind::Other, cudaErrorLaunchFailure}};
  for (auto &row : rows) {
    program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &) { return stopped(row.kind); };
    testing::internal::CaptureStderr();
    EXPECT_EQ(launchEmpty(), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), row.error);
    EXPECT_NE(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  }
}

TEST_F(ErrorApi, AssertionsReadAsCudasDo) {
  program = [](FakeDevice &d, const vx::abi::LaunchDescriptor &l) {
    uint64_t text = *d.memAlloc(64, 3);
    std::memcpy(d.at(text, 64), "i < n\0file.cu\0void f(int)\0", 27);
    d.store(l.status,
            vx::abi::StatusBlock{
                vx::abi::kStatusAssert, 12, text, text + 6, text + 14, {1, 2, 3}, {4, 5, 6}});
    RunReport report = stopped(FaultKind::Service);
    report.fault.code = VX_ECALL_ASSERT;
    return report;
  };
  testing::internal::CaptureStderr();
  launchEmpty();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "file.cu:12: void f(int): block: [1,2,3], thread: [4,5,6] Assertion `i < n` failed.\n");
}

TEST_F(ErrorApi, AStatusAloneIsAnAssertionToo) {
  program = [](FakeDevice &d, const vx::abi::LaunchDescriptor &l) {
    vx::abi::StatusBlock status{};
    status.kind = vx::abi::kStatusAssert;
    status.line = 5;
    d.store(l.status, status);
    return RunReport(); // a device that cannot tell
  };
  testing::internal::CaptureStderr();
  launchEmpty();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
  EXPECT_NE(testing::internal::GetCapturedStderr().find(":5:"), std::string::npos);
}

TEST_F(ErrorApi, ReportsSayWhatIsKnownOfTheThread) {
  std::optional<uint64_t> block, thread;
  program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &) {
    RunReport report = stopped(FaultKind::MemoryAccess, 0);
    report.fault.block = block;
    report.fault.thread = thread;
    report.fault.warp = 1;
    report.fault.lane = 2;
    return report;
  };
  auto textOf = [&] {
    testing::internal::CaptureStderr();
    launchEmpty(dim3(2, 3), dim3(4, 2));
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    cudaDeviceReset();
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_NE(textOf().find("\n  block and thread not known yet (core 0, warp 1, lane 2)\n"),
            std::string::npos);
  block = 5;
  EXPECT_NE(textOf().find("\n  block: [1,2,0] (core 0, warp 1, lane 2)\n"), std::string::npos);
  thread = 7;
  EXPECT_NE(textOf().find("\n  block: [1,2,0], thread: [3,1,0] (core 0, warp 1, lane 2)\n"),
            std::string::npos);
  block = 6; // beyond the grid
  EXPECT_NE(textOf().find("not known yet"), std::string::npos);
}

TEST_F(ErrorApi, NotReadyIsReportedWhileWorkIsPending) {
  std::promise<void> open;
  std::shared_future<void> opened = open.get_future().share();
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(
      cudaLaunchHostFunc(
          stream, [](void *f) { static_cast<std::shared_future<void> *>(f)->wait(); }, &opened),
      cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady) << "the legacy stream waits for it";
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "an answer, no error";
  open.set_value();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
}

TEST(ErrorNoDevice, ADeviceThatDoesNotOpenIsAnErrorSaidOnce) {
  Runtime::get().setOpener([](const DeviceIdentity &) -> vx::Result<std::unique_ptr<Device>> {
    return vx::Failure{"VX_SET: no such knob"};
  });
  testing::internal::CaptureStderr();
  void *p;
  EXPECT_EQ(cudaMalloc(&p, 4), cudaErrorInitializationError);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorInitializationError);
  int count;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorInitializationError);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "vxrt: VX_SET: no such knob\n");
  (void)cudaGetLastError();
}
