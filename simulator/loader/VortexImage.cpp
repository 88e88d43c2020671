// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/api/VortexImage.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/StackShift.h"
#include "simulator/api/Simulator.h"
#include <algorithm>

namespace vx::sim {

namespace {

/// A symbol of Vortex's linker script, whose value is a size. Its start-up code uses it.
constexpr const char *kThreadStorageSize = "__tbss_size";
/// The function that Vortex's start-up code calls when a program ends.
constexpr const char *kCounterDump = "vx_perf_dump";

constexpr uint64_t kThreadStorageGuess = 4096;

uint64_t wordAddress(uint32_t core, uint32_t index) {
  return VX_MPM_ADDR + (uint64_t(core) * VX_MPM_WORDS + index) * sizeof(uint64_t);
}

} // namespace

bool followsVortex(const ElfImage &image) {
  if (image.symbol(abi::kStackShiftSymbol))
    return false;
  return image.xlen() == 0 || image.symbol(kThreadStorageSize) || image.symbol(kCounterDump);
}

uint64_t threadStorageBytes(const ElfImage *image, const SimConfig &config) {
  uint64_t ofOne = kThreadStorageGuess;
  if (image)
    if (const ImageSymbol *size = image->symbol(kThreadStorageSize))
      ofOne = size->address;
  // There may be padding between what is linked and the beginning of the storage.
  return config.harts() * ofOne + sizeof(uint64_t);
}

Result<void> mapVortexWords(Simulator &simulator, bool clear) {
  uint64_t end = std::min<uint64_t>(wordAddress(simulator.config().numCores, 0), VX_USER_BASE_ADDR);
  if (Result<void> r = simulator.map(VX_MPM_ADDR, end - VX_MPM_ADDR, kRead | kWrite); !r)
    return r;
  return clear ? simulator.fill(VX_MPM_ADDR, 0, end - VX_MPM_ADDR) : Result<void>();
}

Result<void> mapThreadStorage(Simulator &simulator, const ElfImage &image) {
  uint64_t end = 0;
  for (const ImageSegment &s : image.segments())
    end = std::max(end, s.address + s.memorySize);
  return simulator.map(end, threadStorageBytes(&image, simulator.config()), kRead | kWrite);
}

uint64_t readVortexWord(const Simulator &simulator, uint32_t core, uint32_t index) {
  uint64_t word = 0;
  if (!simulator.read(wordAddress(core, index), {reinterpret_cast<uint8_t *>(&word), sizeof word}))
    return 0;
  return word;
}

} // namespace vx::sim
