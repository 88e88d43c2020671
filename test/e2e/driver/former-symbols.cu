// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols of former releases, by dlsym and cuGetProcAddress: addresses and sizes had 32 bits.
//
// RUN: %vxcc %s -o %t -lcuda -lnvrtc -ldl -I %S/Inputs && %run %t
// RUN: env VX_BACKEND=host timeout 120 %t

#include "driver.h"
#include <cstring>
#include <dlfcn.h>

static void *library;

template <typename Function> static Function *find(const char *name) {
  void *address = dlsym(library, name);
  if (!address)
    std::printf("no %s\n", name);
  CHECK(address);
  return reinterpret_cast<Function *>(address);
}

/// A copy of two dimensions as it was before release 3.2.
struct Copy2D {
  unsigned srcX, srcY;
  CUmemorytype srcType;
  const void *srcHost;
  unsigned srcDevice;
  CUarray srcArray;
  unsigned srcPitch, dstX, dstY;
  CUmemorytype dstType;
  void *dstHost;
  unsigned dstDevice;
  CUarray dstArray;
  unsigned dstPitch, width, height;
};
struct Array {
  unsigned width, height;
  CUarray_format format;
  unsigned channels;
};

static void memory() {
  unsigned address = 0, size = 0, base = 0;
  CUresult allocated = find<CUresult(unsigned *, unsigned)>("cuMemAlloc")(&address, 4096);
  if (allocated == CUDA_ERROR_OUT_OF_MEMORY) // no address fits; the memory is free again
    return;
  CHECK(allocated == CUDA_SUCCESS && address);
  OK(find<CUresult(unsigned *, unsigned *, unsigned)>("cuMemGetAddressRange")(&base, &size,
                                                                              address + 8));
  CHECK(base == address && size == 4096);
  int values[6] = {1, 2, 3, 4, 5, 6}, back[6] = {};
  OK(find<CUresult(unsigned, const void *, unsigned)>("cuMemcpyHtoD")(address, values, 24));
  OK(find<CUresult(unsigned, unsigned, unsigned, CUstream)>("cuMemcpyDtoDAsync")(
      address + 64, address, 24, nullptr));
  OK(find<CUresult(unsigned, unsigned, unsigned)>("cuMemsetD32")(address + 64, 9, 1));
  OK(find<CUresult(void *, unsigned, unsigned)>("cuMemcpyDtoH")(back, address + 64, 24));
  CHECK(back[0] == 9 && back[1] == 2 && back[5] == 6);
  Copy2D copy{};
  copy.srcType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = address;
  copy.srcPitch = 8;
  copy.dstType = CU_MEMORYTYPE_HOST;
  copy.dstHost = back;
  copy.dstPitch = 4;
  copy.width = 4;
  copy.height = 3;
  OK(find<CUresult(const Copy2D *)>("cuMemcpy2D")(&copy));
  CHECK(back[0] == 1 && back[1] == 3 && back[2] == 5);
  OK(find<CUresult(unsigned)>("cuMemFree")(address));
}

static void arrays() {
  Array wanted{8, 4, CU_AD_FORMAT_FLOAT, 2}, had{};
  CUarray array;
  OK(find<CUresult(CUarray *, const Array *)>("cuArrayCreate")(&array, &wanted));
  OK(find<CUresult(Array *, CUarray)>("cuArrayGetDescriptor")(&had, array));
  CHECK(!std::memcmp(&wanted, &had, sizeof had));
  OK(cuArrayDestroy(array));
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
  unsigned total = 0;
  size_t wholeTotal = 0;
  OK(find<CUresult(CUcontext *, unsigned, CUdevice)>("cuCtxCreate")(&context, 0, 0));
  OK(find<CUresult(unsigned *, CUdevice)>("cuDeviceTotalMem")(&total, 0));
  OK(cuDeviceTotalMem(&wholeTotal, 0));
  CHECK(total == (wholeTotal < 0xffffffff ? wholeTotal : 0xffffffff));
  size_t before, after;
  OK(cuMemGetInfo(&before, &wholeTotal));
  memory();
  arrays();
  streamsAndGraphs();
  OK(cuMemGetInfo(&after, &wholeTotal));
  CHECK(before == after);

  // The function of a release, for streams of threads since 7.0.
  constexpr cuuint64_t perThread = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  auto lookUp = [](const char *name, int version, cuuint64_t flags) {
    void *function;
    CUdriverProcAddressQueryResult status;
    OK(cuGetProcAddress(name, &function, version, flags, &status));
    CHECK((function == nullptr) == (status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT));
    return function;
  };
  unsigned pair[2] = {0, 77}; // of which a function with 64 bits writes the second one
  OK(reinterpret_cast<CUresult (*)(unsigned *, CUdevice)>(lookUp("cuDeviceTotalMem", 3010, 0))(pair,
                                                                                               0));
  CHECK(pair[0] == total && pair[1] == 77);
  CHECK(lookUp("cuDeviceTotalMem", 3010, 0) != lookUp("cuDeviceTotalMem", 3020, 0));
  CHECK(lookUp("cuMemcpyHtoD", 4000, 0) == lookUp("cuMemcpyHtoD", 12030, 0));
  CHECK(lookUp("cuMemcpyHtoD", 7000, 0) != lookUp("cuMemcpyHtoD", 7000, perThread));
  CHECK(lookUp("cuStreamBeginCapture", 10000, perThread) !=
        lookUp("cuStreamBeginCapture", 10010, perThread));
  CHECK(!lookUp("cuMemcpyHtoD", 4000, perThread));
  OK(find<CUresult(CUcontext)>("cuCtxDestroy")(context));
  std::printf("PASS\n");
}
