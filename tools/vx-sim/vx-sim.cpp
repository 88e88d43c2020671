// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-sim: runs a bare device image on the simulator.

#include "intrinsics/abi/AddressMap.h"
#include "simulator/api/ElfImage.h"
#include "simulator/api/Files.h"
#include "simulator/api/MachineReport.h"
#include "simulator/api/Simulator.h"
#include "simulator/api/TrapText.h"
#include "simulator/api/VortexImage.h"
#include "tools/vx-sim/ArgumentBlock.h"
#include "tools/vx-sim/Options.h"
#include <csignal>
#include <cstdio>

using namespace vx;
using namespace vx::sim;

namespace {

constexpr int kUsageError = 1, kGuestStopped = 125;

Simulator *running = nullptr; // for the signal handler

int complain(const Failure &failure) {
  std::fprintf(stderr, "vx-sim: error: %s\n", failure.message.c_str());
  return kUsageError;
}

Result<ElfImage> loadImage(const Options &options) {
  Result<std::vector<uint8_t>> file = readFile(options.image);
  if (!file)
    return file.error();
  if (ElfImage::isElf(*file))
    return ElfImage::parse(*file);
  if (ElfImage::isVxbin(*file))
    return ElfImage::parseVxbin(*file);
  return ElfImage::parseRaw(*file, VX_STARTUP_ADDR, options.config.rawImageBytes);
}

Result<void> printStats(const Options &options, const Stats &stats) {
  if (options.statsFormat.empty())
    return {};
  std::string text = options.statsFormat == "json"
                         ? addMachine("json", stats.toJson(), options.config)
                     : options.statsFormat == "csv" ? stats.toCsv()
                                                    : stats.toText();
  if (!options.statsFile.empty())
    return writeFile(options.statsFile,
                     {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
  std::fwrite(text.data(), 1, text.size(), stdout);
  return {};
}

/// Returns the guest's exit code, or that of a stopped guest after reporting why.
int outcome(const RunResult &result, const ElfImage &image, const Simulator &simulator) {
  if (result.trap.cause != TrapCause::None) {
    std::fflush(stdout);
    std::fprintf(stderr, "vx-sim: %s",
                 formatTrap(result.trap, &image, simulator.config().xlen).c_str());
    return kGuestStopped;
  }
  int left = followsVortex(image) ? int(readVortexWord(simulator, 0, VX_MPM_EXIT_CODE_WORD)) : 0;
  return result.exitCode.value_or(left) & 0xff;
}

/// Prepares what programs of Vortex expect of a device beyond their own memory.
Result<void> prepareForVortex(const ElfImage &image, Simulator &simulator) {
  if (Result<void> r = mapVortexWords(simulator); !r)
    return r;
  return mapThreadStorage(simulator, image);
}

int simulate(Options &options) {
  Result<ElfImage> image = loadImage(options);
  if (!image)
    return complain(image.error());
  if (image->xlen())
    options.config.xlen = image->xlen();
  if (followsVortex(*image))
    options.config.stackGuard = false; // its kernel library passes arguments on a stack
  Result<std::unique_ptr<Simulator>> simulator = Simulator::create(options.config);
  if (!simulator)
    return complain(simulator.error());
  if (Result<void> r = image->load(**simulator); !r)
    return complain(r.error());
  if (followsVortex(*image))
    if (Result<void> r = prepareForVortex(*image, **simulator); !r)
      return complain(r.error());
  ArgumentBlock block(options.arguments);
  if (Result<void> r = block.place(**simulator); !r)
    return complain(r.error());

  (*simulator)->describeRuns({options.image, &*image, 0, ""});
  running = simulator->get();
  std::signal(SIGINT, [](int) { running->requestStop(); });
  RunResult result = (*simulator)->run();
  std::signal(SIGINT, SIG_DFL);

  int code = outcome(result, *image, **simulator);
  if (Result<void> r = block.writeOutputs(**simulator); !r)
    return complain(r.error());
  if (Result<void> r = (*simulator)->finishReports(); !r)
    return complain(r.error());
  if (Result<void> r = printStats(options, (*simulator)->stats()); !r)
    return complain(r.error());
  return code;
}

} // namespace

int main(int argc, char **argv) {
  Result<Options> options = parseOptions({argv + 1, argv + argc});
  if (!options)
    return complain(options.error());
  switch (options->action) {
  case Options::Action::Help:
    std::fputs(kHelpText, stdout);
    return 0;
  case Options::Action::Version:
    std::puts("vx-sim " VX_VERSION);
    return 0;
  case Options::Action::DumpConfig:
    std::fputs(options->config.dump().c_str(), stdout);
    return 0;
  case Options::Action::Run:
    return simulate(*options);
  }
}
