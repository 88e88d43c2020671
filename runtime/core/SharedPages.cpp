// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/SharedPages.h"
#include "runtime/core/Pages.h"
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vx::rt {

Result<std::shared_ptr<SharedPages>> SharedPages::map(int descriptor, uint64_t size) {
  void *base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (base == MAP_FAILED) {
    close(descriptor);
    return Failure{"cannot map shared memory: " + std::string(std::strerror(errno))};
  }
  std::shared_ptr<SharedPages> pages(new SharedPages);
  pages->base = static_cast<uint8_t *>(base);
  pages->mapped = size;
  pages->descriptor = descriptor;
  return pages;
}

Result<std::shared_ptr<SharedPages>> SharedPages::create(uint64_t size) {
  size = roundToPages(size);
  int descriptor = memfd_create("vxrt", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  // Pages that others have mapped cannot be taken away.
  if (descriptor < 0 || ftruncate(descriptor, off_t(size)) != 0 ||
      fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK) != 0) {
    Failure failure{"cannot make shared memory: " + std::string(std::strerror(errno))};
    if (descriptor >= 0)
      close(descriptor);
    return failure;
  }
  return map(descriptor, size);
}

Result<std::shared_ptr<SharedPages>> SharedPages::open(const SharedPagesName &name) {
  std::string path = "/proc/" + std::to_string(name.process) + "/fd/" + std::to_string(name.file);
  // Only a file is opened: a device or a pipe that took the number could have effects.
  struct stat found{};
  if (stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode) || found.st_ino != name.inode ||
      found.st_dev != name.device || uint64_t(found.st_size) != name.size || name.size == 0)
    return Failure{"the memory of process " + std::to_string(name.process) + " is not there"};
  int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat opened{};
  if (descriptor < 0 || fstat(descriptor, &opened) != 0 || opened.st_ino != name.inode ||
      opened.st_dev != name.device) {
    if (descriptor >= 0)
      close(descriptor);
    return Failure{"the memory of process " + std::to_string(name.process) + " cannot be opened"};
  }
  return map(descriptor, name.size);
}

Result<std::shared_ptr<SharedPages>> SharedPages::openFile(int descriptor) {
  struct stat found{};
  int seals = fcntl(descriptor, F_GET_SEALS);
  if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(descriptor, &found) != 0 ||
      found.st_size <= 0 || uint64_t(found.st_size) % kPage)
    return Failure{"descriptor " + std::to_string(descriptor) + " is not memory of a device"};
  int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0)
    return Failure{"cannot open shared memory: " + std::string(std::strerror(errno))};
  return map(own, uint64_t(found.st_size));
}

int SharedPages::duplicateFile() const {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

SharedPages::~SharedPages() {
  munmap(base, mapped);
  close(descriptor);
}

SharedPagesName SharedPages::name() const {
  struct stat status{};
  fstat(descriptor, &status);
  return {getpid(), descriptor, status.st_dev, status.st_ino, mapped};
}

} // namespace vx::rt
