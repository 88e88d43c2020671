// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TOML files as configuration: a file is the same statements as key=value settings. Syntax errors
// and bad values are all collected, each with file and line.

#include "simulator/api/Files.h"
#include "simulator/api/SimConfig.h"
#include <algorithm>
#include <utility>
#include <vector>
// toml++ asserts things that are up to the text, such as that there is a key behind "[", and where
// assertions are off the compiler may take them for granted.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace vx::sim {

namespace {

std::string scalarText(const toml::node &node) {
  if (auto text = node.as_string())
    return text->get();
  std::ostringstream out;
  node.visit([&](auto &&value) { out << value; });
  return out.str();
}

/// Line and text of what is wrong; tables are visited by name, the user reads by line.
using Errors = std::vector<std::pair<unsigned, std::string>>;

void applyTable(SimConfig &config, const toml::table &table, const std::string &prefix,
                Errors &errors) {
  for (auto &&[key, node] : table) {
    std::string name = prefix + std::string(key.str());
    if (auto inner = node.as_table()) {
      applyTable(config, *inner, name + ".", errors);
      continue;
    }
    Result<void> done = node.is_array() ? Failure{"configuration: " + name + " is an array"}
                                        : config.apply(name, scalarText(node));
    if (!done)
      errors.emplace_back(node.source().begin.line, done.error().message);
  }
}

} // namespace

Result<void> SimConfig::loadText(std::string_view text, std::string_view name) {
  toml::parse_result parsed = toml::parse(text, name);
  if (!parsed)
    return Failure{std::string(name) + ":" + std::to_string(parsed.error().source().begin.line) +
                   ": " + std::string(parsed.error().description())};
  Errors errors;
  applyTable(*this, parsed.table(), "", errors);
  if (errors.empty())
    return {};
  std::sort(errors.begin(), errors.end());
  std::string report;
  for (const auto &[line, message] : errors)
    report += (report.empty() ? "" : "\n") + std::string(name) + ":" + std::to_string(line) + ": " +
              message;
  return Failure{report};
}

Result<void> SimConfig::loadFile(const std::string &path) {
  Result<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return Failure{"configuration file: " + bytes.error().message};
  return loadText(std::string(bytes->begin(), bytes->end()), path);
}

} // namespace vx::sim
