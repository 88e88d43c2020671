// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions of a CUDA warp each of whose lanes runs several threads (Coarsening.h): thread t
// of the warp is part t / lanes of lane t % lanes.
//
//   vote          the predicates of a lane's threads are combined, then the lanes vote once
//   ballot        one for each part
//   shuffle       between threads of one lane: no instruction at all, one value for another;
//                 between lanes: an instruction for each value that moves, of the part, or selected
//                 from the two parts, that the readers want
//
// All threads of the warp are there and take part.

#ifndef VX_LIB_PRTRANSFORM_PARTEXCHANGE_H
#define VX_LIB_PRTRANSFORM_PARTEXCHANGE_H

#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/ADT/SmallVector.h"

namespace vx {

/// The layout of the threads of a CUDA warp on the lanes of a hardware warp.
struct WarpParts {
  unsigned parts; ///< threads of a lane
  unsigned lanes; ///< of the hardware warp; powers of two, parts * lanes = kWarpSize
};

class PartExchange {
public:
  /// One value for each part; the same value where it is one for all of them.
  using Values = llvm::SmallVector<llvm::Value *, 8>;

  /// LANE (i32): the number of the lane in its hardware warp. LANEIDS: the number of each part's
  /// thread in the CUDA warp.
  PartExchange(WarpParts shape, llvm::Value *lane, llvm::ArrayRef<llvm::Value *> laneIds)
      : shape(shape), lane(lane), laneIds(laneIds) {}

  /// Emits the results of vote FN with B.
  Values vote(llvm::IRBuilderBase &b, VxFn fn, const Values &masks, const Values &predicates);
  /// Emits the results of shuffle FN of VALUES.
  Values shuffle(llvm::IRBuilderBase &b, VxFn fn, const Values &values, const Values &operands,
                 const Values &segments);

private:
  struct Move;
  Values voteInGroups(llvm::IRBuilderBase &b, VxFn fn, unsigned partsOfGroup,
                      const Values &predicates);
  Values voteByBallot(llvm::IRBuilderBase &b, VxFn fn, const Values &masks,
                      const Values &predicates);
  llvm::Value *ballot(llvm::IRBuilderBase &b, unsigned first, unsigned parts,
                      const Values &predicates);
  Values shuffleInParts(llvm::IRBuilderBase &b, VxFn fn, const Values &values,
                        const Values &operands, llvm::Value *segment);
  Values shuffleByConstant(llvm::IRBuilderBase &b, const Move &move, const Values &values);
  llvm::Value *moveLanes(llvm::IRBuilderBase &b, const Move &move, llvm::Value *value, bool inside);
  llvm::Value *isOneOf(llvm::IRBuilderBase &b, uint32_t set) const;
  Values readUniformLane(llvm::IRBuilderBase &b, unsigned partsOfSegment, llvm::Value *source,
                         const Values &values);
  Values gather(llvm::IRBuilderBase &b, VxFn fn, const Values &values, const Values &operands,
                const Values &segments);
  llvm::Value *readLane(llvm::IRBuilderBase &b, llvm::Value *value, llvm::Value *source);
  unsigned segmentOf(VxFn fn) const;
  unsigned laneShift() const;

  const WarpParts shape;
  llvm::Value *const lane;
  const llvm::ArrayRef<llvm::Value *> laneIds;
};

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_PARTEXCHANGE_H
