// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApiFixture.h"

using namespace vx::rt;
using namespace vx::rt::test;

namespace {

class StreamApi : public ApiTest {
protected:
  std::promise<void> gate;
  std::shared_future<void> opened = gate.get_future().share();

  /// Puts a host function in the stream that returns when the gate opens.
  void block(cudaStream_t stream) {
    ASSERT_EQ(
        cudaLaunchHostFunc(
            stream, [](void *f) { static_cast<std::shared_future<void> *>(f)->wait(); }, &opened),
        cudaSuccess);
  }
  cudaStream_t makeStream(unsigned flags = cudaStreamDefault) {
    cudaStream_t stream = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, flags), cudaSuccess);
    return stream;
  }
  cudaEvent_t makeEvent(unsigned flags = cudaEventDefault) {
    cudaEvent_t event = nullptr;
    EXPECT_EQ(cudaEventCreateWithFlags(&event, flags), cudaSuccess);
    return event;
  }
};

} // namespace

TEST_F(StreamApi, EventsTellTheTruth) {
  cudaStream_t stream = makeStream();
  cudaEvent_t event = makeEvent();
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess) << "never recorded";
  block(stream);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  gate.set_value();
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
}

TEST_F(StreamApi, AStreamIsIdleAfterItsLastEvent) {
  cudaStream_t stream = makeStream();
  cudaEvent_t event = makeEvent();
  int notReady = 0;
  for (int i = 0; i < 20000; ++i) {
    ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    while (i % 2 && cudaEventQuery(event) == cudaErrorNotReady) // the worker thread runs it
      std::this_thread::yield();
    ASSERT_EQ(cudaEventSynchronize(event), cudaSuccess);
    notReady += cudaStreamQuery(stream) != cudaSuccess;
  }
  EXPECT_EQ(notReady, 0);
}

TEST_F(StreamApi, WaitEventOrdersTwoStreams) {
  cudaStream_t first = makeStream(cudaStreamNonBlocking),
               second = makeStream(cudaStreamNonBlocking);
  cudaEvent_t event = makeEvent(cudaEventDisableTiming);
  block(first);
  EXPECT_EQ(cudaEventRecord(event, first), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(second, event), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess) << "the recording lives on";
  EXPECT_EQ(launchEmpty(1, 1, 0, second), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(second), cudaErrorNotReady);
  gate.set_value();
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
}

TEST_F(StreamApi, ElapsedTimeIsDeviceTime) {
  cudaEvent_t start = makeEvent(), end = makeEvent(), untimed = makeEvent(cudaEventDisableTiming);
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(start), cudaSuccess);
  EXPECT_EQ(launchEmpty(), cudaSuccess);
  EXPECT_EQ(launchEmpty(), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(end), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(untimed), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(untimed), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
  EXPECT_FLOAT_EQ(ms, 2000 / 1e6f) << "2 kernels of 1000 cycles at 1 GHz";
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, untimed), cudaErrorInvalidResourceHandle);
}

TEST_F(StreamApi, CallbacksRunInOrderAndMayNotCallTheApi) {
  struct State {
    cudaStream_t stream;
    cudaError_t status = cudaErrorUnknown, nested = cudaSuccess;
  } state;
  cudaStream_t stream = makeStream();
  EXPECT_EQ(launchEmpty(1, 1, 0, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamAddCallback(
                stream,
                [](cudaStream_t s, cudaError_t status, void *data) {
                  State &state = *static_cast<State *>(data);
                  state.stream = s;
                  state.status = status;
                  state.nested = cudaDeviceSynchronize();
                },
                &state, 0),
            cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(state.stream, stream);
  EXPECT_EQ(state.status, cudaSuccess);
  EXPECT_EQ(state.nested, cudaErrorNotPermitted);
  EXPECT_EQ(cudaStreamAddCallback(stream, nullptr, nullptr, 0), cudaErrorInvalidValue);
}

TEST_F(StreamApi, DestroyedStreamsFinishTheirWork) {
  cudaStream_t stream = makeStream();
  int runs = 0;
  program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &) {
    ++runs;
    return RunReport();
  };
  block(stream);
  EXPECT_EQ(launchEmpty(1, 1, 0, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  gate.set_value();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(runs, 1);
}

TEST_F(StreamApi, PropertiesOfStreams) {
  int least, greatest, priority = 1;
  unsigned flags = 9;
  EXPECT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  EXPECT_LT(greatest, least);
  cudaStream_t stream;
  EXPECT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100), cudaSuccess);
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(priority, greatest);
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned(cudaStreamNonBlocking));
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 0x10), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamLegacy), cudaSuccess);
  EXPECT_EQ(launchEmpty(1, 1, 0, cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
}

TEST_F(StreamApi, ResetEndsStreamsAndEvents) {
  cudaStream_t stream = makeStream();
  cudaEvent_t event = makeEvent();
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorInvalidResourceHandle);
}

TEST_F(StreamApi, DeviceProperties) {
  cudaDeviceProp p;
  EXPECT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_STREQ(p.name, "Vortex (fake)");
  EXPECT_EQ(p.warpSize, 32);
  EXPECT_EQ(p.maxThreadsPerBlock, 1024);
  EXPECT_EQ(p.multiProcessorCount, 2);
  EXPECT_EQ(p.sharedMemPerBlock, 49152u);
  EXPECT_EQ(p.totalGlobalMem, size_t(1) << 26);
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(value, 2);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlock, 0), cudaSuccess);
  EXPECT_EQ(value, 49152);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDeviceAttr(999), 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
  size_t limit = 0;
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4096), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize), cudaSuccess);
  EXPECT_EQ(limit, 4096u);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, (1 << 20) + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 20), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 50001), cudaSuccess);
  EXPECT_EQ(device->stackLog2Size, 16u);
  EXPECT_EQ(cudaDeviceGetLimit(&limit, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(limit, 50016u) << "a multiple of 16";
  EXPECT_EQ(cudaDeviceGetLimit(&limit, cudaLimit(99)), cudaErrorInvalidValue);
  char bus[32];
  EXPECT_EQ(cudaDeviceGetPCIBusId(bus, 32, 0), cudaSuccess);
  int device = 9;
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, bus), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "0000:05:00.0"), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "rubbish"), cudaErrorInvalidValue);
  device = 9;
  EXPECT_EQ(cudaStreamGetDevice(nullptr, &device), cudaSuccess);
  EXPECT_EQ(device, 0);
}
