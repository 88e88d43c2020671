// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: nodes that allocate and free memory.

#include "GraphFixture.h"

using namespace vx::rt;
using namespace vx::rt::test;

namespace {

class GraphMemoryApi : public GraphApi {
protected:
  cudaMemAllocNodeParams params{};

  void SetUp() override {
    GraphApi::SetUp();
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location = {cudaMemLocationTypeDevice, 0};
    params.bytesize = 4096;
  }
  /// Adds a node that allocates. Returns it and the address.
  std::pair<cudaGraphNode_t, void *> addAllocation(std::vector<cudaGraphNode_t> after = {}) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddMemAllocNode(&node, graph, after.data(), after.size(), &params),
              cudaSuccess);
    return {node, params.dptr};
  }
  cudaGraphNode_t addRelease(void *pointer, cudaGraphNode_t after) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddMemFreeNode(&node, graph, &after, 1, pointer), cudaSuccess);
    return node;
  }
  static uint64_t memory(cudaGraphMemAttributeType type) {
    uint64_t value = 99;
    EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, type, &value), cudaSuccess);
    return value;
  }
};

} // namespace

TEST_F(GraphMemoryApi, AllocationsAreLiveUntilFreed) {
  cudaGraphNode_t allocation, release, fill;
  EXPECT_EQ(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &params), cudaSuccess);
  cudaMemsetParams zero{params.dptr, 0, 5, 1, 4096, 1};
  EXPECT_EQ(cudaGraphAddMemsetNode(&fill, graph, &allocation, 1, &zero), cudaSuccess);
  cudaGraphExec_t exec = instantiate();
  cudaGraphExec_t second;
  EXPECT_EQ(cudaGraphInstantiate(&second, graph, 0), cudaErrorNotSupported) << "one at a time";
  cudaGraph_t clone;
  EXPECT_EQ(cudaGraphClone(&clone, graph), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphDestroyNode(fill), cudaErrorNotSupported);
  EXPECT_EQ(memory(cudaGraphMemAttrUsedMemCurrent), 0u);
  launchAndWait(exec);
  EXPECT_EQ(memory(cudaGraphMemAttrUsedMemCurrent), 4096u);
  char byte = 0;
  EXPECT_EQ(cudaMemcpy(&byte, params.dptr, 1, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(byte, 5);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue) << "not freed";
  EXPECT_EQ(cudaFreeAsync(params.dptr, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(params.dptr, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(params.dptr), cudaErrorInvalidValue);
  launchAndWait(exec);
  EXPECT_EQ(cudaFree(params.dptr), cudaSuccess);
  EXPECT_EQ(memory(cudaGraphMemAttrUsedMemCurrent), 0u);
  EXPECT_EQ(memory(cudaGraphMemAttrUsedMemHigh), 4096u);
  EXPECT_EQ(memory(cudaGraphMemAttrReservedMemCurrent), 4096u);
  EXPECT_EQ(cudaDeviceGraphMemTrim(0), cudaSuccess);
  EXPECT_EQ(memory(cudaGraphMemAttrReservedMemCurrent), 0u);
  uint64_t none = 0;
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &none), cudaSuccess);
  EXPECT_EQ(memory(cudaGraphMemAttrUsedMemHigh), 0u);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  exec = instantiate(cudaGraphInstantiateFlagAutoFreeOnLaunch);
  launchAndWait(exec);
  launchAndWait(exec);
  unsigned long long flags = 0;
  EXPECT_EQ(cudaGraphExecGetFlags(exec, &flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned(cudaGraphInstantiateFlagAutoFreeOnLaunch));
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  // Freed in the graph itself.
  EXPECT_EQ(cudaFree(params.dptr), cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&release, graph, &fill, 1, params.dptr), cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&release, graph, &fill, 1, params.dptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&release, graph, &fill, 1, &byte), cudaErrorInvalidValue);
  exec = instantiate();
  launchAndWait(exec);
  launchAndWait(exec);
  EXPECT_EQ(memory(cudaGraphMemAttrUsedMemCurrent), 0u);
  void *address = nullptr;
  EXPECT_EQ(cudaGraphMemFreeNodeGetParams(release, &address), cudaSuccess);
  EXPECT_EQ(address, params.dptr);
  EXPECT_EQ(cudaGraphMemAllocNodeGetParams(allocation, &params), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaMemset(params.dptr, 0, 1), cudaErrorInvalidValue) << "gone with the graph";
}

TEST_F(GraphMemoryApi, AllocationsAfterAFreeHaveItsMemory) {
  auto [first, a] = addAllocation();
  cudaGraphNode_t freed = addRelease(a, first);
  cudaGraphNode_t between = addWork(1, {freed});
  auto [second, b] = addAllocation({between});
  EXPECT_EQ(b, a) << "freed before it, by way of another node";
  auto [third, c] = addAllocation({between});
  EXPECT_NE(c, a) << "the second one has it";
  auto [fourth, d] = addAllocation();
  EXPECT_NE(d, a) << "may run before the free";
  cudaGraphNode_t freedAgain = addRelease(b, second);
  cudaGraphNode_t release;
  EXPECT_EQ(cudaGraphAddMemFreeNode(&release, graph, &second, 1, b), cudaErrorInvalidValue);
  auto [fifth, e] = addAllocation({between});
  EXPECT_NE(e, a) << "may run before the second free";
  auto [sixth, f] = addAllocation({freedAgain});
  EXPECT_EQ(f, a);
  params.bytesize = 8192;
  addRelease(c, third);
  auto [other, g] = addAllocation({addRelease(d, fourth)});
  EXPECT_NE(g, d) << "of another size";
  addRelease(e, fifth);
  addRelease(g, other);

  // The sixth one is not freed, so its memory stays.
  cudaGraphExec_t exec = instantiate();
  launchAndWait(exec);
  EXPECT_EQ(memory(cudaGraphMemAttrUsedMemCurrent), 4096u);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(a, 0, 4096), cudaSuccess);
  EXPECT_EQ(cudaFree(a), cudaSuccess);
  launchAndWait(exec);
  EXPECT_EQ(cudaFree(a), cudaSuccess);
  EXPECT_EQ(memory(cudaGraphMemAttrUsedMemCurrent), 0u);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}
