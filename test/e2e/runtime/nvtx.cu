// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t && %t 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: env VX_TRACE=perfetto:%t.json VX_STATS=json:%t.stats %t on
// RUN: %python %S/Inputs/check-nvtx.py %t.json %t.stats
// RUN: env VX_STATS=text VX_MODE=functional %t on 2>&1 >%t.out | FileCheck --check-prefix=STATS %s
// RUN: %vxcc -x c++ %s -c -o %t.plain.o
//
// NVTX ranges and marks in traces and statistics: nested ranges of a thread, a range of the process,
// domains, registered and wide strings; without a report they are not kept.

#include <cstdio>
#include <cuda_runtime.h>
#include <nvToolsExtCuda.h>
#include <nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExt.h>
#include <thread>
#include <unistd.h>

#if defined(__CUDACC__)
__global__ void work(int *sum, int n) {
  for (int i = 0; i < n; ++i)
    atomicAdd(sum, int(threadIdx.x));
}

int main(int argc, char **) {
  bool isOn = argc > 1, good = true;
  int *sum;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  nvtxNameOsThreadA(uint32_t(gettid()), "the \"main\" thread");
  nvtxNameCuDevice(0, "the first device");
  nvtxNameCuStream(nullptr, "the default stream");
  auto level = [&](int got, int wanted) {
    good &= got == (isOn ? wanted : NVTX_NO_PUSH_POP_TRACKING);
  };
  work<<<1, 4>>>(sum, 1);
  level(nvtxRangePushA("outer"), 0);
  work<<<1, 4>>>(sum, 2);
  nvtxDomainHandle_t solver = nvtxDomainCreateA("solver");
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  event.message.registered = nvtxDomainRegisterStringA(solver, "step");
  for (int i = 0; i < 2; ++i) {
    level(nvtxDomainRangePushEx(solver, &event), 1);
    work<<<1, 4>>>(sum, 3);
    level(nvtxDomainRangePop(solver), 1);
  }
  nvtxRangeId_t all = nvtxRangeStartW(L"\u00fcber alles");
  nvtxMarkA("half-way");
  std::thread([&] {
    nvtxRangePushA("of the other thread");
    work<<<1, 4>>>(sum, 1);
    nvtxRangePop();
  }).join();
  level(nvtxRangePop(), 0);
  work<<<1, 4>>>(sum, 1); // returns at once: the range ends while it may still run
  nvtxRangeEnd(all);
  work<<<1, 4>>>(sum, 1);
  level(nvtxRangePop(), -1);
  nvtxDomainDestroy(solver);
  good &= cudaDeviceSynchronize() == cudaSuccess;
  std::puts(good ? "PASS" : "FAIL");
  return !good;
}
#endif

// OFF: PASS
// STATS: mode
// STATS-NEXT: range outer, 3 launches, {{[0-9]+}} cycles
// STATS-NEXT: range solver: step, 2 launches, {{[0-9]+}} cycles
// STATS-NEXT: range über alles, 2 launches, {{[0-9]+}} cycles
// STATS-NEXT: range of the other thread, 1 launch, {{[0-9]+}} cycles
// STATS: kernel work(int*, int), 7 launches
