// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/FrameStack.h"
#include "llvm/ADT/BitVector.h"
#include <algorithm>

using namespace llvm;

namespace vx {
namespace {

/// Returns true if calls lead from the function at FIRST to itself.
bool isRecursive(ArrayRef<Framed> functions, unsigned first) {
  BitVector seen(functions.size());
  SmallVector<unsigned, 16> work(ArrayRef(functions[first].calls));
  while (!work.empty()) {
    unsigned at = work.pop_back_val();
    if (at == first)
      return true;
    if (seen.test(at))
      continue;
    seen.set(at);
    append_range(work, functions[at].calls);
  }
  return false;
}

/// Returns the sum of WEIGHTS on the heaviest path from the function at FIRST. Functions of a cycle
/// have no weight.
uint64_t findHeaviestPath(ArrayRef<Framed> functions, ArrayRef<uint64_t> weights, unsigned first) {
  SmallVector<uint64_t, 16> below(weights);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned n = 0; n < functions.size(); ++n)
      for (unsigned callee : functions[n].calls)
        if (uint64_t path = weights[n] + below[callee]; path > below[n]) {
          below[n] = path;
          changed = true;
        }
  }
  return below[first];
}

} // namespace

FrameStack sizeFrameStack(ArrayRef<Framed> functions, unsigned first) {
  FrameStack stack;
  SmallVector<uint64_t, 16> weights;
  // Frames of functions that keep nothing, as those that only compare a pointer and call, come
  // with those of others.
  uint64_t keeping = 0, passing = 0;
  for (const auto &[n, f] : enumerate(functions)) {
    bool recursive = isRecursive(functions, n);
    weights.push_back(recursive ? 0 : f.bytes);
    if (!recursive)
      continue;
    stack.mayOverflow = true;
    uint64_t &largest = f.keeps ? keeping : passing;
    largest = std::max(largest, f.bytes);
  }
  stack.bytes = findHeaviestPath(functions, weights, first);
  if (uint64_t largest = keeping + passing)
    stack.bytes +=
        largest * std::clamp<uint64_t>(kFrameStackBytes / largest, kMinFrames, kMaxFrames);
  return stack;
}

} // namespace vx
