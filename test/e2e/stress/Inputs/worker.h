// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of the stress test: random operations on streams, events and memory of its own, on
// all devices.

#ifndef TEST_E2E_STRESS_WORKER_H
#define TEST_E2E_STRESS_WORKER_H

#include "graphs.h"
#include "model.h"
#include <list>
#include <mutex>
#include <random>

/// The last event that some worker has recorded, for the streams of the others.
struct SharedEvent {
  std::mutex mutex;
  cudaEvent_t event = nullptr;
};

class Worker {
public:
  Worker(unsigned seed, int devices, SharedEvent &shared)
      : random(seed), devices(devices), shared(shared) {}

  void step();
  /// Gives back all it has, in any order.
  void giveBack();
  /// The devices have been reset: nothing is left of what it had.
  void forget();

private:
  struct OwnStream {
    cudaStream_t handle;
    int device;
    bool isBlocking;
  };

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random); }
  template <typename T> T &any(std::vector<T> &all) { return all[size_t(below(int(all.size())))]; }

  Buffer &anyBuffer();
  cudaStream_t anyStream(int device);
  void moveTo(Buffer &buffer, cudaStream_t stream);
  void prepare(Buffer &buffer);
  void allocate();
  void release(size_t which);
  void createStream();
  void destroyStream(size_t which);
  void runKernel();
  void runMix();
  void fillOrCopy();
  void copyBetween();
  void compareNow();
  void compareLater();
  void useManaged();
  void useGraphs();
  void useEvents();
  void shareEvent();
  void ask();
  void synchronize();
  void collectInspections();

  std::mt19937 random;
  int devices;
  SharedEvent &shared;
  std::vector<Buffer> buffers;
  std::vector<OwnStream> streams;
  std::vector<cudaEvent_t> events; // of device 0, each recorded or not
  std::list<Inspection> inspections;
};

inline cudaStream_t Worker::anyStream(int device) {
  std::vector<cudaStream_t> all = {cudaStreamLegacy, cudaStreamPerThread, nullptr};
  for (const OwnStream &own : streams)
    if (own.device == device)
      all.insert(all.end(), 3, own.handle);
  return any(all);
}

/// Checks that "not ready" is an answer, not an error that the thread keeps.
inline void checkQuery(cudaError_t answer) {
  if (answer == cudaErrorNotReady)
    answer = cudaPeekAtLastError();
  CHECK(answer);
}

/// Orders the work enqueued for BUFFER before the work that will be enqueued in STREAM.
inline void Worker::moveTo(Buffer &buffer, cudaStream_t stream) {
  if (stream == buffer.stream)
    return;
  cudaEvent_t event;
  CHECK(cudaEventCreateWithFlags(&event, below(2) ? cudaEventDisableTiming : cudaEventDefault));
  CHECK(cudaEventRecord(event, buffer.stream));
  CHECK(cudaStreamWaitEvent(stream, event, 0));
  CHECK(cudaEventDestroy(event)); // recorded and waited for all the same
  buffer.stream = stream;
}

/// Makes the device of BUFFER the current one. A per-thread stream is another one for each thread:
/// buffers are moved out of them before the thread ends.
inline void Worker::prepare(Buffer &buffer) {
  CHECK(cudaSetDevice(buffer.device));
  if (below(4) == 0)
    moveTo(buffer, anyStream(buffer.device));
}

inline Buffer &Worker::anyBuffer() {
  if (buffers.empty())
    allocate();
  Buffer &buffer = any(buffers);
  prepare(buffer);
  return buffer;
}

inline void Worker::allocate() {
  Buffer buffer;
  buffer.device = below(devices);
  buffer.kind = Buffer::Kind(below(3));
  CHECK(cudaSetDevice(buffer.device));
  buffer.stream = anyStream(buffer.device);
  if (buffer.kind == Buffer::Managed)
    CHECK(cudaMallocManaged(&buffer.data, kBytes));
  else if (buffer.kind == Buffer::Asynchronous)
    CHECK(cudaMallocAsync(&buffer.data, kBytes, buffer.stream));
  else
    CHECK(cudaMalloc(&buffer.data, kBytes));
  int byte = below(256);
  CHECK(cudaMemsetAsync(buffer.data, byte, kBytes, buffer.stream));
  buffer.set(byte);
  buffers.push_back(std::move(buffer));
}

inline void Worker::release(size_t which) {
  Buffer buffer = std::move(buffers[which]);
  buffers.erase(buffers.begin() + ptrdiff_t(which));
  CHECK(cudaSetDevice(buffer.device));
  if (buffer.kind != Buffer::Managed && below(2))
    CHECK(cudaFreeAsync(buffer.data, buffer.stream));
  else
    CHECK(cudaFree(buffer.data)); // waits for the device
}

inline void Worker::createStream() {
  OwnStream own{nullptr, below(devices), below(3) == 0};
  CHECK(cudaSetDevice(own.device));
  CHECK(cudaStreamCreateWithPriority(&own.handle, own.isBlocking ? 0 : cudaStreamNonBlocking,
                                     -below(6)));
  streams.push_back(own);
}

/// Destroys a stream whose work still runs.
inline void Worker::destroyStream(size_t which) {
  OwnStream own = streams[which];
  streams.erase(streams.begin() + ptrdiff_t(which));
  CHECK(cudaSetDevice(own.device));
  for (Buffer &buffer : buffers)
    if (buffer.stream == own.handle)
      moveTo(buffer, anyStream(own.device));
  CHECK(cudaStreamDestroy(own.handle));
}

inline void Worker::runKernel() {
  Buffer &buffer = anyBuffer();
  for (int times = 1 + below(4); times > 0; --times) {
    int value = below(1000), threads = below(2) ? 32 : 100;
    addTo<<<(kNumbers + threads - 1) / threads, threads, 0, buffer.stream>>>(buffer.data, value);
    CHECK(cudaGetLastError());
    buffer.add(value);
  }
}

inline void Worker::runMix() {
  Buffer &out = anyBuffer(), &in = any(buffers);
  if (&out == &in || out.device != in.device)
    return;
  moveTo(in, out.stream);
  mix<<<(kNumbers + 63) / 64, 64, 0, out.stream>>>(out.data, in.data);
  CHECK(cudaGetLastError());
  out.mixWith(in);
}

inline void Worker::fillOrCopy() {
  Buffer &buffer = anyBuffer();
  if (below(2)) {
    int byte = below(256);
    CHECK(cudaMemsetAsync(buffer.data, byte, kBytes, buffer.stream));
    buffer.set(byte);
    return;
  }
  for (int &number : buffer.expected)
    number = below(1 << 30);
  CHECK(cudaMemcpyAsync(buffer.data, buffer.expected.data(), kBytes, cudaMemcpyHostToDevice,
                        buffer.stream));
  // Pageable memory has been read when the call returns, or is not touched until the copy is done.
  CHECK(cudaStreamSynchronize(buffer.stream));
}

/// Copies, also between devices, where both have to wait for each other.
inline void Worker::copyBetween() {
  Buffer &to = anyBuffer(), &from = any(buffers);
  if (&to == &from)
    return;
  if (to.device == from.device) {
    moveTo(from, to.stream);
    CHECK(cudaMemcpyAsync(to.data, from.data, kBytes,
                          below(2) ? cudaMemcpyDefault : cudaMemcpyDeviceToDevice, to.stream));
  } else {
    cudaEvent_t before, after;
    CHECK(cudaSetDevice(from.device));
    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventRecord(before, from.stream));
    CHECK(cudaSetDevice(to.device));
    CHECK(cudaEventCreate(&after));
    CHECK(cudaStreamWaitEvent(to.stream, before, 0));
    CHECK(cudaMemcpyPeerAsync(to.data, to.device, from.data, from.device, kBytes, to.stream));
    CHECK(cudaEventRecord(after, to.stream));
    CHECK(cudaSetDevice(from.device));
    CHECK(cudaStreamWaitEvent(from.stream, after, 0));
    CHECK(cudaEventDestroy(before));
    CHECK(cudaEventDestroy(after));
  }
  to.expected = from.expected;
}

inline void Worker::compareNow() {
  Buffer &buffer = anyBuffer();
  std::vector<int> got(kNumbers);
  if (below(2)) {
    CHECK(cudaMemcpyAsync(got.data(), buffer.data, kBytes, cudaMemcpyDeviceToHost, buffer.stream));
    CHECK(cudaStreamSynchronize(buffer.stream));
  } else {
    CHECK(cudaStreamSynchronize(buffer.stream));
    CHECK(cudaMemcpy(got.data(), buffer.data, kBytes, cudaMemcpyDeviceToHost));
  }
  compare(got.data(), buffer.expected, "copy");
}

inline void Worker::compareLater() {
  collectInspections();
  if (inspections.size() >= 8)
    return;
  Buffer &buffer = anyBuffer();
  Inspection &inspection = inspections.emplace_back();
  inspection.expected = buffer.expected;
  CHECK(cudaMallocHost(&inspection.pinned, kBytes));
  CHECK(cudaMemcpyAsync(inspection.pinned, buffer.data, kBytes, cudaMemcpyDeviceToHost,
                        buffer.stream));
  ++pendingFunctions;
  if (below(2))
    CHECK(cudaLaunchHostFunc(buffer.stream, inspect, &inspection));
  else
    CHECK(cudaStreamAddCallback(buffer.stream, inspectAsCallback, &inspection, 0));
}

inline void Worker::collectInspections() {
  for (auto it = inspections.begin(); it != inspections.end();) {
    if (!it->done) {
      ++it;
      continue;
    }
    CHECK(cudaFreeHost(it->pinned));
    it = inspections.erase(it);
  }
}

inline void Worker::useManaged() {
  Buffer &buffer = anyBuffer();
  if (buffer.kind != Buffer::Managed)
    return;
  CHECK(cudaStreamSynchronize(buffer.stream));
  compare(buffer.data, buffer.expected, "managed memory");
  int place = below(kNumbers);
  buffer.data[place] = buffer.expected[size_t(place)] = below(1000);
}

inline void Worker::useGraphs() {
  Buffer &buffer = anyBuffer(), &other = any(buffers);
  if (below(2)) {
    runMadeGraph(buffer, below(256), below(1000));
    return;
  }
  // While blocking streams are captured, no thread may use the legacy default stream.
  std::vector<cudaStream_t> own;
  for (const OwnStream &stream : streams)
    if (stream.device == buffer.device && !stream.isBlocking)
      own.push_back(stream.handle);
  if (own.size() < 2 || &buffer == &other || buffer.device != other.device)
    return;
  moveTo(buffer, own[0]);
  moveTo(other, own[0]);
  runCapturedGraph(buffer, other, own[1], below(1000), 1 + below(3));
}

inline void Worker::useEvents() {
  CHECK(cudaSetDevice(0));
  if (events.size() < 6) {
    cudaEvent_t event;
    CHECK(cudaEventCreate(&event));
    events.push_back(event);
  }
  cudaEvent_t &event = any(events);
  switch (below(5)) {
  case 0:
  case 1:
    CHECK(cudaEventRecord(event, anyStream(0)));
    break;
  case 2:
    CHECK(cudaEventSynchronize(event));
    break;
  case 3:
    checkQuery(cudaEventQuery(event));
    break;
  case 4:
    CHECK(cudaEventDestroy(event));
    std::swap(event, events.back());
    events.pop_back();
  }
}

/// Streams of several threads wait for one event, which may be recorded anew meanwhile.
inline void Worker::shareEvent() {
  std::lock_guard lock(shared.mutex);
  CHECK(cudaSetDevice(0));
  if (!shared.event)
    CHECK(cudaEventCreateWithFlags(&shared.event, cudaEventDisableTiming));
  if (below(2))
    CHECK(cudaEventRecord(shared.event, anyStream(0)));
  else
    CHECK(cudaStreamWaitEvent(anyStream(0), shared.event, 0));
}

inline void Worker::ask() {
  Buffer &buffer = anyBuffer();
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, buffer.data));
  wrong += attributes.type !=
           (buffer.kind == Buffer::Managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice);
  size_t free, total;
  CHECK(cudaMemGetInfo(&free, &total));
  wrong += free > total;
  cudaFuncAttributes function;
  CHECK(cudaFuncGetAttributes(&function, mix));
  // Code that is compiled to be checked has room around variables.
  wrong += function.sharedSizeBytes < 64 * sizeof(int) || function.sharedSizeBytes > 80 * sizeof(int);
  checkQuery(cudaStreamQuery(buffer.stream));
  // Errors of one call belong to its thread.
  wrong += cudaFree(reinterpret_cast<void *>(8)) != cudaErrorInvalidValue;
  wrong += cudaGetLastError() != cudaErrorInvalidValue;
  wrong += cudaGetLastError() != cudaSuccess;
}

inline void Worker::synchronize() {
  Buffer &buffer = anyBuffer();
  if (below(3) == 0)
    CHECK(cudaDeviceSynchronize());
  else
    CHECK(cudaStreamSynchronize(buffer.stream));
}

inline void Worker::step() {
  int choice = below(100);
  if (choice < 6 && buffers.size() < 12)
    allocate();
  else if (choice < 10 && !buffers.empty())
    release(size_t(below(int(buffers.size()))));
  else if (choice < 13 && streams.size() < 6)
    createStream();
  else if (choice < 15 && !streams.empty())
    destroyStream(size_t(below(int(streams.size()))));
  else if (choice < 34)
    runKernel();
  else if (choice < 40)
    useGraphs();
  else if (choice < 50)
    runMix();
  else if (choice < 58)
    fillOrCopy();
  else if (choice < 66)
    copyBetween();
  else if (choice < 74)
    compareNow();
  else if (choice < 82)
    compareLater();
  else if (choice < 86)
    useManaged();
  else if (choice < 92)
    useEvents();
  else if (choice < 96)
    shareEvent();
  else if (choice < 98)
    ask();
  else
    synchronize();
}

inline void Worker::giveBack() {
  while (!streams.empty())
    destroyStream(size_t(below(int(streams.size()))));
  while (!buffers.empty())
    release(size_t(below(int(buffers.size()))));
  for (cudaEvent_t event : events)
    CHECK(cudaEventDestroy(event));
  events.clear();
  for (int device = 0; device < devices; ++device) {
    CHECK(cudaSetDevice(device));
    CHECK(cudaDeviceSynchronize());
  }
  collectInspections();
  wrong += !inspections.empty();
}

inline void Worker::forget() {
  for (const OwnStream &own : streams) {
    CHECK(cudaSetDevice(own.device));
    wrong += cudaStreamQuery(own.handle) != cudaErrorInvalidResourceHandle;
  }
  for (cudaEvent_t event : events)
    wrong += cudaEventQuery(event) != cudaErrorInvalidResourceHandle;
  (void)cudaGetLastError();
  for (Inspection &inspection : inspections)
    wrong += !inspection.done;
  buffers.clear();
  streams.clear();
  events.clear();
  inspections.clear();
}

#endif // TEST_E2E_STRESS_WORKER_H
