// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture: operations that a program puts into a capturing stream become nodes of a graph.
// Guarded by the mutex of GraphTables, except the count that tells calls whether any capture is
// under way.

#ifndef VX_RUNTIME_GRAPHS_CAPTURE_H
#define VX_RUNTIME_GRAPHS_CAPTURE_H

#include "runtime/graphs/Graph.h"
#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

namespace vx::rt {

class GraphTables;

/// One sequence from cudaStreamBeginCapture to cudaStreamEndCapture.
struct Capture {
  unsigned long long id = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  std::weak_ptr<Stream> origin;
  std::shared_ptr<Graph> graph;
  bool intoExisting = false; ///< the graph was there before
  bool isInvalid = false, hasEnded = false;
  std::set<GraphNode *> captured; ///< nodes that came from streams
  std::set<GraphNode *> released; ///< no longer required to be joined

  bool isActive() const { return !isInvalid && !hasEnded; }
};

/// The state of a stream that takes part in a capture.
struct StreamCapture {
  std::shared_ptr<Capture> capture;
  std::vector<GraphNode *> dependencies; ///< of the next node
  std::vector<cudaGraphNode_t> handles;  ///< what the program was last told of them
  std::vector<cudaGraphEdgeData> edges;

  /// More dependencies, each once.
  void add(const std::vector<GraphNode *> &nodes) {
    for (GraphNode *node : nodes)
      if (std::find(dependencies.begin(), dependencies.end(), node) == dependencies.end())
        dependencies.push_back(node);
  }
};

/// The place in a capture at which an event was recorded.
struct EventCapture {
  std::shared_ptr<EventRecord> event;
  std::weak_ptr<Capture> capture;
  std::vector<GraphNode *> nodes;
};

class Captures {
public:
  /// Returns true if a stream is capturing; without a lock.
  bool areThere() const { return count.load(std::memory_order_relaxed) != 0; }

  /// Returns the part that STREAM has in a capture; null if it does not capture.
  StreamCapture *of(const Stream &stream);
  /// STREAM joins CAPTURE.
  StreamCapture &join(const std::shared_ptr<Stream> &stream, std::shared_ptr<Capture> capture);
  void leave(const Stream &stream);
  void end(Capture &capture);
  /// Returns true if a capture is under way into GRAPH.
  bool usesGraph(const Graph &graph) const;
  /// NODE is about to be destroyed.
  void forget(GraphNode *node);
  /// The capture that the legacy default stream would have to wait for: one with a blocking stream.
  Capture *withBlockingStream();
  /// The captures that forbid potentially unsafe calls on this thread; they become invalid.
  bool refuseUnsafeCall();
  /// The captures that this thread began; a wait for the whole device makes them invalid.
  bool refuseWaitForAll();

  std::map<const EventRecord *, EventCapture> events;
  static unsigned long long nextId();

private:
  struct Member {
    std::shared_ptr<Stream> stream;
    StreamCapture state;
  };
  std::map<const Stream *, Member> members;
  std::atomic<unsigned> count{0};
};

/// The calling thread's mode (cudaThreadExchangeStreamCaptureMode).
extern thread_local cudaStreamCaptureMode threadCaptureMode;

} // namespace vx::rt

#endif // VX_RUNTIME_GRAPHS_CAPTURE_H
