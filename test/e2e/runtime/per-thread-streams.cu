// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -c -DOWN %S/Inputs/stream-zero.cpp -o %t.own.o
// RUN: %vxcc -c %S/Inputs/stream-zero.cpp -o %t.legacy.o
// RUN: %vxcc --default-stream=per-thread %s %t.own.o %t.legacy.o -o %t -lcuda && %run %t
// RUN: %vxcc -DCUDA_API_PER_THREAD_DEFAULT_STREAM %s %t.own.o %t.legacy.o -o %t.macro -lcuda
// RUN: %run %t.macro
// RUN: env VX_DEVICES=2 timeout 120 %t
// RUN: %vxcc --target=host -default-stream per-thread %s %t.own.o %t.legacy.o -o %t.host -lcuda
// RUN: %run %t.host
//
// Stream 0 is the calling thread's own stream: calls go there, and it waits for the legacy default
// stream, as that does for it, but not for others.

#include "../Inputs/harness.h"
#include <atomic>
#include <chrono>
#include <cuda.h>
#include <thread>

unsigned long long ownStreamZero();
unsigned long long legacyStreamZero();

__device__ int variable;
__global__ void add(int *p, int n) { atomicAdd(p, n); }

/// Holds up a stream from when it is put there until it is opened; not for ever.
class Gate {
public:
  explicit Gate(cudaStream_t stream) { CHECK(cudaLaunchHostFunc(stream, wait, this)); }
  ~Gate() { open(); }
  void open() {
    isOpen = true;
    while (!isPassed)
      std::this_thread::yield();
    expectEqual(timedOut.load(), false, "a call waits for another stream");
  }

private:
  static void wait(void *object) {
    Gate &gate = *static_cast<Gate *>(object);
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!gate.isOpen && !gate.timedOut)
      gate.timedOut = std::chrono::steady_clock::now() > end;
    gate.isPassed = true;
  }
  std::atomic<bool> isOpen = false, isPassed = false, timedOut = false;
};

static unsigned long long idOf(cudaStream_t stream) {
  unsigned long long id = 0;
  CHECK(cudaStreamGetId(stream, &id));
  return id;
}

/// Runs something that waits for no other stream, so that what could run before it has.
static void letOthersRun() {
  static int *cell = nullptr;
  if (!cell)
    CHECK(cudaMalloc(&cell, sizeof(int)));
  cudaStream_t other;
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  add<<<1, 1, 0, other>>>(cell, 1);
  CHECK(cudaStreamSynchronize(other));
  CHECK(cudaStreamDestroy(other));
}

static void whichStreams() {
  EXPECT(idOf(0) == idOf(cudaStreamPerThread));
  EXPECT(idOf(0) != idOf(cudaStreamLegacy));
  EXPECT(ownStreamZero() == idOf(cudaStreamPerThread));
  EXPECT(legacyStreamZero() == idOf(cudaStreamLegacy));
  unsigned long long others = 0;
  std::thread([&] { others = idOf(0); }).join();
  EXPECT(others != idOf(0));

  cudaStreamAttrValue value = {};
  value.syncPolicy = cudaSyncPolicyYield;
  CHECK(cudaStreamSetAttribute(0, cudaStreamAttributeSynchronizationPolicy, &value));
  value = {};
  CHECK(cudaStreamGetAttribute(cudaStreamPerThread, cudaStreamAttributeSynchronizationPolicy,
                               &value));
  EXPECT(value.syncPolicy == cudaSyncPolicyYield);
  CHECK(cudaStreamGetAttribute(cudaStreamLegacy, cudaStreamAttributeSynchronizationPolicy, &value));
  EXPECT(value.syncPolicy != cudaSyncPolicyYield);
  EXPECT(cudaStreamDestroy(0) != cudaSuccess);
  (void)cudaGetLastError();
}

/// Calls that wait do not wait for other streams, blocking or of other threads.
static void callsThatWait(int *cell, cudaStream_t other) {
  Gate gate(other);
  int value = 7, got = 0, rows[4] = {1, 2, 3, 4}, back[4] = {};
  CHECK(cudaMemset(cell, 0, 4 * sizeof(int)));
  CHECK(cudaMemcpy(cell, &value, sizeof(int), cudaMemcpyHostToDevice));
  add<<<1, 1>>>(cell, 3);
  CHECK(cudaMemcpy(&got, cell, sizeof(int), cudaMemcpyDeviceToHost));
  expectEqual(got, 10, "copies");
  CHECK(cudaMemcpyToSymbol(variable, &value, sizeof(int)));
  CHECK(cudaMemcpyFromSymbol(&got, variable, sizeof(int)));
  expectEqual(got, 7, "symbols");
  CHECK(cudaMemcpy2D(cell, 8, rows, 8, 8, 2, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2D(back, 8, cell, 8, 8, 2, cudaMemcpyDeviceToHost));
  expectEqual(back[3], 4, "rows");
  CHECK(cudaMemset2D(cell, 8, 0, 4, 2));
  void *arguments[] = {&cell, &value};
  CHECK(cudaLaunchKernel(add, 1, 1, arguments, 0, 0));
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = 1;
  CHECK(cudaLaunchKernelEx(&config, add, cell, 100));
  CHECK(cudaLaunchCooperativeKernel(add, 1, 1, arguments));
  CHECK(cudaStreamSynchronize(0));
  CHECK(cudaStreamQuery(0));
  CHECK(cudaMemcpy(&got, cell, sizeof(int), cudaMemcpyDeviceToHost));
  expectEqual(got, 114, "launches");

  int *temporary;
  CHECK(cudaMallocAsync(&temporary, sizeof(int), 0));
  CHECK(cudaMemsetAsync(temporary, 0, sizeof(int)));
  add<<<1, 1>>>(temporary, 5);
  CHECK(cudaMemcpyAsync(&got, temporary, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFreeAsync(temporary, 0));
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventRecord(event));
  CHECK(cudaEventSynchronize(event));
  CHECK(cudaEventDestroy(event));
  expectEqual(got, 5, "memory of a pool");

  EXPECT(cudaStreamQuery(other) == cudaErrorNotReady); // by its handle
  gate.open();
}

/// The legacy default stream waits for threads' streams, and they for it.
static void legacyStream(int *cell) {
  int got = 0;
  CHECK(cudaMemset(cell, 0, sizeof(int)));
  CHECK(cudaStreamSynchronize(0));
  {
    Gate gate(0);
    add<<<1, 1, 0, cudaStreamLegacy>>>(cell, 1);
    letOthersRun();
    EXPECT(cudaStreamQuery(cudaStreamLegacy) == cudaErrorNotReady);
    EXPECT(cudaStreamQuery(0) == cudaErrorNotReady);
    gate.open();
  }
  CHECK(cudaStreamSynchronize(cudaStreamLegacy));
  {
    Gate gate(cudaStreamLegacy);
    add<<<1, 1>>>(cell, 10);
    letOthersRun();
    EXPECT(cudaStreamQuery(0) == cudaErrorNotReady);
    gate.open();
  }
  CHECK(cudaMemcpy(&got, cell, sizeof(int), cudaMemcpyDeviceToHost));
  expectEqual(got, 11, "before and after the legacy default stream");
}

/// Streams of two threads are independent, and are ordered by events.
static void twoThreads(int *cell) {
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaMemset(cell, 0, sizeof(int)));
  CHECK(cudaStreamSynchronize(0));
  Gate gate(0);
  add<<<1, 1>>>(cell, 1);
  CHECK(cudaEventRecord(event, 0));
  std::thread([&] {
    int got = -1;
    CHECK(cudaMemcpy(&got, cell, sizeof(int), cudaMemcpyDeviceToHost));
    expectEqual(got, 0, "a copy in another thread");
    CHECK(cudaStreamWaitEvent(0, event));
    add<<<1, 1>>>(cell, 10);
    letOthersRun();
    EXPECT(cudaStreamQuery(0) == cudaErrorNotReady);
    gate.open();
    CHECK(cudaMemcpy(&got, cell, sizeof(int), cudaMemcpyDeviceToHost));
    expectEqual(got, 11, "a thread that waits for an event");
  }).join();
  CHECK(cudaEventDestroy(event));
}

static void count(void *counter) { ++*static_cast<int *>(counter); }
static void countStatus(cudaStream_t, cudaError_t status, void *counter) {
  if (status == cudaSuccess)
    count(counter);
}

/// The legacy default stream cannot be captured; what goes to stream 0 is.
static void capture(int *cell) {
  int value = 4, got = 0, calls = 0;
  cudaGraph_t graph, inner;
  cudaGraphExec_t executable;
  CHECK(cudaMemset(cell, 0, 4 * sizeof(int)));
  EXPECT(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal) ==
         cudaErrorStreamCaptureUnsupported);
  (void)cudaGetLastError();
  CHECK(cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaMemsetAsync(cell, 0, sizeof(int)));
  CHECK(cudaMemset2DAsync(cell + 1, 8, 0, 4, 1));
  CHECK(cudaMemcpyToSymbolAsync(variable, &value, sizeof(int)));
  CHECK(cudaMemcpyFromSymbolAsync(cell + 1, variable, sizeof(int), 0, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpyAsync(cell, cell + 1, sizeof(int), cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy2DAsync(cell + 2, 4, cell, 4, 4, 1, cudaMemcpyDeviceToDevice));
  add<<<1, 1>>>(cell, 20);
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = 1;
  CHECK(cudaLaunchKernelEx(&config, add, cell, 300));
  CHECK(cudaLaunchHostFunc(0, count, &calls));
  int *temporary;
  CHECK(cudaMallocAsync(&temporary, sizeof(int), 0));
  CHECK(cudaFreeAsync(temporary, 0));
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK(cudaStreamIsCapturing(cudaStreamPerThread, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  unsigned long long id = 0;
  status = cudaStreamCaptureStatusNone;
  CHECK(cudaStreamGetCaptureInfo(0, &status, &id, &inner));
  EXPECT(status == cudaStreamCaptureStatusActive && id != 0);
  CHECK(cudaStreamEndCapture(0, &graph));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  expectEqual(nodes, size_t(11), "nodes");

  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphUpload(executable, 0));
  {
    Gate gate(cudaStreamLegacy); // which stream 0 waits for
    CHECK(cudaGraphLaunch(executable, 0));
    CHECK(cudaStreamAddCallback(0, countStatus, &calls, 0));
    letOthersRun();
    EXPECT(cudaStreamQuery(0) == cudaErrorNotReady);
    gate.open();
  }
  CHECK(cudaStreamSynchronize(0));
  CHECK(cudaMemcpy(&got, cell, sizeof(int), cudaMemcpyDeviceToHost));
  expectEqual(got, 324, "a graph");
  expectEqual(calls, 2, "host functions");
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

static void *entryPoint(unsigned long long flags) {
  void *found = nullptr;
  CHECK(cudaGetDriverEntryPoint("cuMemcpyHtoD", &found, flags));
  return found;
}
static void *driversOwn(cuuint64_t flags) {
  void *found = nullptr;
  EXPECT(cuGetProcAddress("cuMemcpyHtoD", &found, CUDA_VERSION, flags, nullptr) == CUDA_SUCCESS);
  return found;
}

static void driver() {
  EXPECT(entryPoint(cudaEnableDefault) == entryPoint(cudaEnablePerThreadDefaultStream));
  EXPECT(entryPoint(cudaEnableDefault) != entryPoint(cudaEnableLegacyStream));
  EXPECT(driversOwn(CU_GET_PROC_ADDRESS_DEFAULT) ==
         driversOwn(CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
  EXPECT(driversOwn(CU_GET_PROC_ADDRESS_DEFAULT) !=
         driversOwn(CU_GET_PROC_ADDRESS_LEGACY_STREAM));
  EXPECT(driversOwn(CU_GET_PROC_ADDRESS_DEFAULT) == entryPoint(cudaEnableDefault));
  unsigned long long id = 0;
  EXPECT(cuStreamGetId(0, &id) == CUDA_SUCCESS);
  EXPECT(id == idOf(0));
}

/// A copy between devices waits for what the thread has on both, not for their legacy streams.
static void twoDevices() {
  int count = 0, value = 3, got = 0, *here, *there;
  CHECK(cudaGetDeviceCount(&count));
  if (count < 2)
    return;
  CHECK(cudaSetDevice(1));
  CHECK(cudaMalloc(&there, sizeof(int)));
  CHECK(cudaMemcpy(there, &value, sizeof(int), cudaMemcpyHostToDevice));
  cudaStream_t other;
  CHECK(cudaStreamCreate(&other));
  {
    Gate gate(other);
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&here, sizeof(int)));
    CHECK(cudaMemcpy(here, there, sizeof(int), cudaMemcpyDefault));
    CHECK(cudaMemcpy(&got, here, sizeof(int), cudaMemcpyDeviceToHost));
    gate.open();
  }
  expectEqual(got, 3, "from another device");
}

int main() {
  int *cell;
  CHECK(cudaMalloc(&cell, 4 * sizeof(int)));
  whichStreams();
  cudaStream_t blocking;
  CHECK(cudaStreamCreate(&blocking));
  callsThatWait(cell, blocking);
  legacyStream(cell);
  twoThreads(cell);
  capture(cell);
  driver();
  twoDevices();
  return finish();
}
