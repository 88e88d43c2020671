// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/context/LaunchAttributes.h"

namespace vx::rt {

bool isValidWindow(const cudaAccessPolicyWindow &window) {
  auto isProperty = [](cudaAccessProperty property) {
    return property >= cudaAccessPropertyNormal && property <= cudaAccessPropertyPersisting;
  };
  return window.num_bytes <= kMaxAccessPolicyWindow && window.hitRatio >= 0 &&
         window.hitRatio <= 1 && isProperty(window.hitProp) && isProperty(window.missProp) &&
         window.missProp != cudaAccessPropertyPersisting;
}

/// An event that a launch records takes no time and belongs to this process.
static cudaError_t addEvent(Context &context, cudaEvent_t handle, LaunchSettings &settings) {
  std::shared_ptr<EventRecord> event = context.handles().events.find(handle);
  if (!event)
    return cudaErrorInvalidResourceHandle;
  if (!(event->flags & cudaEventDisableTiming) || (event->flags & cudaEventInterprocess))
    return cudaErrorInvalidValue;
  settings.events.push_back(std::move(event));
  return cudaSuccess;
}

static cudaError_t require(bool holds) {
  return holds ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t readAttribute(Context &context, const cudaLaunchAttribute &attribute,
                                 LaunchSettings &settings) {
  const cudaLaunchAttributeValue &value = attribute.val;
  switch (attribute.id) {
  case cudaLaunchAttributeIgnore:
  case cudaLaunchAttributeProgrammaticStreamSerialization: // the kernel before has ended anyway
    return cudaSuccess;
  case cudaLaunchAttributeAccessPolicyWindow:
    return require(isValidWindow(value.accessPolicyWindow));
  case cudaLaunchAttributeCooperative:
    settings.cooperative = value.cooperative != 0;
    return cudaSuccess;
  case cudaLaunchAttributeClusterDimension:
    settings.cluster = Dim{value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
    return settings.cluster->count() != 0 ? cudaSuccess : cudaErrorInvalidClusterSize;
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    return require(value.clusterSchedulingPolicyPreference <=
                   cudaClusterSchedulingPolicyLoadBalancing);
  // Both are promised no earlier than the end of the kernel.
  case cudaLaunchAttributeProgrammaticEvent:
    return addEvent(context, value.programmaticEvent.event, settings);
  case cudaLaunchAttributeLaunchCompletionEvent:
    return addEvent(context, value.launchCompletionEvent.event, settings);
  case cudaLaunchAttributePriority:
    settings.priority = clampPriority(value.priority);
    return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomainMap: // there is one domain
    return require(value.memSyncDomainMap.default_ == 0 && value.memSyncDomainMap.remote == 0);
  case cudaLaunchAttributeMemSyncDomain:
    return require(value.memSyncDomain <= cudaLaunchMemSyncDomainRemote);
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    return require(int(value.sharedMemCarveout) >= -1 && int(value.sharedMemCarveout) <= 100);
  case cudaLaunchAttributeDeviceUpdatableKernelNode:
    return cudaErrorNotSupported;
  default: // those of streams among them
    return cudaErrorInvalidValue;
  }
}

cudaError_t readLaunchAttributes(Context &context, const cudaLaunchAttribute *attributes,
                                 unsigned count, LaunchSettings &settings) {
  if (count && !attributes)
    return cudaErrorInvalidValue;
  for (unsigned i = 0; i < count; ++i)
    if (cudaError_t e = readAttribute(context, attributes[i], settings); e != cudaSuccess)
      return e;
  return cudaSuccess;
}

} // namespace vx::rt
