// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: wmma.load, wmma.store and wmma.mma, whose fragments have no documented layout. Here,
// those of A and of the sums are as the fragments of mma.sync (MatrixProduct.h) for 16 rows, or for
// 8 if there are no more, and those of B as for 8 columns, one after the other; wmma.mma is a
// product of that form for each pair. Where PTX has more registers, as for factors of halves, the
// last ones are 0.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Emit.h"
#include "passes/import/MatrixProduct.h"

using namespace llvm;

namespace vx::import {
namespace {

/// The places of the elements that a lane (g, t) has of one matrix. Lines are the rows of A and of
/// the sums, and the columns of B.
struct Fragment {
  unsigned tiles = 0; ///< groups of 8 * ROWS lines
  unsigned rows = 1;  ///< lines that a lane has of a tile: g, and g + 8
  unsigned chunks = 0;
  unsigned piece = 1; ///< elements that a lane has of a chunk of a line
  unsigned perRegister = 1, bits = 0;
  unsigned used = 0, count = 0; ///< registers
  bool byRows = true;           ///< true: lines are rows
  Type *type = nullptr;         ///< of a register

  unsigned lines() const { return tiles * rows * kRowsInGroup; }
  unsigned length() const { return chunks * kLanesInRow * piece; }
};

/// Returns the fragment for USE (a, b, c or d) of the matrix of elements TYPE in a product of
/// SHAPE; nothing if there is no such fragment.
std::optional<Fragment> fragmentOf(LLVMContext &ctx, StringRef use, const Product &shape,
                                   StringRef type) {
  auto isShape = [&](unsigned m, unsigned n, unsigned k) {
    return shape.m == m && shape.n == n && shape.k == k;
  };
  bool ofHalves = isShape(16, 16, 16) || isShape(32, 8, 16) || isShape(8, 32, 16);
  bool isSum = use == "c" || use == "d", isB = use == "b";
  FactorType element = factorType(type);
  bool exists = false;
  if (isSum)
    exists = type == "f16"   ? ofHalves
             : type == "f32" ? ofHalves || isShape(16, 16, 8)
             : type == "f64" ? isShape(8, 8, 4)
             : type == "s32" ? ofHalves || isShape(8, 8, 32) || isShape(8, 8, 128)
                             : false;
  else if (use == "a" || isB)
    exists = element.kind == FactorType::Tf32     ? isShape(16, 16, 8)
             : element.kind == FactorType::Double ? isShape(8, 8, 4)
             : element.bits == 1                  ? isShape(8, 8, 128)
             : element.bits == 4                  ? isShape(8, 8, 32)
             : element.bits                       ? ofHalves
                                                  : false;
  if (!exists)
    return std::nullopt;
  Fragment f;
  unsigned lines = isB ? shape.n : shape.m, length = isSum ? shape.n : shape.k;
  f.bits = isSum ? (type == "f16" ? 16 : type == "f64" ? 64 : 32) : element.bits;
  f.perRegister = f.bits == 64 ? 1 : 32 / f.bits;
  f.piece = isSum ? 2 : f.perRegister;
  f.rows = isB || lines == kRowsInGroup ? 1 : 2;
  f.tiles = lines / (f.rows * kRowsInGroup);
  f.chunks = length / (kLanesInRow * f.piece);
  f.used = f.tiles * f.chunks * f.rows * f.piece / f.perRegister;
  f.count = !isSum && type == "f16" ? 8 : f.used;
  f.byRows = !isB;
  f.type = f.bits == 64             ? Type::getDoubleTy(ctx)
           : isSum && type == "f32" ? Type::getFloatTy(ctx)
                                    : static_cast<Type *>(Type::getInt32Ty(ctx));
  return f;
}

/// A matrix in memory. Its elements follow each other in lines, or STRIDE elements apart.
class MatrixInMemory {
public:
  MatrixInMemory(IRBuilder<> &b, const Fragment &f, Value *address, Value *stride, bool inLines)
      : b(b), f(f), address(address), stride(stride), inLines(inLines) {
    Value *lane = emitCall(b, VxFn::LaneId);
    g = b.CreateLShr(lane, 2);
    t = b.CreateAnd(lane, 3);
  }

  Value *load(unsigned place) {
    if (isWhole())
      return b.CreateAlignedLoad(f.type, placeOf(place, 0), Align(bytes()));
    Value *word = b.getInt32(0);
    for (unsigned i = 0; i < f.perRegister; ++i) {
      Value *one = b.CreateAlignedLoad(b.getIntNTy(f.bits), placeOf(place, i), Align(f.bits / 8));
      word = b.CreateOr(word, b.CreateShl(b.CreateZExt(one, b.getInt32Ty()), f.bits * i));
    }
    return word;
  }

  void store(unsigned place, Value *value) {
    if (isWhole()) {
      b.CreateAlignedStore(value, placeOf(place, 0), Align(bytes()));
      return;
    }
    for (unsigned i = 0; i < f.perRegister; ++i)
      b.CreateAlignedStore(b.CreateTrunc(b.CreateLShr(value, f.bits * i), b.getIntNTy(f.bits)),
                           placeOf(place, i), Align(f.bits / 8));
  }

private:
  bool isWhole() const { return inLines || f.perRegister == 1; }
  unsigned bytes() const { return f.bits == 64 ? 8 : 4; }

  /// Returns the address of element I of register PLACE.
  Value *placeOf(unsigned place, unsigned i) {
    unsigned ofPiece = f.piece / f.perRegister;
    unsigned first = place % ofPiece * f.perRegister + i;
    place /= ofPiece;
    unsigned row = place % f.rows, chunk = place / f.rows % f.chunks,
             tile = place / (f.rows * f.chunks);
    Value *line = b.CreateAdd(g, b.getInt32((tile * f.rows + row) * kRowsInGroup));
    Value *element = b.CreateAdd(b.CreateMul(t, b.getInt32(f.piece)),
                                 b.getInt32(chunk * kLanesInRow * f.piece + first));
    Value *offset = inLines ? b.CreateAdd(b.CreateMul(line, stride), element)
                            : b.CreateAdd(b.CreateMul(element, stride), line);
    offset = f.bits < 8 ? b.CreateLShr(b.CreateMul(offset, b.getInt32(f.bits)), 3)
                        : b.CreateMul(offset, b.getInt32(f.bits / 8));
    return b.CreatePtrAdd(address, b.CreateZExt(offset, b.getInt64Ty()));
  }

  IRBuilder<> &b;
  const Fragment &f;
  Value *address, *stride, *g, *t;
  bool inLines;
};

/// Emits code for wmma.load.{a,b,c}.sync.aligned.{row,col}.SHAPE{.SPACE}.TYPE r, [p]{, stride}, or
/// wmma.store.d…. [p], r{, stride}
void emitAccess(PtxContext &c, const PtxStatement &s, bool loads) {
  SmallVector<StringRef, 10> words(s.words.begin(), s.words.end());
  if (words.size() == 10 && words[7] == "shared" && words[8] == "cta")
    words.erase(&words[8]);
  Product shape;
  bool hasSpace = words.size() == 9;
  if ((words.size() != 8 && !hasSpace) || words[3] != "sync" || words[4] != "aligned" ||
      (words[5] != "row" && words[5] != "col") || !parseShape(words[6], shape) ||
      (hasSpace && words[7] != "global" && words[7] != "shared") || s.operands.size() > 3 ||
      (words[2] == "d") == loads)
    return c.failUnknown(s);
  std::optional<Fragment> f = fragmentOf(c.b.getContext(), words[2], shape, words.back());
  // Elements of less than a byte follow each other in memory as in registers.
  bool inLines = f && (words[5] == "row") == f->byRows;
  if (!f || (f->bits < 8 && !inLines))
    return c.failUnknown(s);
  ArrayRef<PtxOperand> registers = elements(s.operands[loads ? 0 : 1]);
  if (registers.size() != f->count)
    return c.fail("a list of " + Twine(f->count) + " registers expected in inline PTX");
  Value *address = c.readAddress(s.operands[loads ? 1 : 0],
                                 hasSpace && words[7] == "shared" ? kSharedAS : kGenericAS);
  Value *stride = s.operands.size() == 3 ? c.read(s.operands[2], c.b.getInt32Ty())
                                         : c.b.getInt32(inLines ? f->length() : f->lines());
  if (!c.error.empty())
    return;
  MatrixInMemory memory(c.b, *f, address, stride, inLines);
  SmallVector<Value *, 8> loaded;
  for (unsigned i = 0; i < f->used; ++i)
    if (loads)
      loaded.push_back(memory.load(i));
    else
      memory.store(i, c.read(registers[i], f->type));
  if (loads) // at last: the address may be one of the registers
    for (unsigned i = 0; i < f->count; ++i)
      c.write(registers[i], i < f->used ? loaded[i] : c.b.getInt32(0));
}

/// Emits code for wmma.mma{.OP.popc}.sync.aligned.{row,col}.{row,col}.SHAPE{.rn}.TYPES{.satfinite}
/// d, a, b, c, where TYPES are those of D, A, B and C, or for halves of D and C.
void emitWmma(PtxContext &c, const PtxStatement &s) {
  StringRef kind = s.words.size() > 1 ? StringRef(s.words[1]) : "";
  if (kind == "load" || kind == "store")
    return emitAccess(c, s, kind == "load");
  ArrayRef<std::string> words = ArrayRef(s.words).drop_front();
  auto isLayout = [](StringRef word) { return word == "row" || word == "col"; };
  Product p, shape;
  std::string operation;
  if (words.size() > 3 && (words[1] == "xor" || words[1] == "and") && words[2] == "popc") {
    p.meets = words[1] == "and";
    operation = "." + words[1] + ".popc";
    words = words.drop_front(2);
  }
  if (kind != "mma" || words.size() < 8 || words[1] != "sync" || words[2] != "aligned" ||
      !isLayout(words[3]) || !isLayout(words[4]) || !parseShape(words[5], shape) ||
      s.operands.size() != 4)
    return c.failUnknown(s);
  words = words.drop_front(6);
  p.saturates = words.back() == "satfinite";
  words = words.drop_back(p.saturates);
  bool rounds = words.front() == "rn";
  words = words.drop_front(rounds);
  bool ofHalves = words.size() == 2;
  if (!ofHalves && words.size() != 4)
    return c.failUnknown(s);
  StringRef nameA = ofHalves ? "f16" : StringRef(words[1]), nameB = ofHalves ? nameA : words[2];
  p.sum = words.front(), p.start = words.back();
  p.a = factorType(nameA), p.b = factorType(nameB);
  LLVMContext &ctx = c.b.getContext();
  std::optional<Fragment> parts[] = {
      fragmentOf(ctx, "d", shape, p.sum), fragmentOf(ctx, "a", shape, nameA),
      fragmentOf(ctx, "b", shape, nameB), fragmentOf(ctx, "c", shape, p.start)};
  bool exists = all_of(parts, [](auto &part) { return part.has_value(); });
  bool isFloat = p.sum == "f16" || p.sum == "f32";
  bool kindsAgree = p.a.isInteger() ? p.sum == "s32" && p.start == "s32" && p.b.isInteger() &&
                                          p.a.bits == p.b.bits
                                    : p.a.kind == p.b.kind && p.sum != "s32" && p.start != "s32";
  if (!exists || !kindsAgree || (ofHalves && !isFloat) || (p.saturates && !p.a.isInteger()) ||
      (p.a.kind == FactorType::Half) != ofHalves || (rounds && p.a.kind != FactorType::Double) ||
      (p.a.bits == 1) == operation.empty() || (p.a.bits < 8 && (s.has("row") != s.has("col"))))
    return c.failUnknown(s);
  p.m = parts[1]->rows * kRowsInGroup, p.n = kRowsInGroup, p.k = shape.k;
  SmallVector<Value *, 8> values[4];
  for (unsigned i = 0; i < 4; ++i) {
    ArrayRef<PtxOperand> registers = elements(s.operands[i]);
    if (registers.size() != parts[i]->count)
      return c.fail("a list of " + Twine(parts[i]->count) + " registers expected in inline PTX");
    for (unsigned j = 0; i > 0 && j < parts[i]->used; ++j)
      values[i].push_back(c.read(registers[j], parts[i]->type));
  }
  if (!c.error.empty())
    return;
  Function *f = productFunction(*c.call.getModule(), p,
                                ("mma.sync.aligned.m" + Twine(p.m) + "n8k" + Twine(p.k) +
                                 ".row.col" + (p.saturates ? ".satfinite." : ".") + p.sum + "." +
                                 nameA + "." + nameB + "." + p.start + operation)
                                    .str());
  for (unsigned row = 0; row < parts[1]->tiles; ++row)
    for (unsigned column = 0; column < parts[2]->tiles; ++column) {
      SmallVector<Value *, 16> args;
      unsigned pair = row * parts[2]->tiles + column;
      auto take = [&](unsigned i, unsigned count, unsigned tile) {
        append_range(args, ArrayRef(values[i]).slice(count * tile, count));
      };
      take(1, p.rows() * p.chunks(), row);
      take(2, p.chunks(), column);
      take(3, p.sums(p.start), pair);
      Value *sums = emitProduct(c.b, *f, args);
      for (unsigned i = 0; i < p.sums(p.sum); ++i)
        values[0].push_back(c.b.CreateExtractValue(sums, i));
    }
  for (auto [to, value] : zip(elements(s.operands[0]), values[0]))
    c.write(to, value);
}

constexpr PtxInstruction kWmmaInstructions[] = {
    {"wmma", 2, emitWmma, true, ""},
};

} // namespace

ArrayRef<PtxInstruction> ptxWmmaInstructions() {
  return kWmmaInstructions;
}

} // namespace vx::import
