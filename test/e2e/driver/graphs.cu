// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs, capture, pools, attributes of streams and of managed memory through the driver API, mixed
// with the runtime API's.
//
// RUN: %vxcc --target=vortex,host %s -o %t -lcuda -lnvrtc -I %S/Inputs && %run %t
// RUN: env VX_BACKEND=host timeout 120 %t

#include "driver.h"
#include <cudaProfiler.h>
#include <cuda_runtime.h>

static const char *kSource = R"(
extern "C" __global__ void scale(int *p, int factor) { p[threadIdx.x] *= factor; }
extern "C" __global__ void offset(int *p, int n) { p[threadIdx.x] += n; }
)";

constexpr int kCount = 32;

template <typename Want, typename Have> static void same(Want want, Have have, const char *what) {
  if ((long long)want == (long long)have)
    return;
  std::printf("FAIL %s: %lld, not %lld\n", what, (long long)have, (long long)want);
  std::exit(1);
}

static CUDA_KERNEL_NODE_PARAMS kernel(CUfunction function, void **arguments) {
  CUDA_KERNEL_NODE_PARAMS p{};
  p.func = function;
  p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimY = p.blockDimZ = 1;
  p.blockDimX = kCount;
  p.kernelParams = arguments;
  return p;
}

static CUDA_MEMCPY3D toHost(void *to, CUdeviceptr from) {
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to;
  copy.WidthInBytes = kCount * sizeof(int);
  copy.Height = copy.Depth = 1;
  return copy;
}

static void add7(void *data) {
  *static_cast<int *>(data) += 7;
}

/// p = fill, times 3, plus 5, copied to the host, whose first word becomes 7 more.
static void nodeByNode(CUmodule module, CUcontext context) {
  CUfunction scale, offset;
  OK(cuModuleGetFunction(&scale, module, "scale"));
  OK(cuModuleGetFunction(&offset, module, "offset"));
  CUdeviceptr p;
  OK(cuMemAlloc(&p, kCount * sizeof(int)));
  std::vector<int> host(kCount);
  CUgraph graph;
  OK(cuGraphCreate(&graph, 0));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphCreate(nullptr, 0));

  CUgraphNode fill, scaled, moved, copied, called;
  CUDA_MEMSET_NODE_PARAMS fillWith{p, 0, 2, 4, kCount, 1};
  OK(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &fillWith, context));
  int factor = 3, n = 5;
  void *scaleArguments[] = {&p, &factor}, *offsetArguments[] = {&p, &n};
  CUDA_KERNEL_NODE_PARAMS parameters = kernel(scale, scaleArguments);
  OK(cuGraphAddKernelNode(&scaled, graph, &fill, 1, &parameters));
  CUDA_KERNEL_NODE_PARAMS wrong = parameters;
  wrong.func = reinterpret_cast<CUfunction>(&wrong);
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuGraphAddKernelNode(&moved, graph, nullptr, 0, &wrong));

  CUgraphNodeParams any{};
  any.type = CU_GRAPH_NODE_TYPE_KERNEL;
  any.kernel.func = offset;
  any.kernel.gridDimX = any.kernel.gridDimY = any.kernel.gridDimZ = 1;
  any.kernel.blockDimX = kCount;
  any.kernel.blockDimY = any.kernel.blockDimZ = 1;
  any.kernel.kernelParams = offsetArguments;
  OK(cuGraphAddNode(&moved, graph, &scaled, 1, &any));
  CUDA_MEMCPY3D copy = toHost(host.data(), p);
  OK(cuGraphAddMemcpyNode(&copied, graph, &moved, 1, &copy, context));
  CUDA_HOST_NODE_PARAMS call{add7, host.data()};
  OK(cuGraphAddHostNode(&called, graph, &copied, 1, &call));

  CUgraphNodeType type;
  OK(cuGraphNodeGetType(moved, &type));
  same(CU_GRAPH_NODE_TYPE_KERNEL, type, "type of a node");
  size_t count = 0;
  OK(cuGraphGetEdges(graph, nullptr, nullptr, &count));
  same(4, count, "edges");
  CUDA_KERNEL_NODE_PARAMS got;
  OK(cuGraphKernelNodeGetParams(moved, &got));
  same(true, got.func == offset && got.blockDimX == kCount, "parameters of a kernel");
  CUDA_MEMCPY3D gotCopy;
  OK(cuGraphMemcpyNodeGetParams(copied, &gotCopy));
  same(true, gotCopy.dstHost == host.data() && gotCopy.srcDevice == p, "parameters of a copy");

  CUgraphExec exec;
  OK(cuGraphInstantiate(&exec, graph, 0));
  OK(cuGraphLaunch(exec, nullptr));
  OK(cuCtxSynchronize());
  same(2 * 3 + 5 + 7, host[0], "first word");
  same(2 * 3 + 5, host[kCount - 1], "last word");

  factor = 10;
  OK(cuGraphExecKernelNodeSetParams(exec, scaled, &parameters));
  fillWith.value = 4;
  OK(cuGraphExecMemsetNodeSetParams(exec, fill, &fillWith, context));
  OK(cuGraphNodeSetEnabled(exec, moved, 0));
  OK(cuGraphLaunch(exec, nullptr));
  OK(cuCtxSynchronize());
  same(40, host[kCount - 1], "after a change");

  // The graph itself still has the old parameters.
  CUgraphExecUpdateResultInfo result;
  OK(cuGraphExecUpdate(exec, graph, &result));
  same(CU_GRAPH_EXEC_UPDATE_SUCCESS, result.result, "update");
  OK(cuGraphNodeSetEnabled(exec, moved, 1));
  OK(cuGraphLaunch(exec, nullptr));
  OK(cuCtxSynchronize());
  same(2 * 3 + 5, host[kCount - 1], "after the update");
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(graph));
  OK(cuMemFree(p));
}

/// A captured graph, launched by the runtime API; memory of pools.
static void captureAndPools(CUmodule module, CUdevice device) {
  CUfunction offset;
  OK(cuModuleGetFunction(&offset, module, "offset"));
  CUmemoryPool pool, current;
  OK(cuDeviceGetDefaultMemPool(&pool, device));
  OK(cuDeviceGetMemPool(&current, device));
  same(true, pool == current, "the pool of a device");
  cuuint64_t threshold = 1 << 20, used = 0;
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));

  CUstream stream;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUdeviceptr p;
  OK(cuMemAllocFromPoolAsync(&p, kCount * sizeof(int), pool, stream));
  OK(cuMemsetD32Async(p, 1, kCount, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  same(true, used >= kCount * sizeof(int), "used memory of the pool");

  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CUstreamCaptureStatus status;
  cuuint64_t id = 0;
  OK(cuStreamGetCaptureInfo(stream, &status, &id, nullptr, nullptr, nullptr));
  same(CU_STREAM_CAPTURE_STATUS_ACTIVE, status, "status of a capture");
  int n = 20;
  void *arguments[] = {&p, &n};
  OK(cuLaunchKernel(offset, 1, 1, 1, kCount, 1, 1, 0, stream, arguments, nullptr));
  OK(cuLaunchKernel(offset, 1, 1, 1, kCount, 1, 1, 0, stream, arguments, nullptr));
  CUgraph graph;
  OK(cuStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  same(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0), "instantiation by the runtime API");
  same(cudaSuccess, cudaGraphLaunch(exec, stream), "launch by the runtime API");
  int last = 0;
  OK(cuMemcpyDtoHAsync(&last, p + (kCount - 1) * sizeof(int), sizeof last, stream));
  OK(cuStreamSynchronize(stream));
  same(41, last, "captured kernels");
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));

  CUstreamAttrValue policy{};
  policy.syncPolicy = CU_SYNC_POLICY_YIELD;
  OK(cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &policy));
  policy = {};
  OK(cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &policy));
  same(CU_SYNC_POLICY_YIELD, policy.syncPolicy, "policy of a stream");
  OK(cuMemFreeAsync(p, stream));
  OK(cuStreamDestroy(stream));
  OK(cuMemPoolTrimTo(pool, 0));
}

/// Advice about managed memory in all its forms.
static void advice(CUdevice device) {
  CUdeviceptr p;
  OK(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemAdvise(p, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
  int readMostly = 0, place = 99;
  OK(cuMemRangeGetAttribute(&readMostly, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, 4096));
  same(1, readMostly, "read mostly");
  cudaMemLocation host{cudaMemLocationTypeHost, 0};
  void *pointer = reinterpret_cast<void *>(p);
  same(cudaSuccess, cudaMemAdvise(pointer, 4096, cudaMemAdviseSetPreferredLocation, host),
       "advice of CUDA 13");
  same(cudaSuccess, cudaMemPrefetchAsync(pointer, 4096, {cudaMemLocationTypeDevice, device}, 0, 0),
       "prefetching of CUDA 13");
  same(cudaErrorInvalidValue, cudaMemPrefetchAsync_v2(pointer, 4096, {}, 0, 0), "no location");
  void *data[] = {&readMostly, &place};
  size_t sizes[] = {4, 4};
  CUmem_range_attribute ids[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                 CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION};
  OK(cuMemRangeGetAttributes(data, sizes, ids, 2, p, 4096));
  same(CU_DEVICE_CPU, place, "preferred place");
  OK(cuMemRangeGetAttribute(&place, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, 4096));
  same(device, place, "last prefetch");
  OK(cuMemFree(p));
}

__global__ void ofTheProgram(int *p) {
  *p = 11;
}

/// The runtime API's libraries, entry points and handles.
static void runtimeCalls(const std::string &text) {
  cudaLibrary_t library;
  same(cudaSuccess,
       cudaLibraryLoadData(&library, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
       "loading a library");
  cudaKernel_t scale;
  same(cudaSuccess, cudaLibraryGetKernel(&scale, library, "scale"), "kernel of a library");
  same(cudaErrorSymbolNotFound, cudaLibraryGetKernel(&scale, library, "none"), "no kernel");
  cudaGetLastError();
  int *p, factor = 6;
  cudaMallocManaged(&p, sizeof(int));
  *p = 7;
  void *arguments[] = {&p, &factor};
  same(cudaSuccess, cudaLaunchKernel(scale, 1, 1, arguments, 0, nullptr), "launch of a handle");
  same(cudaSuccess, cudaDeviceSynchronize(), "its end");
  same(42, *p, "what it has done");
  same(cudaSuccess, cudaLibraryUnload(library), "unloading");

  void *found = nullptr;
  cudaDriverEntryPointQueryResult status;
  same(cudaSuccess, cudaGetDriverEntryPoint("cuCtxSynchronize", &found, cudaEnableDefault, &status),
       "entry point");
  same(CUDA_SUCCESS, reinterpret_cast<CUresult (*)()>(found)(), "calling it");
  same(
      cudaSuccess,
      cudaGetDriverEntryPointByVersion("cuGraphAddNode", &found, 11000, cudaEnableDefault, &status),
      "entry point of an earlier release");
  same(cudaDriverEntryPointVersionNotSufficent, status, "which does not have it");
  cudaFunction_t function;
  same(cudaSuccess, cudaGetFuncBySymbol(&function, ofTheProgram), "handle of a kernel");
  void *one[] = {&p};
  OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, one, nullptr));
  OK(cuCtxSynchronize());
  same(11, *p, "a kernel of the program");
  cudaFree(p);
  OK(cuProfilerStart());
  OK(cuProfilerStop());
}

int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxSetCurrent(context));
  std::string text = compile(kSource);
  OK(cuModuleLoadData(&module, text.c_str()));
  nodeByNode(module, context);
  captureAndPools(module, device);
  advice(device);
  runtimeCalls(text);
  OK(cuModuleUnload(module));
  OK(cuDevicePrimaryCtxRelease(device));
  std::printf("PASS\n");
}
