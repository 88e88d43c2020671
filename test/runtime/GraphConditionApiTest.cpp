// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditional nodes, with kernels of the test that set the condition.

#include "ApiFixture.h"

using namespace vx::rt;
using namespace vx::rt::test;

namespace {

/// Each kernel gets the condition's address and a number: what to subtract from it, or, if it is
/// negative, what to count.
class GraphCondition : public ApiTest {
protected:
  cudaGraph_t graph = nullptr;
  std::vector<int> counted = std::vector<int>(10);

  void SetUp() override {
    ApiTest::SetUp();
    program = [this](FakeDevice &d, const vx::abi::LaunchDescriptor &l) {
      uint64_t address = d.load<uint64_t>(l.args);
      int number = d.load<int>(l.args + 8);
      if (number < 0)
        ++counted[size_t(-number)];
      else
        d.store(address, d.load<unsigned>(address) - unsigned(number));
      return RunReport();
    };
    EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  }

  cudaGraphNode_t addKernel(cudaGraph_t where, cudaGraphConditionalHandle handle, int number,
                            std::vector<cudaGraphNode_t> after = {}) {
    void *list[] = {&handle, &number};
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel = {(void *)&workStub, dim3(1), dim3(1), 0, list, nullptr};
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddNode(&node, where, after.data(), after.size(), &params), cudaSuccess);
    return node;
  }
  cudaGraphConditionalHandle makeHandle(unsigned initial,
                                        unsigned flags = cudaGraphCondAssignDefault) {
    cudaGraphConditionalHandle handle = 0;
    EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, graph, initial, flags), cudaSuccess);
    return handle;
  }
  cudaGraphNodeParams conditional(cudaGraphConditionalHandle handle,
                                  cudaGraphConditionalNodeType type, unsigned size = 1) {
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    return params;
  }
  cudaGraphNode_t add(cudaGraph_t where, cudaGraphNodeParams &params,
                      std::vector<cudaGraphNode_t> after = {}) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddNode(&node, where, after.data(), after.size(), &params), cudaSuccess);
    return node;
  }
  void run(int times = 1) {
    cudaGraphExec_t exec = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    for (int i = 0; i < times; ++i)
      ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
};

} // namespace

TEST_F(GraphCondition, WhileRunsUntilZero) {
  cudaGraphConditionalHandle handle = makeHandle(5);
  cudaGraphNodeParams loop = conditional(handle, cudaGraphCondTypeWhile);
  cudaGraphNode_t node = add(graph, loop);
  cudaGraph_t body = loop.conditional.phGraph_out[0];
  addKernel(body, handle, 1, {addKernel(body, handle, -1)});
  addKernel(graph, handle, -2, {node});
  run(2);
  EXPECT_EQ(counted[1], 10) << "the default value comes back with each launch";
  EXPECT_EQ(counted[2], 2);
}

TEST_F(GraphCondition, IfElseAndSwitch) {
  cudaGraphConditionalHandle yes = makeHandle(1), no = makeHandle(0), which = makeHandle(2);
  for (cudaGraphConditionalHandle handle : {yes, no}) {
    cudaGraphNodeParams branch = conditional(handle, cudaGraphCondTypeIf, 2);
    add(graph, branch);
    addKernel(branch.conditional.phGraph_out[0], handle, handle == yes ? -1 : -2);
    addKernel(branch.conditional.phGraph_out[1], handle, handle == yes ? -3 : -4);
  }
  cudaGraphNodeParams choice = conditional(which, cudaGraphCondTypeSwitch, 3);
  add(graph, choice);
  for (int i = 0; i < 3; ++i)
    addKernel(choice.conditional.phGraph_out[i], which, -5 - i);
  run();
  EXPECT_EQ(counted, (std::vector<int>{0, 1, 0, 0, 1, 0, 0, 1, 0, 0}));
}

TEST_F(GraphCondition, NestedLoops) {
  cudaGraphConditionalHandle outer = makeHandle(3), inner = makeHandle(0);
  cudaGraphNodeParams outerLoop = conditional(outer, cudaGraphCondTypeWhile);
  add(graph, outerLoop);
  cudaGraph_t body = outerLoop.conditional.phGraph_out[0];
  cudaGraphNode_t set = addKernel(body, inner, int(0x7ffffffe));          // 0 - that = 0x80000002
  cudaGraphNode_t again = addKernel(body, inner, int(0x7ffffffe), {set}); // 4
  cudaGraphNodeParams innerLoop = conditional(inner, cudaGraphCondTypeWhile);
  cudaGraphNode_t loop = add(body, innerLoop, {again});
  cudaGraph_t innerBody = innerLoop.conditional.phGraph_out[0];
  addKernel(innerBody, inner, 1, {addKernel(innerBody, inner, -1)});
  addKernel(body, outer, 1, {loop});
  run();
  EXPECT_EQ(counted[1], 12);
}

TEST_F(GraphCondition, LaunchesHaveConditionsOfTheirOwn) {
  cudaGraphConditionalHandle handle = makeHandle(20);
  cudaGraphNodeParams loop = conditional(handle, cudaGraphCondTypeWhile);
  add(graph, loop);
  cudaGraph_t body = loop.conditional.phGraph_out[0];
  addKernel(body, handle, 1, {addKernel(body, handle, -1)});
  cudaGraphExec_t execs[2];
  for (cudaGraphExec_t &exec : execs) {
    cudaStream_t stream;
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(counted[1], 40);
}

TEST_F(GraphCondition, BodiesCanBeCaptured) {
  cudaGraphConditionalHandle handle = makeHandle(2);
  cudaGraphNodeParams loop = conditional(handle, cudaGraphCondTypeWhile);
  add(graph, loop);
  cudaStream_t stream;
  EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaStreamBeginCaptureToGraph(stream, loop.conditional.phGraph_out[0], nullptr, nullptr,
                                          0, cudaStreamCaptureModeGlobal),
            cudaSuccess);
  EXPECT_EQ(launchWork((void *)handle, -1, 1, 1, stream), cudaSuccess);
  EXPECT_EQ(launchWork((void *)handle, 1, 1, 1, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream, nullptr), cudaSuccess);
  run();
  EXPECT_EQ(counted[1], 2);
}

TEST_F(GraphCondition, UpdatesBringTheirConditions) {
  auto build = [&](unsigned initial) {
    cudaGraphConditionalHandle handle = makeHandle(initial);
    cudaGraphNodeParams loop = conditional(handle, cudaGraphCondTypeWhile);
    add(graph, loop);
    cudaGraph_t body = loop.conditional.phGraph_out[0];
    addKernel(body, handle, 1, {addKernel(body, handle, -1)});
  };
  build(3);
  cudaGraphExec_t exec;
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  build(7);
  cudaGraphExecUpdateResultInfo info;
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(counted[1], 7);
}

TEST_F(GraphCondition, MistakesAreErrors) {
  cudaGraphConditionalHandle handle = makeHandle(1);
  cudaGraphNode_t node;
  cudaGraphNodeParams wrong = conditional(handle + 16, cudaGraphCondTypeIf);
  EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, 0, &wrong), cudaErrorInvalidValue);
  wrong = conditional(handle, cudaGraphCondTypeWhile, 2);
  EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, 0, &wrong), cudaErrorInvalidValue);
  cudaGraphNodeParams branch = conditional(handle, cudaGraphCondTypeIf);
  add(graph, branch);
  cudaGraph_t body = branch.conditional.phGraph_out[0];
  cudaHostNodeParams host{[](void *) {}, nullptr};
  EXPECT_EQ(cudaGraphAddHostNode(&node, body, nullptr, 0, &host), cudaErrorNotSupported);
  cudaGraph_t clone;
  EXPECT_EQ(cudaGraphClone(&clone, graph), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, graph, 0, 8), cudaErrorInvalidValue);
}

TEST_F(GraphCondition, AStoppedKernelEndsALoop) {
  cudaGraphConditionalHandle handle = makeHandle(1);
  cudaGraphNodeParams loop = conditional(handle, cudaGraphCondTypeWhile);
  add(graph, loop);
  addKernel(loop.conditional.phGraph_out[0], handle, -1);
  program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &) {
    return stopped(FaultKind::Trap);
  };
  cudaGraphExec_t exec;
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}
