// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a fat binary: its images, which of them is chosen, and the modules that they make.

#include "intrinsics/abi/LaunchDescriptor.h"
#include "runtime/image/FatBinary.h"
#include "runtime/image/Module.h"
#include "test/fuzz/Fuzz.h"
#include <cstring>

using namespace vx;
using namespace vx::rt;

/// Asks for all that one may.
static void choose(std::span<const FatImage> images) {
  for (auto lowering :
       {abi::Lowering::Auto, abi::Lowering::Hw, abi::Lowering::Sw, abi::Lowering::Host})
    for (auto profile : {abi::IsaProfile::Base, abi::IsaProfile::Warp})
      for (uint32_t xlen : {32, 64})
        for (bool zicond : {false, true}) {
          Result<FatImage> chosen = chooseImage(images, {lowering, profile, xlen, zicond});
          if (chosen)
            fuzz::require(chosen->xlen == xlen, "the image is for the device's registers");
          else
            fuzz::require(!chosen.error().message.empty(), "a failure says what is wrong");
        }
}

static void wrapAgain(const FatImage &image) {
  std::vector<uint8_t> bytes = wrapImage(image);
  Result<std::vector<FatImage>> again = parseFatBinary(bytes);
  fuzz::require(again && again->size() == 1, "what is wrapped can be read");
  const FatImage &copy = again->front();
  fuzz::require(
      copy.xlen == image.xlen && copy.zicond == image.zicond && copy.lowering == image.lowering &&
          copy.profile == image.profile &&
          std::equal(copy.elf.begin(), copy.elf.end(), image.elf.begin(), image.elf.end()),
      "what is read is what was wrapped");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::span<const uint8_t> bytes(data, size);
  Result<std::vector<FatImage>> images = parseFatBinary(bytes);
  if (!images) {
    fuzz::require(!images.error().message.empty(), "a failure says what is wrong");
    return 0;
  }
  struct { // what clang emits
    uint32_t magic = abi::kFatWrapperMagic, version = 1;
    const void *data, *unused = nullptr;
  } wrapper{.data = data};
  fuzz::require(bool(parseFatWrapper(&wrapper)), "in a wrapper it is the same");
  (void)findIr(*images);
  if (images->size() > 16)
    return 0;
  choose(*images);
  for (const FatImage &image : *images) {
    wrapAgain(image);
    bool isHost = image.lowering == abi::Lowering::Host;
    Result<std::unique_ptr<Module>> module = Module::parse(image.elf, image.xlen, isHost);
    if (!module)
      continue;
    (void)(*module)->kernel("k");
    (void)(*module)->variable("v");
    (void)(*module)->describe((*module)->entry());
    if ((*module)->isMovable())
      (*module)->moveBy(1 << 20);
  }
  return 0;
}
