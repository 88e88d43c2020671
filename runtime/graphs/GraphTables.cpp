// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/graphs/GraphTables.h"
#include <algorithm>
#include <utility>

namespace vx::rt {

GraphPlan &ExecutableGraph::changeablePlan() {
  // Not use_count(): that a launch has given the plan up does not order what it has read.
  if (std::exchange(isPlanLaunched, false))
    plan = std::make_shared<GraphPlan>(*plan);
  return *plan;
}

void ExecutableGraph::setWork(GraphNode *node, std::shared_ptr<const NodeWork> work) {
  changeablePlan().works[plan->shape->stepOf.at(node)] = work;
  node->work = std::move(work);
}

GraphNode *ExecutableGraph::counterpart(cudaGraphNode_t handle) const {
  auto it = nodeOf.find(handle);
  return it == nodeOf.end() ? nullptr : it->second;
}

void ExecutableGraph::index(const Graph &copy) {
  for (const std::unique_ptr<GraphNode> &node : copy.nodes) {
    nodeOf[node->original] = node.get();
    forEachEmbedded(*node->work, [&](const std::shared_ptr<Graph> &graph) { index(*graph); });
  }
}

bool GraphTables::findNodes(const Graph &graph, const cudaGraphNode_t *handles, size_t count,
                            std::vector<GraphNode *> &found) const {
  if (count && !handles)
    return false;
  for (size_t i = 0; i < count; ++i) {
    GraphNode *node = find(handles[i]);
    if (!node || node->graph != &graph ||
        std::find(found.begin(), found.end(), node) != found.end())
      return false;
    found.push_back(node);
  }
  return true;
}

void GraphTables::add(GraphNode *node) {
  node->handle = newHandle<cudaGraphNode_t>();
  nodes.emplace(node->handle, node);
  forEachEmbedded(*node->work, [&](const std::shared_ptr<Graph> &graph) { add(graph); });
}

void GraphTables::add(const std::shared_ptr<Graph> &graph) {
  graph->handle = newHandle<cudaGraph_t>();
  graphs.emplace(graph->handle, graph);
  for (const std::unique_ptr<GraphNode> &node : graph->nodes)
    add(node.get());
}

void GraphTables::forget(GraphNode &node) {
  nodes.erase(node.handle);
  captures.forget(&node);
  forEachEmbedded(*node.work, [&](const std::shared_ptr<Graph> &graph) { forget(*graph); });
}

void GraphTables::forget(Graph &graph) {
  for (const std::unique_ptr<GraphNode> &node : graph.nodes)
    forget(*node);
  graphs.erase(graph.handle);
}

std::shared_ptr<Graph> GraphTables::find(cudaGraph_t handle) const {
  auto it = graphs.find(handle);
  return it == graphs.end() ? nullptr : it->second;
}

GraphNode *GraphTables::find(cudaGraphNode_t handle) const {
  auto it = nodes.find(handle);
  return it == nodes.end() ? nullptr : it->second;
}

std::shared_ptr<ExecutableGraph> GraphTables::find(cudaGraphExec_t handle) const {
  auto it = executables.find(handle);
  return it == executables.end() ? nullptr : it->second;
}

} // namespace vx::rt
