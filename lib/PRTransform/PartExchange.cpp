// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/PartExchange.h"
#include "lib/VortexIR/GroupThreads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace vx {

unsigned PartExchange::laneShift() const {
  return Log2_32(shape.lanes);
}

// --- votes ---

/// Returns the number of threads of the groups that vote among themselves, if MASKS name aligned
/// ones of at least LANES threads each; 0: they do not.
static unsigned votersOf(ArrayRef<Value *> masks, unsigned lanes) {
  if (all_equal(masks)) {
    const auto *c = dyn_cast<ConstantInt>(masks.front());
    return c && c->isMinusOne() ? kWarpSize : 0;
  }
  unsigned width = 0;
  for (Value *mask : masks) {
    std::optional<Segment> segment = matchSegment(mask);
    if (!segment || segment->width < lanes || (width && width != segment->width))
      return 0;
    width = segment->width;
  }
  return width;
}

PartExchange::Values PartExchange::vote(IRBuilderBase &b, VxFn fn, const Values &masks,
                                        const Values &predicates) {
  Values truth;
  for (Value *p : predicates)
    truth.push_back(b.CreateIsNotNull(p));
  unsigned voters = votersOf(masks, shape.lanes);
  return voters ? voteInGroups(b, fn, voters / shape.lanes, truth)
                : voteByBallot(b, fn, masks, truth);
}

/// Votes in groups of PARTSOFGROUP parts.
PartExchange::Values PartExchange::voteInGroups(IRBuilderBase &b, VxFn fn, unsigned partsOfGroup,
                                                const Values &predicates) {
  Type *i32 = b.getInt32Ty();
  Value *all = b.getInt32(-1);
  Values results;
  for (unsigned first = 0; first < shape.parts; first += partsOfGroup) {
    ArrayRef<Value *> group = ArrayRef(predicates).slice(first, partsOfGroup);
    auto combine = [&](bool isAnd) {
      Value *v = group.front();
      for (Value *p : group.drop_front())
        v = isAnd ? b.CreateAnd(v, p) : b.CreateOr(v, p);
      return b.CreateZExt(v, i32);
    };
    auto every = [&] { return emitCall(b, VxFn::VoteAll, {all, combine(true)}); };
    auto some = [&] { return emitCall(b, VxFn::VoteAny, {all, combine(false)}); };
    Value *result = nullptr;
    switch (fn) {
    case VxFn::VoteAll:
      result = every();
      break;
    case VxFn::VoteAny:
      result = some();
      break;
    case VxFn::VoteUni: {
      Value *none = b.CreateIsNull(some());
      result = b.CreateZExt(b.CreateOr(b.CreateIsNotNull(every()), none), i32);
      break;
    }
    default:
      result = b.CreateShl(ballot(b, first, partsOfGroup, predicates), first * shape.lanes);
    }
    results.append(partsOfGroup, result);
  }
  return results;
}

/// Emits the ballot of the threads of PARTS parts from part FIRST on, those of part FIRST in the
/// lowest bits.
Value *PartExchange::ballot(IRBuilderBase &b, unsigned first, unsigned parts,
                            const Values &predicates) {
  Value *word = nullptr;
  for (unsigned p = 0; p < parts; ++p) {
    Value *truth = b.CreateZExt(predicates[first + p], b.getInt32Ty());
    Value *said = emitCall(b, VxFn::VoteBallot, {b.getInt32(-1), truth});
    said = b.CreateShl(said, p * shape.lanes);
    word = word ? b.CreateOr(word, said) : said;
  }
  return word;
}

/// Votes of the members of any mask.
PartExchange::Values PartExchange::voteByBallot(IRBuilderBase &b, VxFn fn, const Values &masks,
                                                const Values &predicates) {
  Value *said = ballot(b, 0, shape.parts, predicates);
  Values results;
  for (auto [p, mask] : enumerate(masks)) {
    if (p > 0 && mask == masks[p - 1]) {
      results.push_back(results.back());
      continue;
    }
    Value *yes = b.CreateAnd(said, mask);
    Value *all = b.CreateICmpEQ(yes, mask), *none = b.CreateIsNull(yes);
    switch (fn) {
    case VxFn::VoteAll:
      yes = b.CreateZExt(all, b.getInt32Ty());
      break;
    case VxFn::VoteAny:
      yes = b.CreateZExt(b.CreateNot(none), b.getInt32Ty());
      break;
    case VxFn::VoteUni:
      yes = b.CreateZExt(b.CreateOr(all, none), b.getInt32Ty());
      break;
    default:
      break;
    }
    results.push_back(yes);
  }
  return results;
}

// --- shuffles ---

/// A shuffle in segments of a constant size, and what is known of it if its operand is constant.
struct PartExchange::Move {
  enum Kind { Up, Down, Butterfly, Index } kind;
  VxFn fn;
  unsigned by;      ///< the operand: a distance, mask or lane
  unsigned segment; ///< as emitShuffleSource takes it

  unsigned fixed() const { return segment >> 8 & (kWarpSize - 1); }
  unsigned width() const { return kWarpSize - fixed(); }
  /// Returns true for aligned segments of a power of two, all of whose threads may be read.
  bool isAsInCuda() const {
    return isPowerOf2_32(width()) &&
           (segment & (kWarpSize - 1)) == (kind == Up ? 0 : kWarpSize - 1);
  }

  /// Returns the thread that thread T reads from: itself where that is outside its segment.
  unsigned sourceOf(unsigned t) const {
    unsigned first = t & fixed(), last = first + width() - 1;
    switch (kind) {
    case Up:
      return t >= first + by ? t - by : t;
    case Down:
      return t + by <= last ? t + by : t;
    case Butterfly:
      return (t ^ by) <= last ? t ^ by : t;
    case Index:
      return first | (by & (width() - 1));
    }
    llvm_unreachable("all kinds are covered");
  }

  static Kind kindOf(VxFn fn) {
    switch (fn) {
    case VxFn::ShflUp32:
    case VxFn::ShflUp64:
      return Up;
    case VxFn::ShflDown32:
    case VxFn::ShflDown64:
      return Down;
    case VxFn::ShflBfly32:
    case VxFn::ShflBfly64:
      return Butterfly;
    default:
      return Index;
    }
  }
};

static const ConstantInt *asConstant(ArrayRef<Value *> values) {
  return all_equal(values) ? dyn_cast<ConstantInt>(values.front()) : nullptr;
}

/// Returns the segment operand of shuffle FN in the whole hardware warp.
unsigned PartExchange::segmentOf(VxFn fn) const {
  unsigned clamp = Move::kindOf(fn) == Move::Up ? 0 : kWarpSize - 1;
  return (kWarpSize - shape.lanes) << 8 | clamp;
}

PartExchange::Values PartExchange::shuffle(IRBuilderBase &b, VxFn fn, const Values &values,
                                           const Values &operands, const Values &segments) {
  if (all_equal(values)) // it is one value for the warp
    return values;
  const ConstantInt *segment = asConstant(segments), *by = asConstant(operands);
  Move move{Move::kindOf(fn), fn, by ? unsigned(by->getZExtValue()) & (kWarpSize - 1) : 0,
            segment ? unsigned(segment->getZExtValue()) : 0};
  if (!segment || !move.isAsInCuda())
    return gather(b, fn, values, operands, segments);
  bool isButterfly = move.kind == Move::Butterfly, isNear = by && move.by < shape.lanes;
  if (move.width() <= shape.lanes && (!isButterfly || isNear)) // lanes are numbered alike in a part
    return shuffleInParts(b, fn, values, operands, segments.front());
  if (isButterfly && isNear)
    return shuffleInParts(b, fn, values, operands, b.getInt32(segmentOf(fn)));
  if (by)
    return shuffleByConstant(b, move, values);
  if (move.kind == Move::Index && all_equal(operands))
    return readUniformLane(b, move.width() / shape.lanes, operands.front(), values);
  return gather(b, fn, values, operands, segments);
}

/// Shuffles where no thread reads from another part.
PartExchange::Values PartExchange::shuffleInParts(IRBuilderBase &b, VxFn fn, const Values &values,
                                                  const Values &operands, Value *segment) {
  Values results;
  for (unsigned p = 0; p < shape.parts; ++p)
    results.push_back(emitCall(b, fn, {b.getInt32(-1), values[p], operands[p], segment}));
  return results;
}

/// Emits a shuffle by a constant that crosses parts. The lanes of a part read from one other lane
/// each, in one part or in two neighbouring ones: each lane sends what its reader wants.
PartExchange::Values PartExchange::shuffleByConstant(IRBuilderBase &b, const Move &move,
                                                     const Values &values) {
  Values results;
  for (unsigned p = 0; p < shape.parts; ++p) {
    uint32_t own = 0;                              // lanes that read from themselves
    SmallVector<uint32_t, 8> senders(shape.parts); // of each part's value, a set of lanes
    bool crossesLanes = false;
    for (unsigned l = 0; l < shape.lanes; ++l) {
      unsigned thread = p * shape.lanes + l, source = move.sourceOf(thread);
      if (source == thread && move.kind != Move::Index)
        own |= 1u << l;
      else
        senders[source / shape.lanes] |= 1u << source % shape.lanes;
      crossesLanes |= source % shape.lanes != l;
    }
    SmallVector<unsigned, 2> sent; // parts
    for (unsigned q = 0; q < shape.parts; ++q)
      if (senders[q])
        sent.push_back(q);
    if (sent.empty()) {
      results.push_back(values[p]);
      continue;
    }
    Value *value = values[sent.front()];
    for (unsigned q : ArrayRef(sent).drop_front())
      value = b.CreateSelect(isOneOf(b, senders[q]), values[q], value);
    // The instruction leaves lanes that read beyond the hardware warp their own value.
    bool keepsOwn = !own || (sent.size() == 1 && sent.front() == p);
    if (crossesLanes)
      value = moveLanes(b, move, value, sent.size() == 1 && keepsOwn);
    results.push_back(keepsOwn ? value : b.CreateSelect(isOneOf(b, own), values[p], value));
  }
  return results;
}

/// Moves VALUE between the lanes as MOVE says; from the last lanes to the first and back if not
/// INSIDE.
Value *PartExchange::moveLanes(IRBuilderBase &b, const Move &move, Value *value, bool inside) {
  unsigned by = move.by & (shape.lanes - 1);
  if (move.kind == Move::Index)
    return readLane(b, value, b.getInt32(by));
  if (move.kind == Move::Butterfly || inside)
    return emitCall(b, move.fn,
                    {b.getInt32(-1), value, b.getInt32(by), b.getInt32(segmentOf(move.fn))});
  Value *source =
      move.kind == Move::Up ? b.CreateSub(lane, b.getInt32(by)) : b.CreateAdd(lane, b.getInt32(by));
  return readLane(b, value, b.CreateAnd(source, shape.lanes - 1));
}

/// Emits whether this lane is one of SET (i1), which is not empty.
Value *PartExchange::isOneOf(IRBuilderBase &b, uint32_t set) const {
  uint32_t others = ~set & maskTrailingOnes<uint32_t>(shape.lanes);
  if (isMask_32(set))
    return b.CreateICmpULT(lane, b.getInt32(popcount(set)));
  if (isMask_32(others))
    return b.CreateICmpUGE(lane, b.getInt32(popcount(others)));
  return b.CreateTrunc(b.CreateLShr(b.getInt32(set), lane), b.getInt1Ty());
}

/// Lets all threads of a segment of PARTSOFSEGMENT parts read thread SOURCE (i32) of it.
PartExchange::Values PartExchange::readUniformLane(IRBuilderBase &b, unsigned partsOfSegment,
                                                   Value *source, const Values &values) {
  Value *part = b.CreateAnd(b.CreateLShr(source, laneShift()), partsOfSegment - 1);
  Value *from = b.CreateAnd(source, shape.lanes - 1);
  Values results;
  for (unsigned first = 0; first < shape.parts; first += partsOfSegment) {
    Value *value = values[first];
    for (unsigned p = 1; p < partsOfSegment; ++p)
      value = b.CreateSelect(b.CreateICmpEQ(part, b.getInt32(p)), values[first + p], value);
    results.append(partsOfSegment, readLane(b, value, from));
  }
  return results;
}

/// Emits any shuffle: the value of each part that a thread may read, then the one that it does.
PartExchange::Values PartExchange::gather(IRBuilderBase &b, VxFn fn, const Values &values,
                                          const Values &operands, const Values &segments) {
  Values results;
  for (unsigned p = 0; p < shape.parts; ++p) {
    Value *source =
        emitShuffleSource(b, fn, laneIds[p], operands[p], segments[p]).select(b, laneIds[p]);
    Value *from = b.CreateAnd(source, shape.lanes - 1), *part = b.CreateLShr(source, laneShift());
    Value *result = readLane(b, values[0], from);
    for (unsigned q = 1; q < shape.parts; ++q)
      result =
          b.CreateSelect(b.CreateICmpEQ(part, b.getInt32(q)), readLane(b, values[q], from), result);
    results.push_back(result);
  }
  return results;
}

/// Emits VALUE of lane SOURCE (i32) of the hardware warp.
Value *PartExchange::readLane(IRBuilderBase &b, Value *value, Value *source) {
  bool isWide = value->getType()->getIntegerBitWidth() == 64;
  return emitCall(b, isWide ? VxFn::ShflIdx64 : VxFn::ShflIdx32,
                  {b.getInt32(-1), value, source, b.getInt32(segmentOf(VxFn::ShflIdx32))});
}

} // namespace vx
