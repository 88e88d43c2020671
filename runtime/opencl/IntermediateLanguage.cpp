// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs from SPIR-V. The compiler reads it; the platform looks at no more than the header and
// at which specialization constants there are.

#include "runtime/opencl/Api.h"
#include "runtime/opencl/Program.h"
#include <cstring>

using namespace vx::cl;

namespace {

constexpr uint32_t kMagic = 0x07230203, kHeaderWords = 5;

/// The words of a module in the order of this machine; empty if BYTES are none.
std::vector<uint32_t> wordsOf(const std::string &bytes) {
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  if (bytes.size() % 4 || words.size() < kHeaderWords)
    return {};
  if (words[0] == __builtin_bswap32(kMagic))
    for (uint32_t &word : words)
      word = __builtin_bswap32(word);
  return words[0] == kMagic ? words : std::vector<uint32_t>();
}

/// Bytes of the specialization constant SPEC_ID in WORDS; 0 if there is none. A bool is one byte.
size_t sizeOfConstant(const std::vector<uint32_t> &words, uint32_t specId) {
  enum { OpTypeBool = 20, OpTypeInt, OpTypeFloat };
  enum { OpSpecConstantTrue = 48, OpSpecConstantFalse, OpSpecConstant, OpDecorate = 71 };
  constexpr uint32_t kSpecId = 1;
  std::map<uint32_t, size_t> sizes; // of scalar types
  uint32_t constant = 0;            // decorations stand before types and constants
  for (size_t at = kHeaderWords; at < words.size();) {
    size_t count = words[at] >> 16;
    if (!count || count > words.size() - at)
      return 0;
    const uint32_t *w = &words[at];
    switch (w[0] & 0xffff) {
    case OpDecorate:
      if (count == 4 && w[2] == kSpecId && w[3] == specId)
        constant = w[1];
      break;
    case OpTypeBool:
      if (count == 2)
        sizes[w[1]] = 1;
      break;
    case OpTypeInt:
    case OpTypeFloat:
      if (count >= 3)
        sizes[w[1]] = w[2] / 8;
      break;
    case OpSpecConstantTrue:
    case OpSpecConstantFalse:
    case OpSpecConstant:
      if (count >= 3 && constant && w[2] == constant)
        return sizes[w[1]];
      break;
    default:
      break;
    }
    at += count;
  }
  return 0;
}

} // namespace

bool vx::cl::isIntermediateLanguage(const std::string &bytes) {
  return !intermediateLanguages().empty() && !wordsOf(bytes).empty();
}

std::vector<cl_name_version> vx::cl::intermediateLanguages() {
  std::vector<cl_name_version> list;
#ifdef VX_HAS_SPIRV
  for (int minor = 0; minor <= 4; ++minor)
    list.push_back({cl_version(CL_MAKE_VERSION(1, minor, 0)), "SPIR-V"});
#endif
  return list;
}

std::string vx::cl::intermediateLanguageNames() {
  std::string names;
  for (const cl_name_version &il : intermediateLanguages())
    names += (names.empty() ? "" : " ") + std::string(il.name) + "_" +
             std::to_string(CL_VERSION_MAJOR(il.version)) + "." +
             std::to_string(CL_VERSION_MINOR(il.version));
  return names;
}

extern "C" cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il,
                                                        size_t length, cl_int *code) {
  if (!isValid(context))
    return result<_cl_program>(code, CL_INVALID_CONTEXT);
  if (intermediateLanguages().empty())
    return result<_cl_program>(code, CL_INVALID_OPERATION);
  if (!il || !length)
    return result<_cl_program>(code, CL_INVALID_VALUE);
  std::string bytes(static_cast<const char *>(il), length);
  if (!isIntermediateLanguage(bytes))
    return result<_cl_program>(code, CL_INVALID_VALUE);
  auto *program = new _cl_program(context);
  program->il = std::move(bytes);
  return result(code, CL_SUCCESS, program);
}

VX_CL clSetProgramSpecializationConstant(cl_program program, cl_uint id, size_t size,
                                         const void *value) {
  if (!isValid(program) || program->il.empty())
    return CL_INVALID_PROGRAM;
  size_t expected = sizeOfConstant(wordsOf(program->il), id);
  if (!expected)
    return CL_INVALID_SPEC_ID;
  if (!value || size != expected || size > sizeof(uint64_t))
    return CL_INVALID_VALUE;
  uint64_t bits = 0;
  std::memcpy(&bits, value, size);
  program->specConstants[id] = bits;
  return CL_SUCCESS;
}
