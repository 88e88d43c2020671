// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of the checkers, and lists of them as users write them: "memcheck,racecheck".

#ifndef VX_SIMULATOR_API_CHECKERNAMES_H
#define VX_SIMULATOR_API_CHECKERNAMES_H

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace vx::sim {

struct CheckerName {
  std::string_view name;
  bool needsHints; ///< it sees nothing of kernels that are not compiled with -fvx-check
};

inline constexpr CheckerName kCheckers[] = {
#define VX_CHECKER(NAME, NEEDSHINTS) {#NAME, NEEDSHINTS},
#include "simulator/api/Checkers.def"
};

/// Returns the checker NAME; null: there is none.
inline const CheckerName *findChecker(std::string_view name) {
  for (const CheckerName &one : kCheckers)
    if (one.name == name)
      return &one;
  return nullptr;
}

/// Returns the names in LIST, which are joined by commas or plus signs.
inline std::vector<std::string> splitCheckers(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    size_t end = std::min(list.find_first_of(",+"), list.size());
    names.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(list.size(), end + 1));
  }
  return names;
}

/// Returns the names in LIST of checkers that there are not; there must be one at least.
inline std::string complainOfCheckers(std::string_view list) {
  std::vector<std::string> names = splitCheckers(list);
  if (names.empty())
    names.emplace_back();
  std::string known;
  for (const CheckerName &one : kCheckers)
    known += (known.empty()                     ? ""
              : &one + 1 == std::end(kCheckers) ? " and "
                                                : ", ") +
             std::string(one.name);
  for (const std::string &name : names)
    if (!findChecker(name))
      return "there is no checker `" + name + "`; there are " + known;
  return {};
}

/// Returns those of LIST that need hints, in words: "racecheck and synccheck"; empty: none do.
inline std::string checkersWithHints(std::string_view list) {
  std::string text;
  for (const std::string &name : splitCheckers(list))
    if (const CheckerName *one = findChecker(name); one && one->needsHints)
      text += (text.empty() ? "" : " and ") + name;
  return text;
}

} // namespace vx::sim

#endif // VX_SIMULATOR_API_CHECKERNAMES_H
