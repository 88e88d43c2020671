// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/Annotations.h"
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace vx::rt::annotations {

namespace {

struct OpenRange {
  uint64_t id;
  std::string name;
};

/// The state that all threads share; never destroyed, because threads may end after it would be.
struct Shared {
  std::mutex mutex;
  std::vector<OpenRange> ranges;
  std::vector<std::string> marks;
  std::map<uint32_t, std::string> threadNames;
  std::atomic<uint64_t> nextId{1};
  std::atomic<bool> isUsed{false}; ///< anything was ever said
};

Shared &shared() {
  static Shared *state = new Shared;
  return *state;
}

thread_local std::vector<OpenRange> threadRanges;

uint32_t threadNumber() {
  static thread_local uint32_t number = uint32_t(syscall(SYS_gettid));
  return number;
}

} // namespace

bool areWanted() {
  static const bool wanted = [] {
    auto isSet = [](const char *name) {
      const char *value = std::getenv(name);
      return value && *value;
    };
    return isSet("VX_TRACE") || isSet("VX_STATS");
  }();
  return wanted;
}

int push(const std::string &name) {
  shared().isUsed = true;
  threadRanges.push_back({shared().nextId++, name});
  return int(threadRanges.size()) - 1;
}

int pop() {
  if (threadRanges.empty())
    return -1;
  threadRanges.pop_back();
  return int(threadRanges.size());
}

uint64_t start(const std::string &name) {
  Shared &all = shared();
  all.isUsed = true;
  uint64_t id = all.nextId++;
  std::lock_guard lock(all.mutex);
  all.ranges.push_back({id, name});
  return id;
}

void end(uint64_t range) {
  Shared &all = shared();
  std::lock_guard lock(all.mutex);
  std::erase_if(all.ranges, [&](const OpenRange &r) { return r.id == range; });
}

void mark(const std::string &name) {
  Shared &all = shared();
  all.isUsed = true;
  std::lock_guard lock(all.mutex);
  all.marks.push_back(name);
}

void nameThread(uint32_t thread, const std::string &name) {
  std::lock_guard lock(shared().mutex);
  shared().threadNames[thread] = name;
}

std::shared_ptr<const sim::RunAnnotations> ofLaunch() {
  Shared &all = shared();
  if (!all.isUsed.load(std::memory_order_relaxed))
    return nullptr;
  auto result = std::make_shared<sim::RunAnnotations>();
  std::lock_guard lock(all.mutex);
  result->marks = std::exchange(all.marks, {});
  for (const OpenRange &range : all.ranges)
    result->ranges.push_back({range.id, "", range.name});
  auto name = all.threadNames.find(threadNumber());
  std::string track =
      "ranges of " +
      (name != all.threadNames.end() ? name->second : "thread " + std::to_string(threadNumber()));
  for (const OpenRange &range : threadRanges)
    result->ranges.push_back({range.id, track, range.name});
  if (result->ranges.empty() && result->marks.empty())
    return nullptr;
  return result;
}

} // namespace vx::rt::annotations
