// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph as the program builds it: nodes, what they do, and the edges between them. Everything
// here is guarded by the mutex of GraphTables (GraphTables.h).

#ifndef VX_RUNTIME_GRAPHS_GRAPH_H
#define VX_RUNTIME_GRAPHS_GRAPH_H

#include "runtime/context/Copy.h"
#include "runtime/launch/LaunchRequest.h"
#include <map>
#include <variant>

namespace vx::rt {

class Graph;
class GraphAllocation;

struct KernelNode {
  const void *function = nullptr;
  LaunchRequest request;
  std::vector<void *> pointers; ///< to each argument in request.arguments
  /// The arguments came as one block: what cudaKernelNodeParams::extra points to.
  struct Block {
    size_t bytes = 0;
    void *list[5] = {};
  };
  std::shared_ptr<Block> extra;
  std::map<int, cudaLaunchAttributeValue> attributes;
};

struct CopyNode {
  cudaMemcpy3DParms params{};
  Copy copy;
  Module *module = nullptr;    ///< of the device variable, if one is copied
  std::shared_ptr<Copy> asked; ///< of memory of another device: to be resolved at each launch
};

struct FillNode {
  cudaMemsetParams params{};
  CopySide side;
};

struct HostNode {
  cudaHostNodeParams params{};
};

struct ChildNode {
  std::shared_ptr<Graph> graph;
};

struct EmptyNode {};

struct EventNode {
  cudaEvent_t handle = nullptr;
  std::shared_ptr<EventRecord> event;
  bool records = false; ///< else it waits
};

struct AllocationNode {
  cudaMemAllocNodeParams params{};
  std::vector<cudaMemAccessDesc> access;
  std::shared_ptr<GraphAllocation> memory;
};

struct ReleaseNode {
  std::shared_ptr<GraphAllocation> memory;
  unsigned reuses = 0; ///< of the memory, when the node was made
};

struct ConditionalNode {
  cudaConditionalNodeParams params{};
  std::vector<std::shared_ptr<Graph>> bodies;
  /// The handles that the program was given as params.phGraph_out.
  std::shared_ptr<std::vector<cudaGraph_t>> handles = std::make_shared<std::vector<cudaGraph_t>>();
};

/// The work of a node. It never changes once it is there, so that launches can share it.
struct NodeWork {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::variant<EmptyNode, KernelNode, CopyNode, FillNode, HostNode, ChildNode, EventNode,
               AllocationNode, ReleaseNode, ConditionalNode>
      what;

  template <typename T> const T *get() const { return std::get_if<T>(&what); }
};

struct GraphNode {
  Graph *graph = nullptr;
  uint64_t number = 0; ///< in the order of creation, in its graph
  cudaGraphNode_t handle = nullptr;
  cudaGraphNode_t original = nullptr; ///< of a clone: the node that it is a copy of
  std::shared_ptr<const NodeWork> work;
  std::vector<GraphNode *> dependencies, dependents;
};

/// The value that a conditional node decides by: a word of device memory, whose address is the
/// handle.
struct ConditionWord {
  std::shared_ptr<GraphAllocation> memory;
  uint64_t address = 0;
  uint32_t initial = 0;
  bool hasInitial = false;
};

/// The program's object whose lifetime follows graphs.
class UserObject {
public:
  UserObject(void *pointer, cudaHostFn_t destroy) : pointer(pointer), destroy(destroy) {}
  ~UserObject();
  UserObject(const UserObject &) = delete;
  UserObject &operator=(const UserObject &) = delete;

private:
  void *pointer;
  cudaHostFn_t destroy;
};

class Graph {
public:
  cudaGraph_t handle = nullptr; ///< null for the copy that an executable graph keeps
  bool isEmbedded = false;      ///< belongs to a node
  bool isBody = false;          ///< of a conditional node
  Graph *parent = nullptr;      ///< of an embedded graph
  unsigned instances = 0;       ///< executable graphs of it, where only one may be there
  std::vector<std::unique_ptr<GraphNode>> nodes; ///< in the order of creation
  std::vector<ConditionWord> conditions;         ///< only in graphs that are not embedded
  std::map<std::shared_ptr<UserObject>, unsigned> objects;

  /// A new node at the end. DEPENDENCIES are nodes of this graph, each once.
  GraphNode *add(std::shared_ptr<const NodeWork> work,
                 const std::vector<GraphNode *> &dependencies);
  void remove(GraphNode *node);
  static bool hasEdge(const GraphNode *from, const GraphNode *to);
  static void addEdge(GraphNode *from, GraphNode *to);
  static bool removeEdge(GraphNode *from, GraphNode *to);
  /// The nodes in an order in which each comes after its dependencies; fewer if there is a cycle.
  std::vector<GraphNode *> inOrder() const;
  /// A copy, with copies of embedded graphs; no node of it has a handle.
  std::shared_ptr<Graph> clone() const;
  /// Returns true if it or an embedded graph has a node of TYPE.
  bool contains(cudaGraphNodeType type) const;
  bool usesMemoryNodes() const {
    return contains(cudaGraphNodeTypeMemAlloc) || contains(cudaGraphNodeTypeMemFree);
  }
  Graph &root() { return parent ? parent->root() : *this; }

private:
  uint64_t nextNumber = 0;
};

/// Calls F(graph) for each graph that NODE embeds.
template <typename F> void forEachEmbedded(const NodeWork &work, F &&f) {
  if (const ChildNode *child = work.get<ChildNode>())
    f(child->graph);
  else if (const ConditionalNode *conditional = work.get<ConditionalNode>())
    for (const std::shared_ptr<Graph> &body : conditional->bodies)
      f(body);
}

} // namespace vx::rt

#endif // VX_RUNTIME_GRAPHS_GRAPH_H
