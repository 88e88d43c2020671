// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/RegionPrinter.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/RegionValues.h"
#include "lib/PRTransform/WarpOps.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns "vote_any" for __vx_vote_any.
StringRef nameOf(const Instruction &boundary, const WarpOps *ops) {
  const WarpCall *op = ops ? ops->of(&boundary) : nullptr;
  if (op && op->isMarker)
    return "reconvergence";
  VxFn fn = op ? op->fn : *getVxFn(&boundary);
  return getInfo(fn).name.drop_front(StringRef("__vx_").size());
}

/// Returns the value's name, not that of its slot.
StringRef nameOf(const CrossingValue &v) {
  return v.slot->getName().take_until([](char c) { return c == '.'; });
}

void printPlace(raw_ostream &os, const CrossingValue &v) {
  if (v.uniform)
    os << "one variable of " << (v.ofEachWarp ? "each" : "the") << (v.ofWarp ? " warp" : " block");
  else
    os << "array over " << (v.ofWarp ? "lanes" : "threads") << " at " << v.offset << ", "
       << *v.slot->getAllocatedType();
  SmallVector<unsigned, 4> into(v.liveInto.begin(), v.liveInto.end());
  sort(into);
  os << ", into";
  for (unsigned r : into)
    os << " " << r;
}

} // namespace

void printRegions(raw_ostream &os, const ParallelRegions &regions, const RegionStorage &storage,
                  const WarpOps *ops, bool regular) {
  os << "  loops: " << (ops ? "warps and lanes" : "threads")
     << (regular ? "\n" : ", sets of waiting threads\n");
  for (const ParallelRegion &r : regions.regions()) {
    os << "    region " << r.id;
    if (r.boundary)
      os << " after " << nameOf(r.boundary->front(), ops);
    os << " ->";
    for (unsigned s : r.successors)
      os << " " << s;
    os << (r.canFinish ? " end\n" : "\n");
  }
  for (const CrossingLocal &l : storage.locals)
    os << "    local %" << l.local->getName() << ": array over threads at " << l.offset << ", "
       << l.size << " bytes\n";
  for (const CrossingValue &v : storage.values) {
    os << "    %" << nameOf(v) << ": ";
    printPlace(os, v);
    os << "\n";
  }
  os << "    context: " << storage.contextBytes << " bytes a thread, " << storage.laneBytes
     << " bytes a lane\n";
}

} // namespace vx
