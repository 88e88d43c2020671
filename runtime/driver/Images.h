// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program may give to cuModuleLoad and its relatives: fat binaries, images (ELF), NVVM IR as
// text or bitcode. All become fat binaries.

#ifndef VX_RUNTIME_DRIVER_IMAGES_H
#define VX_RUNTIME_DRIVER_IMAGES_H

#include "runtime/driver/Api.h"
#include "runtime/image/FatBinary.h"
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vx::rt::driver {

/// The structure that clang emits around a fat binary; the registry holds modules by it.
struct FatWrapper {
  uint32_t magic = abi::kFatWrapperMagic;
  uint32_t version = 1;
  const void *data = nullptr;
  void *unused = nullptr;
};

/// Reads what is at DATA into a fat binary. SIZE: of the data, where the program says it; else DATA
/// says how long it is. After errors, the reason is in LOG.
CUresult readImage(const void *data, std::optional<size_t> size, std::vector<uint8_t> &fatBinary,
                   std::string &log);

/// The bytes of a file; a null PATH is an invalid value.
CUresult readFile(const char *path, std::vector<uint8_t> &bytes);

/// The options of the just-in-time compiler that mean something here.
struct JitOptions {
  int optLevel = -1;
  // Addresses in the program's arrays, or null.
  char *infoLog = nullptr, *errorLog = nullptr;
  void **infoLogSize = nullptr, **errorLogSize = nullptr, **wallTime = nullptr;

  /// Reads the arrays of a call; CUDA_ERROR_INVALID_VALUE for options that there are not.
  CUresult read(unsigned count, CUjit_option *options, void **values);
  /// Writes LOG into the error log after errors, else into the other one, and the time that was
  /// taken.
  void report(CUresult result, const std::string &log, double milliseconds);
};

} // namespace vx::rt::driver

#endif // VX_RUNTIME_DRIVER_IMAGES_H
