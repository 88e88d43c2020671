// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/debug/Packets.h"
#include <algorithm>

namespace vx::sim {

namespace {

constexpr char kInterrupt = 0x03;
constexpr char kEscape = '}';
constexpr char kEscapeBit = 0x20;

int valueOf(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  if (digit >= 'a' && digit <= 'f')
    return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F')
    return digit - 'A' + 10;
  return -1;
}

uint8_t checksumOf(std::string_view text) {
  uint8_t sum = 0;
  for (char c : text)
    sum = uint8_t(sum + uint8_t(c));
  return sum;
}

std::string hexByte(uint8_t byte) {
  constexpr char digits[] = "0123456789abcdef";
  return {digits[byte >> 4], digits[byte & 15]};
}

std::string unescape(std::string_view body) {
  std::string text;
  for (size_t i = 0; i < body.size(); ++i) {
    bool isEscaped = body[i] == kEscape && i + 1 < body.size();
    text += isEscaped ? char(body[++i] ^ kEscapeBit) : body[i];
  }
  return text;
}

} // namespace

std::optional<ClientEvent> PacketReader::next() {
  using Kind = ClientEvent::Kind;
  size_t at = pending.find_first_of(std::string_view("$-\x03", 3));
  pending.erase(0, std::min(at, pending.size()));
  if (pending.empty())
    return std::nullopt;
  if (pending[0] != '$') {
    Kind kind = pending[0] == kInterrupt ? Kind::Interrupt : Kind::Rejected;
    pending.erase(0, 1);
    return ClientEvent{kind, {}};
  }
  size_t end = pending.find('#');
  if (end == std::string::npos || end > kMaxPacketBytes) {
    if (pending.size() <= kMaxPacketBytes)
      return std::nullopt;
    pending.erase(0, end); // all of it, or up to the end that is there
    return ClientEvent{Kind::Damaged, {}};
  }
  if (pending.size() < end + 3)
    return std::nullopt;
  std::string_view body = std::string_view(pending).substr(1, end - 1);
  int high = valueOf(pending[end + 1]), low = valueOf(pending[end + 2]);
  bool isWhole = high >= 0 && low >= 0 && checksumOf(body) == high * 16 + low;
  ClientEvent event{isWhole ? Kind::Packet : Kind::Damaged, isWhole ? unescape(body) : ""};
  pending.erase(0, end + 3);
  return event;
}

std::string framePacket(std::string_view text) {
  std::string body;
  for (char c : text) {
    if (c == '$' || c == '#' || c == '*' || c == kEscape) {
      body += kEscape;
      body += char(c ^ kEscapeBit);
    } else {
      body += c;
    }
  }
  return "$" + body + "#" + hexByte(checksumOf(body));
}

std::string hexOfBytes(std::span<const uint8_t> bytes) {
  std::string text;
  for (uint8_t byte : bytes)
    text += hexByte(byte);
  return text;
}

std::string hexOfText(std::string_view text) {
  return hexOfBytes({reinterpret_cast<const uint8_t *>(text.data()), text.size()});
}

std::optional<std::string> bytesOfHex(std::string_view hex) {
  if (hex.size() % 2)
    return std::nullopt;
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    int high = valueOf(hex[i]), low = valueOf(hex[i + 1]);
    if (high < 0 || low < 0)
      return std::nullopt;
    bytes += char(high * 16 + low);
  }
  return bytes;
}

uint64_t FieldReader::number() {
  uint64_t value = 0;
  size_t digits = 0;
  while (digits < rest.size() && valueOf(rest[digits]) >= 0 && digits <= 16)
    value = value << 4 | uint64_t(valueOf(rest[digits++]));
  if (hasFailed || digits == 0 || digits > 16) {
    hasFailed = true;
    return 0;
  }
  rest.remove_prefix(digits);
  return value;
}

std::string_view FieldReader::until(char delimiter) {
  size_t end = rest.find(delimiter);
  if (hasFailed || end == std::string_view::npos) {
    hasFailed = true;
    return {};
  }
  std::string_view field = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return field;
}

void FieldReader::expect(char expected) {
  if (!skip(std::string_view(&expected, 1)))
    hasFailed = true;
}

bool FieldReader::skip(std::string_view prefix) {
  if (hasFailed || !rest.starts_with(prefix))
    return false;
  rest.remove_prefix(prefix.size());
  return true;
}

} // namespace vx::sim
