// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaDeviceReset with work pending and with other threads running. Worth running under
// ThreadSanitizer and AddressSanitizer after changes to contexts, streams or the scheduler.

#include "ApiFixture.h"
#include <atomic>
#include <random>

using namespace vx::rt;
using namespace vx::rt::test;
using namespace std::chrono_literals;

namespace {

class ResetApi : public ApiTest {
protected:
  /// Puts a host function in STREAM that holds it up for a moment.
  static void delay(cudaStream_t stream) {
    auto sleep = [](void *) { std::this_thread::sleep_for(20ms); };
    ASSERT_EQ(cudaLaunchHostFunc(stream, sleep, nullptr), cudaSuccess);
  }
};

/// A device that knows how many of its kind there are.
class CountedDevice : public FakeDevice {
public:
  static inline std::atomic<int> alive = 0, most = 0;
  CountedDevice() { most = std::max(most.load(), ++alive); }
  ~CountedDevice() override { --alive; }
};

/// One thread of the stress test: makes, uses and destroys objects in random order. A reset in
/// between invalidates handles and pointers, nothing else may go wrong.
class Worker {
public:
  Worker(unsigned seed, const void *kernel) : random(seed), kernel(kernel) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i)
      step();
  }
  std::string unexpected;

private:
  std::mt19937 random;
  const void *kernel;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  void *memory = nullptr, *pinned = nullptr;

  void expect(cudaError_t got, const char *call) {
    if (got != cudaSuccess && got != cudaErrorInvalidResourceHandle &&
        got != cudaErrorInvalidValue && got != cudaErrorNotReady)
      unexpected += std::string(call) + ": " + cudaGetErrorName(got) + "\n";
  }
#define EXPECT_USUAL(call) expect(call, #call)
  void step() {
    switch (random() % 14) {
    case 0:
      EXPECT_USUAL(cudaStreamCreateWithFlags(&stream, random() % 2));
      break;
    case 1:
      EXPECT_USUAL(cudaStreamDestroy(std::exchange(stream, nullptr)));
      break;
    case 2:
      EXPECT_USUAL(cudaEventCreate(&event));
      break;
    case 3:
      EXPECT_USUAL(cudaEventRecord(event, stream));
      break;
    case 4:
      EXPECT_USUAL(cudaEventDestroy(event));
      break;
    case 5:
      EXPECT_USUAL(cudaEventSynchronize(event));
      break;
    case 6:
      EXPECT_USUAL(cudaStreamWaitEvent(stream, event, 0));
      break;
    case 7:
      EXPECT_USUAL(cudaMallocAsync(&memory, 64 + random() % 8192, stream));
      break;
    case 8:
      if (memory) // another thread may have been given the same address after a reset
        EXPECT_USUAL(cudaMemsetAsync(memory, 1, 64, stream));
      break;
    case 9:
      EXPECT_USUAL(cudaStreamSynchronize(stream));
      break;
    case 10:
    case 11:
      EXPECT_USUAL(cudaLaunchKernel(kernel, 1, 1, nullptr, 0, stream));
      break;
    case 12:
      EXPECT_USUAL(cudaLaunchHostFunc(stream, [](void *) { (void)cudaGetLastError(); }, nullptr));
      break;
    default:
      EXPECT_USUAL(cudaMallocHost(&pinned, 4096));
    }
#undef EXPECT_USUAL
  }
};

} // namespace

TEST_F(ResetApi, EndsPendingWork) {
  int runs = 0;
  program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &) {
    ++runs;
    return RunReport();
  };
  void *memory = nullptr;
  cudaStream_t stream;
  cudaEvent_t event;
  ASSERT_EQ(cudaMalloc(&memory, 4), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  delay(stream);
  EXPECT_EQ(launchWork(memory, 1, 1, 1, stream), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(memory, 0, 4, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(memory, stream), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(runs, 1) << "what was launched runs to its end";
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(ResetApi, WaitsForCallsOfOtherThreads) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  std::atomic<bool> hostFunctionRan = false;
  auto hostFunction = [](void *ran) {
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess); // asks for the context while it ends
    *static_cast<std::atomic<bool> *>(ran) = true;
  };
  ASSERT_EQ(cudaLaunchHostFunc(stream, hostFunction, &hostFunctionRan), cudaSuccess);
  std::thread waiting([&] {
    cudaError_t e = cudaStreamSynchronize(stream);
    EXPECT_TRUE(e == cudaSuccess || e == cudaErrorInvalidResourceHandle) << cudaGetErrorName(e);
  });
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_TRUE(hostFunctionRan);
  waiting.join();
}

TEST_F(ResetApi, HandlesOfAnEndedContextAreErrors) {
  cudaStream_t before, after;
  ASSERT_EQ(cudaStreamCreate(&before), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&after), cudaSuccess);
  EXPECT_NE(before, after);
  EXPECT_EQ(cudaStreamQuery(before), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamQuery(after), cudaSuccess);
}

TEST_F(ResetApi, ManyThreads) {
  cudaDeviceReset();
  Runtime::get().setOpener([](const DeviceIdentity &) -> vx::Result<std::unique_ptr<Device>> {
    return std::unique_ptr<Device>(new CountedDevice);
  });
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    workers.push_back(std::make_unique<Worker>(t, &emptyStub));
  std::atomic<bool> done = false;
  for (std::unique_ptr<Worker> &worker : workers)
    threads.emplace_back([&worker] { worker->run(2000); });
  std::vector<std::thread> resetters;
  for (int t = 0; t < 2; ++t)
    resetters.emplace_back([&] {
      while (!done) {
        EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
        std::this_thread::sleep_for(1ms);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  done = true;
  for (std::thread &thread : resetters)
    thread.join();
  for (std::unique_ptr<Worker> &worker : workers)
    EXPECT_EQ(worker->unexpected, "");
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(CountedDevice::most, 1) << "a context opened its device before the last one's end";
  EXPECT_EQ(CountedDevice::alive, 0);
}
