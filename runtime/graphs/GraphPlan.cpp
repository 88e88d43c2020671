// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/graphs/GraphPlan.h"
#include <algorithm>

namespace vx::rt {

namespace {

class PlanWriter {
public:
  PlanWriter(PlanShape &shape, GraphPlan &plan, const std::vector<ConditionWord> &conditions)
      : shape(shape), plan(plan), conditions(conditions) {}

  /// The steps of GRAPH as part of REGION, after step BEFORE if there is one; the steps that
  /// nothing in GRAPH comes after.
  std::vector<uint32_t> add(const Graph &graph, uint32_t region, const uint32_t *before) {
    std::map<const GraphNode *, uint32_t> lastOf; // the step that stands for the whole node
    std::vector<uint32_t> leaves;
    for (const GraphNode *node : graph.inOrder()) {
      uint32_t first = addStep(node->work, region);
      if (before && node->dependencies.empty())
        connect(*before, first);
      for (const GraphNode *dependency : node->dependencies)
        connect(lastOf[dependency], first);
      uint32_t last = first;
      if (const ChildNode *child = node->work->get<ChildNode>()) {
        std::vector<uint32_t> ends = add(*child->graph, region, &first);
        last = addStep(std::make_shared<NodeWork>(), region);
        if (ends.empty())
          ends.push_back(first);
        for (uint32_t end : ends)
          connect(end, last);
      } else if (const ConditionalNode *conditional = node->work->get<ConditionalNode>()) {
        addBodies(*conditional, first);
      }
      lastOf[node] = last;
      shape.stepOf[node] = first;
      if (node->dependents.empty())
        leaves.push_back(last);
    }
    return leaves;
  }

  uint32_t addRegion(uint32_t owner) {
    shape.regions.push_back({owner, {}, {}});
    return uint32_t(shape.regions.size() - 1);
  }

private:
  uint32_t addStep(std::shared_ptr<const NodeWork> work, uint32_t region) {
    uint32_t index = uint32_t(shape.steps.size());
    PlanShape::Step &step = shape.steps.emplace_back();
    step.region = region;
    shape.regions[region].steps.push_back(index);
    if (work->type == cudaGraphNodeTypeWaitEvent || work->type == cudaGraphNodeTypeEventRecord)
      shape.events.push_back(index);
    else if (work->type == cudaGraphNodeTypeMemAlloc)
      shape.allocations.push_back(index);
    else if (work->type == cudaGraphNodeTypeMemFree)
      shape.releases.push_back(index);
    shape.hasHostSteps |= work->type == cudaGraphNodeTypeHost;
    plan.works.push_back(std::move(work));
    return index;
  }

  void connect(uint32_t from, uint32_t to) {
    shape.steps[from].successors.push_back(to);
    ++shape.steps[to].dependencies;
  }

  void addBodies(const ConditionalNode &conditional, uint32_t step) {
    auto condition =
        std::find_if(conditions.begin(), conditions.end(), [&](const ConditionWord &c) {
          return c.address == conditional.params.handle;
        });
    shape.steps[step].condition = uint32_t(condition - conditions.begin());
    for (const std::shared_ptr<Graph> &body : conditional.bodies) {
      uint32_t region = addRegion(step);
      shape.steps[step].bodies.push_back(region);
      add(*body, region, nullptr);
    }
  }

  PlanShape &shape;
  GraphPlan &plan;
  const std::vector<ConditionWord> &conditions;
};

} // namespace

std::shared_ptr<GraphPlan> GraphPlan::compile(const Graph &graph) {
  auto plan = std::make_shared<GraphPlan>();
  auto shape = std::make_shared<PlanShape>();
  PlanWriter writer(*shape, *plan, graph.conditions);
  writer.add(graph, writer.addRegion(0), nullptr);
  for (PlanShape::Region &region : shape->regions)
    for (uint32_t step : region.steps)
      if (shape->steps[step].dependencies == 0)
        region.roots.push_back(step);
  plan->shape = std::move(shape);
  plan->enabled.assign(plan->works.size(), true);
  plan->conditions = graph.conditions;
  for (const auto &[object, count] : graph.objects)
    plan->objects.push_back(object);
  return plan;
}

} // namespace vx::rt
