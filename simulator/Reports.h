// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The traces and the profile that a configuration asks for, as one observer.

#ifndef VX_SIMULATOR_REPORTS_H
#define VX_SIMULATOR_REPORTS_H

#include "simulator/trace/Watcher.h"
#include <map>
#include <memory>
#include <vector>

namespace vx::sim {

struct Device;
struct RunInfo;

class Reports final : public Observer {
public:
  /// Returns what DEVICE's configuration asks for, null for nothing. Creates its files.
  static Result<std::unique_ptr<Reports>> create(const Device &device);

  void describeRuns(const RunInfo &info);
  /// Completes all files. Returns the first failure. Nothing is watched afterwards.
  Result<void> finish();

  void runStarted() override;
  void scheduled(const InsnLife &life) override;
  void committed(const InsnLife &life) override;
  void stalled(uint32_t core, StallCause cause, uint64_t pc, Cycle first, Cycle cycles) override;
  void runEnded(Cycle cycles) override;

private:
  explicit Reports(unsigned xlen) : xlen(xlen) {}

  /// Opens FILE for a watcher and adds it, unless no FILE is asked for.
  template <typename W, typename... Args>
  Result<void> add(const std::string &file, const Args &...arguments);

  unsigned xlen;
  std::map<std::pair<const void *, uint64_t>, CodeMap> codes; ///< by image and slide
  std::vector<std::unique_ptr<Watcher>> watchers;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_REPORTS_H
