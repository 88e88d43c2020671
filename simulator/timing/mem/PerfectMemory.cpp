// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/PerfectMemory.h"
#include <algorithm>

namespace vx::sim {

void PerfectMemory::reset() {
  for (MemoryLink &link : links)
    link.clear();
}

Cycle PerfectMemory::tick(Cycle now) {
  Cycle next = kNever;
  for (MemoryLink &link : links) {
    for (; link.fetchRequests.ready(now); link.fetchRequests.pop())
      link.answer(FetchResponse{link.fetchRequests.front().tag}, now + kFetchCycles + 1);
    for (; link.lsuRequests.ready(now); link.lsuRequests.pop()) {
      const LsuRequest &request = link.lsuRequests.front();
      uint32_t slots = 0;
      for (unsigned i = 0; i < request.count; ++i)
        slots += request.addresses[i] != LsuRequest::kNoAddress;
      if (!request.isWrite)
        link.answer(LsuResponse{request.tag, slots}, now + kAccessCycles);
    }
    link.fetchDue = link.fetchRequests.nextDue();
    link.ownDue = link.lsuRequests.nextDue();
    next = std::min(next, link.memoryDue());
  }
  return next;
}

} // namespace vx::sim
