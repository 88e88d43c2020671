// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters of blocks: attributes of kernels, and how many clusters the device holds.

#include "intrinsics/abi/Cluster.h"
#include "runtime/context/LaunchAttributes.h"
#include "runtime/cuda/Api.h"
#include "runtime/image/Module.h"
#include "runtime/image/ModuleLoader.h"
#include "runtime/launch/LaunchRequest.h"
#include "runtime/launch/Launcher.h"

using namespace vx;
using namespace vx::rt;

void vx::rt::describeCluster(const Kernel &kernel, cudaFuncAttributes &attributes) {
  bool isSet = kernel.cluster.count() > 1;
  attributes.clusterDimMustBeSet = isSet;
  attributes.requiredClusterWidth = isSet ? int(kernel.cluster.x) : 0;
  attributes.requiredClusterHeight = isSet ? int(kernel.cluster.y) : 0;
  attributes.requiredClusterDepth = isSet ? int(kernel.cluster.z) : 0;
  attributes.nonPortableClusterSizeAllowed = kernel.allowsLargeClusters;
}

cudaError_t vx::rt::setClusterAttribute(Kernel &kernel, cudaFuncAttribute attribute, int value) {
  switch (attribute) {
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
    kernel.allowsLargeClusters = value != 0;
    return cudaSuccess;
  case cudaFuncAttributeClusterSchedulingPolicyPreference: // there is one policy
    return value >= cudaClusterSchedulingPolicyDefault &&
                   value <= cudaClusterSchedulingPolicyLoadBalancing
               ? cudaSuccess
               : cudaErrorInvalidValue;
  case cudaFuncAttributeRequiredClusterWidth:
  case cudaFuncAttributeRequiredClusterHeight:
  case cudaFuncAttributeRequiredClusterDepth: {
    if (kernel.record.clusterDim) // the source has the last word
      return cudaErrorNotPermitted;
    if (value < 1 || value > int(abi::kMaxClusterBlocksOptIn))
      return cudaErrorInvalidValue;
    Dim &cluster = kernel.cluster;
    (attribute == cudaFuncAttributeRequiredClusterWidth    ? cluster.x
     : attribute == cudaFuncAttributeRequiredClusterHeight ? cluster.y
                                                           : cluster.z) = uint32_t(value);
    return cudaSuccess;
  }
  default:
    return cudaErrorInvalidValue;
  }
}

/// Reads what a launch by CONFIG of the kernel that FUNCTION names would ask for; its cluster is
/// set.
static cudaError_t readConfig(Context &context, const void *function,
                              const cudaLaunchConfig_t *config, LaunchRequest &request) {
  if (!config)
    return cudaErrorInvalidValue;
  if (cudaError_t e = context.modules().findKernel(function, request.kernel); e != cudaSuccess)
    return e;
  LaunchSettings settings;
  if (cudaError_t e = readLaunchAttributes(context, config->attrs, config->numAttrs, settings);
      e != cudaSuccess)
    return e;
  request.grid = {config->gridDim.x, config->gridDim.y, config->gridDim.z};
  request.block = {config->blockDim.x, config->blockDim.y, config->blockDim.z};
  request.dynSharedBytes = config->dynamicSmemBytes;
  request.cluster = settings.cluster ? settings.cluster : request.kernel->cluster;
  return cudaSuccess;
}

/// Clusters of REQUEST's size that the device holds, for a grid with room for all of them.
static uint64_t residentClusters(Context &context, LaunchRequest request) {
  const Dim &cluster = *request.cluster;
  request.grid = {cluster.x * 4096, cluster.y, cluster.z};
  if (context.launcher().prepare(request) != cudaSuccess)
    return 0;
  return request.plan.blocksAtOnce / cluster.count();
}

extern "C" cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *function,
                                                      const cudaLaunchConfig_t *config) {
  return callWithContext([&](Context &context) {
    LaunchRequest request;
    if (!numClusters)
      return cudaErrorInvalidValue;
    if (cudaError_t e = readConfig(context, function, config, request); e != cudaSuccess)
      return e;
    uint32_t most =
        request.kernel->allowsLargeClusters ? abi::kMaxClusterBlocksOptIn : abi::kMaxClusterBlocks;
    if (request.cluster->count() > most)
      return cudaErrorInvalidClusterSize;
    *numClusters = int(residentClusters(context, request));
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *function,
                                                            const cudaLaunchConfig_t *config) {
  return callWithContext([&](Context &context) {
    LaunchRequest request;
    if (!clusterSize)
      return cudaErrorInvalidValue;
    if (cudaError_t e = readConfig(context, function, config, request); e != cudaSuccess)
      return e;
    uint32_t size =
        request.kernel->allowsLargeClusters ? abi::kMaxClusterBlocksOptIn : abi::kMaxClusterBlocks;
    if (request.kernel->cluster.count() > 1)
      size = uint32_t(request.kernel->cluster.count());
    else
      for (; size > 1; size /= 2) {
        request.cluster = Dim{size, 1, 1};
        if (residentClusters(context, request) > 0)
          break;
      }
    *clusterSize = int(size);
    return cudaSuccess;
  });
}
