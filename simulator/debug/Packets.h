// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Framing of gdb's remote serial protocol: `$text#checksum`, a 0x03 for an interrupt, and the
// encodings that packets use. What a client sends is not trusted.

#ifndef VX_SIMULATOR_DEBUG_PACKETS_H
#define VX_SIMULATOR_DEBUG_PACKETS_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vx::sim {

/// Something that came from the client.
struct ClientEvent {
  enum class Kind : uint8_t {
    Packet,    ///< `text` is what it says, with escapes resolved
    Interrupt, ///< the user wants the program to stop
    Damaged,   ///< a packet with a wrong checksum, or a longer one than kMaxPacketBytes
    Rejected,  ///< the client wants the last packet again
  };
  Kind kind;
  std::string text;
};

/// The longest packet that is taken from a client, in bytes.
inline constexpr size_t kMaxPacketBytes = 1 << 16;

/// Cuts the bytes of a client into events. Bytes outside of packets mean nothing.
class PacketReader {
public:
  void add(std::string_view bytes) { pending += bytes; }
  /// The next event; nullopt: more bytes are needed.
  std::optional<ClientEvent> next();
  /// Forgets what has come.
  void clear() { pending.clear(); }

private:
  std::string pending;
};

/// TEXT as it goes over the line, special bytes escaped.
std::string framePacket(std::string_view text);

std::string hexOfBytes(std::span<const uint8_t> bytes);
std::string hexOfText(std::string_view text);
/// The bytes that HEX says; nullopt if it does not consist of pairs of digits.
std::optional<std::string> bytesOfHex(std::string_view hex);

/// Reads the fields of a packet, from the left. A field that is not there makes all that follow
/// fail, too, so that one look at the end is enough.
class FieldReader {
public:
  explicit FieldReader(std::string_view text) : rest(text) {}

  /// A hexadecimal number of 1 to 16 digits.
  uint64_t number();
  /// The text before the next DELIMITER, which is skipped.
  std::string_view until(char delimiter);
  /// Skips EXPECTED, which must follow.
  void expect(char expected);
  /// Skips PREFIX if it follows; whether it did.
  bool skip(std::string_view prefix);

  std::string_view remaining() const { return rest; }
  bool failed() const { return hasFailed; }
  /// Returns true if all fields were there, and nothing is left.
  bool isComplete() const { return !hasFailed && rest.empty(); }

private:
  std::string_view rest;
  bool hasFailed = false;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_DEBUG_PACKETS_H
