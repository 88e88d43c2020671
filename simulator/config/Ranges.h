// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets of numbers as users write them: "5", "0:3" (0 to 3), "100:" (from 100 on), "0+4:7" (both).

#ifndef VX_SIMULATOR_CONFIG_RANGES_H
#define VX_SIMULATOR_CONFIG_RANGES_H

#include "simulator/api/Result.h"
#include <cstdint>
#include <string_view>
#include <vector>

namespace vx::sim {

class Ranges {
public:
  /// The numbers that TEXT names; all of them when it is empty.
  static Result<Ranges> parse(std::string_view text);

  bool contains(uint64_t number) const {
    if (list.empty())
      return true;
    for (const Range &range : list)
      if (number >= range.first && number <= range.last)
        return true;
    return false;
  }

private:
  struct Range {
    uint64_t first, last; ///< both included
  };
  std::vector<Range> list; ///< empty: all numbers
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CONFIG_RANGES_H
