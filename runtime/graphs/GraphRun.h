// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch of an executable graph: work whose parts are the steps of its plan. The scheduler runs
// each as soon as the steps before it have run.

#ifndef VX_RUNTIME_GRAPHS_GRAPHRUN_H
#define VX_RUNTIME_GRAPHS_GRAPHRUN_H

#include "runtime/graphs/GraphPlan.h"
#include <deque>

namespace vx::rt {

class GraphRun final : public CompositeWork {
public:
  /// Also records the events of the graph: from here on, who waits for one of them waits for this
  /// launch.
  GraphRun(Context &context, std::shared_ptr<const GraphPlan> plan);

  bool hasHostParts() const override { return plan->shape->hasHostSteps; }
  bool isReady(bool onHost) override;
  uint32_t take(bool onHost) override;
  void run(uint32_t part) override;
  std::shared_ptr<EventTicket> finish(uint32_t part) override;
  std::vector<std::shared_ptr<EventTicket>> awaited() const override;
  bool isDone() const override { return ended; }

private:
  static constexpr uint32_t kEnd = UINT32_MAX; ///< the last part

  void startRegion(uint32_t region);
  void complete(uint32_t step);
  void noteReady(uint32_t step);
  void decide(uint32_t step);
  void promoteWaiting();
  void runKernel(const KernelNode &node);
  cudaError_t copyAcross(const CopyNode &node);
  cudaError_t loadCells();
  cudaError_t readCells();
  cudaError_t writeCells();

  Context &context;
  const std::shared_ptr<const GraphPlan> plan;
  // Guarded by the scheduler's lock.
  std::vector<uint32_t> missing; // dependencies that have not run, of each step
  std::vector<uint32_t> left;    // steps that have not run, of each region
  std::deque<uint32_t> forDevice, forHost;
  std::vector<uint32_t> waiting;   // for events
  std::vector<uint32_t> completed; // steps whose successors have not been told
  bool isCompleting = false, allRan = false, ended = false;
  // Used by parts on the device, which run one at a time.
  std::vector<uint32_t> values; // of the conditions
  bool hasValues = false;
  std::map<uint32_t, std::shared_ptr<EventTicket>> tickets; // of the steps with events
};

} // namespace vx::rt

#endif // VX_RUNTIME_GRAPHS_GRAPHRUN_H
