// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Breadth-first search, one kernel launch per level: the host loop runs until a kernel reports, by
// a flag in device memory, that it found no new node. The graph is in compressed-row form. usage:
// bfs [nodes [edges per node]]

#include "../common/example.h"
#include <queue>
#include <vector>

struct Graph {
  std::vector<int> firstEdge; // nodes + 1 entries
  std::vector<int> target;
};

__global__ void visitLevel(const int *firstEdge, const int *target, int *level, int nodes,
                           int current, int *changed) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  // Other threads may write the level meanwhile, though not this one over another.
  if (node >= nodes || static_cast<volatile int *>(level)[node] != current)
    return;
  for (int edge = firstEdge[node]; edge < firstEdge[node + 1]; ++edge)
    // Several parents may find the same node: all but the first see the level already set.
    if (atomicCAS(&level[target[edge]], -1, current + 1) == -1)
      *changed = 1;
}

/// Makes a random graph. Node i has an edge to i + 1 now and then, so the search is deep as well as
/// wide.
static Graph makeGraph(int nodes, int degree) {
  Random random(5);
  Graph graph;
  for (int node = 0; node < nodes; ++node) {
    graph.firstEdge.push_back(static_cast<int>(graph.target.size()));
    int edges = random.next() % (2 * degree + 1);
    for (int i = 0; i < edges; ++i)
      graph.target.push_back((node + random.next() % (nodes / 16 + 1)) % nodes);
    if (random.next() % 4 == 0)
      graph.target.push_back((node + 1) % nodes);
  }
  graph.firstEdge.push_back(static_cast<int>(graph.target.size()));
  graph.target.push_back(0); // never empty
  return graph;
}

static std::vector<int> reference(const Graph &graph, int nodes) {
  std::vector<int> level(nodes, -1);
  std::queue<int> pending;
  level[0] = 0;
  for (pending.push(0); !pending.empty(); pending.pop()) {
    int node = pending.front();
    for (int edge = graph.firstEdge[node]; edge < graph.firstEdge[node + 1]; ++edge)
      if (int next = graph.target[edge]; level[next] < 0) {
        level[next] = level[node] + 1;
        pending.push(next);
      }
  }
  return level;
}

static int *upload(const std::vector<int> &values) {
  int *device;
  CHECK(cudaMalloc(&device, values.size() * sizeof(int)));
  CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
  return device;
}

int main(int argc, char **argv) {
  const int nodes = sizeArgument(argc, argv, 1, 5000);
  const int degree = sizeArgument(argc, argv, 2, 3);
  const Graph graph = makeGraph(nodes, degree);
  std::vector<int> level(nodes, -1);
  level[0] = 0;
  int *firstEdge = upload(graph.firstEdge), *target = upload(graph.target);
  int *deviceLevel = upload(level), *deviceChanged = upload({0});

  const int threads = 128, blocks = (nodes + threads - 1) / threads;
  int depth = 0;
  DeviceTimer timer;
  for (int changed = 1; changed != 0; ++depth) {
    changed = 0;
    CHECK(cudaMemcpy(deviceChanged, &changed, sizeof changed, cudaMemcpyHostToDevice));
    visitLevel<<<blocks, threads>>>(firstEdge, target, deviceLevel, nodes, depth, deviceChanged);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&changed, deviceChanged, sizeof changed, cudaMemcpyDeviceToHost));
  }
  float milliseconds = timer.stop();
  CHECK(cudaMemcpy(level.data(), deviceLevel, nodes * sizeof(int), cudaMemcpyDeviceToHost));
  for (int *pointer : {firstEdge, target, deviceLevel, deviceChanged})
    CHECK(cudaFree(pointer));

  const std::vector<int> expected = reference(graph, nodes);
  long mismatches = 0, reached = 0;
  for (int i = 0; i < nodes; ++i) {
    mismatches += level[i] != expected[i];
    reached += level[i] >= 0;
  }
  std::printf("bfs: %d nodes, %ld reached in %d levels, %.3f ms\n", nodes, reached, depth,
              milliseconds);
  return verdict(mismatches);
}
