// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/debug/Images.h"
#include "simulator/check/Text.h"
#include "simulator/debug/Packets.h"
#include <algorithm>
#include <cstdio>

namespace vx::sim {

namespace {

/// Errors of file requests, as gdb numbers them.
constexpr std::string_view kNoSuchFile = "F-1,2", kBadFile = "F-1,9", kBadRequest = "F-1,16";
/// Bytes of one answer; gdb asks for more than that.
constexpr uint64_t kMaxReadBytes = 1 << 14;

constexpr std::string_view kPrefix = "/vx/device-", kSuffix = ".elf";

void appendBigEndian(std::string &out, uint64_t value, unsigned bytes) {
  while (bytes-- > 0)
    out += char(value >> 8 * bytes);
}

/// gdb's `struct stat` of a regular file of SIZE bytes.
std::string statOf(uint64_t size) {
  constexpr uint32_t kRegularReadOnly = 0100444;
  std::string text;
  appendBigEndian(text, 0, 4); // st_dev
  appendBigEndian(text, 0, 4); // st_ino
  appendBigEndian(text, kRegularReadOnly, 4);
  for (int i = 0; i < 4; ++i) // st_nlink, st_uid, st_gid, st_rdev
    appendBigEndian(text, 0, 4);
  appendBigEndian(text, size, 8);
  appendBigEndian(text, 512, 8);
  appendBigEndian(text, (size + 511) / 512, 8);
  for (int i = 0; i < 3; ++i) // times
    appendBigEndian(text, 0, 4);
  return text;
}

std::string fileAnswer(const std::string &data) {
  char count[24];
  std::snprintf(count, sizeof count, "F%zx;", data.size());
  return count + data;
}

} // namespace

bool Images::add(std::span<const uint8_t> file, uint64_t address, uint64_t slide) {
  if (file.empty())
    return false;
  for (const Image &image : images)
    if (image.slide == slide && std::ranges::equal(image.bytes, file))
      return false;
  images.push_back({{file.begin(), file.end()}, address, slide});
  return !isProgram(images.size() - 1);
}

std::string Images::pathOf(size_t number) {
  return std::string(kPrefix) + std::to_string(number) + std::string(kSuffix);
}

std::string Images::program() const {
  return !images.empty() && isProgram(0) ? pathOf(0) : "";
}

std::string Images::libraries() const {
  std::string text = "<library-list>";
  for (size_t i = 0; i < images.size(); ++i) {
    if (isProgram(i))
      continue;
    text += "<library name=\"" + pathOf(i) + "\"><segment address=\"" + hexText(images[i].address) +
            "\"/></library>";
  }
  return text + "</library-list>";
}

/// Files are numbered as images are.
std::string Images::open(std::string_view path) const {
  for (size_t i = 0; i < images.size(); ++i)
    if (pathOf(i) == path) {
      char text[24];
      std::snprintf(text, sizeof text, "F%zx", i);
      return text;
    }
  return std::string(kNoSuchFile);
}

std::string Images::answerFileRequest(std::string_view request) const {
  FieldReader fields(request);
  if (fields.skip("setfs:"))
    return "F0";
  if (fields.skip("open:")) {
    std::optional<std::string> path = bytesOfHex(fields.until(','));
    uint64_t flags = fields.number();
    if (fields.failed() || !path)
      return std::string(kBadRequest);
    return (flags & 3) == 0 ? open(*path) : std::string(kNoSuchFile);
  }
  if (fields.skip("close:"))
    return fields.number() < images.size() && fields.isComplete() ? "F0" : std::string(kBadFile);
  bool isStat = fields.skip("fstat:"), isRead = !isStat && fields.skip("pread:");
  if (!isStat && !isRead)
    return "";
  uint64_t file = fields.number();
  if (fields.failed() || file >= images.size())
    return std::string(kBadFile);
  const std::vector<uint8_t> &bytes = images[file].bytes;
  if (isStat)
    return fileAnswer(statOf(bytes.size()));
  fields.expect(',');
  uint64_t count = fields.number();
  fields.expect(',');
  uint64_t offset = fields.number();
  if (!fields.isComplete())
    return std::string(kBadRequest);
  offset = std::min<uint64_t>(offset, bytes.size());
  count = std::min({count, kMaxReadBytes, bytes.size() - offset});
  return fileAnswer({bytes.begin() + ptrdiff_t(offset), bytes.begin() + ptrdiff_t(offset + count)});
}

} // namespace vx::sim
