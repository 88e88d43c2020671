// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Validation by SPIRV-Tools, and what this reader asks for in addition.

#include "frontend/spirv/Validate.h"
#include "llvm/ADT/StringExtras.h"
#include <memory>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

constexpr spv_target_env kEnvironments[] = {
    SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
    SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};

std::string describe(const SpvInstruction &i) {
  return "instruction " + utostr(i.number) + " (" + nameOfOpcode(i.opcode) + ")";
}

/// Describes instruction NUMBER of MODULE, which may be damaged there; 0 stands for the module as a
/// whole.
std::string describeAt(const Words &module, size_t number) {
  std::string result;
  size_t last = 0;
  forEachInstruction(module, [&](const SpvInstruction &i) {
    last = i.number;
    if (i.number == number)
      result = describe(i);
  });
  if (!number)
    return "at the end, after instruction " + utostr(last);
  return result.empty() ? "instruction " + utostr(number) : result;
}

struct Destroy {
  void operator()(spv_diagnostic d) const { spvDiagnosticDestroy(d); }
  void operator()(spv_context c) const { spvContextDestroy(c); }
  void operator()(spv_validator_options o) const { spvValidatorOptionsDestroy(o); }
};
template <typename T> using Owned = std::unique_ptr<std::remove_pointer_t<T>, Destroy>;

/// Returns the first error that SPIRV-Tools finds.
std::optional<std::string> findInvalid(const Words &module, spv_target_env environment) {
  Owned<spv_context> context(spvContextCreate(environment));
  Owned<spv_validator_options> options(spvValidatorOptionsCreate());
  spv_const_binary_t binary = {module.data(), module.size()};
  spv_diagnostic raw = nullptr;
  spv_result_t valid = spvValidateWithOptions(context.get(), options.get(), &binary, &raw);
  Owned<spv_diagnostic> diagnostic(raw);
  if (valid == SPV_SUCCESS)
    return std::nullopt;
  std::string place = describeAt(module, raw ? raw->position.index : 0);
  // The instruction as text is the second line.
  return place + ": " + StringRef(raw && raw->error ? raw->error : "not valid").rtrim().str();
}

/// Returns what makes a valid module something other than an OpenCL kernel module.
std::optional<std::string> findUnsupported(const Words &module) {
  std::optional<std::string> problem;
  bool hasKernel = false;
  forEachInstruction(module, [&](const SpvInstruction &i) {
    if (problem)
      return;
    auto is = [&](auto value, unsigned operand) {
      return i.operands[operand] == static_cast<uint32_t>(value);
    };
    switch (static_cast<spv::Op>(i.opcode)) {
    case spv::Op::OpCapability:
      hasKernel |= is(spv::Capability::Kernel, 0);
      if (is(spv::Capability::Shader, 0))
        problem = describe(i) + ": this is a module for graphics; a kernel module is needed";
      break;
    case spv::Op::OpMemoryModel:
      if (!is(spv::AddressingModel::Physical64, 0))
        problem = describe(i) + ": pointers must have 64 bits (Physical64), as they have on the "
                                "devices";
      else if (!is(spv::MemoryModel::OpenCL, 1))
        problem = describe(i) + ": the memory model must be OpenCL's";
      break;
    case spv::Op::OpEntryPoint:
      if (!is(spv::ExecutionModel::Kernel, 0))
        problem = describe(i) + ": an entry point must be a kernel";
      break;
    default:
      break;
    }
  });
  if (!problem && !hasKernel)
    problem = "capability Kernel is missing: this is not a module of OpenCL kernels";
  return problem;
}

} // namespace

std::optional<std::string> findProblem(const Words &module) {
  std::optional<unsigned> minor = minorVersion(module);
  if (!minor || *minor >= std::size(kEnvironments))
    return "header: SPIR-V 1.0 to 1.6 can be read, not version word 0x" +
           utohexstr(module[1], /*LowerCase=*/true);
  if (auto problem = findInvalid(module, kEnvironments[*minor]))
    return problem;
  return findUnsupported(module);
}

} // namespace vx::spirv
