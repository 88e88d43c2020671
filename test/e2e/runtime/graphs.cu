// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 --vx-xlen=32,64 %s -o %t && %run %t
// RUN: env VX_LOWERING=sw %run %t
// RUN: %shapes --few --xlen=32 %t
// RUN: env VX_STATS=text %run %t 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host
//
// Graphs of kernels, copies, fills, host functions, memory and conditions: built node by node and
// captured, launched often, updated, cloned. Kernels of graphs appear in the statistics like others.
// STATS: halve

#include "../Inputs/harness.h"
#include <vector>

__device__ int offset = 1;

__global__ void add(int *p, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += value * offset;
}

/// Takes a step of Collatz's walk, counts it, and continues until 1.
__global__ void halve(int *p, int *steps, cudaGraphConditionalHandle goOn) {
  *p = *p % 2 ? 3 * *p + 1 : *p / 2;
  ++*steps;
  cudaGraphSetConditional(goOn, *p != 1);
}

__global__ void choose(const int *p, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, *p > 100);
}

static const int n = 300;
static const size_t bytes = n * sizeof(int);

static cudaGraphNode_t addKernel(cudaGraph_t graph, std::vector<cudaGraphNode_t> after,
                                 void *function, dim3 grid, dim3 block, void **arguments) {
  cudaKernelNodeParams params = {function, grid, block, 0, arguments, nullptr};
  cudaGraphNode_t node;
  CHECK(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params));
  return node;
}

static void byHand() {
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i)
    host[i] = i;
  int *device, value = 5, count = n;
  CHECK(cudaMalloc(&device, bytes));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t in, out, scale, note, symbol;
  CHECK(cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, device, host.data(), bytes,
                                 cudaMemcpyHostToDevice));
  static const int two = 2;
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, nullptr, 0, offset, &two, sizeof two, 0,
                                       cudaMemcpyHostToDevice));
  void *arguments[] = {&device, &count, &value};
  scale = addKernel(graph, {in, symbol}, (void *)add, 3, 100, arguments);
  cudaGraphNode_t again = addKernel(graph, {scale}, (void *)add, 5, 64, arguments);
  CHECK(cudaGraphAddMemcpyNode1D(&out, graph, &again, 1, result.data(), device, bytes,
                                 cudaMemcpyDeviceToHost));
  static int sum;
  cudaHostNodeParams function = {[](void *p) {
                                   for (int x : *static_cast<std::vector<int> *>(p))
                                     sum += x;
                                 },
                                 &result};
  CHECK(cudaGraphAddHostNode(&note, graph, &out, 1, &function));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  for (int launch = 0; launch < 3; ++launch)
    CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  int expected = 0;
  for (int i = 0; i < n; ++i) {
    expected += i + 20;
    expect(result[i] == i + 20, "a graph built by hand");
  }
  expect(sum == 3 * expected, "a host node for each launch");
  // Another value for one kernel, the other one off.
  value = 100;
  cudaKernelNodeParams params = {(void *)add, 3, 100, 0, arguments, nullptr};
  CHECK(cudaGraphExecKernelNodeSetParams(exec, scale, &params));
  CHECK(cudaGraphNodeSetEnabled(exec, again, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(result[7] == 7 + 200, "an update of one node");
  // The whole graph anew.
  cudaGraph_t clone;
  CHECK(cudaGraphClone(&clone, graph));
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(exec, clone, &info));
  CHECK(cudaGraphNodeSetEnabled(exec, again, 1));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(result[7] == 7 + 20, "an update by a graph");
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(device));
}

static void captured() {
  int one = 1;
  CHECK(cudaMemcpyToSymbol(offset, &one, sizeof one));
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  std::vector<int> left(n), right(n);
  int *a, *b;
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&a, bytes, first));
  CHECK(cudaMallocAsync(&b, bytes, first));
  CHECK(cudaMemsetAsync(a, 0, bytes, first));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork));
  CHECK(cudaMemsetAsync(b, 0, bytes, second));
  for (int i = 0; i < 10; ++i) {
    add<<<3, 100, 0, first>>>(a, n, i);
    add<<<10, 32, 0, second>>>(b, n, 2 * i);
  }
  CHECK(cudaMemcpyAsync(left.data(), a, bytes, cudaMemcpyDeviceToHost, first));
  CHECK(cudaMemcpyAsync(right.data(), b, bytes, cudaMemcpyDeviceToHost, second));
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join));
  CHECK(cudaFreeAsync(a, first));
  CHECK(cudaFreeAsync(b, first));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(first, &graph));
  expect(left[0] == 0, "nothing runs while it is captured");
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int launch = 0; launch < 2; ++launch) {
    left.assign(n, 0);
    right.assign(n, 0);
    CHECK(cudaGraphLaunch(exec, first));
    CHECK(cudaStreamSynchronize(first));
    for (int i = 0; i < n; ++i)
      expect(left[i] == 45 && right[i] == 90, "a captured graph");
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

static void conditions() {
  int *number, *steps, *large;
  CHECK(cudaMalloc(&number, sizeof(int)));
  CHECK(cudaMalloc(&steps, sizeof(int)));
  CHECK(cudaMalloc(&large, sizeof(int)));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle goOn, isLarge;
  CHECK(cudaGraphConditionalHandleCreate(&goOn, graph, 1, cudaGraphCondAssignDefault));
  CHECK(cudaGraphConditionalHandleCreate(&isLarge, graph));
  void *arguments[] = {&number, &isLarge};
  cudaGraphNode_t chosen = addKernel(graph, {}, (void *)choose, 1, 1, arguments);
  cudaGraphNodeParams branch = {cudaGraphNodeTypeConditional};
  branch.conditional.handle = isLarge;
  branch.conditional.type = cudaGraphCondTypeIf;
  branch.conditional.size = 1;
  cudaGraphNode_t node, inside;
  CHECK(cudaGraphAddNode(&node, graph, &chosen, 1, &branch));
  cudaMemsetParams fill = {large, 0, 7, 4, 1, 1};
  CHECK(cudaGraphAddMemsetNode(&inside, branch.conditional.phGraph_out[0], nullptr, 0, &fill));
  cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
  loop.conditional.handle = goOn;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  CHECK(cudaGraphAddNode(&node, graph, &node, 1, &loop));
  void *halveArguments[] = {&number, &steps, &goOn};
  addKernel(loop.conditional.phGraph_out[0], {}, (void *)halve, 1, 1, halveArguments);
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph));
  for (int start : {6, 27 * 8}) {
    CHECK(cudaMemcpy(number, &start, sizeof start, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(steps, 0, sizeof(int)));
    CHECK(cudaMemset(large, 0, sizeof(int)));
    CHECK(cudaGraphLaunch(exec, 0));
    int count, mark;
    CHECK(cudaMemcpy(&count, steps, sizeof count, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&mark, large, sizeof mark, cudaMemcpyDeviceToHost));
    expect(count == (start == 6 ? 8 : 114), "a loop");
    expect(mark == (start == 6 ? 0 : 7), "a branch");
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

int main() {
  byHand();
  captured();
  conditions();
  CHECK(cudaDeviceSynchronize());
  puts("PASS");
}
