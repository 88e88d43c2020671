// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/config/Ranges.h"
#include <charconv>

namespace vx::sim {

namespace {

bool parseBound(std::string_view text, uint64_t &value) {
  auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size();
}

} // namespace

Result<Ranges> Ranges::parse(std::string_view text) {
  const Failure malformed{"it must be numbers and ranges such as 0:3, joined by +"};
  Ranges ranges;
  while (!text.empty()) {
    size_t plus = text.find('+');
    std::string_view item = text.substr(0, plus);
    text.remove_prefix(plus == std::string_view::npos ? text.size() : plus + 1);
    if (plus != std::string_view::npos && text.empty())
      return malformed;
    size_t colon = item.find(':');
    Range range{0, ~uint64_t(0)};
    if (colon == std::string_view::npos) {
      if (!parseBound(item, range.first))
        return malformed;
      range.last = range.first;
    } else {
      std::string_view low = item.substr(0, colon), high = item.substr(colon + 1);
      if ((!low.empty() && !parseBound(low, range.first)) ||
          (!high.empty() && !parseBound(high, range.last)) || (low.empty() && high.empty()))
        return malformed;
      if (range.first > range.last)
        return Failure{"the range " + std::string(item) + " is empty"};
    }
    ranges.list.push_back(range);
  }
  return ranges;
}

} // namespace vx::sim
