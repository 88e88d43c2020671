// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/api/Files.h"
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace vx::sim {

Result<std::vector<uint8_t>> readFile(const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  std::vector<uint8_t> bytes;
  bool good = file;
  uint8_t chunk[65536];
  while (good) {
    size_t count = std::fread(chunk, 1, sizeof chunk, file);
    bytes.insert(bytes.end(), chunk, chunk + count);
    good = !std::ferror(file);
    if (count == 0)
      break;
  }
  int reason = errno;
  if (file)
    std::fclose(file);
  if (!good)
    return Failure{"cannot read '" + path + "': " + std::strerror(reason)};
  return bytes;
}

Result<void> writeFile(const std::string &path, std::span<const uint8_t> bytes) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  bool good = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  int reason = errno;
  if (file && std::fclose(file) != 0 && good) {
    good = false;
    reason = errno;
  }
  if (!good)
    return Failure{"cannot write '" + path + "': " + std::strerror(reason)};
  return {};
}

} // namespace vx::sim
