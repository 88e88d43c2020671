// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any text as a configuration file and as settings. What is valid is written and read again, and
// small machines are made.

#include "simulator/api/Simulator.h"
#include "simulator/config/Ranges.h"
#include "test/fuzz/Fuzz.h"
#include <algorithm>

using namespace vx;
using namespace vx::sim;

/// Names of files are not to be opened here.
static void forgetFiles(SimConfig &config) {
  for (std::string *name :
       {&config.konataTrace, &config.perfettoTrace, &config.commitTrace, &config.profile,
        &config.gdb, &config.checkLog, &config.checkSave, &config.checkSummary})
    name->clear();
}

/// Returns TEXT without its comments, which are most of what a configuration is written as, and
/// take most of the time to read.
static std::string withoutComments(const std::string &text) {
  std::string lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (text[at] != '#')
      lines.append(text, at, end - at);
    at = end;
  }
  return lines;
}

/// Making machines takes most of the time, so few inputs do.
static void check(SimConfig config, bool makesMachine) {
  std::vector<std::string> errors = config.validate();
  for (const std::string &error : errors)
    fuzz::require(!error.empty(), "an error says what is wrong");
  std::string text = config.dump();
  SimConfig again;
  Result<void> read = again.loadText(withoutComments(text), "dump");
  fuzz::require(bool(read), "what is written can be read");
  fuzz::require(again.dump() == text, "what is read is what was written");
  if (!makesMachine || !errors.empty() ||
      uint64_t(config.numCores) * config.numWarps * config.numThreads > 64 ||
      config.lmemLog2Size > 16)
    return;
  for (uint32_t size : {config.icacheSize, config.dcacheSize, config.l2Size, config.l3Size})
    if (size > 1 << 20)
      return;
  forgetFiles(config);
  config.hostThreads = 1;
  auto simulator = Simulator::create(config);
  if (simulator)
    (*simulator)->run();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  (void)Ranges::parse(text);
  SimConfig list, file;
  Result<void> settings = list.applyList(text);
  fuzz::require(settings || !settings.error().message.empty(), "a failure says what is wrong");
  Result<void> loaded = file.loadText(text, "input");
  fuzz::require(loaded || !loaded.error().message.empty(), "a failure says what is wrong");
  if (settings || loaded) // else nothing is left of it
    check(std::move(settings ? list : file), size % 16 == 0);
  return 0;
}
