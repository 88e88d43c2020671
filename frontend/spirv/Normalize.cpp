// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/spirv/Normalize.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include <spirv-tools/optimizer.hpp>
#include <spirv/unified1/spirv.hpp11>
#include <unordered_map>

using namespace llvm;

namespace vx::spirv {
namespace {

/// Returns TEXT as the words of a constant of type TYPE, or nothing if it is not a number of it.
std::optional<std::vector<uint32_t>> bitsOf(StringRef text, ScalarType type) {
  uint64_t bits = 0;
  bool isBits = text.starts_with_insensitive("0x");
  if (type.kind == ScalarType::Float && !isBits) {
    const fltSemantics &semantics = type.bits == 16   ? APFloat::IEEEhalf()
                                    : type.bits == 64 ? APFloat::IEEEdouble()
                                                      : APFloat::IEEEsingle();
    APFloat value(semantics);
    auto status = value.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      consumeError(status.takeError());
      return std::nullopt;
    }
    bits = value.bitcastToAPInt().getZExtValue();
  } else if (text.starts_with("-")) {
    int64_t value = 0;
    if (text.getAsInteger(0, value))
      return std::nullopt;
    bits = static_cast<uint64_t>(value);
  } else if (text.getAsInteger(0, bits)) {
    return std::nullopt;
  }
  if (type.bits == 64)
    return std::vector<uint32_t>{static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
  return std::vector<uint32_t>{static_cast<uint32_t>(bits)};
}

bool hasNonSemantic(const Declarations &declarations) {
  return any_of(declarations.imports,
                [](const auto &import) { return import.getKey().starts_with("NonSemantic."); });
}

/// Runs SPIRV-Tools' optimizer for what it is best at.
std::optional<std::string> runOptimizer(Words &module, const Declarations &declarations,
                                        const SpecConstants &constants) {
  std::unordered_map<uint32_t, std::vector<uint32_t>> values;
  for (const auto &[specId, text] : constants) {
    auto found = declarations.specIds.find(specId);
    if (found == declarations.specIds.end())
      return "there is no specialization constant with SpecId " + utostr(specId);
    auto type = declarations.scalars.find(declarations.typeOf(found->second));
    if (type == declarations.scalars.end())
      return "the constant with SpecId " + utostr(specId) + " is not a scalar";
    auto bits = bitsOf(text, type->second);
    if (!bits)
      return "'" + text + "' is not a value for the constant with SpecId " + utostr(specId);
    values[specId] = std::move(*bits);
  }
  spvtools::Optimizer optimizer(SPV_ENV_UNIVERSAL_1_6);
  std::string error;
  optimizer.SetMessageConsumer(
      [&](spv_message_level_t level, const char *, const spv_position_t &, const char *text) {
        if (level <= SPV_MSG_ERROR && error.empty())
          error = text;
      });
  if (!values.empty())
    optimizer.RegisterPass(spvtools::CreateSetSpecConstantDefaultValuePass(values));
  if (declarations.hasSpecConstants)
    optimizer.RegisterPass(spvtools::CreateFreezeSpecConstantValuePass())
        .RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass());
  if (hasNonSemantic(declarations))
    optimizer.RegisterPass(spvtools::CreateStripNonSemanticInfoPass());
  spvtools::OptimizerOptions options;
  options.set_run_validator(false); // that has been done
  Words result;
  if (!optimizer.Run(module.data(), module.size(), &result, options))
    return "specialization constants cannot be given their values" +
           (error.empty() ? "" : ": " + error);
  module = std::move(result);
  return std::nullopt;
}

/// Gives the second operand of a shift the width of the first, as LLVM wants it: SPIR-V leaves
/// them to differ.
void rewriteShifts(Words &module, Declarations &declarations) {
  constexpr unsigned kShifts[] = {number(spv::Op::OpShiftLeftLogical),
                                  number(spv::Op::OpShiftRightLogical),
                                  number(spv::Op::OpShiftRightArithmetic)};
  Rewriter out(module, declarations);
  out.run([&](const SpvInstruction &i) {
    if (!is_contained(kShifts, i.opcode))
      return out.keep(i);
    Words operands(i.operands.begin(), i.operands.end());
    uint32_t type = operands[0], &shift = operands[3];
    if (declarations.widthOf(type) != declarations.widthOf(declarations.typeOf(shift)))
      shift = out.add(spv::Op::OpUConvert, type, {shift});
    out.emit(i.opcode, operands);
  });
}

/// Gives the stride of a copy by a work-group the width of the number of elements, which is that of
/// size_t: LLVM's back end writes 32 bits for async_work_group_copy().
void widenStrides(Words &module, Declarations &declarations) {
  Rewriter out(module, declarations);
  out.run([&](const SpvInstruction &i) {
    if (i.opcode != number(spv::Op::OpGroupAsyncCopy))
      return out.keep(i);
    Words operands(i.operands.begin(), i.operands.end());
    uint32_t type = declarations.typeOf(operands[5]), &stride = operands[6];
    if (declarations.widthOf(type) != declarations.widthOf(declarations.typeOf(stride)))
      stride = out.add(spv::Op::OpUConvert, type, {stride});
    out.emit(i.opcode, operands);
  });
}

/// Writes execution modes whose numbers are constants with their numbers.
void rewriteExecutionModes(Words &module, Declarations &declarations) {
  auto plain = [](uint32_t mode) -> std::optional<spv::ExecutionMode> {
    switch (static_cast<spv::ExecutionMode>(mode)) {
    case spv::ExecutionMode::LocalSizeId:
      return spv::ExecutionMode::LocalSize;
    case spv::ExecutionMode::LocalSizeHintId:
      return spv::ExecutionMode::LocalSizeHint;
    case spv::ExecutionMode::SubgroupsPerWorkgroupId:
      return spv::ExecutionMode::SubgroupsPerWorkgroup;
    default:
      return std::nullopt;
    }
  };
  Rewriter out(module, declarations);
  out.run([&](const SpvInstruction &i) {
    if (i.opcode != number(spv::Op::OpExecutionModeId) || !plain(i.operands[1]))
      return out.keep(i);
    Words operands = {i.operands[0], static_cast<uint32_t>(*plain(i.operands[1]))};
    for (uint32_t id : i.operands.drop_front(2)) {
      auto value = declarations.constantOf(id);
      if (!value)
        return out.keep(i);
      operands.push_back(*value);
    }
    out.emit(number(spv::Op::OpExecutionMode), operands);
  });
}

/// The newest version that the translator reads. What later ones have added are extensions that it
/// knows or names as unknown.
constexpr uint32_t kNewestVersion = 0x10400;

} // namespace

bool addSpecConstant(SpecConstants &constants, StringRef text) {
  auto [id, value] = text.split('=');
  uint32_t number = 0;
  if (id.getAsInteger(0, number) || value.empty())
    return false;
  constants[number] = value.str();
  return true;
}

void rewriteNulls(Words &module, Declarations &declarations) {
  Rewriter out(module, declarations);
  out.run([&](const SpvInstruction &i) {
    ScalarType type;
    if (i.opcode == number(spv::Op::OpConstantNull) && i.operands.size() == 2 &&
        Declarations::isId(i.operands[0]))
      type = declarations.scalars.lookup(i.operands[0]);
    if (type.kind == ScalarType::None)
      return out.keep(i);
    Words value(type.kind == ScalarType::Bool ? 0 : type.bits == 64 ? 2 : 1);
    out.add(value.empty() ? spv::Op::OpConstantFalse : spv::Op::OpConstant, i.operands[0], value,
            i.operands[1]);
  });
}

std::optional<std::string> normalize(Words &module, const SpecConstants &constants) {
  Declarations declarations(module);
  if (declarations.hasSpecConstants || hasNonSemantic(declarations) || !constants.empty()) {
    if (auto problem = runOptimizer(module, declarations, constants))
      return problem;
    declarations = Declarations(module);
  }
  rewriteNulls(module, declarations);
  rewriteShifts(module, declarations);
  widenStrides(module, declarations);
  rewriteExecutionModes(module, declarations);
  expandPointerOperations(module, declarations);
  expandExtendedArithmetic(module, declarations);
  expandComposites(module, declarations);
  addLineScopes(module, declarations);
  module[1] = std::min(module[1], kNewestVersion);
  return std::nullopt;
}

} // namespace vx::spirv
