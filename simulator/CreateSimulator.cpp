// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the Simulator that a configuration asks for.

#include "simulator/FunctionalSimulator.h"
#include "simulator/SampledSimulator.h"
#include "simulator/TimingSimulator.h"
#include "simulator/check/AccessChecks.h"

namespace vx::sim {

Result<std::unique_ptr<Simulator>> Simulator::create(const SimConfig &config) {
  std::vector<std::string> errors = config.validate();
  if (!errors.empty()) {
    std::string text;
    for (const std::string &error : errors)
      text += (text.empty() ? "" : "\n") + error;
    return Failure{text};
  }
  std::unique_ptr<DeviceSimulator> simulator;
  switch (config.mode) {
  case SimMode::Functional:
    simulator = std::make_unique<FunctionalSimulator>(config);
    break;
  case SimMode::Timing:
    simulator = std::make_unique<TimingSimulator>(config);
    break;
  case SimMode::Sampled:
    simulator = std::make_unique<SampledSimulator>(config);
    break;
  }
  if (Result<void> r = simulator->initialize(); !r)
    return r.error();
  Result<std::unique_ptr<MemoryChecks>> checks = AccessChecks::create(simulator->machine());
  if (!checks)
    return checks.error();
  if (*checks)
    simulator->setChecks(std::move(*checks));
  return std::unique_ptr<Simulator>(std::move(simulator));
}

} // namespace vx::sim
