// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Composites of values that are not constants, which the translator fails on, put together one
// constituent at a time:
//
//                                                %0 = OpUndef %pair
//   %r = OpCompositeConstruct %pair %a %b  ──►   %1 = OpCompositeInsert %pair %a %0 0
//                                                %r = OpCompositeInsert %pair %b %1 1
//
// A constituent of a vector may be a vector, whose elements are taken out first.

#include "doors/spirv/Normalize.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

class Composites {
public:
  explicit Composites(Words &module) : module(module), bound(module[3]) {}

  void run() {
    result.assign(module.begin(), module.begin() + kHeaderWords);
    forEachInstruction(module, [&](const Instruction &i) {
      bool hasResult = false, hasType = false;
      spv::HasResultAndType(static_cast<spv::Op>(i.opcode), &hasResult, &hasType);
      if (hasResult && hasType)
        types[i.operands[1]] = i.operands[0];
      if (i.opcode == number(spv::Op::OpTypeVector))
        vectors[i.operands[0]] = {i.operands[1], i.operands[2]};
      if (i.opcode == number(spv::Op::OpCompositeConstruct))
        construct(i.operands[0], i.operands[1], i.operands.drop_front(2));
      else
        append_range(result, i.words);
    });
    module = std::move(result);
    module[3] = bound;
  }

private:
  struct Vector {
    uint32_t element, count;
  };

  void construct(uint32_t type, uint32_t id, ArrayRef<uint32_t> constituents) {
    Words parts;
    bool isVector = vectors.contains(type);
    for (uint32_t constituent : constituents) {
      auto vector = vectors.find(types.lookup(constituent));
      if (!isVector || vector == vectors.end()) {
        parts.push_back(constituent);
        continue;
      }
      for (uint32_t i = 0; i != vector->second.count; ++i) {
        append(result, number(spv::Op::OpCompositeExtract),
               {vector->second.element, bound, constituent, i});
        parts.push_back(bound++);
      }
    }
    uint32_t whole = bound++;
    append(result, number(spv::Op::OpUndef), {type, whole});
    for (auto [i, part] : enumerate(parts)) {
      uint32_t next = i + 1 == parts.size() ? id : bound++;
      append(result, number(spv::Op::OpCompositeInsert),
             {type, next, part, whole, static_cast<uint32_t>(i)});
      whole = next;
    }
    if (parts.empty()) // a structure without members
      result[result.size() - 1] = id;
  }

  Words &module;
  Words result;
  uint32_t bound;
  DenseMap<uint32_t, uint32_t> types; // of values
  DenseMap<uint32_t, Vector> vectors;
};

} // namespace

void expandComposites(Words &module) {
  Composites(module).run();
}

} // namespace vx::spirv
