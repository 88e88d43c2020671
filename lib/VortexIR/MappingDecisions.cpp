// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/MappingDecisions.h"
#include "lib/VortexIR/DisplayName.h"
#include "lib/VortexIR/IRNames.h"
#include "lib/VortexIR/KernelInfo.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {

static StringRef textOf(const MDNode &node, unsigned operand) {
  const auto *text = dyn_cast_or_null<MDString>(node.getOperand(operand));
  return text ? text->getString() : StringRef();
}

MappingDecisions::MappingDecisions(const Module &m) {
  const NamedMDNode *table = m.getNamedMetadata(kMappingsMetadata);
  if (!table)
    return;
  for (const MDNode *node : table->operands()) {
    if (node->getNumOperands() == 0 || textOf(*node, 0).empty())
      continue;
    MappingDecision &decision = kernels[textOf(*node, 0).str()];
    for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2)
      for (const abi::MappingInfo &mapping : abi::kMappings)
        if (textOf(*node, i) == mapping.name)
          decision.forbid(mapping.mapping, textOf(*node, i + 1));
  }
}

MappingDecision &MappingDecisions::of(const Function &kernel) {
  return kernels[sourceNameOf(kernel).str()];
}

void MappingDecisions::write(Module &m) const {
  LLVMContext &ctx = m.getContext();
  NamedMDNode *table = m.getOrInsertNamedMetadata(kMappingsMetadata);
  table->clearOperands();
  for (const auto &[name, decision] : kernels) {
    SmallVector<Metadata *, 12> ops = {MDString::get(ctx, name)};
    for (const abi::MappingInfo &mapping : abi::kMappings)
      if (const auto &why = decision.reasons[static_cast<uint32_t>(mapping.mapping)])
        ops.append({MDString::get(ctx, mapping.name), MDString::get(ctx, *why)});
    table->addOperand(MDNode::get(ctx, ops));
  }
}

void MappingDecisions::print(raw_ostream &os) const {
  for (const auto &[name, decision] : kernels) {
    os << "mappings of '" << displayName(name) << "':\n";
    for (const abi::MappingInfo &mapping : abi::kMappings) {
      const auto &why = decision.reasons[static_cast<uint32_t>(mapping.mapping)];
      os << "  " << mapping.name << ": "
         << (!why           ? "undecided"
             : why->empty() ? "yes"
                            : "no: " + *why)
         << "\n";
    }
  }
}

} // namespace vx
