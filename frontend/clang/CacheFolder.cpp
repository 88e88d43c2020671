// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/CacheFolder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstring>
#include <dlfcn.h>
#include <link.h>

using namespace llvm;

namespace vx {
namespace {

constexpr std::chrono::hours kUnusedFor(24 * 30);
/// A file that takes longer than this to be written is one of a process that was killed.
constexpr std::chrono::minutes kWrittenIn(10);
constexpr StringLiteral kTemporary = "vxcc-%%%%%%%%.tmp";
/// pruneCache leaves other files alone.
constexpr StringLiteral kPrefix = "llvmcache-";

/// Removes what killed processes have begun to write into FOLDER.
void removeForgotten(StringRef folder) {
  auto [prefix, rest] = kTemporary.split('%');
  std::error_code ec;
  for (sys::fs::directory_iterator it(folder, ec), end; it != end && !ec; it.increment(ec)) {
    StringRef name = sys::path::filename(it->path());
    if (!name.starts_with(prefix) || !name.ends_with(".tmp"))
      continue;
    auto status = it->status();
    if (status && std::chrono::system_clock::now() - status->getLastModificationTime() > kWrittenIn)
      (void)sys::fs::remove(it->path());
  }
}

} // namespace

void CacheKey::add(StringRef bytes) {
  addNumber(bytes.size()); // tells where the next text begins
  hash.update(bytes);
}

void CacheKey::addNumber(uint64_t number) {
  hash.update(StringRef(reinterpret_cast<const char *>(&number), sizeof number));
}

void CacheKey::addFile(const Twine &path) {
  sys::fs::file_status status;
  if (sys::fs::status(path, status))
    return;
  add(path.str());
  addNumber(status.getSize());
  addNumber(status.getLastModificationTime().time_since_epoch().count());
}

void CacheKey::addBinary(void *address) {
  Dl_info info;
  link_map *map = nullptr;
  if (!dladdr1(address, &info, reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP) || !map)
    return;
  bool isProgram = !map->l_name || !*map->l_name;
  addFile(isProgram ? sys::fs::getMainExecutable(nullptr, address) : std::string(map->l_name));
}

std::string CacheKey::finish() {
  return toHex(hash.final(), /*LowerCase=*/true);
}

std::string CacheFolder::ofUser() {
  SmallString<128> folder;
  if (!sys::path::cache_directory(folder))
    return "";
  sys::path::append(folder, "vxcc");
  return folder.str().str();
}

std::string CacheFolder::fileOf(StringRef key) const {
  SmallString<128> file = StringRef(path);
  sys::path::append(file, kPrefix + key);
  return file.str().str();
}

CachedFile CacheFolder::find(StringRef key) const {
  if (path.empty())
    return {};
  auto buffer =
      MemoryBuffer::getFile(fileOf(key), /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer || (*buffer)->getBufferSize() < sizeof(uint64_t))
    return {};
  StringRef content = (*buffer)->getBuffer().drop_back(sizeof(uint64_t));
  uint64_t hash = xxh3_64bits(content);
  if (std::memcmp(&hash, content.end(), sizeof hash) != 0)
    return {};
  return {std::move(*buffer), content};
}

bool CacheFolder::create() const {
  return !path.empty() &&
         !sys::fs::create_directories(path, /*IgnoreExisting=*/true, sys::fs::perms::owner_all);
}

bool CacheFolder::keep(StringRef key, StringRef content) const {
  if (!create())
    return false;
  SmallString<128> temporary;
  int descriptor = -1;
  if (sys::fs::createUniqueFile(path + "/" + kTemporary, descriptor, temporary))
    return false;
  uint64_t hash = xxh3_64bits(content);
  raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << content;
  os.write(reinterpret_cast<const char *>(&hash), sizeof hash);
  os.close();
  bool failed = os.has_error();
  os.clear_error();
  if (failed || sys::fs::rename(temporary, fileOf(key))) {
    sys::fs::remove(temporary);
    return false;
  }
  removeForgotten(path);
  CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(0); // else it may grow beyond the limit for 20 minutes
  policy.Expiration = kUnusedFor;
  policy.MaxSizeBytes = maxBytes;
  pruneCache(path, policy);
  return true;
}

} // namespace vx
