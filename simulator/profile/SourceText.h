// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source files, line by line, as far as they can be read.

#ifndef VX_SIMULATOR_PROFILE_SOURCETEXT_H
#define VX_SIMULATOR_PROFILE_SOURCETEXT_H

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vx::sim {

class SourceCache {
public:
  /// All lines of FILE; none when it cannot be read.
  const std::vector<std::string> &lines(const std::string &file) {
    auto [found, isNew] = files.try_emplace(file);
    if (isNew) {
      std::ifstream in(file, std::ios::binary);
      for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r'))
          line.pop_back();
        found->second.push_back(std::move(line));
      }
    }
    return found->second;
  }

  /// Line NUMBER, counted from 1; empty when it is not there.
  std::string_view line(const std::string &file, uint32_t number) {
    const std::vector<std::string> &all = lines(file);
    return number >= 1 && number <= all.size() ? std::string_view(all[number - 1])
                                               : std::string_view();
  }

private:
  std::map<std::string, std::vector<std::string>> files;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_PROFILE_SOURCETEXT_H
