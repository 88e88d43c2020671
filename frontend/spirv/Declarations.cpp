// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/spirv/Declarations.h"
#include "llvm/ADT/STLExtras.h"
#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

/// Returns the smallest id of MAP for whose entry IS holds; 0 if there is none.
template <typename T, typename F> uint32_t findId(const DenseMap<uint32_t, T> &map, F is) {
  uint32_t found = 0;
  for (const auto &[id, entry] : map)
    if (is(entry) && (!found || id < found))
      found = id;
  return found;
}

} // namespace

Declarations::Declarations(const Words &module) {
  forEachInstruction(module, [&](const SpvInstruction &i) { enter(i.opcode, i.operands); });
}

void Declarations::enter(unsigned opcode, ArrayRef<uint32_t> o) {
  auto op = static_cast<spv::Op>(opcode);
  bool hasResult = false, hasType = false;
  spv::HasResultAndType(op, &hasResult, &hasType);
  if (hasResult && hasType && o.size() >= 2 && isId(o[1]))
    values[o[1]] = o[0];
  if (op == spv::Op::OpConstant && o.size() == 3 && isId(o[1]))
    constants[o[1]] = o[2];
  auto has = [&](size_t operands) { return o.size() >= operands && isId(o[0]); };
  switch (op) {
  case spv::Op::OpExtInstImport:
    if (has(2))
      imports[readString(o.drop_front()).first] = o[0];
    break;
  case spv::Op::OpTypeVoid:
    if (has(1))
      voidType = o[0];
    break;
  case spv::Op::OpTypeBool:
    if (has(1))
      scalars[o[0]] = {ScalarType::Bool, 1};
    break;
  case spv::Op::OpTypeInt:
    if (has(2))
      scalars[o[0]] = {ScalarType::Int, o[1]};
    break;
  case spv::Op::OpTypeFloat:
    if (has(2))
      scalars[o[0]] = {ScalarType::Float, o[1]};
    break;
  case spv::Op::OpTypeVector:
    if (has(3))
      vectors[o[0]] = {o[1], o[2]};
    break;
  case spv::Op::OpTypeArray:
    if (has(3))
      arrays[o[0]] = o[1];
    break;
  case spv::Op::OpTypePointer:
    if (has(3))
      pointers[o[0]] = {o[1], o[2]};
    break;
  case spv::Op::OpTypeStruct:
    if (has(2))
      firstMembers[o[0]] = o[1];
    break;
  case spv::Op::OpDecorate:
    if (has(3) && o[1] == static_cast<uint32_t>(spv::Decoration::SpecId))
      specIds[o[2]] = o[0];
    break;
  case spv::Op::OpSpecConstant:
  case spv::Op::OpSpecConstantTrue:
  case spv::Op::OpSpecConstantFalse:
  case spv::Op::OpSpecConstantComposite:
  case spv::Op::OpSpecConstantOp:
    hasSpecConstants = true;
    break;
  default:
    break;
  }
}

std::optional<uint32_t> Declarations::constantOf(uint32_t id) const {
  auto type = isId(id) ? scalars.find(values.lookup(id)) : scalars.end();
  auto found = isId(id) ? constants.find(id) : constants.end();
  if (found == constants.end() || type == scalars.end() || type->second.kind != ScalarType::Int)
    return std::nullopt;
  return found->second;
}

unsigned Declarations::widthOf(uint32_t type) const {
  auto vector = vectors.find(type);
  return scalars.lookup(vector == vectors.end() ? type : vector->second.element).bits;
}

uint32_t Declarations::findScalar(ScalarType::Kind kind, unsigned bits) const {
  return findId(scalars, [&](const ScalarType &t) { return t.kind == kind && t.bits == bits; });
}

uint32_t Declarations::findVector(uint32_t element, uint32_t count) const {
  return findId(vectors, [&](const Vector &v) { return v.element == element && v.count == count; });
}

uint32_t Declarations::findPointer(uint32_t storage, uint32_t pointee) const {
  return findId(pointers,
                [&](const Pointer &p) { return p.storage == storage && p.pointee == pointee; });
}

void Rewriter::run(function_ref<void(const SpvInstruction &)> visit) {
  result.assign(module.begin(), module.begin() + kHeaderWords);
  // The place of each list in the result: in front of the first instruction that it must not
  // follow.
  size_t importsAt = 0, stringsAt = 0, globalsAt = 0;
  forEachInstruction(module, [&](const SpvInstruction &i) {
    auto opcode = static_cast<spv::Op>(i.opcode);
    if (!importsAt && opcode == spv::Op::OpMemoryModel)
      importsAt = result.size();
    if (!stringsAt && !isBeforeNames(i.opcode))
      stringsAt = result.size();
    if (!globalsAt && opcode == spv::Op::OpFunction)
      globalsAt = result.size();
    visit(i);
  });
  // The last one goes first, as each moves what follows it.
  for (auto [at, list] :
       {std::pair(globalsAt, &globals), {stringsAt, &strings}, {importsAt, &imports}})
    result.insert(result.begin() + static_cast<ptrdiff_t>(at ? at : result.size()), list->begin(),
                  list->end());
  module = std::move(result);
  module[3] = bound;
}

uint32_t Rewriter::declare(Words &list, spv::Op opcode, uint32_t type, ArrayRef<uint32_t> operands,
                           uint32_t id) {
  Words words;
  if (type)
    words.push_back(type);
  words.push_back(id ? id : newId());
  uint32_t made = words.back();
  append_range(words, operands);
  append(list, number(opcode), words);
  declarations.enter(number(opcode), words);
  return made;
}

uint32_t Rewriter::add(spv::Op opcode, uint32_t type, ArrayRef<uint32_t> operands, uint32_t id) {
  return declare(result, opcode, type, operands, id);
}

uint32_t Rewriter::addGlobal(spv::Op opcode, uint32_t type, ArrayRef<uint32_t> operands) {
  return declare(globals, opcode, type, operands, 0);
}

uint32_t Rewriter::addString(StringRef text) {
  return declare(strings, spv::Op::OpString, 0, stringWords(text), 0);
}

uint32_t Rewriter::import(StringRef name) {
  uint32_t id = declarations.imports.lookup(name);
  return id ? id : declare(imports, spv::Op::OpExtInstImport, 0, stringWords(name), 0);
}

} // namespace vx::spirv
