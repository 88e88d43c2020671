// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect's classes, and what their verifiers check.

#include "frontend/mlir/dialect/Vx.h"
#include "intrinsics/abi/FatBinaryNames.h"
#include "intrinsics/abi/WarpSize.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace vx::dialect;

#include "frontend/mlir/dialect/VxDialect.cpp.inc"
#include "frontend/mlir/dialect/VxEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "frontend/mlir/dialect/VxAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "frontend/mlir/dialect/VxOps.cpp.inc"

void VxDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "frontend/mlir/dialect/VxOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "frontend/mlir/dialect/VxAttributes.cpp.inc"
      >();
  addConversionInterface(*this);
}

namespace {

LogicalResult verifySegment(Operation *op, StringRef what, int64_t lanes) {
  if (lanes >= 1 && lanes <= vx::abi::kWarpSize && llvm::isPowerOf2_64(lanes))
    return success();
  return op->emitOpError() << what << " is " << lanes << ", it must be a power of two up to "
                           << vx::abi::kWarpSize;
}

/// Returns true if LIST has values of CHOICES only, each once, joined by commas.
bool isListOf(StringRef list, ArrayRef<StringRef> choices) {
  SmallVector<StringRef> given;
  list.split(given, ',');
  SmallVector<StringRef> seen;
  for (StringRef value : given) {
    if (!is_contained(choices, value) || is_contained(seen, value))
      return false;
    seen.push_back(value);
  }
  return true;
}

} // namespace

LogicalResult VoteOp::verify() {
  bool ballot = getKind() == VoteKind::Ballot;
  if (getResult().getType().isInteger(ballot ? 32 : 1))
    return success();
  return emitOpError() << "'" << stringifyVoteKind(getKind()) << "' has a result of type "
                       << (ballot ? "i32" : "i1");
}

LogicalResult ShuffleOp::verify() {
  return verifySegment(*this, "width", getWidth());
}

LogicalResult ReduceOp::verify() {
  if (getWidth() && getMask())
    return emitOpError("'width' and 'mask' exclude each other: the width names the members");
  if (getWidth() && failed(verifySegment(*this, "width", *getWidth())))
    return failure();
  bool numbers =
      getKind() == ReduceKind::Add || getKind() == ReduceKind::Min || getKind() == ReduceKind::Max;
  if (!numbers && isa<FloatType>(getValue().getType()))
    return emitOpError() << "'" << stringifyReduceKind(getKind()) << "' is for integers, not for "
                         << getValue().getType();
  return success();
}

LogicalResult TileOp::verify() {
  return verifySegment(*this, "size", getSize());
}

LogicalResult BarrierReduceOp::verify() {
  bool count = getKind() == BarrierReduction::Count;
  if (getResult().getType().isInteger(count ? 32 : 1))
    return success();
  return emitOpError() << "'" << stringifyBarrierReduction(getKind()) << "' has a result of type "
                       << (count ? "i32" : "i1");
}

LogicalResult GroupSyncOp::verify() {
  if (llvm::is_contained({64, 128, 256, 512}, int(getThreads())))
    return success();
  return emitOpError() << "a group has 64, 128, 256 or 512 threads, not " << getThreads()
                       << "; vx.warp_sync is for parts of a warp, vx.barrier for the block";
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError, int O,
                                 StringRef lower, StringRef xlen, StringRef isa, StringRef target,
                                 bool, StringRef, ArrayAttr link) {
  if (O < 0 || O > 3)
    return emitError() << "O is " << O << ", it must be 0 to 3";
  if (!is_contained({"auto", "hw", "sw"}, lower))
    return emitError() << "lower is \"" << lower << "\", it must be \"auto\", \"hw\" or \"sw\"";
  if (!isListOf(xlen, {"32", "64"}))
    return emitError() << "xlen is \"" << xlen << "\", it must be \"64\", \"32\" or \"32,64\"";
  SmallVector<StringRef> profiles;
  for (abi::IsaProfile profile : abi::kIsaProfiles)
    profiles.push_back(abi::toString(profile));
  if (!isListOf(isa, profiles))
    return emitError() << "isa is \"" << isa << "\", it must be \""
                       << llvm::join(profiles, "\", \"")
                       << "\", or several of them joined by commas";
  if (!isListOf(target, {"vortex", "host"}))
    return emitError() << "target is \"" << target
                       << "\", it must be \"vortex\", \"host\" or \"vortex,host\"";
  if (link && !llvm::all_of(link, [](Attribute file) { return isa_and_present<StringAttr>(file); }))
    return emitError() << "link must be an array of file names";
  return success();
}
