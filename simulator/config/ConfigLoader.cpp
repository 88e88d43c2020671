// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TOML files as configuration: a file is the same statements as key=value settings. Syntax errors
// and bad values are all collected, each with file and line.

#include "simulator/api/SimConfig.h"
#include <fstream>
#include <sstream>
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

void applyTable(SimConfig &config, const toml::table &table, const std::string &prefix,
                std::string_view file, std::string &errors) {
  for (auto &&[key, node] : table) {
    std::string name = prefix + std::string(key.str());
    std::string where = std::string(file) + ":" + std::to_string(node.source().begin.line) + ": ";
    if (auto inner = node.as_table()) {
      applyTable(config, *inner, name + ".", file, errors);
      continue;
    }
    Result<void> done = node.is_array() ? Failure{"configuration: " + name + " is an array"}
                                        : config.apply(name, scalarText(node));
    if (!done)
      errors += (errors.empty() ? "" : "\n") + where + done.error().message;
  }
}

} // namespace

Result<void> SimConfig::loadText(std::string_view text, std::string_view name) {
  toml::parse_result parsed = toml::parse(text, name);
  if (!parsed)
    return Failure{std::string(name) + ":" + std::to_string(parsed.error().source().begin.line) +
                   ": " + std::string(parsed.error().description())};
  std::string errors;
  applyTable(*this, parsed.table(), "", name, errors);
  if (!errors.empty())
    return Failure{errors};
  return {};
}

Result<void> SimConfig::loadFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf()))
    return Failure{"cannot read configuration file '" + path + "'"};
  return loadText(text.str(), path);
}

} // namespace vx::sim
