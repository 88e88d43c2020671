// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture: what becomes a node, what is refused, and how streams fork and join.

#include "ApiFixture.h"

using namespace vx::rt;
using namespace vx::rt::test;

namespace {

class CaptureApi : public ApiTest {
protected:
  cudaStream_t stream = nullptr, other = nullptr;
  cudaEvent_t event = nullptr, second = nullptr;
  std::vector<int> runs;

  void SetUp() override {
    ApiTest::SetUp();
    program = [this](FakeDevice &d, const vx::abi::LaunchDescriptor &l) {
      runs.push_back(d.load<int>(l.args + 8));
      return RunReport();
    };
    EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    EXPECT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
    EXPECT_EQ(cudaEventCreate(&second), cudaSuccess);
  }
  void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    ASSERT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
  }
  cudaGraph_t end() {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    return graph;
  }
  void expectEnd(cudaError_t error) {
    cudaGraph_t graph = (cudaGraph_t)8;
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), error);
    EXPECT_EQ(graph, nullptr);
    (void)cudaGetLastError();
    cudaStreamCaptureStatus status;
    EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
    EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  }
  cudaStreamCaptureStatus statusOf(cudaStream_t of) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    EXPECT_EQ(cudaStreamIsCapturing(of, &status), cudaSuccess);
    return status;
  }
  void run(cudaGraph_t graph) {
    cudaGraphExec_t exec = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  }
  std::vector<cudaGraphNodeType> typesOf(cudaGraph_t graph) {
    size_t count = 0;
    EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
    std::vector<cudaGraphNode_t> nodes(count);
    EXPECT_EQ(cudaGraphGetNodes(graph, nodes.data(), &count), cudaSuccess);
    std::vector<cudaGraphNodeType> types(count);
    for (size_t i = 0; i < count; ++i)
      EXPECT_EQ(cudaGraphNodeGetType(nodes[i], &types[i]), cudaSuccess);
    return types;
  }
  size_t edgesOf(cudaGraph_t graph) {
    size_t count = 0;
    EXPECT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, &count), cudaSuccess);
    return count;
  }
};

} // namespace

TEST_F(CaptureApi, OperationsBecomeNodes) {
  char *memory;
  std::vector<char> in(32, 'a'), out(32);
  EXPECT_EQ(cudaMalloc((void **)&memory, 32), cudaSuccess);
  begin();
  EXPECT_EQ(statusOf(stream), cudaStreamCaptureStatusActive);
  EXPECT_EQ(cudaMemcpyAsync(memory, in.data(), 32, cudaMemcpyHostToDevice, stream), cudaSuccess);
  EXPECT_EQ(launchWork(memory, 4, 1, 1, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(memory, 'b', 4, stream), cudaSuccess);
  EXPECT_EQ(
      cudaMemcpyFromSymbolAsync(out.data() + 16, tableShadow, 4, 4, cudaMemcpyDeviceToHost, stream),
      cudaSuccess);
  EXPECT_EQ(cudaMemcpy2DAsync(out.data(), 8, memory, 16, 8, 2, cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  EXPECT_EQ(cudaLaunchHostFunc(
                stream, [](void *data) { *static_cast<char *>(data) = '!'; }, out.data() + 31),
            cudaSuccess);
  cudaGraph_t graph = end();
  EXPECT_EQ(typesOf(graph),
            (std::vector{cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemset,
                         cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeHost}));
  EXPECT_EQ(edgesOf(graph), 5u);
  EXPECT_TRUE(runs.empty()) << "nothing has run";
  EXPECT_EQ(out[31], 0);
  run(graph);
  EXPECT_EQ(runs, std::vector{4});
  EXPECT_EQ(std::string(out.data(), 16), "bbbbaaaaaaaaaaaa");
  EXPECT_EQ(out[17], 21);
  EXPECT_EQ(out[31], '!');
  in.assign(32, 'z'); // graphs read the program's memory when they run
  run(graph);
  EXPECT_EQ(std::string(out.data(), 8), "bbbbzzzz");
}

TEST_F(CaptureApi, ForkAndJoin) {
  begin();
  EXPECT_EQ(launchWork(nullptr, 1, 1, 1, stream), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, event), cudaSuccess);
  EXPECT_EQ(statusOf(other), cudaStreamCaptureStatusActive);
  EXPECT_EQ(launchWork(nullptr, 2, 1, 1, other), cudaSuccess);
  EXPECT_EQ(launchWork(nullptr, 3, 1, 1, stream), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(second, other), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream, second), cudaSuccess);
  EXPECT_EQ(launchWork(nullptr, 4, 1, 1, stream), cudaSuccess);
  cudaGraph_t graph = end();
  EXPECT_EQ(statusOf(other), cudaStreamCaptureStatusNone);
  EXPECT_EQ(typesOf(graph).size(), 4u);
  EXPECT_EQ(edgesOf(graph), 4u);
  run(graph);
  EXPECT_EQ(runs.front(), 1);
  EXPECT_EQ(runs.back(), 4);
  EXPECT_EQ(cudaEventQuery(second), cudaErrorInvalidValue) << "recorded in a capture only";
}

TEST_F(CaptureApi, JoinedStreamsMayBeDestroyed) {
  begin();
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, event), cudaSuccess);
  EXPECT_EQ(launchWork(nullptr, 2, 1, 1, other), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, other), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream, event), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(launchWork(nullptr, 3, 1, 1, stream), cudaSuccess);
  run(end());
  EXPECT_EQ(runs, (std::vector{2, 3}));
}

TEST_F(CaptureApi, UnjoinedWorkIsAnError) {
  begin();
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, event), cudaSuccess);
  EXPECT_EQ(launchWork(nullptr, 2, 1, 1, other), cudaSuccess);
  expectEnd(cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(statusOf(other), cudaStreamCaptureStatusNone);
}

TEST_F(CaptureApi, CapturesDoNotMix) {
  begin();
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  EXPECT_EQ(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, other), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream, event), cudaErrorStreamCaptureMerge);
  expectEnd(cudaErrorStreamCaptureInvalidated);
  cudaGraph_t graph;
  EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaErrorIllegalState);
  // Work from outside.
  EXPECT_EQ(cudaEventRecord(event, other), cudaSuccess);
  begin();
  EXPECT_EQ(cudaStreamWaitEvent(stream, event), cudaErrorStreamCaptureIsolation);
  expectEnd(cudaErrorStreamCaptureInvalidated);
  // The wrong stream.
  begin();
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, event), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
  expectEnd(cudaErrorStreamCaptureInvalidated);
}

TEST_F(CaptureApi, CallsThatCannotBeCaptured) {
  void *memory, *before;
  EXPECT_EQ(cudaMalloc(&before, 64), cudaSuccess);
  char byte;
  const std::vector<std::pair<cudaError_t, std::function<cudaError_t()>>> calls = {
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaStreamSynchronize(stream); }},
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaStreamQuery(stream); }},
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaDeviceSynchronize(); }},
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaMalloc(&memory, 8); }},
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaFree(before); }},
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaMallocHost(&memory, 8); }},
      {cudaErrorStreamCaptureUnsupported, [&] { return cudaFree(nullptr); }},
      {cudaErrorStreamCaptureUnsupported,
       [&] { return cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4096); }},
      {cudaErrorInvalidConfiguration, [&] { return launchEmpty(0, 1, 0, stream); }},
      {cudaErrorStreamCaptureImplicit,
       [&] { return cudaMemcpy(&byte, before, 1, cudaMemcpyDeviceToHost); }},
      {cudaErrorStreamCaptureUnsupported,
       [&] {
         return cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void *) {}, nullptr, 0);
       }},
      {cudaErrorStreamCaptureImplicit, [&] { return launchEmpty(); }},
      {cudaErrorStreamCaptureImplicit, [&] { return cudaEventRecord(second, nullptr); }},
      {cudaErrorCapturedEvent, [&] { return cudaEventQuery(event); }},
      {cudaErrorCapturedEvent, [&] { return cudaEventSynchronize(event); }},
  };
  for (size_t i = 0; i < calls.size(); ++i) {
    begin();
    EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    EXPECT_EQ(calls[i].second(), calls[i].first) << "call " << i;
    EXPECT_EQ(statusOf(stream), cudaStreamCaptureStatusInvalidated) << "call " << i;
    EXPECT_EQ(launchEmpty(1, 1, 0, stream), cudaErrorStreamCaptureInvalidated);
    expectEnd(cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureMode(7)), cudaErrorInvalidValue);
  // A wait for the whole device belongs to no mode.
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
  expectEnd(cudaErrorStreamCaptureInvalidated);
  // A graph does not become invalid because an event was captured.
  begin();
  float milliseconds;
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, event), cudaErrorCapturedEvent);
  EXPECT_EQ(statusOf(stream), cudaStreamCaptureStatusActive);
  EXPECT_EQ(cudaStreamEndCapture(stream, nullptr), cudaSuccess);
  // Nothing of a capture that has ended can be waited for.
  EXPECT_EQ(cudaEventQuery(event), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamWaitEvent(other, event), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventRecord(event, other), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream, event), cudaSuccess);
}

TEST_F(CaptureApi, ModesSayWhoMayCallWhat) {
  void *memory;
  auto inOtherThread = [&](cudaStreamCaptureMode mode) {
    return std::async(std::launch::async,
                      [&memory, mode] {
                        cudaStreamCaptureMode previous = mode;
                        EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&previous), cudaSuccess);
                        EXPECT_EQ(previous, cudaStreamCaptureModeGlobal);
                        return cudaMalloc(&memory, 8);
                      })
        .get();
  };
  begin(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaSuccess);
  EXPECT_EQ(inOtherThread(cudaStreamCaptureModeGlobal), cudaSuccess);
  end();
  begin(cudaStreamCaptureModeThreadLocal);
  EXPECT_EQ(inOtherThread(cudaStreamCaptureModeGlobal), cudaSuccess);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaSuccess);
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaErrorStreamCaptureUnsupported);
  expectEnd(cudaErrorStreamCaptureInvalidated);
  begin(cudaStreamCaptureModeGlobal);
  EXPECT_EQ(inOtherThread(cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(inOtherThread(cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(inOtherThread(cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  expectEnd(cudaErrorStreamCaptureInvalidated);
  begin();
  cudaGraph_t graph;
  EXPECT_EQ(
      std::async(std::launch::async, [&] { return cudaStreamEndCapture(stream, &graph); }).get(),
      cudaErrorStreamCaptureWrongThread);
  end();
}

TEST_F(CaptureApi, InfoAndDependencies) {
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t *dependencies = nullptr;
  size_t count = 99;
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, nullptr, 0, 0), cudaErrorIllegalState);
  begin();
  EXPECT_EQ(launchWork(nullptr, 1, 1, 1, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, &count),
            cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_NE(id, 0u);
  ASSERT_EQ(count, 1u);
  cudaGraphNode_t first = dependencies[0], empty;
  EXPECT_EQ(cudaGraphAddEmptyNode(&empty, graph, &first, 1), cudaSuccess);
  EXPECT_EQ(
      cudaStreamUpdateCaptureDependencies(stream, &empty, 1, cudaStreamSetCaptureDependencies),
      cudaSuccess);
  EXPECT_EQ(launchWork(nullptr, 2, 1, 1, stream), cudaSuccess);
  EXPECT_EQ(
      cudaStreamUpdateCaptureDependencies(stream, &empty, 1, cudaStreamAddCaptureDependencies),
      cudaSuccess);
  EXPECT_EQ(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, &count),
            cudaSuccess);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(cudaStreamIsCapturing(nullptr, &status), cudaErrorStreamCaptureImplicit);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue) << "belongs to the capture";
  EXPECT_EQ(end(), graph);
  EXPECT_EQ(edgesOf(graph), 2u);
}

TEST_F(CaptureApi, IntoAGraphThatIsThere) {
  cudaGraph_t graph, got = nullptr;
  cudaGraphNode_t node;
  EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph, nullptr, 0), cudaSuccess);
  EXPECT_EQ(
      cudaStreamBeginCaptureToGraph(stream, graph, &node, nullptr, 1, cudaStreamCaptureModeGlobal),
      cudaSuccess);
  EXPECT_EQ(launchWork(nullptr, 1, 1, 1, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream, &got), cudaSuccess);
  EXPECT_EQ(got, graph);
  EXPECT_EQ(edgesOf(graph), 1u);
}

TEST_F(CaptureApi, MemoryOfStreamsBecomesNodes) {
  char *memory = nullptr;
  char out = 0;
  begin();
  EXPECT_EQ(cudaMallocAsync((void **)&memory, 64, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(memory, 7, 64, stream), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(&out, memory + 63, 1, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(memory, stream), cudaSuccess);
  cudaGraph_t graph = end();
  EXPECT_EQ(typesOf(graph), (std::vector{cudaGraphNodeTypeMemAlloc, cudaGraphNodeTypeMemset,
                                         cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemFree}));
  run(graph);
  EXPECT_EQ(out, 7);
  void *outside;
  EXPECT_EQ(cudaMallocAsync(&outside, 64, stream), cudaSuccess);
  begin();
  EXPECT_EQ(cudaFreeAsync(outside, stream), cudaErrorInvalidValue) << "no allocation of a graph";
  EXPECT_TRUE(typesOf(end()).empty()) << "mistakes are errors of their calls";
}

TEST_F(CaptureApi, ExternalEventsAreNodes) {
  EXPECT_EQ(cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal),
            cudaErrorIllegalState);
  EXPECT_EQ(cudaEventRecord(event, other), cudaSuccess);
  begin();
  EXPECT_EQ(cudaStreamWaitEvent(stream, event, cudaEventWaitExternal), cudaSuccess);
  EXPECT_EQ(cudaEventRecordWithFlags(second, stream, cudaEventRecordExternal), cudaSuccess);
  cudaGraph_t graph = end();
  EXPECT_EQ(typesOf(graph),
            (std::vector{cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeEventRecord}));
  run(graph);
  EXPECT_EQ(cudaEventQuery(second), cudaSuccess);
}

TEST_F(CaptureApi, GraphsBecomeChildGraphs) {
  begin();
  EXPECT_EQ(launchWork(nullptr, 1, 1, 1, stream), cudaSuccess);
  EXPECT_EQ(launchWork(nullptr, 2, 1, 1, stream), cudaSuccess);
  cudaGraphExec_t exec;
  EXPECT_EQ(cudaGraphInstantiate(&exec, end(), 0), cudaSuccess);
  begin();
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(launchWork(nullptr, 3, 1, 1, stream), cudaSuccess);
  cudaGraph_t graph = end();
  EXPECT_EQ(typesOf(graph), (std::vector{cudaGraphNodeTypeGraph, cudaGraphNodeTypeKernel}));
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  run(graph);
  EXPECT_EQ(runs, (std::vector{1, 2, 3}));
}

TEST_F(CaptureApi, DestroyedStreamsEndTheirCapture) {
  begin();
  EXPECT_EQ(launchWork(nullptr, 1, 1, 1, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal), cudaSuccess);
  stream = other;
  EXPECT_EQ(cudaGraphDestroy(end()), cudaSuccess);
}

TEST_F(CaptureApi, PrioritiesComeFromTheStream) {
  cudaStream_t urgent;
  EXPECT_EQ(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, -3), cudaSuccess);
  EXPECT_EQ(cudaStreamBeginCapture(urgent, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(launchWork(nullptr, 1, 1, 1, urgent), cudaSuccess);
  cudaGraph_t graph;
  EXPECT_EQ(cudaStreamEndCapture(urgent, &graph), cudaSuccess);
  cudaGraphNode_t node;
  size_t one = 1;
  EXPECT_EQ(cudaGraphGetNodes(graph, &node, &one), cudaSuccess);
  cudaKernelNodeAttrValue value;
  EXPECT_EQ(cudaGraphKernelNodeGetAttribute(node, cudaKernelNodeAttributePriority, &value),
            cudaSuccess);
  EXPECT_EQ(value.priority, -3);
}

TEST_F(CaptureApi, StreamAttributes) {
  cudaStreamAttrValue value{};
  EXPECT_EQ(cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value),
            cudaSuccess);
  EXPECT_EQ(value.syncPolicy, cudaSyncPolicyAuto);
  value.accessPolicyWindow = {this, 128, 0.5f, cudaAccessPropertyPersisting,
                              cudaAccessPropertyStreaming};
  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value),
            cudaSuccess);
  value.accessPolicyWindow.hitRatio = 2;
  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value),
            cudaErrorInvalidValue);
  value = {};
  value.priority = -4;
  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &value), cudaSuccess);
  EXPECT_EQ(cudaStreamCopyAttributes(other, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &value),
            cudaSuccess);
  EXPECT_EQ(value.accessPolicyWindow.num_bytes, 128u);
  int priority = 0;
  EXPECT_EQ(cudaStreamGetPriority(other, &priority), cudaSuccess);
  EXPECT_EQ(priority, -4);
  EXPECT_EQ(cudaStreamGetAttribute(stream, cudaLaunchAttributeCooperative, &value),
            cudaErrorInvalidValue);
}
