// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols of former releases since 3.2, by dlsym and cuGetProcAddress.
//
// RUN: %vxcc %s -o %t -lcuda -lnvrtc -ldl -I %S/Inputs && %run %t
// RUN: env VX_BACKEND=host timeout 120 %t

#include "driver.h"
#include <dlfcn.h>

static void *library;

template <typename Function> static Function *find(const char *name) {
  void *address = dlsym(library, name);
  if (!address)
    std::printf("no %s\n", name);
  CHECK(address);
  return reinterpret_cast<Function *>(address);
}

static void streamsAndGraphs() {
  CUstream stream;
  CUgraph graph;
  CUgraphExec exec;
  CUgraphNode node;
  CUstreamCaptureStatus status;
  cuuint64_t id = 0;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(find<CUresult(CUstream)>("cuStreamBeginCapture")(stream));
  OK(find<CUresult(CUstream, CUstreamCaptureStatus *, cuuint64_t *)>("cuStreamGetCaptureInfo")(
      stream, &status, &id));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id);
  OK(cuStreamEndCapture(stream, &graph));
  char log[16] = "?";
  OK(find<CUresult(CUgraphExec *, CUgraph, CUgraphNode *, char *, size_t)>("cuGraphInstantiate")(
      &exec, graph, &node, log, sizeof log));
  CHECK(!log[0]);
  CUgraphExecUpdateResult result;
  OK(find<CUresult(CUgraphExec, CUgraph, CUgraphNode *, CUgraphExecUpdateResult *)>(
      "cuGraphExecUpdate")(exec, graph, &node, &result));
  CHECK(result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
  OK(find<CUresult(CUstream)>("cuStreamDestroy")(stream));
}

int main() {
  library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  CHECK(library);
  OK(cuInit(0));
  CUcontext context;
  size_t total, before, after;
  OK(cuCtxCreate(&context, 0, 0));
  OK(cuMemGetInfo(&before, &total));
  streamsAndGraphs();
  OK(cuMemGetInfo(&after, &total));
  CHECK(before == after);
  // There is no function for addresses of 32 bits.
  CHECK(!dlsym(library, "cuMemAlloc"));

  // The function of a release, for streams of threads since 7.0.
  constexpr cuuint64_t perThread = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  auto lookUp = [](const char *name, int version, cuuint64_t flags) {
    void *function;
    CUdriverProcAddressQueryResult status;
    OK(cuGetProcAddress(name, &function, version, flags, &status));
    CHECK((function == nullptr) == (status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT));
    return function;
  };
  CHECK(!lookUp("cuDeviceTotalMem", 3010, 0));
  CHECK(lookUp("cuDeviceTotalMem", 3020, 0));
  CHECK(lookUp("cuMemcpyHtoD", 4000, 0) == lookUp("cuMemcpyHtoD", 12030, 0));
  CHECK(lookUp("cuMemcpyHtoD", 7000, 0) != lookUp("cuMemcpyHtoD", 7000, perThread));
  CHECK(lookUp("cuStreamBeginCapture", 10000, perThread) !=
        lookUp("cuStreamBeginCapture", 10010, perThread));
  CHECK(!lookUp("cuMemcpyHtoD", 4000, perThread));
  OK(find<CUresult(CUcontext)>("cuCtxDestroy")(context));
  std::printf("PASS\n");
}
