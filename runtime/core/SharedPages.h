// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of memory that several devices, or devices of several processes, work on at the same time:
// a file without a name, mapped into this process. Other processes get a descriptor of the file, or
// find it through /proc.

#ifndef VX_RUNTIME_CORE_SHAREDPAGES_H
#define VX_RUNTIME_CORE_SHAREDPAGES_H

#include "simulator/api/Result.h"
#include <cstdint>
#include <memory>

namespace vx::rt {

/// The name by which another process finds pages. All of it is checked: a stale one is an error.
struct SharedPagesName {
  int32_t process = 0, file = 0;
  uint64_t device = 0, inode = 0; ///< of the file
  uint64_t size = 0;
};

class SharedPages {
public:
  /// Zero-filled pages for SIZE bytes (> 0).
  static Result<std::shared_ptr<SharedPages>> create(uint64_t size);
  /// The pages of another process. A Failure if it has ended or has given them up.
  static Result<std::shared_ptr<SharedPages>> open(const SharedPagesName &name);
  /// Opens pages by a descriptor of their file, which may be closed then. A Failure if it is
  /// another file.
  static Result<std::shared_ptr<SharedPages>> openFile(int descriptor);
  ~SharedPages();
  SharedPages(const SharedPages &) = delete;
  SharedPages &operator=(const SharedPages &) = delete;

  uint8_t *bytes() const { return base; }
  /// Rounded up to pages.
  uint64_t size() const { return mapped; }
  int file() const { return descriptor; }
  /// A descriptor of the file that the caller closes; negative: the process can have no more.
  int duplicateFile() const;
  SharedPagesName name() const;

private:
  SharedPages() = default;
  static Result<std::shared_ptr<SharedPages>> map(int descriptor, uint64_t size);
  uint8_t *base = nullptr;
  uint64_t mapped = 0;
  int descriptor = -1;
};

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_SHAREDPAGES_H
