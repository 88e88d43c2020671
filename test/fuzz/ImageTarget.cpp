// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any file as a device image: what vx-sim and the runtime do with it before, while and after it
// runs.

#include "simulator/api/LineTable.h"
#include "simulator/api/Simulator.h"
#include "simulator/api/TrapText.h"
#include "simulator/api/VortexImage.h"
#include "simulator/loader/CodeMap.h"
#include "test/fuzz/Fuzz.h"

using namespace vx;
using namespace vx::sim;

/// Parses FILE as vx-sim chooses.
static Result<ElfImage> parse(std::span<const uint8_t> file) {
  if (ElfImage::isElf(file))
    return ElfImage::parse(file);
  if (ElfImage::isVxbin(file))
    return ElfImage::parseVxbin(file);
  return ElfImage::parseRaw(file, 0x80000000, 1 << 16);
}

static void run(const ElfImage &image) {
  SimConfig config = fuzz::smallMachine();
  config.xlen = image.xlen() ? image.xlen() : 64;
  config.maxInstructions = 200;
  auto simulator = Simulator::create(config);
  fuzz::require(bool(simulator), "a machine can be made");
  if (!image.load(**simulator))
    return;
  if (followsVortex(image)) {
    (void)mapVortexWords(**simulator);
    (void)mapThreadStorage(**simulator, image);
  }
  (*simulator)->setConsole([](std::string_view) {});
  (*simulator)->describeRuns({"image", &image, 0, ""});
  RunResult result = (*simulator)->run();
  if (result.trap.cause != TrapCause::None)
    formatTrap(result.trap, &image, config.xlen);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::span<const uint8_t> file(data, size);
  (void)ElfImage::parse(file, ElfMachine::X86);
  Result<ElfImage> image = parse(file);
  if (!image) {
    fuzz::require(!image.error().message.empty(), "a failure says what is wrong");
    return 0;
  }
  LineTable lines(*image);
  CodeMap map(*image, 0, image->xlen() ? image->xlen() : 64);
  for (const ImageSegment &segment : image->segments()) {
    fuzz::require(segment.memorySize >= segment.bytes.size(), "a segment has room for its bytes");
    for (uint64_t at : {segment.address, segment.address + segment.memorySize - 1}) {
      (void)lines.find(at);
      (void)image->describe(at);
      (void)map.at(at).text();
    }
  }
  (void)image->stackShift(10);
  run(*image);
  return 0;
}
