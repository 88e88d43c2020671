// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/KernelParams.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

constexpr StringLiteral kName = "name", kMapping = "mapping", kParams = "params";

/// A row of KernelFields.def with a number, by its name in metadata.
struct Number {
  StringLiteral name;
  uint32_t abi::KernelRecord::*field;
  StringLiteral attribute; ///< of the kernel
};
constexpr Number kNumbers[] = {
#define KERNEL_FIELD(NAME, ATTRIBUTE, TEXT) {#NAME, &abi::KernelRecord::NAME, ATTRIBUTE},
#include "intrinsics/abi/KernelFields.def"
};

struct Flag {
  abi::KernelFlags flag;
  StringLiteral word;
  StringLiteral attribute; ///< of the kernel
};
constexpr Flag kFlags[] = {
#define KERNEL_FLAG(NAME, BIT, WORD, TEXT) {abi::kKernel##NAME, WORD, "vx-" WORD},
#include "intrinsics/abi/KernelFields.def"
};

struct Entry {
  StringLiteral name;
  Function *KernelInfo::*function;
};
constexpr Entry kEntries[] = {
    {"directEntry", &KernelInfo::direct},
    {"chunkedEntry", &KernelInfo::chunked},
};

/// Returns true for fields that metadata spells out row by row.
bool isSpelledOut(uint32_t abi::KernelRecord::*field) {
  return field == &abi::KernelRecord::flags || field == &abi::KernelRecord::mappings;
}

/// Reads one node: pairs of a name and a value.
class NodeReader {
public:
  explicit NodeReader(const MDNode &node) : node(node) {}

  bool read(KernelInfo &info) {
    if (node.getNumOperands() % 2)
      return fail("a name has no value");
    for (unsigned i = 0; i < node.getNumOperands(); i += 2) {
      const auto *key = dyn_cast_or_null<MDString>(node.getOperand(i));
      if (!key)
        return fail("operand " + Twine(i) + " is not a name");
      if (!readPair(info, key->getString(), node.getOperand(i + 1)))
        return false;
    }
    if (info.name.empty())
      return fail("it has no name");
    if (!info.direct || !info.chunked)
      return fail("kernel '" + info.name + "' lacks an entry");
    return true;
  }

  /// The problem of the node.
  std::string problem;

private:
  bool fail(const Twine &what) {
    problem = what.str();
    return false;
  }

  static std::optional<uint64_t> numberIn(const Metadata *value) {
    const auto *c = mdconst::dyn_extract_or_null<ConstantInt>(value);
    return c ? std::optional(c->getZExtValue()) : std::nullopt;
  }

  bool readPair(KernelInfo &info, StringRef key, Metadata *value) {
    if (key == kName || key == kMapping)
      return readWord(info, key, dyn_cast_or_null<MDString>(value));
    if (key == kParams)
      return readParams(info, dyn_cast_or_null<MDNode>(value));
    for (const Entry &entry : kEntries)
      if (key == entry.name) {
        info.*entry.function = mdconst::dyn_extract_or_null<Function>(value);
        return info.*entry.function || fail("'" + key + "' is not a function");
      }
    std::optional<uint64_t> number = numberIn(value);
    if (!number)
      return fail("'" + key + "' is not a number");
    for (const Flag &flag : kFlags)
      if (key == flag.word) {
        info.set(flag.flag, *number != 0);
        return true;
      }
    for (const Number &row : kNumbers)
      if (key == row.name && !isSpelledOut(row.field)) {
        info.record.*row.field = static_cast<uint32_t>(*number);
        return true;
      }
    return fail("'" + key + "' is not a fact of a kernel (KernelFields.def)");
  }

  bool readWord(KernelInfo &info, StringRef key, const MDString *word) {
    if (!word)
      return fail("'" + key + "' is not a string");
    if (key == kName) {
      info.name = word->getString().str();
      return true;
    }
    for (const abi::MappingInfo &mapping : abi::kMappings)
      if (word->getString() == mapping.name) {
        info.add(mapping.mapping);
        return true;
      }
    return fail("'" + word->getString() + "' is not a mapping (Mappings.def)");
  }

  bool readParams(KernelInfo &info, const MDNode *params) {
    if (!params || params->getNumOperands() % 2)
      return fail("'params' is not a list of offsets and sizes");
    for (unsigned i = 0; i < params->getNumOperands(); i += 2) {
      std::optional<uint64_t> offset = numberIn(params->getOperand(i));
      std::optional<uint64_t> size = numberIn(params->getOperand(i + 1));
      if (!offset || !size)
        return fail("'params' is not a list of offsets and sizes");
      info.params.push_back({static_cast<uint32_t>(*offset), static_cast<uint32_t>(*size)});
    }
    return true;
  }

  const MDNode &node;
};

} // namespace

StringRef attributeOf(abi::KernelFlags flag) {
  return find_if(kFlags, [&](const Flag &f) { return f.flag == flag; })->attribute;
}
bool hasKernelFlag(const Function &kernel, abi::KernelFlags flag) {
  return kernel.hasFnAttribute(attributeOf(flag));
}
void setKernelFlag(Function &kernel, abi::KernelFlags flag, bool value) {
  if (value)
    kernel.addFnAttr(attributeOf(flag));
  else
    kernel.removeFnAttr(attributeOf(flag));
}

StringRef sourceNameOf(const Function &kernel) {
  Attribute name = kernel.getFnAttribute(kSourceNameAttr);
  return name.isValid() ? name.getValueAsString() : kernel.getName();
}
bool isSoftwareVariant(const Function &f) {
  return f.hasFnAttribute(kSoftwareAttr);
}

SmallVector<Function *, 8> softwareVariantsOf(Module &m) {
  SmallVector<Function *, 8> variants;
  for (Function &f : m)
    if (isSoftwareVariant(f) && !f.isDeclaration())
      variants.push_back(&f);
  return variants;
}

KernelInfo describeKernel(const Function &kernel) {
  KernelInfo info;
  info.name = sourceNameOf(kernel).str();
  info.params = layoutParams(kernel);
  for (const Number &row : kNumbers)
    if (!row.attribute.empty())
      info.record.*row.field =
          static_cast<uint32_t>(kernel.getFnAttributeAsParsedInteger(row.attribute, 0));
  for (const Flag &flag : kFlags)
    info.set(flag.flag, kernel.hasFnAttribute(flag.attribute));
  return info;
}

void appendKernelInfo(Module &m, const KernelInfo &info) {
  LLVMContext &ctx = m.getContext();
  auto number = [&](uint64_t v) -> Metadata * {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(ctx), v));
  };
  SmallVector<Metadata *, 32> ops;
  auto add = [&](StringRef key, Metadata *value) { ops.append({MDString::get(ctx, key), value}); };
  add(kName, MDString::get(ctx, info.name));
  for (const Entry &entry : kEntries)
    add(entry.name, ValueAsMetadata::get(info.*entry.function));
  for (const abi::MappingInfo &mapping : abi::kMappings)
    if (info.isFor(mapping.mapping))
      add(kMapping, MDString::get(ctx, mapping.name));
  for (const Number &row : kNumbers)
    if (!isSpelledOut(row.field) && info.record.*row.field)
      add(row.name, number(info.record.*row.field));
  for (const Flag &flag : kFlags)
    if (info.has(flag.flag))
      add(flag.word, number(1));
  SmallVector<Metadata *, 16> params;
  for (const abi::KernelParam &p : info.params)
    params.append({number(p.offset), number(p.size)});
  if (!params.empty())
    add(kParams, MDNode::get(ctx, params));
  m.getOrInsertNamedMetadata(kKernelsMetadata)->addOperand(MDNode::get(ctx, ops));
}

SmallVector<KernelInfo, 8> readKernelInfos(const Module &m) {
  SmallVector<KernelInfo, 8> infos;
  const NamedMDNode *table = m.getNamedMetadata(kKernelsMetadata);
  if (!table)
    return infos;
  for (const MDNode *node : table->operands()) {
    KernelInfo info;
    NodeReader reader(*node);
    if (reader.read(info))
      infos.push_back(std::move(info));
    else
      m.getContext().diagnose(DiagnosticInfoGeneric(
          "!" + kKernelsMetadata + ": a kernel's node is malformed: " + reader.problem, DS_Error));
  }
  return infos;
}

void writeKernelInfos(Module &m, ArrayRef<KernelInfo> infos) {
  m.getOrInsertNamedMetadata(kKernelsMetadata)->clearOperands();
  for (const KernelInfo &info : infos)
    appendKernelInfo(m, info);
}

} // namespace vx
