// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc --vx-xlen=32 %s -o %t && %shapes --few --xlen=32 %t
// RUN: %vxcc -O0 --vx-xlen=32 %s -o %t.0 && %shapes --few --xlen=32 %t.0
//
// Host and device agree on every structure although their pointers differ in width: structures with
// pointers in memory, as arguments and by value; linked lists built on either side; tables of
// addresses; unions of a pointer and an integer; pointers in shared and local memory; atomics.

#include "../Inputs/harness.h"

struct Node {
  char tag;
  Node *next;
  int value;
};
static_assert(sizeof(Node) == 24, "as the host has it");

struct View {
  const int *data;
  short count;
  int *out[2];
  long scale;
};

union Slot {
  void *pointer;
  unsigned long long bits;
};

__device__ int numbers[4] = {1, 2, 3, 4};
__device__ int *table[3] = {&numbers[3], numbers + 1, nullptr};
__device__ struct {
  char c;
  int *p;
  int n;
} record = {'r', &numbers[2], 5};

__device__ int twice(int x) { return 2 * x; }
__device__ int negate(int x) { return -x; }
__device__ int (*functions[2])(int) = {twice, negate};

struct Shape {
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Pair : Shape {
  const Shape *a, *b;
  __device__ Pair(const Shape *a, const Shape *b) : a(a), b(b) {}
  __device__ int area() const override { return a->area() + b->area(); }
};

__global__ void link(Node *nodes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    nodes[i] = Node{(char)i, i + 1 < n ? &nodes[i + 1] : nullptr, 3 * i};
}

__global__ void walk(const Node *head, int *sum) {
  if (threadIdx.x == 0)
    for (const Node *p = head; p; p = p->next)
      *sum += p->value + p->tag;
}

__device__ __noinline__ int sumOf(View v, int i) { return v.data[i] * (int)v.scale + v.count; }

__global__ void view(View v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < v.count)
    v.out[i & 1][i] = sumOf(v, i);
}

__global__ void tables(int *out) {
  int i = threadIdx.x;
  out[i] = *table[i & 1] * 100 + *record.p * 10 + record.n + functions[i & 1](i) +
           (table[2] == nullptr);
}

__global__ void slots(Slot *out, int *target) {
  __shared__ int *swapped[64];
  int i = threadIdx.x, *mine[4];
  for (int k = 0; k < 4; ++k)
    mine[(k + i) % 4] = target + k;
  swapped[i] = mine[i % 4];
  __syncthreads();
  out[i].bits = ~0ull; // the high half must be cleared by the pointer store
  out[i].pointer = swapped[63 - i];
  out[64 + i].bits = (unsigned long long)(target + i);
}

__global__ void virtuals(int *out) {
  Square a(threadIdx.x), b(2);
  Pair pair(&a, &b);
  const Shape *shapes[2] = {&a, &pair};
  out[threadIdx.x] = shapes[threadIdx.x & 1]->area();
}

__global__ void push(Node *nodes, unsigned long long *head) {
  Node *mine = &nodes[blockIdx.x * blockDim.x + threadIdx.x];
  mine->value = 1;
  mine->tag = 0;
  unsigned long long old = *(volatile unsigned long long *)head, seen;
  for (bool done = false; !done;) {
    mine->next = (Node *)old;
    seen = atomicCAS(head, old, (unsigned long long)mine);
    done = seen == old;
    old = seen;
  }
}

static void checkLists() {
  const int n = 100;
  DeviceArray<Node> nodes(n);
  DeviceArray<int> sum(1);
  link<<<3, 40>>>(nodes, n);
  std::vector<Node> got = nodes.host();
  Node *base = nodes;
  for (int i = 0; i < n; ++i)
    expect(got[i].next == (i + 1 < n ? base + i + 1 : nullptr) && got[i].value == 3 * i &&
               got[i].tag == (char)i,
           "node", i);
  // The host turns the list round.
  for (int i = 0; i < n; ++i)
    got[i].next = i ? base + i - 1 : nullptr;
  CHECK(cudaMemcpy(base, got.data(), n * sizeof(Node), cudaMemcpyHostToDevice));
  walk<<<1, 32>>>(base + n - 1, sum);
  expectEqual(sum.host()[0], 3 * n * (n - 1) / 2 + n * (n - 1) / 2, "walk");
}

static void checkStack() {
  DeviceArray<Node> nodes(192);
  DeviceArray<unsigned long long> head(1);
  push<<<3, 64>>>(nodes, head);
  DeviceArray<int> sum(1);
  walk<<<1, 1>>>((Node *)head.host()[0], sum);
  expectEqual(sum.host()[0], 192, "stack");
}

static void checkView() {
  std::vector<int> data(70);
  for (int i = 0; i < 70; ++i)
    data[i] = i * i;
  DeviceArray<int> in(data), even(70), odd(70);
  view<<<2, 64>>>(View{in, 70, {even, odd}, 3});
  std::vector<int> e = even.host(), o = odd.host();
  for (int i = 0; i < 70; ++i)
    expectEqual((i & 1 ? o : e)[i], i * i * 3 + 70, "view", i);
}

int main() {
  checkLists();
  checkStack();
  checkView();
  DeviceArray<int> out(64), target(64);
  tables<<<1, 64>>>(out);
  std::vector<int> got = out.host();
  for (int i = 0; i < 64; ++i)
    expectEqual(got[i], (i & 1 ? 2 : 4) * 100 + 35 + (i & 1 ? -i : 2 * i) + 1, "table", i);
  DeviceArray<Slot> cells(128);
  slots<<<1, 64>>>(cells, target);
  std::vector<Slot> slot = cells.host();
  for (int i = 0; i < 64; ++i) {
    expect(slot[i].pointer == (int *)target, "slot", i);
    expect(slot[64 + i].pointer == (int *)target + i, "integer", i);
  }
  virtuals<<<1, 64>>>(out);
  got = out.host();
  for (int i = 0; i < 64; ++i)
    expectEqual(got[i], i * i + (i & 1 ? 4 : 0), "virtual", i);
  return finish();
}
