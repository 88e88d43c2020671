// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes that copy and fill.

#include "runtime/cuda/GraphApi.h"
#include "runtime/image/Module.h"
#include "runtime/image/ModuleLoader.h"

using namespace vx::rt;

namespace {

/// The copy of a node, in one of the four ways to describe it.
struct CopyArguments {
  const cudaMemcpy3DParms *box = nullptr;
  void *destination = nullptr;
  const void *source = nullptr, *symbol = nullptr;
  size_t count = 0, offset = 0;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  enum { Box, Linear, ToSymbol, FromSymbol } way = Box;
};

} // namespace

static cudaError_t makeCopyOf(Context &context, const CopyArguments &a, NodeWork &work) {
  if (a.way == CopyArguments::Box)
    return a.box ? makeCopy(context, *a.box, work) : cudaErrorInvalidValue;
  Copy copy;
  copy.destination = {addressOf(a.destination), a.count, a.count};
  copy.source = {addressOf(a.source), a.count, a.count};
  copy.extent.width = a.count;
  if (a.way == CopyArguments::Linear)
    return makeCopy(context, copy, a.kind, nullptr, work);
  Module *module = nullptr;
  AddressRange range;
  if (cudaError_t e = context.modules().findVariable(a.symbol, module, range); e != cudaSuccess)
    return e;
  bool isTo = a.way == CopyArguments::ToSymbol;
  if (a.kind != cudaMemcpyDefault && a.kind != cudaMemcpyDeviceToDevice &&
      a.kind != (isTo ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost))
    return cudaErrorInvalidMemcpyDirection;
  if (a.offset > range.size || a.count > range.size - a.offset)
    return cudaErrorInvalidValue;
  (isTo ? copy.destination : copy.source).address = range.base + a.offset;
  return makeCopy(context, copy, a.kind, module, work);
}

static cudaError_t addCopy(cudaGraphNode_t *node, cudaGraph_t graph,
                           const cudaGraphNode_t *dependencies, size_t count,
                           const CopyArguments &arguments) {
  return addNode(node, graph, dependencies, count, [&](Context &context, Graph &, NodeWork &work) {
    return makeCopyOf(context, arguments, work);
  });
}

static cudaError_t setCopy(cudaGraphNode_t node, const CopyArguments &arguments) {
  return setNode(node, cudaGraphNodeTypeMemcpy,
                 [&](Context &context, const NodeWork &, NodeWork &work) {
                   return makeCopyOf(context, arguments, work);
                 });
}

static cudaError_t setExecCopy(cudaGraphExec_t exec, cudaGraphNode_t node,
                               const CopyArguments &arguments) {
  return setExecNode(exec, node, cudaGraphNodeTypeMemcpy,
                     [&](Context &context, const NodeWork &, NodeWork &work) {
                       return makeCopyOf(context, arguments, work);
                     });
}

static CopyArguments boxed(const cudaMemcpy3DParms *box) {
  CopyArguments a;
  a.box = box;
  return a;
}

static CopyArguments linear(void *destination, const void *source, size_t count,
                            cudaMemcpyKind kind) {
  return {nullptr, destination, source, nullptr, count, 0, kind, CopyArguments::Linear};
}

static CopyArguments toSymbol(const void *symbol, const void *source, size_t count, size_t offset,
                              cudaMemcpyKind kind) {
  return {nullptr, nullptr, source, symbol, count, offset, kind, CopyArguments::ToSymbol};
}

static CopyArguments fromSymbol(void *destination, const void *symbol, size_t count, size_t offset,
                                cudaMemcpyKind kind) {
  return {nullptr, destination, nullptr, symbol, count, offset, kind, CopyArguments::FromSymbol};
}

extern "C" cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                              const cudaGraphNode_t *dependencies, size_t count,
                                              const cudaMemcpy3DParms *params) {
  return addCopy(node, graph, dependencies, count, boxed(params));
}

extern "C" cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                                const cudaGraphNode_t *dependencies, size_t count,
                                                void *destination, const void *source, size_t size,
                                                cudaMemcpyKind kind) {
  return addCopy(node, graph, dependencies, count, linear(destination, source, size, kind));
}

extern "C" cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                      const cudaGraphNode_t *dependencies,
                                                      size_t count, const void *symbol,
                                                      const void *source, size_t size,
                                                      size_t offset, cudaMemcpyKind kind) {
  return addCopy(node, graph, dependencies, count, toSymbol(symbol, source, size, offset, kind));
}

extern "C" cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                        const cudaGraphNode_t *dependencies,
                                                        size_t count, void *destination,
                                                        const void *symbol, size_t size,
                                                        size_t offset, cudaMemcpyKind kind) {
  return addCopy(node, graph, dependencies, count,
                 fromSymbol(destination, symbol, size, offset, kind));
}

extern "C" cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t handle,
                                                    cudaMemcpy3DParms *params) {
  return callWithNode(handle, cudaGraphNodeTypeMemcpy,
                      [&](Context &, GraphTables &, GraphNode &node) {
                        if (!params)
                          return cudaErrorInvalidValue;
                        *params = node.work->get<CopyNode>()->params;
                        return cudaSuccess;
                      });
}

extern "C" cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                                    const cudaMemcpy3DParms *params) {
  return setCopy(node, boxed(params));
}

extern "C" cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *destination,
                                                      const void *source, size_t size,
                                                      cudaMemcpyKind kind) {
  return setCopy(node, linear(destination, source, size, kind));
}

extern "C" cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node,
                                                            const void *symbol, const void *source,
                                                            size_t size, size_t offset,
                                                            cudaMemcpyKind kind) {
  return setCopy(node, toSymbol(symbol, source, size, offset, kind));
}

extern "C" cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node,
                                                              void *destination, const void *symbol,
                                                              size_t size, size_t offset,
                                                              cudaMemcpyKind kind) {
  return setCopy(node, fromSymbol(destination, symbol, size, offset, kind));
}

extern "C" cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        const cudaMemcpy3DParms *params) {
  return setExecCopy(exec, node, boxed(params));
}

extern "C" cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec,
                                                          cudaGraphNode_t node, void *destination,
                                                          const void *source, size_t size,
                                                          cudaMemcpyKind kind) {
  return setExecCopy(exec, node, linear(destination, source, size, kind));
}

extern "C" cudaError_t
cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                         const void *symbol, const void *source, size_t size,
                                         size_t offset, cudaMemcpyKind kind) {
  return setExecCopy(exec, node, toSymbol(symbol, source, size, offset, kind));
}

extern "C" cudaError_t
cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           void *destination, const void *symbol, size_t size,
                                           size_t offset, cudaMemcpyKind kind) {
  return setExecCopy(exec, node, fromSymbol(destination, symbol, size, offset, kind));
}

static cudaError_t makeFillOf(Context &context, const cudaMemsetParams *params, NodeWork &work) {
  return params ? makeFill(context, *params, work) : cudaErrorInvalidValue;
}

extern "C" cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                              const cudaGraphNode_t *dependencies, size_t count,
                                              const cudaMemsetParams *params) {
  return addNode(node, graph, dependencies, count, [&](Context &context, Graph &, NodeWork &work) {
    return makeFillOf(context, params, work);
  });
}

extern "C" cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle,
                                                    cudaMemsetParams *params) {
  return callWithNode(handle, cudaGraphNodeTypeMemset,
                      [&](Context &, GraphTables &, GraphNode &node) {
                        if (!params)
                          return cudaErrorInvalidValue;
                        *params = node.work->get<FillNode>()->params;
                        return cudaSuccess;
                      });
}

extern "C" cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                                    const cudaMemsetParams *params) {
  return setNode(node, cudaGraphNodeTypeMemset,
                 [&](Context &context, const NodeWork &, NodeWork &work) {
                   return makeFillOf(context, params, work);
                 });
}

extern "C" cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        const cudaMemsetParams *params) {
  return setExecNode(exec, node, cudaGraphNodeTypeMemset,
                     [&](Context &context, const NodeWork &, NodeWork &work) {
                       return makeFillOf(context, params, work);
                     });
}
