// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/graphs/Capture.h"
#include <algorithm>

namespace vx::rt {

thread_local cudaStreamCaptureMode threadCaptureMode = cudaStreamCaptureModeGlobal;

unsigned long long Captures::nextId() {
  static std::atomic<unsigned long long> next{1};
  return next.fetch_add(1);
}

StreamCapture *Captures::of(const Stream &stream) {
  auto it = members.find(&stream);
  return it == members.end() ? nullptr : &it->second.state;
}

StreamCapture &Captures::join(const std::shared_ptr<Stream> &stream,
                              std::shared_ptr<Capture> capture) {
  Member &member = members[stream.get()];
  member.stream = stream;
  member.state = {std::move(capture), {}, {}, {}};
  count = unsigned(members.size());
  return member.state;
}

void Captures::leave(const Stream &stream) {
  members.erase(&stream);
  count = unsigned(members.size());
}

void Captures::end(Capture &capture) {
  capture.hasEnded = true;
  std::erase_if(members, [&](const auto &m) { return m.second.state.capture.get() == &capture; });
  std::erase_if(events, [&](const auto &e) {
    std::shared_ptr<Capture> of = e.second.capture.lock();
    return !of || of.get() == &capture;
  });
  count = unsigned(members.size());
}

bool Captures::usesGraph(const Graph &graph) const {
  return std::any_of(members.begin(), members.end(), [&](const auto &member) {
    return member.second.state.capture->graph.get() == &graph;
  });
}

void Captures::forget(GraphNode *node) {
  for (auto &[stream, member] : members) {
    std::erase(member.state.dependencies, node);
    member.state.capture->captured.erase(node);
  }
  for (auto &[event, capture] : events)
    std::erase(capture.nodes, node);
}

Capture *Captures::withBlockingStream() {
  for (auto &[stream, member] : members)
    if (stream->isBlocking)
      return member.state.capture.get();
  return nullptr;
}

bool Captures::refuseWaitForAll() {
  bool refused = false;
  for (auto &[stream, member] : members)
    if (member.state.capture->thread == std::this_thread::get_id())
      refused = member.state.capture->isInvalid = true;
  return refused;
}

bool Captures::refuseUnsafeCall() {
  if (threadCaptureMode == cudaStreamCaptureModeRelaxed)
    return false;
  bool refused = false;
  for (auto &[stream, member] : members) {
    Capture &capture = *member.state.capture;
    bool isOwn = capture.thread == std::this_thread::get_id();
    if (isOwn ? capture.mode != cudaStreamCaptureModeRelaxed
              : threadCaptureMode == cudaStreamCaptureModeGlobal &&
                    capture.mode == cudaStreamCaptureModeGlobal) {
      capture.isInvalid = true;
      refused = true;
    }
  }
  return refused;
}

} // namespace vx::rt
