// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/graphs/Graph.h"
#include <algorithm>

namespace vx::rt {

UserObject::~UserObject() {
  // CUDA forbids the function to call the API; here that would deadlock: locks are held.
  Scheduler::runAsHostFunction([&] { destroy(pointer); });
}

GraphNode *Graph::add(std::shared_ptr<const NodeWork> work,
                      const std::vector<GraphNode *> &dependencies) {
  auto node = std::make_unique<GraphNode>();
  node->graph = this;
  node->number = nextNumber++;
  node->work = std::move(work);
  forEachEmbedded(*node->work, [&](const std::shared_ptr<Graph> &graph) { graph->parent = this; });
  GraphNode *added = nodes.emplace_back(std::move(node)).get();
  for (GraphNode *dependency : dependencies)
    addEdge(dependency, added);
  return added;
}

void Graph::remove(GraphNode *node) {
  for (GraphNode *dependency : node->dependencies)
    std::erase(dependency->dependents, node);
  for (GraphNode *dependent : node->dependents)
    std::erase(dependent->dependencies, node);
  std::erase_if(nodes, [&](const std::unique_ptr<GraphNode> &n) { return n.get() == node; });
}

bool Graph::hasEdge(const GraphNode *from, const GraphNode *to) {
  return std::find(to->dependencies.begin(), to->dependencies.end(), from) !=
         to->dependencies.end();
}

void Graph::addEdge(GraphNode *from, GraphNode *to) {
  from->dependents.push_back(to);
  to->dependencies.push_back(from);
}

bool Graph::removeEdge(GraphNode *from, GraphNode *to) {
  if (!hasEdge(from, to))
    return false;
  std::erase(from->dependents, to);
  std::erase(to->dependencies, from);
  return true;
}

std::vector<GraphNode *> Graph::inOrder() const {
  std::map<const GraphNode *, size_t> missing;
  std::vector<GraphNode *> order;
  order.reserve(nodes.size());
  for (const std::unique_ptr<GraphNode> &node : nodes) {
    missing[node.get()] = node->dependencies.size();
    if (node->dependencies.empty())
      order.push_back(node.get());
  }
  for (size_t i = 0; i < order.size(); ++i)
    for (GraphNode *dependent : order[i]->dependents)
      if (--missing[dependent] == 0)
        order.push_back(dependent);
  return order;
}

/// WORK with copies of the graphs that it embeds.
static std::shared_ptr<const NodeWork> cloneWork(const std::shared_ptr<const NodeWork> &work) {
  if (const ChildNode *child = work->get<ChildNode>())
    return std::make_shared<NodeWork>(NodeWork{work->type, ChildNode{child->graph->clone()}});
  if (const ConditionalNode *conditional = work->get<ConditionalNode>()) {
    ConditionalNode copy = *conditional;
    for (std::shared_ptr<Graph> &body : copy.bodies)
      body = body->clone();
    return std::make_shared<NodeWork>(NodeWork{work->type, std::move(copy)});
  }
  return work;
}

std::shared_ptr<Graph> Graph::clone() const {
  auto copy = std::make_shared<Graph>();
  copy->isEmbedded = isEmbedded;
  copy->isBody = isBody;
  copy->conditions = conditions;
  copy->objects = objects;
  std::map<const GraphNode *, GraphNode *> copies;
  for (const std::unique_ptr<GraphNode> &node : nodes) {
    GraphNode *twin = copy->add(cloneWork(node->work), {});
    twin->original = node->handle ? node->handle : node->original;
    copies[node.get()] = twin;
  }
  for (const std::unique_ptr<GraphNode> &node : nodes) {
    GraphNode *twin = copies[node.get()];
    for (const GraphNode *dependency : node->dependencies)
      twin->dependencies.push_back(copies[dependency]);
    for (const GraphNode *dependent : node->dependents)
      twin->dependents.push_back(copies[dependent]);
  }
  return copy;
}

bool Graph::contains(cudaGraphNodeType type) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const std::unique_ptr<GraphNode> &node) {
    bool found = node->work->type == type;
    forEachEmbedded(*node->work, [&](const std::shared_ptr<Graph> &graph) {
      found = found || graph->contains(type);
    });
    return found;
  });
}

} // namespace vx::rt
