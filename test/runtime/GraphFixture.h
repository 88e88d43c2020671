// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that tests of graphs share: a graph, a stream, and nodes that say that they have run.

#ifndef VX_TEST_RUNTIME_GRAPHFIXTURE_H
#define VX_TEST_RUNTIME_GRAPHFIXTURE_H

#include "ApiFixture.h"
#include <vector>

namespace vx::rt::test {

class GraphApi : public ApiTest {
protected:
  cudaGraph_t graph = nullptr;
  cudaStream_t stream = nullptr;
  std::vector<int> runs; ///< the second argument of each run of `work`

  void SetUp() override {
    ApiTest::SetUp();
    program = [this](FakeDevice &d, const vx::abi::LaunchDescriptor &l) {
      runs.push_back(d.load<int>(l.args + 8));
      return RunReport();
    };
    EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  }

  struct WorkArguments {
    void *pointer = nullptr;
    int number = 0;
    void *list[2] = {&pointer, &number};
    cudaKernelNodeParams params{(void *)&workStub, dim3(1), dim3(1), 0, list, nullptr};
    explicit WorkArguments(int number) : number(number) {}
  };

  cudaGraphNode_t addWork(int number, std::vector<cudaGraphNode_t> after = {},
                          cudaGraph_t where = nullptr) {
    WorkArguments arguments(number);
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddKernelNode(&node, where ? where : graph, after.data(), after.size(),
                                     &arguments.params),
              cudaSuccess);
    return node;
  }
  cudaGraphExec_t instantiate(unsigned long long flags = 0) {
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, flags), cudaSuccess);
    return exec;
  }
  void launchAndWait(cudaGraphExec_t exec) {
    ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  }
  size_t nodeCount(cudaGraph_t of) {
    size_t count = 99;
    EXPECT_EQ(cudaGraphGetNodes(of, nullptr, &count), cudaSuccess);
    return count;
  }
};

} // namespace vx::rt::test

#endif // VX_TEST_RUNTIME_GRAPHFIXTURE_H
