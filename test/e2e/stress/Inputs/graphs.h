// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stress test's graphs: made node by node or captured, launched some times, updated, and given
// back while they may still run.

#ifndef TEST_E2E_STRESS_GRAPHS_H
#define TEST_E2E_STRESS_GRAPHS_H

#include "model.h"

inline void countDown(void *) {
  --pendingFunctions;
}

/// Fills BUFFER with BYTE, adds VALUE twice, and calls a host function; all in a row.
inline cudaGraph_t makeGraph(Buffer &buffer, int byte, int value) {
  cudaGraph_t graph;
  cudaGraphNode_t last, next;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill{};
  fill.dst = buffer.data;
  fill.value = unsigned(byte);
  fill.elementSize = 1;
  fill.width = kBytes;
  fill.height = 1;
  CHECK(cudaGraphAddMemsetNode(&last, graph, nullptr, 0, &fill));
  for (int i = 0; i < 2; ++i) {
    void *arguments[] = {&buffer.data, &value};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void *>(addTo);
    kernel.gridDim = dim3((kNumbers + 63) / 64);
    kernel.blockDim = dim3(64);
    kernel.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&next, graph, &last, 1, &kernel));
    last = next;
  }
  cudaHostNodeParams host{};
  host.fn = countDown;
  CHECK(cudaGraphAddHostNode(&next, graph, &last, 1, &host));
  return graph;
}

/// Launches a graph of nodes with two values, the second one by an update.
inline void runMadeGraph(Buffer &buffer, int byte, int value) {
  cudaGraph_t graph = makeGraph(buffer, byte, value);
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  ++pendingFunctions;
  CHECK(cudaGraphLaunch(executable, buffer.stream));
  graph = makeGraph(buffer, byte, value + 1);
  cudaGraphExecUpdateResultInfo result{};
  CHECK(cudaGraphExecUpdate(executable, graph, &result));
  CHECK(cudaGraphDestroy(graph));
  ++pendingFunctions;
  CHECK(cudaGraphLaunch(executable, buffer.stream));
  CHECK(cudaGraphExecDestroy(executable));
  buffer.set(byte);
  buffer.add(value + 1);
  buffer.add(value + 1);
}

/// Captures work on FIRST in its stream and on SECOND in another one, OTHER, and launches that
/// TIMES times. Both buffers belong to the first one's stream.
inline void runCapturedGraph(Buffer &first, Buffer &second, cudaStream_t other, int value,
                             int times) {
  cudaStream_t stream = first.stream;
  cudaEvent_t fork, join;
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaEventRecord(fork, stream));
  CHECK(cudaStreamWaitEvent(other, fork, 0));
  addTo<<<(kNumbers + 31) / 32, 32, 0, stream>>>(first.data, value);
  addTo<<<(kNumbers + 63) / 64, 64, 0, other>>>(second.data, value + 5);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(join, other));
  CHECK(cudaStreamWaitEvent(stream, join, 0));
  mix<<<(kNumbers + 63) / 64, 64, 0, stream>>>(first.data, second.data);
  CHECK(cudaGetLastError());
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  for (; times > 0; --times) {
    CHECK(cudaGraphLaunch(executable, stream));
    first.add(value);
    second.add(value + 5);
    first.mixWith(second);
  }
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
}

#endif // TEST_E2E_STRESS_GRAPHS_H
