// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "doors/spirv/Normalize.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include <spirv-tools/optimizer.hpp>
#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.hpp11>
#include <unordered_map>

using namespace llvm;

namespace vx::spirv {
namespace {

/// The scalar types of a module, by id.
struct ScalarType {
  enum Kind { Bool, Int, Float } kind;
  unsigned bits;
};

struct Facts {
  DenseMap<uint32_t, ScalarType> scalars;
  DenseMap<uint32_t, uint32_t> specIds;   ///< SpecId -> result id
  DenseMap<uint32_t, uint32_t> specTypes; ///< result id -> type
  bool hasSpecConstants = false;
  bool hasNonSemantic = false;
};

Facts collectFacts(const Words &module) {
  Facts facts;
  forEachInstruction(module, [&](const Instruction &i) {
    switch (static_cast<spv::Op>(i.opcode)) {
    case spv::Op::OpTypeBool:
      facts.scalars[i.operands[0]] = {ScalarType::Bool, 1};
      break;
    case spv::Op::OpTypeInt:
      facts.scalars[i.operands[0]] = {ScalarType::Int, i.operands[1]};
      break;
    case spv::Op::OpTypeFloat:
      facts.scalars[i.operands[0]] = {ScalarType::Float, i.operands[1]};
      break;
    case spv::Op::OpDecorate:
      if (i.operands[1] == static_cast<uint32_t>(spv::Decoration::SpecId))
        facts.specIds[i.operands[2]] = i.operands[0];
      break;
    case spv::Op::OpSpecConstant:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse:
      facts.specTypes[i.operands[1]] = i.operands[0];
      [[fallthrough]];
    case spv::Op::OpSpecConstantComposite:
    case spv::Op::OpSpecConstantOp:
      facts.hasSpecConstants = true;
      break;
    case spv::Op::OpExtInstImport:
      facts.hasNonSemantic |=
          StringRef(readString(i.operands.drop_front()).first).starts_with("NonSemantic.");
      break;
    default:
      break;
    }
  });
  return facts;
}

/// TEXT as the words of a constant of type TYPE, or nothing if it is not a number of it.
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

/// Runs SPIRV-Tools' optimizer for what it is best at.
std::optional<std::string> runOptimizer(Words &module, const Facts &facts,
                                        const SpecConstants &constants) {
  std::unordered_map<uint32_t, std::vector<uint32_t>> values;
  for (const auto &[specId, text] : constants) {
    auto found = facts.specIds.find(specId);
    if (found == facts.specIds.end())
      return "there is no specialization constant with SpecId " + utostr(specId);
    auto type = facts.scalars.find(facts.specTypes.lookup(found->second));
    if (type == facts.scalars.end())
      return "the constant with SpecId " + utostr(specId) + " is no scalar";
    auto bits = bitsOf(text, type->second);
    if (!bits)
      return "'" + text + "' is no value for the constant with SpecId " + utostr(specId);
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
  if (facts.hasSpecConstants)
    optimizer.RegisterPass(spvtools::CreateFreezeSpecConstantValuePass())
        .RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass());
  if (facts.hasNonSemantic)
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
void rewriteShifts(Words &module, const Facts &facts) {
  DenseMap<uint32_t, uint32_t> types, elements; // of values; of vector types
  auto widthOf = [&](uint32_t type) {
    auto element = elements.find(type);
    auto scalar = facts.scalars.find(element == elements.end() ? type : element->second);
    return scalar == facts.scalars.end() ? 0 : scalar->second.bits;
  };
  Words result(module.begin(), module.begin() + kHeaderWords);
  uint32_t bound = module[3];
  forEachInstruction(module, [&](const Instruction &i) {
    bool hasResult = false, hasType = false;
    spv::HasResultAndType(static_cast<spv::Op>(i.opcode), &hasResult, &hasType);
    if (hasResult && hasType)
      types[i.operands[1]] = i.operands[0];
    Words words(i.words.begin(), i.words.end());
    switch (static_cast<spv::Op>(i.opcode)) {
    case spv::Op::OpTypeVector:
      elements[i.operands[0]] = i.operands[1];
      break;
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic: {
      uint32_t type = i.operands[0], shift = i.operands[3];
      if (widthOf(type) == widthOf(types.lookup(shift)))
        break;
      append(result, static_cast<unsigned>(spv::Op::OpUConvert), {type, bound, shift});
      words[4] = bound++;
      break;
    }
    default:
      break;
    }
    result.insert(result.end(), words.begin(), words.end());
  });
  module = std::move(result);
  module[3] = bound;
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

void rewriteNulls(Words &module) {
  Facts facts = collectFacts(module);
  Words result(module.begin(), module.begin() + kHeaderWords);
  forEachInstruction(module, [&](const Instruction &i) {
    auto type = facts.scalars.end();
    if (i.opcode == static_cast<unsigned>(spv::Op::OpConstantNull))
      type = facts.scalars.find(i.operands[0]);
    if (type == facts.scalars.end()) {
      result.insert(result.end(), i.words.begin(), i.words.end());
    } else if (type->second.kind == ScalarType::Bool) {
      append(result, static_cast<unsigned>(spv::Op::OpConstantFalse), i.operands);
    } else {
      Words operands(i.operands.begin(), i.operands.end());
      operands.resize(2 + (type->second.bits == 64 ? 2 : 1));
      append(result, static_cast<unsigned>(spv::Op::OpConstant), operands);
    }
  });
  module = std::move(result);
}

std::optional<std::string> normalize(Words &module, const SpecConstants &constants) {
  Facts facts = collectFacts(module);
  if (facts.hasSpecConstants || facts.hasNonSemantic || !constants.empty()) {
    if (auto problem = runOptimizer(module, facts, constants))
      return problem;
    facts = collectFacts(module);
  }
  rewriteNulls(module);
  rewriteShifts(module, facts);
  expandExtendedArithmetic(module);
  expandComposites(module);
  addLineScopes(module);
  module[1] = std::min(module[1], kNewestVersion);
  return std::nullopt;
}

} // namespace vx::spirv
