// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 --vx-isa=warp,paths %s -o %t.3
// RUN: %shapes --few %t.3 && env VX_LOWERING=hw %shapes %t.3 && %shapes --few --lower=sw %t.3
// RUN: env VX_SET=core.divergence=paths,core.num_threads=8 %run %t.3
// RUN: env VX_MODE=timing VX_LOWERING=hw VX_SET=core.num_threads=4 %run %t.3 32 16
// RUN: %vxcc -O0 --vx-isa=warp,paths %s -o %t.0
// RUN: env VX_LOWERING=hw %shapes --few %t.0 && %shapes --few --lower=sw %t.0
// RUN: env VX_SET=core.divergence=paths,core.num_threads=8 %run %t.0
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host
//
// Data structures with a lock for each of their parts, into which each thread puts one element: a hash
// table with a lock for each bucket, a sorted list with a lock for each node, of which a thread holds
// two while it walks along, and an array of which it locks a range of eight elements. Neighbours want
// the same locks.
//
// usage: locked-structures [SIZE [BLOCK [table | list | ranges]]]

#include "../Inputs/harness.h"
#include <algorithm>
#include <climits>

constexpr int Buckets = 256, Window = 8, Head = 0, Tail = 1, FirstNode = 2;

__device__ void acquire(int *lock) {
  while (atomicExch(lock, 1) != 0)
    ;
  __threadfence();
}
__device__ void release(int *lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__host__ __device__ unsigned bucketOf(int key) {
  return static_cast<unsigned>(key) * 2654435761u % Buckets;
}

__global__ void insertIntoTable(const int *keys, int *nodeKeys, volatile int *next, volatile int *heads, int *locks) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bucket = bucketOf(keys[node]);
  nodeKeys[node] = keys[node];
  acquire(&locks[bucket]);
  next[node] = heads[bucket];
  heads[bucket] = node;
  release(&locks[bucket]);
}

__global__ void insertIntoList(const int *keys, volatile int *next, int *locks) {
  int node = blockIdx.x * blockDim.x + threadIdx.x + FirstNode, before = Head;
  acquire(&locks[before]);
  int after = next[before];
  acquire(&locks[after]);
  while (keys[after] < keys[node]) {
    release(&locks[before]);
    before = after;
    after = next[after];
    acquire(&locks[after]);
  }
  next[node] = after;
  next[before] = node;
  release(&locks[after]);
  release(&locks[before]);
}

__global__ void addToRanges(int *locks, volatile int *cells) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < first + Window; ++i)
    acquire(&locks[i]);
  for (int i = first; i < first + Window; ++i)
    cells[i] = cells[i] + 1;
  for (int i = first; i < first + Window; ++i)
    release(&locks[i]);
}

static void checkFree(const DeviceArray<int> &locks, const char *what) {
  for (int lock : locks.host())
    expectEqual(lock, 0, what);
}

static void testTable(int size, int block) {
  std::vector<int> keys(size);
  for (int i = 0; i < size; ++i)
    keys[i] = i / 2;
  DeviceArray<int> input(keys), nodeKeys(size), next(size), heads(std::vector<int>(Buckets, -1)), locks(Buckets);
  insertIntoTable<<<size / block, block>>>(input, nodeKeys, next, heads, locks);
  std::vector<int> links = next.host(), copies = nodeKeys.host(), firsts = heads.host();
  std::vector<bool> found(size);
  int count = 0;
  for (int bucket = 0; bucket < Buckets; ++bucket)
    for (int node = firsts[bucket]; node >= 0 && node < size && !found[node]; node = links[node], ++count) {
      found[node] = true;
      expectEqual(copies[node], keys[node], "key in the table", node);
      expectEqual(bucketOf(copies[node]), static_cast<unsigned>(bucket), "bucket", node);
    }
  expectEqual(count, size, "elements of the table");
  checkFree(locks, "lock of a bucket");
}

static void testList(int size, int block) {
  std::vector<int> keys = {INT_MIN, INT_MAX}, links(size + FirstNode, -1);
  for (int i = 0; i < size; ++i)
    keys.push_back(mixed(i) % 100000);
  links[Head] = Tail;
  DeviceArray<int> input(keys), next(links), locks(size + FirstNode);
  insertIntoList<<<size / block, block>>>(input, next, locks);
  links = next.host();
  std::vector<bool> found(size + FirstNode);
  int count = 0, before = Head;
  for (int node = links[Head]; node >= FirstNode && node < size + FirstNode && !found[node]; node = links[node], ++count) {
    found[node] = true;
    expect(keys[before] <= keys[node], "order of the list", node);
    before = node;
  }
  expectEqual(links[before], int{Tail}, "end of the list");
  expectEqual(count, size, "elements of the list");
  checkFree(locks, "lock of a node");
}

static void testRanges(int size, int block) {
  DeviceArray<int> locks(size + Window - 1), cells(size + Window - 1);
  addToRanges<<<size / block, block>>>(locks, cells);
  std::vector<int> sums = cells.host();
  for (int i = 0; i < size + Window - 1; ++i)
    expectEqual(sums[i], std::min(i, size - 1) - std::max(i - Window + 1, 0) + 1, "sum of a cell", i);
  checkFree(locks, "lock of a cell");
}

int main(int argc, char **argv) {
  int size = argc > 1 ? std::atoi(argv[1]) : 64, block = argc > 2 ? std::atoi(argv[2]) : 32;
  auto isWanted = [&](const char *name) { return argc < 4 || !std::strcmp(argv[3], name); };
  if (isWanted("table"))
    testTable(size, block);
  if (isWanted("list"))
    testList(size, block);
  if (isWanted("ranges"))
    testRanges(size, block);
  return finish();
}
