// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 -fvx-check %s -o %t
// RUN: %python %S/run-cases.py --tool=racecheck --configurations=hw,sw --set=core.num_warps=8 %t %s remote-read remote-write
// RUN: %python %S/run-cases.py --tool=memcheck --configurations=hw,sw --set=core.num_warps=8 %t %s other-cluster behind-remote
// RUN: %python %S/run-cases.py --tool=initcheck --configurations=hw,sw --set=core.num_warps=8 %t %s remote-unwritten
//
// Shared memory of the blocks of a cluster, which they access as their own: races, accesses beyond it,
// reads of what has no value.

#include "cases.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) readRemote(int *to, bool bad) {
  __shared__ int cells[32];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  cells[threadIdx.x] = blockIdx.x; // FINDS remote-read: race-read-write
  if (!bad)
    cluster.sync();
  int *theirs = cluster.map_shared_rank(cells, cluster.block_rank() ^ 1);
  to[blockIdx.x * 32 + threadIdx.x] = theirs[threadIdx.x]; // FINDS remote-read: race-read-write
  cluster.sync();
}
static void runRemoteRead(bool bad) { readRemote<<<4, 32>>>(numbers<int>(128), bad); }

__global__ void __cluster_dims__(2, 1, 1) writeRemote(int *to, bool bad) {
  __shared__ int cells[64];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  int *first = cluster.map_shared_rank(cells, 0);
  first[threadIdx.x + (bad ? 0 : 32 * cluster.block_rank())] = blockIdx.x; // FINDS remote-write: race-write-write
  cluster.sync();
  to[blockIdx.x * 32 + threadIdx.x] = cells[threadIdx.x];
}
static void runRemoteWrite(bool bad) { writeRemote<<<4, 32>>>(numbers<int>(128), bad); }

// The blocks of the next cluster come after those of this one.
__global__ void __cluster_dims__(2, 1, 1) reachOver(int *to, bool bad) {
  __shared__ int cells[32];
  cg::cluster_group cluster = cg::this_cluster();
  cells[threadIdx.x] = 0;
  cluster.sync();
  int *own = cluster.map_shared_rank(cells, 0), *next = cluster.map_shared_rank(cells, 1);
  if (blockIdx.x == 0)
    own[(bad ? 2 : 1) * (next - own) + threadIdx.x] = 1; // FINDS other-cluster: invalid-write
  cluster.sync();
  to[blockIdx.x * 32 + threadIdx.x] = cells[threadIdx.x];
}
static void runOtherCluster(bool bad) { reachOver<<<4, 32>>>(numbers<int>(128), bad); }

__global__ void __cluster_dims__(2, 1, 1) behind(int *to, bool bad) {
  __shared__ int cells[33];
  cg::cluster_group cluster = cg::this_cluster();
  cells[threadIdx.x] = 0;
  cluster.sync();
  int *theirs = cluster.map_shared_rank(cells, cluster.block_rank() ^ 1);
  if (threadIdx.x == 0)
    theirs[bad ? 33 : 32] = 1; // FINDS behind-remote: invalid-write
  cluster.sync();
  to[blockIdx.x * 32 + threadIdx.x] = cells[threadIdx.x];
}
static void runBehindRemote(bool bad) { behind<<<4, 32>>>(numbers<int>(128), bad); }

__global__ void __cluster_dims__(2, 1, 1) unwritten(int *to, bool bad) {
  __shared__ int cells[32];
  cg::cluster_group cluster = cg::this_cluster();
  if (!bad || cluster.block_rank() == 0)
    cells[threadIdx.x] = 7;
  cluster.sync();
  int *last = cluster.map_shared_rank(cells, 1);
  to[blockIdx.x * 32 + threadIdx.x] = last[threadIdx.x]; // FINDS remote-unwritten: uninitialized-read
  cluster.sync();
}
static void runRemoteUnwritten(bool bad) { unwritten<<<4, 32>>>(numbers<int>(128), bad); }

int main(int argc, char **argv) {
  static const Case cases[] = {{"remote-read", runRemoteRead},
                               {"remote-write", runRemoteWrite},
                               {"other-cluster", runOtherCluster},
                               {"behind-remote", runBehindRemote},
                               {"remote-unwritten", runRemoteUnwritten}};
  return runCase(cases, argc, argv);
}
