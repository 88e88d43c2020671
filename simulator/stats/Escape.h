// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts inside JSON and HTML.

#ifndef VX_SIMULATOR_STATS_ESCAPE_H
#define VX_SIMULATOR_STATS_ESCAPE_H

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace vx::sim {

/// TEXT as a JSON string, with its quotes. Bytes from 0x80 on are taken for UTF-8.
inline std::string jsonString(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (uint8_t(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", unsigned(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// TEXT where HTML expects text or the value of an attribute.
inline std::string htmlText(std::string_view text) {
  std::string out;
  for (char c : text)
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += c;
    }
  return out;
}

} // namespace vx::sim

#endif // VX_SIMULATOR_STATS_ESCAPE_H
