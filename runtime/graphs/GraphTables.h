// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All graphs, executable graphs, captures and user objects of a context, by their handles.

#ifndef VX_RUNTIME_GRAPHS_GRAPHTABLES_H
#define VX_RUNTIME_GRAPHS_GRAPHTABLES_H

#include "runtime/graphs/Capture.h"
#include "runtime/graphs/Graph.h"
#include "runtime/graphs/GraphMemory.h"
#include "runtime/graphs/GraphPlan.h"

namespace vx::rt {

struct ExecutableGraph {
  std::shared_ptr<Graph> graph; ///< a copy, which updates change
  std::weak_ptr<Graph> source;
  std::map<cudaGraphNode_t, GraphNode *> nodeOf; ///< by the nodes of the source
  std::shared_ptr<GraphPlan> plan;
  bool isPlanLaunched = false; ///< launches may use the plan: it does not change any more
  unsigned long long flags = 0;
  std::shared_ptr<EventTicket> lastLaunch;

  /// The plan to change: a new one once the present one has been launched.
  GraphPlan &changeablePlan();
  void setWork(GraphNode *node, std::shared_ptr<const NodeWork> work);
  /// The node of the copy that stands for HANDLE, a node of the source; null if there is none.
  GraphNode *counterpart(cudaGraphNode_t handle) const;
  /// Notes the nodes of the copy by those of the source.
  void index(const Graph &copy);
};

/// A user object and how many references to it the program holds.
struct UserReferences {
  std::shared_ptr<UserObject> object; ///< null while the program holds none
  unsigned count = 0;
  std::weak_ptr<UserObject> last = {}; ///< the object then

  /// Returns true if there is an object to hold; it is held from here on.
  bool take() {
    if (!object)
      object = last.lock();
    return object != nullptr;
  }
};

class GraphTables : public ContextExtension {
public:
  explicit GraphTables(Context &context) : memory(context) {}

  /// Recursive: the end of an object, which may be anywhere, changes the tables.
  std::recursive_mutex mutex;
  GraphMemory memory; // outlives the graphs below
  std::map<cudaGraph_t, std::shared_ptr<Graph>> graphs;
  std::map<cudaGraphNode_t, GraphNode *> nodes;
  std::map<cudaGraphExec_t, std::shared_ptr<ExecutableGraph>> executables;
  std::map<cudaUserObject_t, UserReferences> userObjects;
  Captures captures;

  /// Handles for a graph, its nodes and what they embed.
  void add(const std::shared_ptr<Graph> &graph);
  void add(GraphNode *node);
  /// The handles of GRAPH (of NODE) and of what it embeds are none from here on.
  void forget(Graph &graph);
  void forget(GraphNode &node);

  bool has(cudaGraph_t handle) const { return graphs.contains(handle); }
  bool has(cudaGraphNode_t handle) const { return nodes.contains(handle); }
  bool has(cudaGraphExec_t handle) const { return executables.contains(handle); }
  bool has(cudaUserObject_t handle) const { return userObjects.contains(handle); }
  std::shared_ptr<Graph> find(cudaGraph_t handle) const;
  GraphNode *find(cudaGraphNode_t handle) const;
  std::shared_ptr<ExecutableGraph> find(cudaGraphExec_t handle) const;
  /// COUNT nodes of GRAPH, each once; false if they are something else.
  bool findNodes(const Graph &graph, const cudaGraphNode_t *handles, size_t count,
                 std::vector<GraphNode *> &found) const;
};

inline GraphTables &graphsOf(Context &context) {
  return context.extension<GraphTables>();
}

/// Returns an error unless an executable node with OLD may have NEXT in its place.
cudaError_t mayReplace(const NodeWork &old, const NodeWork &next);
/// Brings the work of NEXT, which must have the same nodes and edges, to EXEC. INFO says what is in
/// the way.
cudaError_t updateExecutable(ExecutableGraph &exec, const Graph &next,
                             cudaGraphExecUpdateResultInfo &info);
/// Does the same for the graph that NODE of EXEC embeds.
cudaError_t updateChild(ExecutableGraph &exec, GraphNode &node, const Graph &next);

} // namespace vx::rt

#endif // VX_RUNTIME_GRAPHS_GRAPHTABLES_H
