// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes for lines. A module whose only debug information is OpLine gets the least of
// OpenCL.DebugInfo.100 that gives each line a place:
//
//   %file = OpString "a.cl"                %unit  = DebugCompilationUnit %source
//   %f = OpFunction …              ──►     %scope = DebugFunction "f" … %unit %f
//     OpLine %file 3 7                     %f = OpFunction …
//     OpLoad …                               DebugScope %scope
//                                            OpLine %file 3 7
//                                            OpLoad …

#include "doors/spirv/Normalize.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <spirv/unified1/OpenCLDebugInfo100.h>
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

constexpr StringLiteral kInstructions = "OpenCL.DebugInfo.100";

/// Whether OPCODE must stand before other instructions of its block, or is no instruction of it.
bool beginsBlock(spv::Op opcode) {
  return is_contained({spv::Op::OpLabel, spv::Op::OpVariable, spv::Op::OpPhi, spv::Op::OpLine,
                       spv::Op::OpNoLine, spv::Op::OpFunctionParameter},
                      opcode);
}

class LineScopes {
public:
  explicit LineScopes(Words &module) : module(module), bound(module[3]) {}

  void run() {
    survey();
    if (functions.empty() || hasDebugInfo || !voidType)
      return;
    rewrite();
  }

private:
  /// A function with lines; the first of them stands for the whole.
  struct Function {
    std::string name;
    uint32_t file = 0, line = 0;
    uint32_t nameId = 0, scope = 0;
    MapVector<uint32_t, uint32_t> others; ///< files of its other lines, and their scopes
  };

  void survey() {
    uint32_t current = 0;
    DenseMap<uint32_t, std::string> names;
    forEachInstruction(module, [&](const Instruction &i) {
      switch (static_cast<spv::Op>(i.opcode)) {
      case spv::Op::OpExtInstImport: {
        std::string name = readString(i.operands.drop_front()).first;
        hasDebugInfo |= name == kInstructions || name == "SPIRV.debug" || name == "DebugInfo";
        break;
      }
      case spv::Op::OpEntryPoint:
        names[i.operands[1]] = readString(i.operands.drop_front(2)).first;
        break;
      case spv::Op::OpName:
        names.try_emplace(i.operands[0], readString(i.operands.drop_front()).first);
        break;
      case spv::Op::OpTypeVoid:
        voidType = i.operands[0];
        break;
      case spv::Op::OpFunction:
        current = i.operands[1];
        break;
      case spv::Op::OpFunctionEnd:
        current = 0;
        break;
      case spv::Op::OpLine:
        if (current)
          addLine(functions[current], i.operands);
        break;
      default:
        break;
      }
    });
    for (auto &[id, f] : functions)
      f.name = names.lookup(id);
  }

  void addLine(Function &f, ArrayRef<uint32_t> line) {
    if (!f.file) {
      f.file = line[0];
      f.line = line[1];
    } else if (line[0] != f.file) {
      f.others.insert({line[0], 0});
    }
  }

  void rewrite() {
    result.assign(module.begin(), module.begin() + kHeaderWords);
    bool importDone = false, stringsDone = false, scopesDone = false;
    const Function *current = nullptr;
    uint32_t scope = 0; // of the instructions that have been written last in this block
    uint32_t wanted = 0;
    forEachInstruction(module, [&](const Instruction &i) {
      auto opcode = static_cast<spv::Op>(i.opcode);
      if (!importDone && opcode == spv::Op::OpMemoryModel) {
        importDone = true;
        addImport();
      }
      if (!stringsDone && !isBeforeNames(i.opcode)) {
        stringsDone = true;
        addStrings();
      }
      if (opcode == spv::Op::OpFunction) {
        if (!scopesDone)
          addScopes();
        scopesDone = true;
        auto found = functions.find(i.operands[1]);
        current = found == functions.end() ? nullptr : &found->second;
        wanted = current ? current->scope : 0;
      } else if (opcode == spv::Op::OpFunctionEnd) {
        current = nullptr;
      } else if (opcode == spv::Op::OpLabel) {
        scope = 0;
      } else if (current && opcode == spv::Op::OpLine) {
        wanted =
            i.operands[0] == current->file ? current->scope : current->others.lookup(i.operands[0]);
      }
      if (current && opcode != spv::Op::OpFunction && !beginsBlock(opcode) && scope != wanted) {
        // A line holds for what follows it: the scope goes in front of the line.
        scope = wanted;
        insertBeforeLine({voidType, next()++, instructions, OpenCLDebugInfo100DebugScope, scope});
      }
      lineAt = opcode == spv::Op::OpLine ? std::optional(result.size()) : std::nullopt;
      result.insert(result.end(), i.words.begin(), i.words.end());
    });
    module = std::move(result);
    module[3] = bound;
  }

  /// A new id is next()++.
  uint32_t &next() { return bound; }

  void addImport() {
    instructions = next()++;
    Words operands = {instructions};
    append_range(operands, stringWords(kInstructions));
    append(result, number(spv::Op::OpExtInstImport), operands);
  }

  uint32_t addString(StringRef text) {
    Words operands = {next()};
    append_range(operands, stringWords(text));
    append(result, number(spv::Op::OpString), operands);
    return next()++;
  }

  void addStrings() {
    noText = addString("");
    for (auto &[id, f] : functions)
      f.nameId = addString(f.name);
  }

  uint32_t addDebug(OpenCLDebugInfo100Instructions instruction, ArrayRef<uint32_t> operands) {
    Words words = {voidType, next(), instructions, static_cast<uint32_t>(instruction)};
    append_range(words, operands);
    append(result, number(spv::Op::OpExtInst), words);
    return next()++;
  }

  uint32_t sourceOf(uint32_t file) {
    uint32_t &source = sources[file];
    if (!source)
      source =
          addDebug(OpenCLDebugInfo100DebugSource, {file, noText}); // the translator asks for both
    return source;
  }

  void addScopes() {
    constexpr uint32_t kDebugInfoVersion = 65536, kDwarfVersion = 4;
    uint32_t first = sourceOf(functions.front().second.file);
    uint32_t unit = addDebug(OpenCLDebugInfo100DebugCompilationUnit,
                             {kDebugInfoVersion, kDwarfVersion, first,
                              static_cast<uint32_t>(spv::SourceLanguage::OpenCL_C)});
    uint32_t type = addDebug(OpenCLDebugInfo100DebugTypeFunction, {0, voidType});
    for (auto &[id, f] : functions) {
      f.scope = addDebug(OpenCLDebugInfo100DebugFunction,
                         {f.nameId, type, sourceOf(f.file), f.line, 0, unit, f.nameId,
                          OpenCLDebugInfo100FlagIsDefinition, f.line, id});
      for (auto &[file, scope] : f.others)
        scope = addDebug(OpenCLDebugInfo100DebugLexicalBlockDiscriminator,
                         {sourceOf(file), 0, f.scope});
    }
  }

  /// Adds an extended instruction, in front of the OpLine that has been written last.
  void insertBeforeLine(ArrayRef<uint32_t> operands) {
    Words line;
    if (lineAt) {
      line.assign(result.begin() + *lineAt, result.end());
      result.resize(*lineAt);
    }
    append(result, number(spv::Op::OpExtInst), operands);
    append_range(result, line);
  }

  Words &module;
  Words result;
  uint32_t bound;
  uint32_t voidType = 0, instructions = 0, noText = 0;
  bool hasDebugInfo = false;
  MapVector<uint32_t, Function> functions;
  DenseMap<uint32_t, uint32_t> sources;
  std::optional<size_t> lineAt;
};

} // namespace

void addLineScopes(Words &module) {
  LineScopes(module).run();
}

} // namespace vx::spirv
