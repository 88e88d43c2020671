// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs as a whole, their structure, executable graphs and user objects: those of the runtime API.

#include "runtime/driver/SameLayout.h"

using namespace vx::rt;
using namespace vx::rt::driver;

// Structure.
VX_CU_SAME(cuGraphCreate, (CUgraph * graph, unsigned flags), cudaGraphCreate(graph, flags))
VX_CU_SAME(cuGraphDestroy, (CUgraph graph), cudaGraphDestroy(graph))
VX_CU_SAME(cuGraphClone, (CUgraph * clone, CUgraph graph), cudaGraphClone(clone, graph))
VX_CU_SAME(cuGraphNodeFindInClone, (CUgraphNode * node, CUgraphNode original, CUgraph clone),
           cudaGraphNodeFindInClone(node, original, clone))
VX_CU_SAME(cuGraphNodeGetType, (CUgraphNode node, CUgraphNodeType *type),
           cudaGraphNodeGetType(node, as<cudaGraphNodeType>(type)))
VX_CU_SAME(cuGraphDestroyNode, (CUgraphNode node), cudaGraphDestroyNode(node))
VX_CU_SAME(cuGraphGetNodes, (CUgraph graph, CUgraphNode *nodes, size_t *count),
           cudaGraphGetNodes(graph, nodes, count))
VX_CU_SAME(cuGraphGetRootNodes, (CUgraph graph, CUgraphNode *nodes, size_t *count),
           cudaGraphGetRootNodes(graph, nodes, count))
VX_CU_SAME(cuGraphGetEdges, (CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count),
           (cudaGraphGetEdges)(graph, from, to, count))
VX_CU_SAME(cuGraphGetEdges_v2,
           (CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data,
            size_t *count),
           cudaGraphGetEdges_v2(graph, from, to, as<cudaGraphEdgeData>(data), count))
VX_CU_SAME(cuGraphNodeGetDependencies, (CUgraphNode node, CUgraphNode *nodes, size_t *count),
           cudaGraphNodeGetDependencies(node, nodes, count))
VX_CU_SAME(cuGraphNodeGetDependencies_v2,
           (CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count),
           cudaGraphNodeGetDependencies_v2(node, nodes, as<cudaGraphEdgeData>(data), count))
VX_CU_SAME(cuGraphNodeGetDependentNodes, (CUgraphNode node, CUgraphNode *nodes, size_t *count),
           cudaGraphNodeGetDependentNodes(node, nodes, count))
VX_CU_SAME(cuGraphNodeGetDependentNodes_v2,
           (CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count),
           cudaGraphNodeGetDependentNodes_v2(node, nodes, as<cudaGraphEdgeData>(data), count))
VX_CU_SAME(cuGraphAddDependencies,
           (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count),
           cudaGraphAddDependencies(graph, from, to, count))
VX_CU_SAME(cuGraphAddDependencies_v2,
           (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
            const CUgraphEdgeData *data, size_t count),
           cudaGraphAddDependencies_v2(graph, from, to, as<cudaGraphEdgeData>(data), count))
VX_CU_SAME(cuGraphRemoveDependencies,
           (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count),
           cudaGraphRemoveDependencies(graph, from, to, count))
VX_CU_SAME(cuGraphRemoveDependencies_v2,
           (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
            const CUgraphEdgeData *data, size_t count),
           cudaGraphRemoveDependencies_v2(graph, from, to, as<cudaGraphEdgeData>(data), count))
VX_CU_SAME(cuGraphDebugDotPrint, (CUgraph graph, const char *path, unsigned flags),
           cudaGraphDebugDotPrint(graph, path, flags))

// Executable graphs.
VX_CU_SAME(cuGraphInstantiateWithFlags,
           (CUgraphExec * exec, CUgraph graph, unsigned long long flags),
           cudaGraphInstantiateWithFlags(exec, graph, flags))
VX_CU_SAME(cuGraphInstantiateWithParams,
           (CUgraphExec * exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *parameters),
           cudaGraphInstantiateWithParams(exec, graph, as<cudaGraphInstantiateParams>(parameters)))
VX_CU_SAME(cuGraphExecGetFlags, (CUgraphExec exec, cuuint64_t *flags),
           cudaGraphExecGetFlags(exec, as<unsigned long long>(flags)))
VX_CU_SAME(cuGraphUpload, (CUgraphExec exec, CUstream stream), cudaGraphUpload(exec, stream))
VX_CU_SAME(cuGraphLaunch, (CUgraphExec exec, CUstream stream), cudaGraphLaunch(exec, stream))
VX_CU_SAME(cuGraphExecDestroy, (CUgraphExec exec), cudaGraphExecDestroy(exec))
VX_CU_SAME(cuGraphExecUpdate,
           (CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *result),
           cudaGraphExecUpdate(exec, graph, as<cudaGraphExecUpdateResultInfo>(result)))
VX_CU_SAME(cuGraphNodeSetEnabled, (CUgraphExec exec, CUgraphNode node, unsigned enabled),
           cudaGraphNodeSetEnabled(exec, node, enabled))
VX_CU_SAME(cuGraphNodeGetEnabled, (CUgraphExec exec, CUgraphNode node, unsigned *enabled),
           cudaGraphNodeGetEnabled(exec, node, enabled))
VX_CU_SAME(cuGraphConditionalHandleCreate,
           (CUgraphConditionalHandle * handle, CUgraph graph, CUcontext, unsigned value,
            unsigned flags),
           cudaGraphConditionalHandleCreate(as<cudaGraphConditionalHandle>(handle), graph, value,
                                            flags))

// User objects.
VX_CU_SAME(cuUserObjectCreate,
           (CUuserObject * object, void *data, CUhostFn destroy, unsigned count, unsigned flags),
           cudaUserObjectCreate(object, data, destroy, count, flags))
VX_CU_SAME(cuUserObjectRetain, (CUuserObject object, unsigned count),
           cudaUserObjectRetain(object, count))
VX_CU_SAME(cuUserObjectRelease, (CUuserObject object, unsigned count),
           cudaUserObjectRelease(object, count))
VX_CU_SAME(cuGraphRetainUserObject,
           (CUgraph graph, CUuserObject object, unsigned count, unsigned flags),
           cudaGraphRetainUserObject(graph, object, count, flags))
VX_CU_SAME(cuGraphReleaseUserObject, (CUgraph graph, CUuserObject object, unsigned count),
           cudaGraphReleaseUserObject(graph, object, count))
