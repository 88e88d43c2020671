// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/PerfectMemory.h"
#include <algorithm>

namespace vx::sim {

void PerfectMemory::reset() {
  for (MemoryLink &link : links)
    link.clear();
}

void PerfectMemory::tick(Cycle now) {
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
    link.updateNextRequest();
  }
}

Cycle PerfectMemory::nextEvent(Cycle now) const {
  Cycle next = kNever;
  for (const MemoryLink &link : links)
    next = std::min({next, link.fetchRequests.nextDue(), link.lsuRequests.nextDue()});
  return next == kNever ? kNever : std::max(next, now + 1);
}

} // namespace vx::sim
