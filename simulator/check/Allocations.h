// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows what lies at and around an address: the program's allocations, those it has freed, blocks
// of the device's heap, and variables of images.

#ifndef VX_SIMULATOR_CHECK_ALLOCATIONS_H
#define VX_SIMULATOR_CHECK_ALLOCATIONS_H

#include "simulator/api/Checker.h"
#include "simulator/api/ElfImage.h"
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vx::sim {

/// A part of memory that a report can speak of.
struct Region {
  uint64_t address = 0, size = 0;
  std::string what;        ///< "memory of cudaMalloc", "variable `table`"
  std::string origin, end; ///< of the heap: who allocated it, and who freed it
  HostStack made, freed;   ///< may be empty
  bool isFreed = false;
  bool canLeak = false;

  bool contains(uint64_t at) const { return at - address < size; }
};

class Allocations {
public:
  void add(Region region);
  /// The region at ADDRESS is freed by STACK or, in device code, by END; null: there is none.
  Region *free(uint64_t address, HostStack stack, std::string end);
  /// That begins at ADDRESS, live or freed.
  const Region *at(uint64_t address) const;
  /// Forgets all that begins in [address, address+size).
  void forget(uint64_t address, uint64_t size);
  /// Variables of IMAGE, which was loaded SLIDE bytes above its addresses.
  void addVariables(const ElfImage &image, uint64_t slide);

  /// Returns what is at ADDRESS or nearest to it; null: nothing is near.
  const Region *nearest(uint64_t address) const;
  /// Returns true if a live region is at most BYTES away from ADDRESS.
  bool isNear(uint64_t address, uint64_t bytes) const;
  /// Lines for a report on an access to SIZE bytes at ADDRESS; nothing if nothing is near.
  std::vector<std::string> describe(uint64_t address, uint64_t size) const;

  template <typename F> void forEachLive(F visit) const {
    for (const auto &[address, region] : live)
      visit(region);
  }

  /// Calls visit(from, to) for the parts of live regions and variables that lie in
  /// [address, address+size).
  template <typename F> void forEachWithin(uint64_t address, uint64_t size, F visit) const {
    for (const Regions *regions : {&live, &variables}) {
      auto it = regions->upper_bound(address);
      if (it != regions->begin())
        --it;
      for (; it != regions->end() && it->first < address + size; ++it) {
        uint64_t from = std::max(address, it->first);
        uint64_t to = std::min(address + size, it->first + it->second.size);
        if (from < to)
          visit(from, to);
      }
    }
  }

private:
  using Regions = std::map<uint64_t, Region>; ///< by address

  static const Region *closer(const Regions &regions, uint64_t address, const Region *best);

  Regions live;
  Regions dead; ///< freed, and nothing lies there again
  Regions variables;
};

/// Adds a line HEAD and the lines of STACK, indented; nothing if the stack is empty.
void addStack(std::vector<std::string> &notes, const std::string &head, const HostStack &stack);

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_ALLOCATIONS_H
