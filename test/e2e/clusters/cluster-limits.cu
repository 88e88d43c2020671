// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -I%inputs %s -o %t -lcuda && env VX_SET=num_cores=2,core.num_warps=4,core.num_threads=4 %run %t | FileCheck %s
// CHECK: PASS
//
// Sizes of clusters that are refused, what the occupancy functions say, and that launches agree;
// clusters of kernel nodes, and what the driver API says.

#include "harness.h"
#include <cooperative_groups.h>
#include <cuda.h>
namespace cg = cooperative_groups;

__global__ void synchronize(int *p) {
  cg::this_cluster().sync();
  if (cg::this_cluster().thread_rank() == 0)
    atomicAdd(p, cg::this_cluster().num_blocks());
}
__global__ void __vx_lower__("hw") large(int *p) {
  cg::this_cluster().sync();
  if (threadIdx.x == 0)
    atomicAdd(p, 1);
}
__global__ void __cluster_dims__(2) own(int *p) { atomicAdd(p, __clusterDim().x); }
__global__ void plain(int *p) { atomicAdd(p, 1); }

static cudaLaunchConfig_t config(int grid, int block, dim3 dims, cudaLaunchAttribute &attribute) {
  attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = dims.x;
  attribute.val.clusterDim.y = dims.y;
  attribute.val.clusterDim.z = dims.z;
  cudaLaunchConfig_t c = {};
  c.gridDim = grid;
  c.blockDim = block;
  c.attrs = &attribute;
  c.numAttrs = 1;
  return c;
}
static cudaError_t launch(void (*kernel)(int *), int *p, int grid, int block, dim3 dims) {
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t c = config(grid, block, dims, attribute);
  cudaError_t e = cudaLaunchKernelEx(&c, kernel, p);
  cudaGetLastError();
  return e;
}
static int active(void (*kernel)(int *), int block, int size) {
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t c = config(size, block, size, attribute);
  int count = -1;
  CHECK(cudaOccupancyMaxActiveClusters(&count, kernel, &c));
  return count;
}

// A kernel node that was captured, and the same with another cluster.
static void checkGraph(int *p) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  size_t count = 1;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t c = config(8, 8, 4, attribute);
  c.stream = stream;
  CHECK(cudaLaunchKernelEx(&c, synchronize, p));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphGetNodes(graph, &node, &count));
  auto run = [&](unsigned dim, int want) {
    cudaKernelNodeAttrValue value = {};
    CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    expectEqual(value.clusterDim.x, dim, "node attribute");
    CHECK(cudaMemset(p, 0, sizeof *p));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    int got = 0;
    CHECK(cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost));
    expectEqual(got, want, "graph");
  };
  run(4, 8);
  cudaKernelNodeAttrValue value = {};
  value.clusterDim = {2, 1, 1};
  CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
  run(2, 8);
  value.clusterDim = {1, 1, 1};
  CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
  run(1, 8);
  value.clusterDim = {3, 1, 1};
  expectEqual(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value),
              cudaErrorInvalidClusterSize, "node attribute");
  cudaGetLastError();
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

static void checkDriver() {
  expectEqual(cuInit(0), CUDA_SUCCESS, "driver");
  auto function = (CUfunction)(void *)own;
  int value = 0;
  expectEqual(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, function),
              CUDA_SUCCESS, "driver");
  expectEqual(value, 2, "driver's width");
  CUlaunchConfig c = {};
  c.gridDimX = 8;
  c.blockDimX = 8;
  c.gridDimY = c.gridDimZ = c.blockDimY = c.blockDimZ = 1;
  expectEqual(cuOccupancyMaxPotentialClusterSize(&value, function, &c), CUDA_SUCCESS, "driver");
  expectEqual(value, 2, "driver's potential size");
  expectEqual(cuOccupancyMaxActiveClusters(&value, function, &c), CUDA_SUCCESS, "driver");
  expectEqual(value, 2, "driver's active clusters");
}

int main() {
  DeviceArray<int> p(1);
  expectEqual(launch(synchronize, p, 4, 8, 3), cudaErrorInvalidClusterSize, "no multiple");
  expectEqual(launch(synchronize, p, 16, 8, 16), cudaErrorInvalidClusterSize, "not portable");
  expectEqual(launch(synchronize, p, 4, 8, dim3(2, 2)), cudaErrorInvalidClusterSize, "two dimensions");
  expectEqual(launch(own, p, 4, 8, 4), cudaErrorInvalidClusterSize, "another than its own");
  expectEqual(p.host()[0], 0, "refused");

  expectEqual(launch(synchronize, p, 8, 8, 4), cudaSuccess, "4");
  expectEqual(p.host()[0], 8, "clusters of 4");
  expectEqual(launch(plain, p, 8, 8, 8), cudaSuccess, "plain");
  expectEqual(p.host()[0], 8 + 64, "without use of the cluster");
  own<<<2, 1>>>(p);
  expectEqual(p.host()[0], 76, "own");

  // Blocks of 16 threads fill a core.
  expectEqual(active(large, 8, 2), 2, "active");
  expectEqual(active(large, 16, 2), 1, "active");
  expectEqual(active(large, 16, 4), 0, "active");
  expectEqual(launch(large, p, 4, 16, 4), cudaErrorLaunchOutOfResources, "too large");
  expectEqual(launch(large, p, 4, 16, 2), cudaSuccess, "two cores");
  expectEqual(p.host()[0], 80, "two cores");
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t c = config(8, 16, 1, attribute);
  c.numAttrs = 0;
  int size = 0;
  CHECK(cudaOccupancyMaxPotentialClusterSize(&size, large, &c));
  expectEqual(size, 2, "potential size");
  CHECK(cudaOccupancyMaxPotentialClusterSize(&size, own, &c));
  expectEqual(size, 2, "potential size");
  cudaFuncAttributes a;
  CHECK(cudaFuncGetAttributes(&a, own));
  expectEqual(a.requiredClusterWidth, 2, "width");
  expectEqual(a.clusterDimMustBeSet, 1, "must be set");
  checkGraph(p);
  checkDriver();
  return finish();
}
