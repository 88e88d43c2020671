// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder with files that can be made again, each named by a hash of what it was made of. Whatever
// fails is as if nothing had been kept.

#ifndef VX_FRONTEND_CLANG_CACHEFOLDER_H
#define VX_FRONTEND_CLANG_CACHEFOLDER_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include <memory>
#include <string>

namespace vx {

/// The key that names a file: a hash of texts, numbers, and files as they are now.
class CacheKey {
public:
  void add(llvm::StringRef bytes);
  void addNumber(uint64_t number);
  /// Adds path, size and time of the last change; nothing if there is no such file.
  void addFile(const llvm::Twine &path);
  /// Adds the program or library that ADDRESS is in, as a file.
  void addBinary(void *address);
  /// Returns the name. The key is used up.
  std::string finish();

private:
  llvm::SHA256 hash;
};

/// A file of the folder.
struct CachedFile {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  llvm::StringRef content; ///< begins where the buffer does

  explicit operator bool() const { return buffer != nullptr; }
};

class CacheFolder {
public:
  static constexpr uint64_t kMaxBytes = uint64_t(1) << 30;

  /// Keeps nothing if PATH is empty. When the files together exceed MAXBYTES, the oldest go first;
  /// files that have not been used for 30 days go, too.
  explicit CacheFolder(std::string path = {}, uint64_t maxBytes = kMaxBytes)
      : path(std::move(path)), maxBytes(maxBytes) {}

  /// Returns "vxcc" in the user's folder for such files: XDG_CACHE_HOME, or ~/.cache; empty without
  /// a home.
  static std::string ofUser();

  explicit operator bool() const { return !path.empty(); }

  /// Returns what is kept for KEY, unless it has been damaged.
  CachedFile find(llvm::StringRef key) const;

  /// Makes the folder; whether it is there.
  bool create() const;

  /// Returns true if it could be written. Other processes see the whole file or none.
  bool keep(llvm::StringRef key, llvm::StringRef content) const;

private:
  std::string fileOf(llvm::StringRef key) const;

  std::string path;
  uint64_t maxBytes;
};

} // namespace vx

#endif // VX_FRONTEND_CLANG_CACHEFOLDER_H
