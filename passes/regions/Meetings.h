// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places at which threads that have diverged may meet. CUDA brings threads together by what
// they call, not by the place of the call: those that a member mask names meet at the same warp
// function, those of a block at the same barrier, whichever calls of it they come to. The lowerings
// bring threads together at one call. So calls of one kind at which threads on different ways from
// a divergent branch may meet are to become one call:
//
//       branch                 branch
//       /    \                 /    \              the kth call on one side of a branch meets the
//    f(m)    f(m)     =>       \    /              kth on the other, if all ways have equally many
//       \    /                  f(m)
//        join                  /    \              .
//
// Threads that leave a branch early may also come to a call after it while others are still at one
// before its reconvergence point:
//
//    if (lane < 16) a = f(m);
//    if (lane >= 16) b = f(m);
//
// They *await* each other there: where the two calls have become one, it is in a cycle, and what
// brings its threads together must look at their masks.
//
// Most branches need none of that, and no call becomes another one then:
//   - nothing of the same kind is on two ways from them;
//   - the masks are different constants, or say which threads took the way: the result of a vote or
//     of __activemask() on it, or of a vote on the branch's condition;
//   - a barrier, or a warp function of the whole warp that is not on the way, comes between.

#ifndef VX_PASSES_REGIONS_MEETINGS_H
#define VX_PASSES_REGIONS_MEETINGS_H

#include "lib/VortexIR/VxFunctions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"
#include <set>

namespace llvm {
class CallInst;
class Function;
class Module;
} // namespace llvm

namespace vx {

/// The properties that two calls at which the same threads meet have in common: the function, and
/// the constant width of a reduction.
struct MeetingKind {
  VxFn fn;
  uint64_t width = 0;
  auto operator<=>(const MeetingKind &) const = default;
};

/// Returns the kind of CALL, if threads meet at it: a warp function with a member mask, or a
/// barrier of the block.
std::optional<MeetingKind> meetingKindOf(const llvm::Instruction &call);

/// The kinds of calls that functions of a module contain, directly or through direct calls.
class MeetingKinds {
public:
  explicit MeetingKinds(llvm::Module &m);
  /// Returns the kinds of F, ordered; none for a function that is not defined in the module.
  const std::set<MeetingKind> &of(const llvm::Function &f) const;
  bool empty() const { return kinds.empty(); }

private:
  llvm::DenseMap<const llvm::Function *, std::set<MeetingKind>> kinds;
};

/// Calls of one kind that have to become one.
struct Meeting {
  llvm::SmallVector<llvm::CallInst *, 4> calls; ///< in the order of the function; may be one
  bool awaits = false; ///< threads may come to it in different rounds of a cycle
};

struct Meetings {
  llvm::SmallVector<Meeting, 4> all;
  /// Calls of functions with such calls in them, which have to be inlined to find all meetings. If
  /// there are any, `all` is not complete.
  llvm::SmallVector<llvm::CallInst *, 4> toInline;
};

/// Finds the meetings of F, a function of the module that KINDS describes. The number of a warp is
/// taken for threadIdx.x / 32 where the source computes that.
Meetings findMeetings(llvm::Function &f, const MeetingKinds &kinds,
                      llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_PASSES_REGIONS_MEETINGS_H
