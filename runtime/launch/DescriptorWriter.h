// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts what a launch needs in addition to its module on the device: the launch descriptor with a
// clear status, the arguments, and scratch memory for its blocks.

#ifndef VX_RUNTIME_LAUNCH_DESCRIPTORWRITER_H
#define VX_RUNTIME_LAUNCH_DESCRIPTORWRITER_H

#include "intrinsics/abi/LaunchDescriptor.h"
#include "runtime/launch/LaunchRequest.h"
#include "runtime/launch/LaunchServices.h"

namespace vx::rt {

/// For use in operations: one launch at a time.
class DescriptorWriter {
public:
  DescriptorWriter(ContextState &state, LaunchServices &services)
      : state(state), services(services) {}

  /// Fills DESCRIPTOR in and writes it; returns its device address.
  Result<uint64_t> write(const LaunchRequest &request, abi::LaunchDescriptor &descriptor);

private:
  uint64_t sharedSkew() const;
  Result<void> ensureScratch(const LaunchRequest &request);
  void fillAddresses(const LaunchRequest &request, abi::LaunchDescriptor &descriptor);
  Result<void> writeClusters(const LaunchRequest &request, abi::LaunchDescriptor &descriptor);

  ContextState &state;
  LaunchServices &services;
  Scratch serviceArea, longArguments, sharedScratch, contextScratch, spillScratch, clusters;
};

} // namespace vx::rt

#endif // VX_RUNTIME_LAUNCH_DESCRIPTORWRITER_H
