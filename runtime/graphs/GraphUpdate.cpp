// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of executable graphs.

#include "runtime/graphs/GraphTables.h"

namespace vx::rt {

/// Returns what prevents a graph that has been instantiated with OLD from running NEXT.
static cudaGraphExecUpdateResult compare(const NodeWork &old, const NodeWork &next) {
  if (old.type != next.type)
    return cudaGraphExecUpdateErrorNodeTypeChanged;
  if (const KernelNode *before = old.get<KernelNode>()) {
    const KernelNode *after = next.get<KernelNode>();
    if (before->request.cooperative != after->request.cooperative)
      return cudaGraphExecUpdateErrorAttributesChanged;
  } else if (const CopyNode *before = old.get<CopyNode>()) {
    const CopyNode *after = next.get<CopyNode>();
    if (before->copy.destination.space != after->copy.destination.space ||
        before->copy.source.space != after->copy.source.space)
      return cudaGraphExecUpdateErrorParametersChanged;
  } else if (const FillNode *before = old.get<FillNode>()) {
    const cudaMemsetParams &a = before->params, &b = next.get<FillNode>()->params;
    bool hasRows = a.height > 1 || b.height > 1;
    if (hasRows && (a.height != b.height || a.width != b.width || a.pitch != b.pitch ||
                    a.elementSize != b.elementSize))
      return cudaGraphExecUpdateErrorParametersChanged;
  } else if (const AllocationNode *before = old.get<AllocationNode>()) {
    if (before->memory != next.get<AllocationNode>()->memory)
      return cudaGraphExecUpdateErrorNotSupported;
  } else if (const ReleaseNode *before = old.get<ReleaseNode>()) {
    if (before->memory != next.get<ReleaseNode>()->memory)
      return cudaGraphExecUpdateErrorNotSupported;
  } else if (const ConditionalNode *before = old.get<ConditionalNode>()) {
    const ConditionalNode *after = next.get<ConditionalNode>();
    if (before->params.type != after->params.type || before->params.size != after->params.size)
      return cudaGraphExecUpdateErrorParametersChanged;
  }
  return cudaGraphExecUpdateSuccess;
}

cudaError_t mayReplace(const NodeWork &old, const NodeWork &next) {
  return compare(old, next) == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorInvalidValue;
}

namespace {

/// Pairs the nodes of two graphs in the order of their creation.
class Update {
public:
  Update(const ExecutableGraph &exec, const std::vector<ConditionWord> &conditions,
         cudaGraphExecUpdateResultInfo &info)
      : shape(*exec.plan->shape), conditions(conditions), info(info) {}

  bool pair(const Graph &old, const Graph &next) {
    if (old.nodes.size() != next.nodes.size()) {
      const Graph &more = old.nodes.size() < next.nodes.size() ? next : old;
      size_t fewer = std::min(old.nodes.size(), next.nodes.size());
      return &more == &next ? fail(cudaGraphExecUpdateErrorTopologyChanged, next.nodes[fewer].get())
                            : fail(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
    }
    std::map<const GraphNode *, size_t> oldIndex, nextIndex;
    for (size_t i = 0; i < old.nodes.size(); ++i) {
      oldIndex[old.nodes[i].get()] = i;
      nextIndex[next.nodes[i].get()] = i;
    }
    for (size_t i = 0; i < old.nodes.size(); ++i)
      if (!pair(*old.nodes[i], *next.nodes[i], oldIndex, nextIndex))
        return false;
    return true;
  }

  std::vector<std::pair<GraphNode *, std::shared_ptr<const NodeWork>>> changes;

private:
  using Index = std::map<const GraphNode *, size_t>;

  bool fail(cudaGraphExecUpdateResult result, const GraphNode *node,
            const GraphNode *from = nullptr) {
    info = {result, node ? node->original : nullptr, from ? from->original : nullptr};
    return false;
  }

  bool pair(GraphNode &old, GraphNode &next, Index &oldIndex, Index &nextIndex) {
    std::vector<bool> has(oldIndex.size());
    for (const GraphNode *dependency : old.dependencies)
      has[oldIndex[dependency]] = true;
    for (const GraphNode *dependency : next.dependencies)
      if (!has[nextIndex[dependency]])
        return fail(cudaGraphExecUpdateErrorTopologyChanged, &next, dependency);
    if (old.dependencies.size() != next.dependencies.size())
      return fail(cudaGraphExecUpdateErrorTopologyChanged, &next);
    if (cudaGraphExecUpdateResult result = compare(*old.work, *next.work);
        result != cudaGraphExecUpdateSuccess)
      return fail(result, &next);
    if (const ChildNode *child = old.work->get<ChildNode>())
      return pair(*child->graph, *next.work->get<ChildNode>()->graph);
    if (const ConditionalNode *conditional = old.work->get<ConditionalNode>()) {
      const ConditionalNode *other = next.work->get<ConditionalNode>();
      for (size_t i = 0; i < conditional->bodies.size(); ++i)
        if (!pair(*conditional->bodies[i], *other->bodies[i]))
          return false;
      // Each graph has conditions of its own: they correspond by their order.
      uint32_t condition = shape.steps[shape.stepOf.at(&old)].condition;
      return condition < conditions.size() && conditions[condition].address == other->params.handle
                 ? true
                 : fail(cudaGraphExecUpdateErrorParametersChanged, &next);
    }
    changes.emplace_back(&old, next.work);
    return true;
  }

  const PlanShape &shape;
  const std::vector<ConditionWord> &conditions; // of the graph whose work is taken
  cudaGraphExecUpdateResultInfo &info;
};

} // namespace

cudaError_t updateExecutable(ExecutableGraph &exec, const Graph &next,
                             cudaGraphExecUpdateResultInfo &info) {
  info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  Update update(exec, next.conditions, info);
  if (!update.pair(*exec.graph, next))
    return cudaErrorGraphExecUpdateFailure;
  for (auto &[node, work] : update.changes)
    exec.setWork(node, work);
  GraphPlan &plan = exec.changeablePlan();
  plan.conditions = next.conditions;
  plan.objects.clear();
  for (const auto &[object, count] : next.objects)
    plan.objects.push_back(object);
  return cudaSuccess;
}

cudaError_t updateChild(ExecutableGraph &exec, GraphNode &node, const Graph &next) {
  cudaGraphExecUpdateResultInfo info{};
  Update update(exec, exec.plan->conditions, info);
  if (!update.pair(*node.work->get<ChildNode>()->graph, next))
    return cudaErrorInvalidValue;
  for (auto &[changed, work] : update.changes)
    exec.setWork(changed, work);
  return cudaSuccess;
}

} // namespace vx::rt
