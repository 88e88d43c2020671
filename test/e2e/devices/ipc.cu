// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %run %t
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host
// RUN: %vxcc -O3 --vx-xlen=32 %s -o %t.32 && env VX_SET=isa.xlen=32 %run %t.32
//
// Another process works on the memory of this one, in the order that events of both give.

#include "../Inputs/harness.h"
#include <cstring>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

__global__ void fill(int *p, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    p[i] = value + i;
}
__global__ void twice(int *p, int n, int add) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    p[i] = 2 * p[i] + add;
}

constexpr int n = 2500;

/// The data that this process sends to the other one, with the events that order the two.
struct Message {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t ready, done;
};

static void readAll(int file, void *data, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t count = read(file, static_cast<char *>(data) + at, size - at);
    if (count <= 0)
      _exit(3);
    at += size_t(count);
  }
}

static int child(int in, int out) {
  Message message;
  readAll(in, &message, sizeof message);
  int *memory = nullptr, *again = nullptr;
  cudaEvent_t ready, done;
  EXPECT(cudaIpcOpenMemHandle((void **)&memory, message.memory, 0) == cudaErrorInvalidValue);
  CHECK(cudaIpcOpenMemHandle((void **)&memory, message.memory, cudaIpcMemLazyEnablePeerAccess));
  CHECK(cudaIpcOpenMemHandle((void **)&again, message.memory, cudaIpcMemLazyEnablePeerAccess));
  EXPECT(memory == again);
  CHECK(cudaIpcCloseMemHandle(again));
  EXPECT(cudaFree(memory) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CHECK(cudaIpcOpenEventHandle(&ready, message.ready));
  CHECK(cudaIpcOpenEventHandle(&done, message.done));
  EXPECT(cudaEventQuery(done) == cudaSuccess); // never recorded
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamWaitEvent(stream, ready));
  twice<<<4, 64, 0, stream>>>(memory, n, 1);
  CHECK(cudaEventRecord(done, stream));
  char go = 1;
  EXPECT(write(out, &go, 1) == 1);
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaIpcCloseMemHandle(memory));
  EXPECT(cudaIpcCloseMemHandle(memory) == cudaErrorInvalidValue);
  return finish();
}

static volatile int mayGoOn = 0;

int main(int argc, char **argv) {
  if (argc > 2)
    return child(std::atoi(argv[1]), std::atoi(argv[2]));
  int there[2], back[2];
  EXPECT(pipe(there) == 0 && pipe(back) == 0);
  std::string in = std::to_string(there[0]), out = std::to_string(back[1]);
  char *arguments[] = {argv[0], in.data(), out.data(), nullptr};
  pid_t process = 0;
  EXPECT(posix_spawn(&process, "/proc/self/exe", nullptr, nullptr, arguments, environ) == 0);

  int *memory = nullptr, *opened = nullptr;
  Message message;
  cudaEvent_t ready, done, plain;
  CHECK(cudaMalloc(&memory, n * sizeof(int)));
  CHECK(cudaEventCreateWithFlags(&ready, cudaEventInterprocess | cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&done, cudaEventInterprocess | cudaEventDisableTiming));
  EXPECT(cudaEventCreateWithFlags(&plain, cudaEventInterprocess) == cudaErrorInvalidValue);
  CHECK(cudaEventCreate(&plain));
  CHECK(cudaIpcGetMemHandle(&message.memory, memory));
  EXPECT(cudaIpcGetMemHandle(&message.memory, memory + 1) == cudaErrorInvalidValue);
  EXPECT(cudaIpcOpenMemHandle((void **)&opened, message.memory, cudaIpcMemLazyEnablePeerAccess) ==
         cudaErrorDeviceUninitialized); // by the process that has it
  CHECK(cudaIpcGetEventHandle(&message.ready, ready));
  CHECK(cudaIpcGetEventHandle(&message.done, done));
  cudaIpcEventHandle_t none;
  EXPECT(cudaIpcGetEventHandle(&none, plain) == cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();

  // The memory is filled only after the other process has begun to wait for it.
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaLaunchHostFunc(stream, [](void *) { while (!mayGoOn) usleep(1000); }, nullptr));
  fill<<<4, 64, 0, stream>>>(memory, n, 100);
  CHECK(cudaEventRecord(ready, stream));
  EXPECT(cudaEventQuery(ready) == cudaErrorNotReady);
  EXPECT(write(there[1], &message, sizeof message) == sizeof message);
  char go = 0;
  readAll(back[0], &go, 1);
  EXPECT(cudaEventQuery(done) == cudaErrorNotReady);
  mayGoOn = 1;
  CHECK(cudaEventSynchronize(done));
  std::vector<int> values(n);
  CHECK(cudaMemcpy(values.data(), memory, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    EXPECT(values[i] == 2 * (100 + i) + 1);
  int status = -1;
  EXPECT(waitpid(process, &status, 0) == process && status == 0);
  CHECK(cudaFree(memory));
  return finish();
}
