// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: structure, nodes, instantiation, launch, update.

#include "GraphFixture.h"
#include <atomic>
#include <fstream>
#include <sstream>

using namespace vx::rt;
using namespace vx::rt::test;

namespace {

using Numbers = std::vector<int>;

} // namespace

TEST_F(GraphApi, StructureIsWhatWasBuilt) {
  cudaGraphNode_t a = addWork(1), b = addWork(2, {a}), c = addWork(3, {a}), d = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&d, graph, nullptr, 0), cudaSuccess);
  cudaGraphNode_t from[] = {b, c}, to[] = {d, d};
  EXPECT_EQ(cudaGraphAddDependencies(graph, from, to, 2), cudaSuccess);
  EXPECT_EQ(cudaGraphAddDependencies(graph, from, to, 1), cudaErrorInvalidValue) << "there already";
  cudaGraphNode_t nodes[6];
  size_t count = 6;
  EXPECT_EQ(cudaGraphGetNodes(graph, nodes, &count), cudaSuccess);
  EXPECT_EQ(count, 4u);
  EXPECT_EQ(nodes[3], d);
  EXPECT_EQ(nodes[4], nullptr);
  count = 1;
  EXPECT_EQ(cudaGraphGetRootNodes(graph, nodes, &count), cudaSuccess);
  EXPECT_EQ(nodes[0], a);
  count = 0;
  EXPECT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 4u);
  cudaGraphNode_t sources[4], targets[4];
  EXPECT_EQ(cudaGraphGetEdges(graph, sources, targets, &count), cudaSuccess);
  EXPECT_EQ(sources[0], a);
  EXPECT_EQ(targets[0], b);
  count = 2;
  EXPECT_EQ(cudaGraphNodeGetDependencies(d, nodes, &count), cudaSuccess);
  EXPECT_EQ(nodes[1], c);
  EXPECT_EQ(cudaGraphNodeGetDependentNodes(a, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(cudaGraphRemoveDependencies(graph, from, to, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphRemoveDependencies(graph, from, to, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphNodeGetDependencies(d, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(cudaGraphDestroyNode(c), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroyNode(c), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphNodeGetDependencies(d, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 0u);
  cudaGraphNodeType type;
  EXPECT_EQ(cudaGraphNodeGetType(d, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeEmpty);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphNodeGetType(d, &type), cudaErrorInvalidValue);
}

TEST_F(GraphApi, MistakesAreErrors) {
  WorkArguments arguments(1);
  cudaGraphNode_t node = nullptr, other = nullptr, a = addWork(1);
  cudaGraphNode_t twice[] = {a, a};
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, twice, 2, &arguments.params),
            cudaErrorInvalidValue);
  cudaGraph_t second;
  EXPECT_EQ(cudaGraphCreate(&second, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphCreate(&second, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddKernelNode(&node, second, &a, 1, &arguments.params), cudaErrorInvalidValue)
      << "a node of another graph";
  cudaKernelNodeParams params = arguments.params;
  params.blockDim = dim3(2048);
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params),
            cudaErrorInvalidConfiguration);
  params = arguments.params;
  params.func = (void *)&strangerStub;
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params),
            cudaErrorInvalidDeviceFunction);
  params.func = nullptr;
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params),
            cudaErrorInvalidDeviceFunction);
  cudaHostNodeParams host{nullptr, nullptr};
  EXPECT_EQ(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddEmptyNode(&other, graph, &a, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphAddDependencies(graph, &other, &other, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddDependencies(graph, &other, &a, 1), cudaSuccess) << "a cycle";
  cudaGraphExec_t exec;
  cudaGraphInstantiateParams how{};
  EXPECT_EQ(cudaGraphInstantiateWithParams(&exec, graph, &how), cudaErrorInvalidValue);
  EXPECT_EQ(how.result_out, cudaGraphInstantiateInvalidStructure);
  EXPECT_EQ(how.errNode_out, a);
  EXPECT_EQ(cudaGraphInstantiate(&exec, second, cudaGraphInstantiateFlagDeviceLaunch),
            cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphInstantiate(&exec, second, 1 << 8), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);
}

TEST_F(GraphApi, LaunchesKeepTheOrderOfEdges) {
  cudaGraphNode_t last = addWork(0);
  for (int i = 1; i < 50; ++i)
    last = addWork(i, {last});
  cudaGraphExec_t exec = instantiate();
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess) << "the executable graph lives on";
  launchAndWait(exec);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess) << "the launch continues";
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  ASSERT_EQ(runs.size(), 100u);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(runs[size_t(i)], i % 50);
}

TEST_F(GraphApi, EmptyGraphsRun) {
  launchAndWait(instantiate());
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph, nullptr, 0), cudaSuccess);
  launchAndWait(instantiate());
}

TEST_F(GraphApi, CopiesFillsAndHostFunctions) {
  char *memory;
  EXPECT_EQ(cudaMalloc((void **)&memory, 256), cudaSuccess);
  std::vector<char> input(64, 'x'), output(64), symbol(16);
  cudaGraphNode_t in, fill, wide, out, host, toSymbol, fromSymbol;
  EXPECT_EQ(cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, memory, input.data(), 64,
                                     cudaMemcpyHostToDevice),
            cudaSuccess);
  cudaMemsetParams params{memory + 8, 0, 'y', 1, 4, 1};
  EXPECT_EQ(cudaGraphAddMemsetNode(&fill, graph, &in, 1, &params), cudaSuccess);
  params = {memory + 16, 8, 0x64636261, 4, 1, 2}; // two rows of one element
  EXPECT_EQ(cudaGraphAddMemsetNode(&wide, graph, &fill, 1, &params), cudaSuccess);
  cudaMemcpy3DParms box{};
  box.srcPtr = {memory, 64, 64, 1};
  box.dstPtr = {output.data(), 64, 64, 1};
  box.extent = {64, 1, 1};
  box.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaGraphAddMemcpyNode(&out, graph, &wide, 1, &box), cudaSuccess);
  static char first;
  cudaHostNodeParams function{[](void *data) { first = *static_cast<char *>(data); },
                              output.data()};
  EXPECT_EQ(cudaGraphAddHostNode(&host, graph, &out, 1, &function), cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemcpyNodeToSymbol(&toSymbol, graph, nullptr, 0, tableShadow, "abcd", 4, 4,
                                           cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemcpyNodeFromSymbol(&fromSymbol, graph, &toSymbol, 1, symbol.data(),
                                             tableShadow, 8, 0, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemcpyNodeFromSymbol(&fromSymbol, graph, &toSymbol, 1, symbol.data(),
                                             tableShadow, 8, 9, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  params = {memory, 0, 0, 3, 1, 1};
  EXPECT_EQ(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &params), cudaErrorInvalidValue);
  cudaGraphExec_t exec = instantiate();
  launchAndWait(exec);
  EXPECT_EQ(std::string(output.data(), 32), "xxxxxxxxyyyyxxxxabcdxxxxabcdxxxx");
  EXPECT_EQ(first, 'x');
  EXPECT_EQ(std::string(symbol.data() + 4, 4), "abcd");
  EXPECT_EQ(symbol[1], 17) << "as in the image";
  // Parameters as they were given.
  cudaMemcpy3DParms got;
  EXPECT_EQ(cudaGraphMemcpyNodeGetParams(in, &got), cudaSuccess);
  EXPECT_EQ(got.dstPtr.ptr, memory);
  EXPECT_EQ(got.extent.width, 64u);
  EXPECT_EQ(got.kind, cudaMemcpyHostToDevice);
  // Changes of the executable graph leave the graph alone.
  std::vector<char> next(64, 'n');
  EXPECT_EQ(
      cudaGraphExecMemcpyNodeSetParams1D(exec, in, memory, next.data(), 64, cudaMemcpyHostToDevice),
      cudaSuccess);
  EXPECT_EQ(
      cudaGraphExecMemcpyNodeSetParams1D(exec, in, next.data(), memory, 64, cudaMemcpyDeviceToHost),
      cudaErrorInvalidValue)
      << "the kinds of memory cannot change";
  launchAndWait(exec);
  EXPECT_EQ(first, 'n');
  launchAndWait(instantiate());
  EXPECT_EQ(first, 'x');
}

TEST_F(GraphApi, KernelParametersAndAttributes) {
  cudaGraphNode_t node = addWork(7), other = addWork(8, {node});
  cudaKernelNodeParams params;
  EXPECT_EQ(cudaGraphKernelNodeGetParams(node, &params), cudaSuccess);
  EXPECT_EQ(params.func, (void *)&workStub);
  EXPECT_EQ(*static_cast<int *>(params.kernelParams[1]), 7);
  WorkArguments changed(9);
  changed.params.gridDim = dim3(2, 3);
  EXPECT_EQ(cudaGraphKernelNodeSetParams(node, &changed.params), cudaSuccess);
  EXPECT_EQ(cudaGraphKernelNodeGetParams(node, &params), cudaSuccess);
  EXPECT_EQ(params.gridDim.y, 3u);
  // The arguments as one block.
  struct {
    void *pointer;
    int number;
  } block = {nullptr, 11};
  size_t size = sizeof block;
  void *extra[] = {(void *)1, &block, (void *)2, &size, nullptr};
  params = {(void *)&workStub, dim3(1), dim3(1), 0, nullptr, extra};
  EXPECT_EQ(cudaGraphKernelNodeSetParams(other, &params), cudaSuccess);
  EXPECT_EQ(cudaGraphKernelNodeGetParams(other, &params), cudaSuccess);
  EXPECT_EQ(params.kernelParams, nullptr);
  EXPECT_EQ(*static_cast<size_t *>(params.extra[3]), sizeof block);
  launchAndWait(instantiate());
  EXPECT_EQ(runs, (Numbers{9, 11}));
  cudaKernelNodeAttrValue value{};
  value.priority = -2;
  EXPECT_EQ(cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributePriority, &value),
            cudaSuccess);
  EXPECT_EQ(cudaGraphKernelNodeCopyAttributes(other, node), cudaSuccess);
  value = {};
  EXPECT_EQ(cudaGraphKernelNodeGetAttribute(other, cudaKernelNodeAttributePriority, &value),
            cudaSuccess);
  EXPECT_EQ(value.priority, -2);
  EXPECT_EQ(cudaGraphKernelNodeGetAttribute(other, cudaKernelNodeAttrID(77), &value),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphKernelNodeGetParams(other, &params), cudaSuccess);
  EXPECT_NE(params.extra, nullptr) << "attributes leave the arguments alone";
}

TEST_F(GraphApi, PrioritiesOfNodesOrderReadyNodes) {
  std::vector<cudaGraphNode_t> nodes;
  for (int i = 0; i < 3; ++i) {
    nodes.push_back(addWork(i));
    cudaKernelNodeAttrValue value{};
    value.priority = -i;
    EXPECT_EQ(
        cudaGraphKernelNodeSetAttribute(nodes.back(), cudaKernelNodeAttributePriority, &value),
        cudaSuccess);
  }
  launchAndWait(instantiate());
  EXPECT_EQ(runs, (Numbers{0, 1, 2}));
  runs.clear();
  launchAndWait(instantiate(cudaGraphInstantiateFlagUseNodePriority));
  EXPECT_EQ(runs, (Numbers{2, 1, 0}));
}

TEST_F(GraphApi, ChildGraphsAreCopies) {
  cudaGraph_t child, embedded;
  EXPECT_EQ(cudaGraphCreate(&child, 0), cudaSuccess);
  cudaGraphNode_t inner = addWork(2, {}, child), node;
  addWork(3, {inner}, child);
  cudaGraphNode_t first = addWork(1);
  EXPECT_EQ(cudaGraphAddChildGraphNode(&node, graph, &first, 1, child), cudaSuccess);
  addWork(4, {node});
  WorkArguments changed(22);
  EXPECT_EQ(cudaGraphKernelNodeSetParams(inner, &changed.params), cudaSuccess) << "of the original";
  EXPECT_EQ(cudaGraphChildGraphNodeGetGraph(node, &embedded), cudaSuccess);
  EXPECT_NE(embedded, child);
  EXPECT_EQ(cudaGraphDestroy(embedded), cudaErrorInvalidValue) << "belongs to the node";
  EXPECT_EQ(nodeCount(embedded), 2u);
  cudaGraphExec_t exec = instantiate();
  launchAndWait(exec);
  EXPECT_EQ(runs, (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(cudaGraphExecChildGraphNodeSetParams(exec, node, child), cudaSuccess);
  cudaGraphNode_t nodes[2];
  size_t count = 2;
  EXPECT_EQ(cudaGraphGetNodes(embedded, nodes, &count), cudaSuccess);
  WorkArguments third(33);
  EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, nodes[1], &third.params), cudaSuccess);
  runs.clear();
  launchAndWait(exec);
  EXPECT_EQ(runs, (Numbers{1, 22, 33, 4}));
  cudaGraph_t empty;
  EXPECT_EQ(cudaGraphCreate(&empty, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphExecChildGraphNodeSetParams(exec, node, empty), cudaErrorInvalidValue);
}

TEST_F(GraphApi, ClonesKnowTheirNodes) {
  cudaGraphNode_t a = addWork(1), b = addWork(2, {a}), twin;
  cudaGraph_t clone;
  EXPECT_EQ(cudaGraphClone(&clone, graph), cudaSuccess);
  EXPECT_EQ(cudaGraphNodeFindInClone(&twin, b, clone), cudaSuccess);
  EXPECT_NE(twin, b);
  EXPECT_EQ(cudaGraphNodeFindInClone(&twin, twin, clone), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroyNode(a), cudaSuccess);
  EXPECT_EQ(nodeCount(clone), 2u);
  EXPECT_EQ(nodeCount(graph), 1u);
}

TEST_F(GraphApi, NodesCanBeSwitchedOff) {
  cudaGraphNode_t a = addWork(1), b = addWork(2, {a}), empty;
  addWork(3, {b});
  EXPECT_EQ(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0), cudaSuccess);
  cudaGraphExec_t exec = instantiate();
  unsigned on = 9;
  EXPECT_EQ(cudaGraphNodeSetEnabled(exec, b, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphNodeGetEnabled(exec, b, &on), cudaSuccess);
  EXPECT_EQ(on, 0u);
  EXPECT_EQ(cudaGraphNodeSetEnabled(exec, empty, 0), cudaErrorInvalidValue);
  launchAndWait(exec);
  EXPECT_EQ(runs, (Numbers{1, 3}));
  EXPECT_EQ(cudaGraphNodeSetEnabled(exec, b, 1), cudaSuccess);
  launchAndWait(exec);
  EXPECT_EQ(runs, (Numbers{1, 3, 1, 2, 3}));
}

TEST_F(GraphApi, UpdatesNeedTheSameShape) {
  cudaGraphNode_t a = addWork(1);
  addWork(2, {a});
  cudaGraphExec_t exec = instantiate();
  cudaGraph_t first = graph;
  auto build = [&](int x, int y, bool hasEdge) {
    EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    cudaGraphNode_t node = addWork(x);
    return addWork(y, hasEdge ? std::vector{node} : std::vector<cudaGraphNode_t>());
  };
  cudaGraphExecUpdateResultInfo info;
  build(10, 20, true);
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaSuccess);
  EXPECT_EQ(info.result, cudaGraphExecUpdateSuccess);
  cudaGraphNode_t second = build(0, 0, false);
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(info.errorNode, second);
  EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  cudaGraphNode_t root = addWork(1), empty;
  EXPECT_EQ(cudaGraphAddEmptyNode(&empty, graph, &root, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_EQ(info.errorNode, empty);
  (void)cudaGetLastError();
  launchAndWait(exec);
  EXPECT_EQ(runs, (Numbers{10, 20})) << "failed updates change nothing";
  WorkArguments direct(5);
  EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, a, &direct.params), cudaSuccess)
      << "by the node of the graph that was instantiated";
  EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, root, &direct.params), cudaErrorInvalidValue);
  launchAndWait(exec);
  EXPECT_EQ(runs, (Numbers{10, 20, 5, 20}));
  EXPECT_EQ(cudaGraphDestroy(first), cudaSuccess);
}

TEST_F(GraphApi, UpdatesDoNotReachLaunchesThatAreUnderWay) {
  cudaGraphNode_t node = addWork(1);
  cudaGraphExec_t exec = instantiate();
  std::promise<void> gate;
  std::shared_future<void> opened = gate.get_future().share();
  EXPECT_EQ(
      cudaLaunchHostFunc(
          stream, [](void *f) { static_cast<std::shared_future<void> *>(f)->wait(); }, &opened),
      cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  WorkArguments changed(2);
  EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, node, &changed.params), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  gate.set_value();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(runs, (Numbers{1, 2}));
}

TEST_F(GraphApi, BranchesDoNotWaitForEachOther) {
  // One branch waits on the host for what the other one does on the device.
  static std::promise<void> *reached;
  std::promise<void> promise;
  reached = &promise;
  program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &) {
    promise.set_value();
    return RunReport();
  };
  static bool sawIt;
  sawIt = false;
  cudaHostNodeParams waits{[](void *) {
                             sawIt = reached->get_future().wait_for(std::chrono::seconds(20)) ==
                                     std::future_status::ready;
                           },
                           nullptr};
  cudaGraphNode_t host;
  EXPECT_EQ(cudaGraphAddHostNode(&host, graph, nullptr, 0, &waits), cudaSuccess);
  addWork(1);
  launchAndWait(instantiate());
  EXPECT_TRUE(sawIt);
}

TEST_F(GraphApi, LaunchesOfOneExecutableGraphDoNotOverlap) {
  static std::atomic<int> inside, most;
  inside = most = 0;
  cudaHostNodeParams function{[](void *) {
                                most = std::max(most.load(), ++inside);
                                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                --inside;
                              },
                              nullptr};
  cudaGraphNode_t host;
  EXPECT_EQ(cudaGraphAddHostNode(&host, graph, nullptr, 0, &function), cudaSuccess);
  addWork(1, {host});
  cudaGraphExec_t exec = instantiate();
  cudaStream_t other;
  EXPECT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(cudaGraphLaunch(exec, i % 2 ? stream : other), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(most, 1);
  EXPECT_EQ(runs.size(), 10u);
}

TEST_F(GraphApi, EventNodes) {
  cudaEvent_t before, after;
  EXPECT_EQ(cudaEventCreate(&before), cudaSuccess);
  EXPECT_EQ(cudaEventCreate(&after), cudaSuccess);
  cudaGraphNode_t wait, record, work;
  EXPECT_EQ(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, before), cudaSuccess);
  work = addWork(1, {wait});
  EXPECT_EQ(cudaGraphAddEventRecordNode(&record, graph, &work, 1, after), cudaSuccess);
  cudaEvent_t got;
  EXPECT_EQ(cudaGraphEventRecordNodeGetEvent(record, &got), cudaSuccess);
  EXPECT_EQ(got, after);
  EXPECT_EQ(cudaGraphEventWaitNodeGetEvent(record, &got), cudaErrorInvalidValue);
  cudaGraphExec_t exec = instantiate();
  launchAndWait(exec); // the event was never recorded
  std::promise<void> gate;
  std::shared_future<void> opened = gate.get_future().share();
  cudaStream_t blocked;
  EXPECT_EQ(cudaStreamCreateWithFlags(&blocked, cudaStreamNonBlocking), cudaSuccess);
  EXPECT_EQ(
      cudaLaunchHostFunc(
          blocked, [](void *f) { static_cast<std::shared_future<void> *>(f)->wait(); }, &opened),
      cudaSuccess);
  EXPECT_EQ(cudaEventRecord(before, blocked), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(after), cudaErrorNotReady) << "recorded by this launch";
  EXPECT_EQ(runs.size(), 1u);
  gate.set_value();
  EXPECT_EQ(cudaEventSynchronize(after), cudaSuccess);
  EXPECT_EQ(runs.size(), 2u);
  EXPECT_EQ(cudaGraphExecEventWaitNodeSetEvent(exec, wait, after), cudaSuccess);
  EXPECT_EQ(cudaGraphExecEventRecordNodeSetEvent(exec, record, before), cudaSuccess);
  launchAndWait(exec);
  EXPECT_EQ(runs.size(), 3u);
}

TEST_F(GraphApi, AStoppedKernelEndsTheLaunch) {
  program = [&](FakeDevice &, const vx::abi::LaunchDescriptor &) {
    runs.push_back(0);
    return stopped(FaultKind::Trap);
  };
  addWork(2, {addWork(1)});
  cudaGraphExec_t exec = instantiate();
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorLaunchFailure);
  EXPECT_EQ(runs.size(), 1u);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
}
TEST_F(GraphApi, UserObjectsLiveAsLongAsGraphsHoldThem) {
  static int destroyed;
  destroyed = 0;
  cudaUserObject_t object;
  auto destroy = [](void *) { ++destroyed; };
  EXPECT_EQ(cudaUserObjectCreate(&object, nullptr, destroy, 1, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaUserObjectCreate(&object, nullptr, destroy, 2, cudaUserObjectNoDestructorSync),
            cudaSuccess);
  EXPECT_EQ(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove), cudaSuccess);
  cudaGraphExec_t exec = instantiate();
  EXPECT_EQ(cudaUserObjectRelease(object, 2), cudaErrorInvalidValue);
  EXPECT_EQ(cudaUserObjectRelease(object, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphReleaseUserObject(graph, object, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphReleaseUserObject(graph, object, 1), cudaErrorInvalidValue);
  EXPECT_EQ(destroyed, 0) << "the executable graph has one";
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(cudaUserObjectRetain(object, 1), cudaErrorInvalidValue);
}

TEST_F(GraphApi, DotFilesNameWhatThereIs) {
  cudaGraphNode_t a = addWork(1);
  addWork(2, {a});
  std::string path = ::testing::TempDir() + "/vx-graph.dot";
  EXPECT_EQ(cudaGraphDebugDotPrint(graph, path.c_str(), cudaGraphDebugDotFlagsKernelNodeParams),
            cudaSuccess);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_NE(text.str().find("digraph dot {"), std::string::npos);
  EXPECT_NE(text.str().find("work(void*, int)"), std::string::npos);
  EXPECT_NE(text.str().find("<<<(1,1,1),(1,1,1),0>>>"), std::string::npos);
  EXPECT_NE(text.str().find("\"graph_node_0\" -> \"graph_node_1\""), std::string::npos);
  EXPECT_EQ(cudaGraphDebugDotPrint(graph, "/nowhere/x", 0), cudaErrorOperatingSystem);
  std::remove(path.c_str());
}

TEST_F(GraphApi, UploadsKeepTheOrder) {
  addWork(1);
  cudaGraphExec_t exec;
  cudaGraphInstantiateParams how{};
  how.flags = cudaGraphInstantiateFlagUpload;
  how.uploadStream = stream;
  EXPECT_EQ(cudaGraphInstantiateWithParams(&exec, graph, &how), cudaSuccess);
  EXPECT_EQ(how.result_out, cudaGraphInstantiateSuccess);
  EXPECT_EQ(cudaGraphUpload(exec, stream), cudaSuccess);
  launchAndWait(exec);
  EXPECT_EQ(runs, (Numbers{1}));
}
