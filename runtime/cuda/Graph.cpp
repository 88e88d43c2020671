// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs and their structure: nodes and edges, whatever the nodes do.

#include "runtime/cuda/GraphApi.h"
#include <algorithm>

using namespace vx::rt;

extern "C" cudaError_t cudaGraphCreate(cudaGraph_t *handle, unsigned flags) {
  return callWithGraphs([&](Context &, GraphTables &tables) {
    if (!handle || flags != 0)
      return cudaErrorInvalidValue;
    auto graph = std::make_shared<Graph>();
    tables.add(graph);
    *handle = graph->handle;
    return cudaSuccess;
  });
}

template <typename Body> static cudaError_t callWithGraph(cudaGraph_t handle, Body &&body) {
  return callWithGraphsOf(handle, [&](Context &, GraphTables &tables) {
    std::shared_ptr<Graph> graph = tables.find(handle);
    return graph ? body(tables, *graph) : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  return callWithAnyGraphsOf(handle, [&](Context &, GraphTables &tables) {
    std::shared_ptr<Graph> graph = tables.find(handle);
    if (!graph || graph->isEmbedded || tables.captures.usesGraph(*graph))
      return cudaErrorInvalidValue;
    tables.forget(*graph);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t original) {
  return callWithGraph(original, [&](GraphTables &tables, Graph &graph) {
    if (!clone)
      return cudaErrorInvalidValue;
    if (graph.usesMemoryNodes() || graph.contains(cudaGraphNodeTypeConditional))
      return cudaErrorNotSupported;
    std::shared_ptr<Graph> copy = graph.clone();
    copy->isEmbedded = copy->isBody = false;
    tables.add(copy);
    *clone = copy->handle;
    return cudaSuccess;
  });
}

static GraphNode *findClone(const Graph &graph, cudaGraphNode_t original) {
  GraphNode *found = nullptr;
  for (const std::unique_ptr<GraphNode> &node : graph.nodes) {
    if (node->original == original)
      return node.get();
    forEachEmbedded(*node->work, [&](const std::shared_ptr<Graph> &embedded) {
      if (!found)
        found = findClone(*embedded, original);
    });
  }
  return found;
}

extern "C" cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *result, cudaGraphNode_t original,
                                                cudaGraph_t clone) {
  return callWithGraph(clone, [&](GraphTables &, Graph &graph) {
    GraphNode *found = original ? findClone(graph, original) : nullptr;
    if (!result || !found)
      return cudaErrorInvalidValue;
    *result = found->handle;
    return cudaSuccess;
  });
}

/// Graphs with memory nodes keep their nodes and edges.
static bool mayChange(Graph &graph) {
  return !graph.root().usesMemoryNodes();
}

extern "C" cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return callWithGraphsOf(handle, [&](Context &, GraphTables &tables) {
    GraphNode *node = tables.find(handle);
    if (!node || tables.captures.usesGraph(*node->graph))
      return cudaErrorInvalidValue;
    if (!mayChange(*node->graph))
      return cudaErrorNotSupported;
    tables.forget(*node);
    node->graph->remove(node);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType *type) {
  return callWithGraphsOf(handle, [&](Context &, GraphTables &tables) {
    GraphNode *node = tables.find(handle);
    if (!node || !type)
      return cudaErrorInvalidValue;
    *type = node->work->type;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t *nodes,
                                         size_t *count) {
  return callWithGraph(handle, [&](GraphTables &, Graph &graph) {
    std::vector<cudaGraphNode_t> handles;
    for (const std::unique_ptr<GraphNode> &node : graph.nodes)
      handles.push_back(node->handle);
    return giveHandles(handles, nodes, count);
  });
}

extern "C" cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t *nodes,
                                             size_t *count) {
  return callWithGraph(handle, [&](GraphTables &, Graph &graph) {
    std::vector<cudaGraphNode_t> handles;
    for (const std::unique_ptr<GraphNode> &node : graph.nodes)
      if (node->dependencies.empty())
        handles.push_back(node->handle);
    return giveHandles(handles, nodes, count);
  });
}

/// All edges are of the default kind: no data but zeros.
static void clearEdges(cudaGraphEdgeData *data, const size_t *count) {
  if (data && count)
    std::fill_n(data, *count, cudaGraphEdgeData{});
}

static bool areDefaultEdges(const cudaGraphEdgeData *data, size_t count) {
  return !data || std::all_of(data, data + count, [](const cudaGraphEdgeData &edge) {
    return edge.from_port == 0 && edge.to_port == 0 && edge.type == cudaGraphDependencyTypeDefault;
  });
}

extern "C" cudaError_t cudaGraphGetEdges_v2(cudaGraph_t handle, cudaGraphNode_t *from,
                                            cudaGraphNode_t *to, cudaGraphEdgeData *data,
                                            size_t *count) {
  return callWithGraph(handle, [&](GraphTables &, Graph &graph) {
    if (!count || !from != !to || (data && !from))
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> sources, targets;
    for (const std::unique_ptr<GraphNode> &node : graph.nodes)
      for (const GraphNode *dependent : node->dependents) {
        sources.push_back(node->handle);
        targets.push_back(dependent->handle);
      }
    clearEdges(data, count);
    size_t same = *count;
    (void)giveHandles(targets, to, &same);
    return giveHandles(sources, from, count);
  });
}

extern "C" cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                                         cudaGraphNode_t *to, size_t *count) {
  return cudaGraphGetEdges_v2(graph, from, to, nullptr, count);
}

static cudaError_t giveNeighbours(cudaGraphNode_t handle, std::vector<GraphNode *> GraphNode::*side,
                                  cudaGraphNode_t *result, cudaGraphEdgeData *data, size_t *count) {
  return callWithGraphsOf(handle, [&](Context &, GraphTables &tables) {
    GraphNode *node = tables.find(handle);
    if (!node || (data && !result))
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> handles;
    for (const GraphNode *neighbour : node->*side)
      handles.push_back(neighbour->handle);
    clearEdges(data, count);
    return giveHandles(handles, result, count);
  });
}

extern "C" cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node,
                                                       cudaGraphNode_t *dependencies,
                                                       cudaGraphEdgeData *data, size_t *count) {
  return giveNeighbours(node, &GraphNode::dependencies, dependencies, data, count);
}

extern "C" cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                    cudaGraphNode_t *dependencies, size_t *count) {
  return giveNeighbours(node, &GraphNode::dependencies, dependencies, nullptr, count);
}

extern "C" cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node,
                                                         cudaGraphNode_t *dependents,
                                                         cudaGraphEdgeData *data, size_t *count) {
  return giveNeighbours(node, &GraphNode::dependents, dependents, data, count);
}

extern "C" cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                      cudaGraphNode_t *dependents, size_t *count) {
  return giveNeighbours(node, &GraphNode::dependents, dependents, nullptr, count);
}

/// The ends of COUNT edges of GRAPH; false if one is not a node of it, or both ends are the same.
static bool findEdges(GraphTables &tables, const Graph &graph, const cudaGraphNode_t *from,
                      const cudaGraphNode_t *to, size_t count,
                      std::vector<std::pair<GraphNode *, GraphNode *>> &edges) {
  if (count && (!from || !to))
    return false;
  for (size_t i = 0; i < count; ++i) {
    GraphNode *source = tables.find(from[i]), *target = tables.find(to[i]);
    if (!source || !target || source == target || source->graph != &graph ||
        target->graph != &graph)
      return false;
    edges.emplace_back(source, target);
  }
  return true;
}

extern "C" cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t handle, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to,
                                                   const cudaGraphEdgeData *data, size_t count) {
  return callWithGraph(handle, [&](GraphTables &tables, Graph &graph) {
    std::vector<std::pair<GraphNode *, GraphNode *>> edges;
    if (!findEdges(tables, graph, from, to, count, edges))
      return cudaErrorInvalidValue;
    if (!areDefaultEdges(data, count))
      return cudaErrorNotSupported;
    for (size_t i = 0; i < edges.size(); ++i)
      if (Graph::hasEdge(edges[i].first, edges[i].second) ||
          std::find(edges.begin(), edges.begin() + ptrdiff_t(i), edges[i]) !=
              edges.begin() + ptrdiff_t(i))
        return cudaErrorInvalidValue;
    for (auto [source, target] : edges)
      Graph::addEdge(source, target);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                const cudaGraphNode_t *to, size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

extern "C" cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t handle,
                                                      const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to,
                                                      const cudaGraphEdgeData *data, size_t count) {
  return callWithGraph(handle, [&](GraphTables &tables, Graph &graph) {
    std::vector<std::pair<GraphNode *, GraphNode *>> edges;
    if (!findEdges(tables, graph, from, to, count, edges) || !areDefaultEdges(data, count))
      return cudaErrorInvalidValue;
    if (!mayChange(graph))
      return cudaErrorNotSupported;
    for (auto [source, target] : edges)
      if (!Graph::hasEdge(source, target))
        return cudaErrorInvalidValue;
    for (auto [source, target] : edges)
      Graph::removeEdge(source, target);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t count) {
  return cudaGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}
