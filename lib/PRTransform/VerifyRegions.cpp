// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/VerifyRegions.h"
#include "lib/PRTransform/RegionValues.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {
namespace {

std::string nameOf(const Value &v) {
  std::string text;
  raw_string_ostream os(text);
  v.printAsOperand(os, /*PrintType=*/false);
  return text;
}

/// Bytes per thread (or per lane) that an array takes, and whose it is.
struct Span {
  uint64_t begin, end;
  bool ofWarp;
  const Value *owner;
  const CrossingValue *value; ///< null: a local
};

/// Returns true if X and Y have the same place and may: an element of one is an element of the
/// other.
bool shareRightly(const Span &x, const Span &y) {
  return x.value && y.value && x.begin == y.begin && x.end == y.end && canShare(*x.value, *y.value);
}

std::string findBadPlace(const DataLayout &dl, const RegionStorage &storage) {
  SmallVector<Span, 32> spans;
  for (const CrossingLocal &l : storage.locals)
    spans.push_back({l.offset, l.offset + l.size, false, l.local, nullptr});
  for (const CrossingValue &v : storage.values)
    if (!v.uniform)
      spans.push_back({v.offset, v.offset + elementSize(dl, v), v.ofWarp, v.slot, &v});
  for (const auto &[i, x] : enumerate(spans)) {
    uint64_t align =
        x.value ? dl.getABITypeAlign(x.value->slot->getAllocatedType()).value() : uint64_t(1);
    if (x.begin % align)
      return "the array of " + nameOf(*x.owner) + " is not aligned";
    if (x.end > (x.ofWarp ? storage.laneBytes : storage.contextBytes))
      return "the array of " + nameOf(*x.owner) + " ends outside of the context";
    for (const Span &y : ArrayRef(spans).drop_front(i + 1))
      if (x.ofWarp == y.ofWarp && x.begin < y.end && y.begin < x.end && !shareRightly(x, y))
        return "the arrays of " + nameOf(*x.owner) + " and " + nameOf(*y.owner) + " overlap";
  }
  return {};
}

} // namespace

std::string findBadStorage(Function &f, const ParallelRegions &regions,
                           const RegionStorage &storage) {
  if (auto crossing = findCrossing(f, regions); !crossing.empty())
    return nameOf(*crossing.front()) + " is live across a boundary";
  return findBadPlace(f.getDataLayout(), storage);
}

bool verifyRegions(Function &f, const ParallelRegions &regions, const RegionStorage &storage,
                   BoundaryTest test) {
  auto form = ParallelRegions::verify(f, test);
  std::string problem = form.empty() ? findBadStorage(f, regions, storage) : form.front().what;
  if (problem.empty())
    return true;
  f.getContext().diagnose(
      DiagnosticInfoUnsupported(f, "internal error: parallel regions: " + problem));
  return false;
}

} // namespace vx
