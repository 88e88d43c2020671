// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Setting, checking and printing the knobs of SimConfig.def.

#include "simulator/api/SimConfig.h"
#include "intrinsics/abi/AddressMap.h"
#include "simulator/config/Ranges.h"
#include "simulator/config/TimingChecks.h"
#include <bit>
#include <charconv>
#include <cstdio>
#include <limits>

namespace vx::sim {

namespace {

Failure badValue(std::string_view key, std::string_view value, const std::string &allowed) {
  return {"configuration: " + std::string(key) + " = '" + std::string(value) +
          "' is not allowed; " + allowed};
}

/// Decimal or 0x hexadecimal; underscores as in TOML.
bool parseNumber(std::string_view text, uint64_t &value) {
  std::string digits;
  for (char c : text)
    if (c != '_')
      digits += c;
  int base = 10;
  size_t start = 0;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    start = 2;
  }
  const char *end = digits.data() + digits.size();
  auto [stop, error] = std::from_chars(digits.data() + start, end, value, base);
  return error == std::errc() && stop == end && start < digits.size();
}

std::string rangeText(uint64_t min, uint64_t max) {
  return "it must be a number from " + std::to_string(min) +
         (max == std::numeric_limits<uint64_t>::max() ? " up" : " to " + std::to_string(max));
}

template <typename T>
Result<void> setKnob(T &field, std::string_view key, std::string_view value, uint64_t min,
                     uint64_t max) {
  uint64_t number;
  if (!parseNumber(value, number) || number < min || number > max)
    return badValue(key, value, rangeText(min, max));
  field = T(number);
  return {};
}

Result<void> setKnob(bool &field, std::string_view key, std::string_view value, uint64_t,
                     uint64_t) {
  if (value == "true" || value == "1" || value == "on")
    field = true;
  else if (value == "false" || value == "0" || value == "off")
    field = false;
  else
    return badValue(key, value, "it must be true or false");
  return {};
}

/// Splits `choices` at '|' and returns the INDEX-th name, empty past the end.
std::string_view choiceName(std::string_view choices, unsigned index) {
  for (; index; --index) {
    size_t bar = choices.find('|');
    if (bar == std::string_view::npos)
      return {};
    choices.remove_prefix(bar + 1);
  }
  return choices.substr(0, choices.find('|'));
}

template <typename T>
Result<void> setChoice(T &field, std::string_view key, std::string_view value,
                       std::string_view choices) {
  for (unsigned i = 0; !choiceName(choices, i).empty(); ++i)
    if (choiceName(choices, i) == value) {
      field = T(i);
      return {};
    }
  return badValue(key, value, "it must be one of " + std::string(choices));
}

enum class TextForm { Any, Ranges };

/// Returns true if TEXT is UTF-8, as configuration files are: each character in its shortest form.
bool isUtf8(std::string_view text) {
  constexpr uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  for (size_t at = 0; at < text.size();) {
    uint8_t first = uint8_t(text[at++]);
    if (first < 0x80)
      continue;
    size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc0 || first >= 0xf8 || text.size() - at < more)
      return false;
    uint32_t code = first & (0x3f >> more);
    for (size_t i = 0; i < more; ++i, ++at) {
      if ((uint8_t(text[at]) & 0xc0) != 0x80)
        return false;
      code = code << 6 | (uint8_t(text[at]) & 0x3f);
    }
    if (code < least[more] || code > 0x10ffff || code >> 11 == 0x1b) // halves of pairs in UTF-16
      return false;
  }
  return true;
}

Result<void> setText(std::string &field, std::string_view key, std::string_view value,
                     TextForm form) {
  if (form == TextForm::Ranges)
    if (Result<Ranges> ranges = Ranges::parse(value); !ranges)
      return badValue(key, value, ranges.error().message);
  if (!isUtf8(value))
    return badValue(key, "...", "it is not UTF-8");
  field = value;
  return {};
}

/// VALUE as a TOML string.
std::string quoted(std::string_view value) {
  std::string out = "\"";
  for (char c : value) {
    char code[8];
    if (c == '"' || c == '\\')
      out += '\\';
    if (uint8_t(c) >= 0x20 && c != 0x7f) {
      out += c;
    } else {
      std::snprintf(code, sizeof code, "\\u%04x", unsigned(c));
      out += code;
    }
  }
  return out + "\"";
}

std::string valueText(bool value) {
  return value ? "true" : "false";
}
std::string valueText(uint64_t value) {
  return std::to_string(value);
}
std::string valueText(uint32_t value) {
  return std::to_string(value);
}

std::string knobComment(const char *help, const std::string &allowed) {
  return std::string("# ") + help + " (" + allowed + ")\n";
}
std::string rangeOf(bool, uint64_t, uint64_t) {
  return "true or false";
}
template <typename T> std::string rangeOf(T, uint64_t min, uint64_t max) {
  return std::to_string(min) +
         (max == std::numeric_limits<uint64_t>::max() ? "…" : "…" + std::to_string(max));
}

/// The lines of a dump, grouped by `[section]` in the order in which the rows first name them.
class DumpWriter {
public:
  void add(std::string_view key, const std::string &comment, const std::string &value) {
    size_t dot = key.find('.');
    std::string_view section = dot == std::string_view::npos ? "" : key.substr(0, dot);
    auto place = std::find_if(sections.begin(), sections.end(),
                              [&](const auto &entry) { return entry.first == section; });
    if (place == sections.end())
      place = sections.emplace(place, section,
                               section.empty() ? "" : "\n[" + std::string(section) + "]\n");
    place->second += comment +
                     std::string(dot == std::string_view::npos ? key : key.substr(dot + 1)) +
                     " = " + value + "\n";
  }
  std::string text() const {
    std::string out;
    for (const auto &[section, lines] : sections)
      out += lines;
    return out;
  }

private:
  std::vector<std::pair<std::string_view, std::string>> sections;
};

} // namespace

Result<void> SimConfig::apply(std::string_view key, std::string_view value) {
#define VX_KNOB(field, name, type, def, min, max, help)                                            \
  if (key == name)                                                                                 \
    return setKnob(field, key, value, min, max);
#define VX_CHOICE(field, name, type, def, choices, help)                                           \
  if (key == name)                                                                                 \
    return setChoice(field, key, value, choices);
#define VX_TEXT(field, name, form, help)                                                           \
  if (key == name)                                                                                 \
    return setText(field, key, value, TextForm::form);
#include "simulator/api/SimConfig.def"
  return Failure{"configuration: there is no knob '" + std::string(key) +
                 "'; --dump-config lists all"};
}

Result<void> SimConfig::applyList(std::string_view settings) {
  std::string errors;
  while (!settings.empty()) {
    std::string_view item = settings.substr(0, settings.find(','));
    settings.remove_prefix(item.size() == settings.size() ? item.size() : item.size() + 1);
    if (item.empty())
      continue;
    size_t equals = item.find('=');
    Result<void> done =
        equals == std::string_view::npos
            ? Failure{"configuration: '" + std::string(item) + "' is not of the form key=value"}
            : apply(item.substr(0, equals), item.substr(equals + 1));
    if (!done)
      errors += (errors.empty() ? "" : "\n") + done.error().message;
  }
  if (!errors.empty())
    return Failure{errors};
  return {};
}

static uint64_t stackRoom(const SimConfig &config) {
  return config.xlen == 32 ? VX_STACK_ROOM_32 : VX_STACK_ROOM_64;
}

uint32_t SimConfig::largestStackLog2Size() const {
  return uint32_t(std::bit_width(stackRoom(*this) / harts())) - 1;
}

std::vector<std::string> SimConfig::validate() const {
  std::vector<std::string> errors;
  if (xlen != 32 && xlen != 64)
    errors.push_back("configuration: isa.xlen = " + std::to_string(xlen) + "; it must be 32 or 64");
  uint64_t stacks = uint64_t(harts()) << stackLog2Size;
  uint64_t room = stackRoom(*this);
  if (stacks > room)
    errors.push_back("configuration: the stacks of " + std::to_string(harts()) + " lanes need " +
                     std::to_string(stacks) + " bytes; at most " + std::to_string(room) +
                     " fit: lower num_cores, core.num_warps, core.num_threads or "
                     "memory.stack_log2_size");
  uint64_t lmem = uint64_t(1) << lmemLog2Size;
  if (xlen == 32 && lmem > 0x10000)
    errors.push_back("configuration: memory.lmem_log2_size = " + std::to_string(lmemLog2Size) +
                     "; with isa.xlen = 32 at most 16");
  if (lmem * numCores > (uint64_t(1) << 32))
    errors.push_back("configuration: local memories of all cores exceed 4 GiB");
  if (divergence == DivergencePolicy::Paths && warpIsa != WarpIsa::Warp)
    errors.push_back("configuration: core.divergence = paths needs isa.warp = warp");
  if (mode != SimMode::Functional)
    checkTiming(*this, errors);
  if (mode == SimMode::Sampled && !commitTrace.empty())
    errors.push_back(
        "configuration: trace.commit needs all instructions one by one; set run.mode = "
        "functional or timing");
  if (mode != SimMode::Timing)
    for (auto [key, value] :
         {std::pair("trace.konata", &konataTrace), std::pair("trace.perfetto", &perfettoTrace),
          std::pair("profile.output", &profile)})
      if (!value->empty())
        errors.push_back(std::string("configuration: ") + key +
                         " needs the timing model; set run.mode = timing");
  return errors;
}

std::string SimConfig::dump() const {
  DumpWriter writer;
#define VX_KNOB(field, name, type, def, min, max, help)                                            \
  writer.add(name, knobComment(help, rangeOf(field, min, max)), valueText(field));
#define VX_CHOICE(field, name, type, def, choices, help)                                           \
  writer.add(name, knobComment(help, choices),                                                     \
             "\"" + std::string(choiceName(choices, unsigned(field))) + "\"");
#define VX_TEXT(field, name, form, help)                                                           \
  writer.add(name, std::string("# ") + help + "\n", quoted(field));
#include "simulator/api/SimConfig.def"
  return writer.text();
}

} // namespace vx::sim
