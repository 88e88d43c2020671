// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/VariableNames.h"
#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

namespace vx::rt {

static constexpr std::string_view kKnown[] = {
#define VARIABLE(NAME) #NAME,
#include "runtime/Variables.def"
};

/// How many letters have to be put in, left out or changed to make A of B.
static size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
    }
  }
  return row[b.size()];
}

std::string describeUnknownVariables(const char *const *environment) {
  std::string text;
  for (; environment && *environment; ++environment) {
    std::string_view name(*environment);
    name = name.substr(0, name.find('='));
    if (!name.starts_with("VX_") ||
        std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown))
      continue;
    std::string_view nearest = *std::min_element(std::begin(kKnown), std::end(kKnown),
                                                 [&](std::string_view a, std::string_view b) {
                                                   return distance(name, a) < distance(name, b);
                                                 });
    text += (text.empty() ? "" : ", ") + std::string(name);
    if (distance(name, nearest) <= (name.size() - 3) / 2)
      text += " (" + std::string(nearest) + "?)";
  }
  return text.empty() ? "" : "environment variables without a meaning: " + text;
}

} // namespace vx::rt
