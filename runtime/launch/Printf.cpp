// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch/Printf.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

namespace vx::rt {

namespace {

/// Takes arguments one after the other from their packed form.
class ArgumentReader {
public:
  explicit ArgumentReader(std::span<const uint8_t> bytes) : bytes(bytes) {}

  template <typename T> std::optional<T> take() {
    size_t at = (position + alignof(T) - 1) & ~(alignof(T) - 1);
    if (at > bytes.size() || bytes.size() - at < sizeof(T))
      return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    position = at + sizeof value;
    return value;
  }

private:
  std::span<const uint8_t> bytes;
  size_t position = 0;
};

/// One conversion of a format string: %[flags][width][.precision][length]conversion.
struct Conversion {
  std::string flags;
  std::string width;     // digits, or "*"
  std::string precision; // with its dot; ".*" as such
  std::string length;
  char kind = 0;
  size_t end = 0; // after the conversion
};

} // namespace

static bool isOneOf(char c, const char *set) {
  return c && std::strchr(set, c);
}

static std::string takeWhile(std::string_view text, size_t &at, const char *set) {
  size_t begin = at;
  while (at < text.size() && isOneOf(text[at], set))
    ++at;
  return std::string(text.substr(begin, at - begin));
}

/// FORMAT[at] is the percent sign.
static std::optional<Conversion> parseConversion(std::string_view format, size_t at) {
  Conversion c;
  ++at;
  c.flags = takeWhile(format, at, "-+ #0");
  c.width = takeWhile(format, at, at < format.size() && format[at] == '*' ? "*" : "0123456789");
  if (at < format.size() && format[at] == '.') {
    ++at;
    bool star = at < format.size() && format[at] == '*';
    c.precision = "." + takeWhile(format, at, star ? "*" : "0123456789");
  }
  c.length = takeWhile(format, at, "hljztL");
  if (at >= format.size() || !isOneOf(format[at], "diouxXcsfFeEgGaApn%"))
    return std::nullopt;
  // One `*` is a width; more are not C. Widths beyond four digits would only exhaust memory.
  if (c.width.size() > 4 || c.precision.size() > 5 || (c.width[0] == '*' && c.width.size() > 1) ||
      c.precision.find('*', 2) != std::string::npos)
    return std::nullopt;
  c.kind = format[at];
  c.end = at + 1;
  return c;
}

template <typename T> static std::string print(const std::string &spec, T value) {
  int needed = std::snprintf(nullptr, 0, spec.c_str(), value);
  if (needed < 0)
    return spec;
  std::vector<char> buffer(size_t(needed) + 1);
  std::snprintf(buffer.data(), buffer.size(), spec.c_str(), value);
  return std::string(buffer.data(), size_t(needed));
}

/// Puts the arguments of `*` in their places; false when one is missing.
static bool resolveStars(Conversion &c, ArgumentReader &arguments) {
  constexpr int kMost = 9999;
  if (c.width == "*") {
    std::optional<int32_t> value = arguments.take<int32_t>();
    if (!value)
      return false;
    int64_t width = *value;
    if (width < 0) { // as in C: left-justified
      c.flags += '-';
      width = -width;
    }
    c.width = std::to_string(width > kMost ? kMost : width);
  }
  if (c.precision == ".*") {
    std::optional<int32_t> value = arguments.take<int32_t>();
    if (!value)
      return false;
    c.precision = *value < 0 ? "" : "." + std::to_string(*value > kMost ? kMost : *value);
  }
  return true;
}

static std::optional<std::string> printInteger(const Conversion &c, const std::string &spec,
                                               ArgumentReader &arguments) {
  bool isSigned = c.kind == 'd' || c.kind == 'i';
  bool wide = isOneOf(c.length[0], "ljztL");
  if (wide) {
    std::optional<int64_t> value = arguments.take<int64_t>();
    if (!value)
      return std::nullopt;
    return print(spec + "ll" + c.kind, static_cast<long long>(*value));
  }
  std::optional<int32_t> value = arguments.take<int32_t>();
  if (!value)
    return std::nullopt;
  int number = *value;
  if (c.length == "hh")
    number = isSigned ? int(int8_t(number)) : int(uint8_t(number));
  else if (c.length == "h")
    number = isSigned ? int(int16_t(number)) : int(uint16_t(number));
  return print(spec + c.kind, number);
}

/// The text of one conversion, none when its argument is missing.
static std::optional<std::string> expand(Conversion c, ArgumentReader &arguments,
                                         const StringReader &readString) {
  if (c.kind == '%')
    return "%";
  if (!resolveStars(c, arguments))
    return std::nullopt;
  std::string spec = "%" + c.flags + c.width + c.precision;
  if (isOneOf(c.kind, "diouxX"))
    return printInteger(c, spec, arguments);
  if (c.kind == 'c') {
    std::optional<int32_t> value = arguments.take<int32_t>();
    return value ? std::optional(print(spec + "c", int(*value))) : std::nullopt;
  }
  if (isOneOf(c.kind, "spn")) {
    std::optional<uint64_t> value = arguments.take<uint64_t>();
    if (!value)
      return std::nullopt;
    if (c.kind == 'n') // writes nothing: device memory is not the formatter's
      return "";
    if (c.kind == 'p')
      return print(spec + "p", reinterpret_cast<void *>(*value));
    return print(spec + "s", *value ? readString(*value).c_str() : "(null)");
  }
  std::optional<double> value = arguments.take<double>();
  return value ? std::optional(print(spec + c.kind, *value)) : std::nullopt;
}

std::string formatDevicePrintf(std::string_view format, std::span<const uint8_t> arguments,
                               const StringReader &readString) {
  std::string out;
  ArgumentReader reader(arguments);
  for (size_t at = 0; at < format.size();) {
    size_t percent = std::min(format.find('%', at), format.size());
    out += format.substr(at, percent - at);
    at = percent;
    if (at == format.size())
      break;
    std::optional<Conversion> conversion = parseConversion(format, at);
    if (!conversion) {
      out += '%';
      ++at;
      continue;
    }
    std::optional<std::string> text = expand(*conversion, reader, readString);
    out += text ? *text : std::string(format.substr(at, conversion->end - at));
    at = conversion->end;
  }
  return out;
}

std::string formatPrintfRecords(std::span<const uint8_t> bytes, uint64_t used,
                                const StringReader &readString) {
  std::string out;
  size_t end = std::min<uint64_t>(used, bytes.size());
  for (size_t at = 0; end - at >= sizeof(abi::PrintfRecord);) {
    abi::PrintfRecord record;
    std::memcpy(&record, bytes.data() + at, sizeof record);
    at += sizeof record;
    // A record that was reserved but never completed (its thread was stopped) has no length.
    if (!record.valid || record.argBytes > end - at)
      break;
    out += formatDevicePrintf(readString(record.format), bytes.subspan(at, record.argBytes),
                              readString);
    at = std::min<size_t>(end, at + ((size_t(record.argBytes) + 7) & ~size_t(7)));
  }
  return out;
}

} // namespace vx::rt
