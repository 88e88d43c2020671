// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApiFixture.h"

using namespace vx::rt;
using namespace vx::rt::test;

class LaunchAttributesApi : public ApiTest {
protected:
  static cudaLaunchAttribute attribute(cudaLaunchAttributeID id) {
    cudaLaunchAttribute result{};
    result.id = id;
    return result;
  }
  static cudaError_t launch(std::vector<cudaLaunchAttribute> attributes, dim3 grid = 1,
                            cudaStream_t stream = nullptr) {
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = 1;
    config.stream = stream;
    config.attrs = attributes.data();
    config.numAttrs = unsigned(attributes.size());
    return cudaLaunchKernelExC(&config, (const void *)&emptyStub, nullptr);
  }
};

TEST_F(LaunchAttributesApi, HintsAreChecked) {
  EXPECT_EQ(launch({attribute(cudaLaunchAttributeIgnore)}), cudaSuccess);
  cudaLaunchAttribute window = attribute(cudaLaunchAttributeAccessPolicyWindow);
  window.val.accessPolicyWindow = {nullptr, 4096, 0.5f, cudaAccessPropertyPersisting,
                                   cudaAccessPropertyStreaming};
  EXPECT_EQ(launch({window}), cudaSuccess);
  window.val.accessPolicyWindow.hitRatio = 1.5f;
  EXPECT_EQ(launch({window}), cudaErrorInvalidValue);
  window.val.accessPolicyWindow.hitRatio = 1;
  window.val.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  EXPECT_EQ(launch({window}), cudaErrorInvalidValue);
  cudaLaunchAttribute domain = attribute(cudaLaunchAttributeMemSyncDomain);
  domain.val.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  EXPECT_EQ(launch({domain}), cudaSuccess);
  cudaLaunchAttribute map = attribute(cudaLaunchAttributeMemSyncDomainMap);
  EXPECT_EQ(launch({map}), cudaSuccess);
  map.val.memSyncDomainMap.remote = 1; // there is one domain (cudaDevAttrMemSyncDomainCount)
  EXPECT_EQ(launch({map}), cudaErrorInvalidValue);
  cudaLaunchAttribute carveout = attribute(cudaLaunchAttributePreferredSharedMemoryCarveout);
  carveout.val.sharedMemCarveout = 101;
  EXPECT_EQ(launch({carveout}), cudaErrorInvalidValue);
  EXPECT_EQ(launch({attribute(cudaLaunchAttributeSynchronizationPolicy)}), cudaErrorInvalidValue)
      << "of streams only";
  EXPECT_EQ(launch({attribute(cudaLaunchAttributeID(1000))}), cudaErrorInvalidValue);
}

TEST_F(LaunchAttributesApi, CooperativeLaunchesMustFit) {
  cudaLaunchAttribute cooperative = attribute(cudaLaunchAttributeCooperative);
  EXPECT_EQ(launch({cooperative}, 60000), cudaSuccess) << "not asked for";
  cooperative.val.cooperative = 1;
  EXPECT_EQ(launch({cooperative}, 60000), cudaErrorCooperativeLaunchTooLarge);
}

TEST_F(LaunchAttributesApi, EventsHappenWithTheKernel) {
  cudaEvent_t timed, event;
  ASSERT_EQ(cudaEventCreate(&timed), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  for (cudaLaunchAttributeID id :
       {cudaLaunchAttributeProgrammaticEvent, cudaLaunchAttributeLaunchCompletionEvent}) {
    std::promise<void> go;
    program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &) {
      go.get_future().wait();
      return RunReport();
    };
    cudaLaunchAttribute records = attribute(id);
    records.val.programmaticEvent.event = timed;
    EXPECT_EQ(launch({records}), cudaErrorInvalidValue) << "events of launches take no time";
    records.val.programmaticEvent.event = reinterpret_cast<cudaEvent_t>(0x30);
    EXPECT_EQ(launch({records}), cudaErrorInvalidResourceHandle);
    records.val.programmaticEvent.event = event;
    EXPECT_EQ(launch({records}), cudaSuccess);
    EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
    go.set_value();
    EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  (void)cudaGetLastError();
}

TEST_F(LaunchAttributesApi, PriorityOfOneLaunch) {
  cudaStream_t first, second;
  ASSERT_EQ(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking), cudaSuccess);
  std::promise<void> started, go;
  std::vector<uint64_t> order;
  program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &l) {
    if (order.empty()) {
      started.set_value();
      go.get_future().wait();
    }
    order.push_back(l.numBlocks);
    return RunReport();
  };
  cudaLaunchAttribute priority = attribute(cudaLaunchAttributePriority);
  EXPECT_EQ(launch({}, 1), cudaSuccess);
  started.get_future().wait(); // the device is busy: the next two wait for it
  EXPECT_EQ(launch({}, 2, first), cudaSuccess);
  priority.val.priority = -100;
  EXPECT_EQ(launch({priority}, 3, second), cudaSuccess);
  go.set_value();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(order, (std::vector<uint64_t>{1, 3, 2}));
}

TEST_F(LaunchAttributesApi, AllLimits) {
  struct {
    cudaLimit limit;
    size_t initial, good, bad;
  } limits[] = {{cudaLimitDevRuntimeSyncDepth, 2, 24, 25},
                {cudaLimitDevRuntimePendingLaunchCount, 2048, 4096, 0},
                {cudaLimitMaxL2FetchGranularity, 64, 128, 129},
                {cudaLimitPersistingL2CacheSize, 0, 0, 1}};
  for (auto &l : limits) {
    size_t value = 77;
    EXPECT_EQ(cudaDeviceGetLimit(&value, l.limit), cudaSuccess);
    EXPECT_EQ(value, l.initial) << l.limit;
    EXPECT_EQ(cudaDeviceSetLimit(l.limit, l.good), cudaSuccess) << l.limit;
    EXPECT_EQ(cudaDeviceGetLimit(&value, l.limit), cudaSuccess);
    EXPECT_EQ(value, l.good) << l.limit;
    if (l.bad) {
      EXPECT_EQ(cudaDeviceSetLimit(l.limit, l.bad), cudaErrorInvalidValue) << l.limit;
    }
  }
  size_t value;
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimit(99)), cudaErrorInvalidValue);
}

TEST_F(LaunchAttributesApi, EveryDeviceAttributeHasAValue) {
  for (int number = 1; number < cudaDevAttrMax; ++number) {
    bool isHole =
        number == 44 || (number >= 102 && number <= 105) || number == 107 || number == 110;
    int value = 0;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDeviceAttr(number), 0),
              isHole ? cudaErrorInvalidValue : cudaSuccess)
        << number;
  }
  int value;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0), cudaErrorInvalidValue);
}
