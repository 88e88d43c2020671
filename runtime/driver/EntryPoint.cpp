// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions by name: what cuGetProcAddress and cudaGetDriverEntryPoint look up.

#include "runtime/driver/Api.h"
#include "runtime/driver/LegacySymbols.h"
#include "runtime/driver/PerThreadStreams.h"
#include <algorithm>
#include <string_view>

namespace vx::rt::driver {

namespace {

struct Row {
  std::string_view name;
  int version;
  bool perThread; ///< stream 0 is the calling thread's own
  void *function;
};

template <typename F> void *addressOfFunction(F *function) {
  return reinterpret_cast<void *>(function);
}

/// The first release with streams of threads.
constexpr int kPerThreadStreams = 7000;

const Row kRows[] = {
#define VX_CU_FUNCTION(name, symbol, version) {#name, version, false, addressOfFunction(symbol)},
#define VX_CU_STREAM_FUNCTION(name, symbol, version, suffix, count)                                \
  {#name, version, false, addressOfFunction(symbol)},                                              \
      {#name, std::max(version, kPerThreadStreams), true, addressOfFunction(symbol##_##suffix)},
#include "runtime/driver/Functions.def"
#define VX_CU_LEGACY_FUNCTION(name, symbol, function, version, count)                              \
  {#name, version, false, addressOfFunction(legacy_##symbol)},
#define VX_CU_LEGACY_STREAM_FUNCTION(name, symbol, function, version, count)                       \
  {#name, version, true, addressOfFunction(legacy_##symbol)},
#include "runtime/driver/LegacyFunctions.def"
};

} // namespace

void *findFunction(const char *symbol, int version, bool perThread, bool &isKnown) {
  const Row *best[2] = {}; // by Row::perThread
  bool hasPerThread = false;
  isKnown = false;
  for (const Row &row : kRows) {
    if (row.name != symbol)
      continue;
    isKnown = true;
    hasPerThread |= row.perThread;
    const Row *&found = best[row.perThread];
    if (row.version <= version && (!found || row.version > found->version))
      found = &row;
  }
  const Row *found = best[perThread && hasPerThread];
  return found ? found->function : nullptr;
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
