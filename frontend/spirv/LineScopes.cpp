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

#include "frontend/spirv/Normalize.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <spirv/unified1/OpenCLDebugInfo100.h>
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

/// Returns true if OPCODE must stand before other instructions of its block, or is not an
/// instruction of it.
bool beginsBlock(spv::Op opcode) {
  return is_contained({spv::Op::OpLabel, spv::Op::OpVariable, spv::Op::OpPhi, spv::Op::OpLine,
                       spv::Op::OpNoLine, spv::Op::OpFunctionParameter},
                      opcode);
}

class LineScopes {
public:
  LineScopes(Words &module, Declarations &declarations)
      : module(module), declarations(declarations), out(module, declarations),
        voidType(declarations.findVoid()) {}

  void run() {
    for (StringRef name : kDebugInstructions)
      if (declarations.imports.contains(name))
        return;
    collectLines();
    if (!functions.empty() && voidType)
      rewrite();
  }

private:
  /// A function with lines; the first of them stands for the whole.
  struct Function {
    std::string name;
    uint32_t file = 0, line = 0;
    uint32_t scope = 0;
    MapVector<uint32_t, uint32_t> others; ///< files of its other lines, and their scopes
  };

  void collectLines() {
    uint32_t current = 0;
    DenseMap<uint32_t, std::string> names;
    forEachInstruction(module, [&](const SpvInstruction &i) {
      switch (static_cast<spv::Op>(i.opcode)) {
      case spv::Op::OpEntryPoint:
        names[i.operands[1]] = readString(i.operands.drop_front(2)).first;
        break;
      case spv::Op::OpName:
        names.try_emplace(i.operands[0], readString(i.operands.drop_front()).first);
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
    addScopes();
    const Function *current = nullptr;
    uint32_t scope = 0; // of the instructions that have been written last in this block
    uint32_t wanted = 0;
    out.run([&](const SpvInstruction &i) {
      auto opcode = static_cast<spv::Op>(i.opcode);
      if (opcode == spv::Op::OpFunction) {
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
        scope = wanted;
        insertScope(scope);
      }
      lineAt = opcode == spv::Op::OpLine ? std::optional(out.result.size()) : std::nullopt;
      out.keep(i);
    });
  }

  uint32_t addDebug(OpenCLDebugInfo100Instructions instruction, ArrayRef<uint32_t> operands) {
    Words words = {out.import(kOpenCLDebugInfo), static_cast<uint32_t>(instruction)};
    append_range(words, operands);
    return out.addGlobal(spv::Op::OpExtInst, voidType, words);
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
    noText = out.addString("");
    uint32_t first = sourceOf(functions.front().second.file);
    uint32_t unit = addDebug(OpenCLDebugInfo100DebugCompilationUnit,
                             {kDebugInfoVersion, kDwarfVersion, first,
                              static_cast<uint32_t>(spv::SourceLanguage::OpenCL_C)});
    uint32_t type = addDebug(OpenCLDebugInfo100DebugTypeFunction, {0, voidType});
    for (auto &[id, f] : functions) {
      uint32_t name = out.addString(f.name);
      f.scope = addDebug(OpenCLDebugInfo100DebugFunction,
                         {name, type, sourceOf(f.file), f.line, 0, unit, name,
                          OpenCLDebugInfo100FlagIsDefinition, f.line, id});
      for (auto &[file, scope] : f.others)
        scope = addDebug(OpenCLDebugInfo100DebugLexicalBlockDiscriminator,
                         {sourceOf(file), 0, f.scope});
    }
  }

  /// Begins a scope before the OpLine that has been written last: a line holds for what
  /// follows it.
  void insertScope(uint32_t scope) {
    Words line;
    if (lineAt) {
      line.assign(out.result.begin() + *lineAt, out.result.end());
      out.result.resize(*lineAt);
    }
    out.add(spv::Op::OpExtInst, voidType,
            {out.import(kOpenCLDebugInfo), OpenCLDebugInfo100DebugScope, scope});
    append_range(out.result, line);
  }

  Words &module;
  Declarations &declarations;
  Rewriter out;
  uint32_t voidType, noText = 0;
  MapVector<uint32_t, Function> functions;
  DenseMap<uint32_t, uint32_t> sources;
  std::optional<size_t> lineAt;
};

} // namespace

void addLineScopes(Words &module, Declarations &declarations) {
  LineScopes(module, declarations).run();
}

} // namespace vx::spirv
