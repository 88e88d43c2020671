// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executable form of a graph: its steps in one flat list, with what each waits for. Embedded
// graphs are part of the list; the body of a conditional node is a region of it that runs as often
// as the condition asks for.

#ifndef VX_RUNTIME_GRAPHS_GRAPHPLAN_H
#define VX_RUNTIME_GRAPHS_GRAPHPLAN_H

#include "runtime/graphs/Graph.h"

namespace vx::rt {

/// The dependencies of the steps. Made once for an executable graph: updates leave it alone.
struct PlanShape {
  struct Step {
    uint32_t dependencies = 0; ///< steps that come first
    uint32_t region = 0;
    std::vector<uint32_t> successors;
    std::vector<uint32_t> bodies; ///< of a conditional node: regions
    uint32_t condition = 0;       ///< of a conditional node: index of its condition
  };
  struct Region {
    uint32_t owner = 0; ///< the conditional step; of region 0: none
    std::vector<uint32_t> steps, roots;
  };
  std::vector<Step> steps; ///< each after the steps that it depends on
  std::vector<Region> regions;
  /// The step of each node of the copy that the executable graph keeps.
  std::map<const GraphNode *, uint32_t> stepOf;
  /// Steps by what a launch does for them.
  std::vector<uint32_t> events, allocations, releases;
  bool hasHostSteps = false;
};

struct GraphPlan {
  std::shared_ptr<const PlanShape> shape;
  std::vector<std::shared_ptr<const NodeWork>> works; ///< of each step
  std::vector<bool> enabled;
  std::vector<ConditionWord> conditions;
  std::vector<std::shared_ptr<UserObject>> objects;
  bool usesPriorities = false; ///< of kernel nodes

  /// The plan of GRAPH, which has no cycle.
  static std::shared_ptr<GraphPlan> compile(const Graph &graph);
};

} // namespace vx::rt

#endif // VX_RUNTIME_GRAPHS_GRAPHPLAN_H
