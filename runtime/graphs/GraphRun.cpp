// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/graphs/GraphRun.h"
#include "runtime/image/ModuleLoader.h"
#include "runtime/launch/Launcher.h"
#include "runtime/memory/DeviceMemory.h"
#include <algorithm>
#include <chrono>

namespace vx::rt {

GraphRun::GraphRun(Context &context, std::shared_ptr<const GraphPlan> runPlan)
    : context(context), plan(std::move(runPlan)) {
  const PlanShape &shape = *plan->shape;
  for (uint32_t step : shape.events) {
    const EventNode &node = *plan->works[step]->get<EventNode>();
    if (node.records)
      node.event->record(tickets[step] = std::make_shared<EventTicket>());
    else
      tickets[step] = node.event->ticket();
  }
  missing.resize(shape.steps.size());
  left.resize(shape.regions.size());
  startRegion(0);
}

void GraphRun::startRegion(uint32_t index) {
  const PlanShape::Region &region = plan->shape->regions[index];
  left[index] = uint32_t(region.steps.size());
  for (uint32_t step : region.steps)
    missing[step] = plan->shape->steps[step].dependencies;
  if (region.steps.empty()) {
    if (index == 0)
      allRan = true;
    return;
  }
  for (uint32_t step : region.roots)
    noteReady(step);
}

/// STEP may start: all steps before it have run.
void GraphRun::noteReady(uint32_t step) {
  cudaGraphNodeType type = plan->works[step]->type;
  if (!plan->enabled[step] || type == cudaGraphNodeTypeEmpty || type == cudaGraphNodeTypeGraph)
    complete(step);
  else if (type == cudaGraphNodeTypeHost)
    forHost.push_back(step);
  else if (type == cudaGraphNodeTypeWaitEvent)
    waiting.push_back(step);
  else
    forDevice.push_back(step);
}

/// STEP has run. What follows is told in a loop: a chain of empty steps may be long.
void GraphRun::complete(uint32_t step) {
  completed.push_back(step);
  if (isCompleting)
    return;
  isCompleting = true;
  while (!completed.empty()) {
    uint32_t done = completed.back();
    completed.pop_back();
    const PlanShape::Step &shape = plan->shape->steps[done];
    for (uint32_t successor : shape.successors)
      if (--missing[successor] == 0)
        noteReady(successor);
    if (--left[shape.region])
      continue;
    if (shape.region == 0) {
      allRan = true;
      continue;
    }
    // A body has run: its condition is asked again, or the node has run.
    uint32_t owner = plan->shape->regions[shape.region].owner;
    const ConditionalNode &node = *plan->works[owner]->get<ConditionalNode>();
    if (node.params.type == cudaGraphCondTypeWhile)
      forDevice.push_back(owner);
    else
      completed.push_back(owner);
  }
  isCompleting = false;
}

/// After the condition of STEP has been read.
void GraphRun::decide(uint32_t step) {
  const PlanShape::Step &shape = plan->shape->steps[step];
  const ConditionalNode &node = *plan->works[step]->get<ConditionalNode>();
  uint32_t value = values[shape.condition];
  std::optional<size_t> body;
  if (node.params.type == cudaGraphCondTypeSwitch)
    body = value;
  else if (value)
    body = 0;
  else if (node.params.type == cudaGraphCondTypeIf)
    body = 1;
  bool stopped = context.stickyError() != cudaSuccess; // else a loop would never end
  if (stopped || !body || *body >= shape.bodies.size())
    return complete(step);
  uint32_t region = shape.bodies[*body];
  if (!plan->shape->regions[region].steps.empty())
    return startRegion(region);
  if (node.params.type == cudaGraphCondTypeWhile)
    forDevice.push_back(step);
  else
    complete(step);
}

void GraphRun::promoteWaiting() {
  for (size_t i = 0; i < waiting.size();) {
    uint32_t step = waiting[i];
    const std::shared_ptr<EventTicket> &ticket = tickets[step];
    if (ticket && !ticket->isDone()) {
      ++i;
      continue;
    }
    waiting.erase(waiting.begin() + ptrdiff_t(i));
    complete(step);
    i = 0;
  }
}

bool GraphRun::isReady(bool onHost) {
  if (!waiting.empty())
    promoteWaiting();
  return onHost ? !forHost.empty() : !forDevice.empty() || (allRan && !ended);
}

static int priorityOf(const NodeWork &work) {
  const KernelNode *kernel = work.get<KernelNode>();
  if (!kernel)
    return 0;
  auto it = kernel->attributes.find(cudaLaunchAttributePriority);
  return it == kernel->attributes.end() ? 0 : it->second.priority;
}

uint32_t GraphRun::take(bool onHost) {
  std::deque<uint32_t> &ready = onHost ? forHost : forDevice;
  if (ready.empty()) {
    allRan = false; // the end is taken once
    return kEnd;
  }
  auto next = ready.begin();
  if (!onHost && plan->usesPriorities)
    next = std::min_element(ready.begin(), ready.end(), [&](uint32_t a, uint32_t b) {
      return priorityOf(*plan->works[a]) < priorityOf(*plan->works[b]);
    });
  uint32_t step = *next;
  ready.erase(next);
  return step;
}

/// The conditions as a launch finds them.
cudaError_t GraphRun::loadCells() {
  if (hasValues)
    return cudaSuccess;
  hasValues = true;
  values.resize(plan->conditions.size());
  cudaError_t e = readCells();
  for (size_t i = 0; i < values.size(); ++i)
    if (plan->conditions[i].hasInitial)
      values[i] = plan->conditions[i].initial;
  return e;
}

cudaError_t GraphRun::readCells() {
  for (size_t i = 0; i < values.size(); ++i)
    if (cudaError_t e =
            context.memory().read(plan->conditions[i].address,
                                  {reinterpret_cast<uint8_t *>(&values[i]), sizeof values[i]});
        e != cudaSuccess)
      return e;
  return cudaSuccess;
}

cudaError_t GraphRun::writeCells() {
  for (size_t i = 0; i < values.size(); ++i)
    if (cudaError_t e = context.memory().write(
            plan->conditions[i].address,
            {reinterpret_cast<const uint8_t *>(&values[i]), sizeof values[i]});
        e != cudaSuccess)
      return e;
  return cudaSuccess;
}

/// Launches of several executable graphs of one graph may be under way, and all name a condition by
/// the same address: the values lie there while a kernel of this launch runs.
void GraphRun::runKernel(const KernelNode &node) {
  cudaError_t e = loadCells();
  if (e == cudaSuccess)
    e = writeCells();
  if (e == cudaSuccess)
    context.launcher().runKernel(node.request);
  if (e == cudaSuccess)
    e = readCells();
  if (e != cudaSuccess)
    context.setStickyError(e);
}

/// A copy of memory of other devices, which may have been reset since the last launch.
cudaError_t GraphRun::copyAcross(const CopyNode &node) {
  Copy copy = *node.asked;
  cudaError_t e = resolveCopy(context, copy, node.params.kind);
  return e == cudaSuccess ? performCopy(context, copy) : e;
}

void GraphRun::run(uint32_t part) {
  if (part == kEnd)
    return;
  const NodeWork &work = *plan->works[part];
  // The time of an event counts also after a kernel that was stopped.
  if (const EventNode *event = work.get<EventNode>(); event && event->records) {
    EventTicket &ticket = *tickets[part];
    ticket.hostNanoseconds =
        uint64_t(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
    ticket.deviceCycles = context.deviceCycles();
    return;
  }
  if (context.stickyError() != cudaSuccess)
    return;
  cudaError_t e = cudaSuccess;
  if (const KernelNode *kernel = work.get<KernelNode>()) {
    runKernel(*kernel);
  } else if (const CopyNode *copy = work.get<CopyNode>()) {
    if (copy->module)
      e = context.modules().use(*copy->module);
    if (e == cudaSuccess)
      e = copy->asked ? copyAcross(*copy) : performCopy(context, copy->copy);
  } else if (const FillNode *fill = work.get<FillNode>()) {
    const cudaMemsetParams &p = fill->params;
    e = performFill(context, fill->side, {p.width * p.elementSize, p.height, 1}, p.value,
                    p.elementSize);
  } else if (const HostNode *host = work.get<HostNode>()) {
    host->params.fn(host->params.userData);
  } else if (work.get<ConditionalNode>()) {
    e = loadCells();
  }
  if (e != cudaSuccess)
    context.setStickyError(e);
}

std::vector<std::shared_ptr<EventTicket>> GraphRun::awaited() const {
  std::vector<std::shared_ptr<EventTicket>> result;
  for (uint32_t step : plan->shape->events)
    if (const std::shared_ptr<EventTicket> &ticket = tickets.at(step);
        ticket && !plan->works[step]->get<EventNode>()->records)
      result.push_back(ticket);
  return result;
}

std::shared_ptr<EventTicket> GraphRun::finish(uint32_t part) {
  if (part == kEnd) {
    ended = true;
    return nullptr;
  }
  const NodeWork &work = *plan->works[part];
  if (work.get<ConditionalNode>())
    decide(part);
  else
    complete(part);
  const EventNode *event = work.get<EventNode>();
  return event && event->records ? tickets[part] : nullptr;
}

} // namespace vx::rt
