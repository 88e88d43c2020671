// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions by name: what cuGetProcAddress and cudaGetDriverEntryPoint look up.

#include "runtime/driver/Driver.h"
#include "runtime/driver/PerThreadStreams.h"
#include <string_view>

namespace vx::rt::driver {

namespace {

struct Row {
  std::string_view name;
  int version;
  void *function;
  void *perThread; ///< null: as `function`
};

template <typename F> void *addressOfFunction(F *function) {
  return reinterpret_cast<void *>(function);
}

const Row kRows[] = {
#define VX_CU_FUNCTION(name, symbol, version) {#name, version, addressOfFunction(symbol), nullptr},
#define VX_CU_STREAM_FUNCTION(name, symbol, version, suffix)                                       \
  {#name, version, addressOfFunction(symbol), addressOfFunction(symbol##_##suffix)},
#include "runtime/driver/Functions.def"
};

} // namespace

void *findFunction(const char *symbol, int version, bool perThread, bool &isKnown) {
  const Row *best = nullptr;
  isKnown = false;
  for (const Row &row : kRows) {
    if (row.name != symbol)
      continue;
    isKnown = true;
    if (row.version <= version && (!best || row.version > best->version))
      best = &row;
  }
  if (!best)
    return nullptr;
  return perThread && best->perThread ? best->perThread : best->function;
}

} // namespace vx::rt::driver

using namespace vx::rt::driver;

extern "C" CUresult cuGetProcAddress(const char *symbol, void **function, int version,
                                     cuuint64_t flags, CUdriverProcAddressQueryResult *status) {
  constexpr cuuint64_t kBoth =
      CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!symbol || !function || (flags & ~kBoth) || flags == kBoth)
    return CUDA_ERROR_INVALID_VALUE;
  bool isKnown = false;
  *function = findFunction(symbol, version,
                           (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0, isKnown);
  CUdriverProcAddressQueryResult result = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                                          : isKnown ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                                    : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  if (status)
    *status = result;
  // Who asks for the status looks there.
  return *function || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

#undef cuGetProcAddress

/// The form of release 11.3, for programs that look it up by this name.
extern "C" CUresult cuGetProcAddress(const char *symbol, void **function, int version,
                                     cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}
