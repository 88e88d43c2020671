// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// User objects: a reference count of the program's, part of which graphs may hold.

#include "runtime/cuda/GraphApi.h"

using namespace vx::rt;

extern "C" cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *pointer,
                                            cudaHostFn_t destroy, unsigned count, unsigned flags) {
  return callWithGraphs([&](Context &, GraphTables &tables) {
    if (!object || !destroy || count == 0 || count > INT32_MAX ||
        flags != cudaUserObjectNoDestructorSync)
      return cudaErrorInvalidValue;
    *object = newHandle<cudaUserObject_t>();
    tables.userObjects[*object] = {std::make_shared<UserObject>(pointer, destroy), count};
    return cudaSuccess;
  });
}

/// BODY(tables, references) for an object that the program holds references to.
template <typename Body>
static cudaError_t callWithObject(cudaUserObject_t object, unsigned count, Body &&body) {
  return callWithGraphsOf(object, [&](Context &, GraphTables &tables) {
    auto it = tables.userObjects.find(object);
    if (it == tables.userObjects.end() || count == 0 || count > INT32_MAX)
      return cudaErrorInvalidValue;
    return body(tables, it->second);
  });
}

/// Gives up COUNT of the program's references. The handle stays while graphs hold the object.
static cudaError_t release(GraphTables &tables, cudaUserObject_t object, UserReferences &references,
                           unsigned count) {
  if (references.count < count)
    return cudaErrorInvalidValue;
  references.count -= count;
  if (references.count == 0) {
    if (references.object)
      references.last = references.object;
    references.object = nullptr;
    if (references.last.expired())
      tables.userObjects.erase(object);
  }
  return cudaSuccess;
}

extern "C" cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return callWithObject(object, count, [&](GraphTables &, UserReferences &references) {
    if (!references.take())
      return cudaErrorInvalidValue;
    references.count += count;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return callWithObject(object, count, [&](GraphTables &tables, UserReferences &references) {
    return release(tables, object, references, count);
  });
}

extern "C" cudaError_t cudaGraphRetainUserObject(cudaGraph_t graphHandle, cudaUserObject_t object,
                                                 unsigned count, unsigned flags) {
  return callWithObject(object, count, [&](GraphTables &tables, UserReferences &references) {
    std::shared_ptr<Graph> graph = tables.find(graphHandle);
    bool moves = flags == cudaGraphUserObjectMove;
    if (!graph || (flags && !moves) || (moves && references.count < count))
      return cudaErrorInvalidValue;
    std::shared_ptr<UserObject> held =
        references.object ? references.object : references.last.lock();
    if (!held)
      return cudaErrorInvalidValue;
    graph->objects[held] += count;
    return moves ? release(tables, object, references, count) : cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graphHandle, cudaUserObject_t object,
                                                  unsigned count) {
  return callWithObject(object, count, [&](GraphTables &tables, UserReferences &references) {
    std::shared_ptr<Graph> graph = tables.find(graphHandle);
    std::shared_ptr<UserObject> held =
        references.object ? references.object : references.last.lock();
    auto it = graph && held ? graph->objects.find(held) : decltype(graph->objects.end()){};
    if (!graph || !held || it == graph->objects.end() || it->second < count)
      return cudaErrorInvalidValue;
    if ((it->second -= count) == 0)
      graph->objects.erase(it);
    return cudaSuccess;
  });
}
