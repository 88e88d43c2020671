// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The declarations of a SPIR-V module, and the way in which passes over its words rewrite it.

#ifndef VX_FRONTEND_SPIRV_DECLARATIONS_H
#define VX_FRONTEND_SPIRV_DECLARATIONS_H

#include "frontend/spirv/Module.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace vx::spirv {

struct ScalarType {
  enum Kind { None, Bool, Int, Float } kind = None;
  unsigned bits = 0;
};

/// Types, the types of values, imports and specialization constants of a module, by id. One
/// declarations serves all passes over a module: what they add, they enter. The module need not be
/// valid.
class Declarations {
public:
  struct Vector {
    uint32_t element = 0, count = 0;
  };
  struct Pointer {
    uint32_t storage = 0, pointee = 0;
  };

  explicit Declarations(const Words &module);

  /// Returns true if a module can have ID (SPIR-V 2.17, universal limits). Only such are in the
  /// maps.
  static bool isId(uint32_t id) { return id && id <= 0x3fffff; }

  /// Enters what an instruction declares.
  void enter(unsigned opcode, llvm::ArrayRef<uint32_t> operands);

  /// Returns the type of the value ID, 0 if that is not a value.
  uint32_t typeOf(uint32_t id) const { return isId(id) ? values.lookup(id) : 0; }
  /// Returns the width of a scalar type, or of a vector type's elements; 0 for other types.
  unsigned widthOf(uint32_t type) const;
  /// Each returns the type described, or 0 if the module has none.
  uint32_t findScalar(ScalarType::Kind kind, unsigned bits) const;
  uint32_t findVector(uint32_t element, uint32_t count) const;
  uint32_t findPointer(uint32_t storage, uint32_t pointee) const;
  uint32_t findVoid() const { return voidType; }
  /// Returns the value of an integer constant of up to 32 bits that is not a specialization
  /// constant.
  std::optional<uint32_t> constantOf(uint32_t id) const;

  llvm::DenseMap<uint32_t, ScalarType> scalars;
  llvm::DenseMap<uint32_t, Vector> vectors;
  llvm::DenseMap<uint32_t, uint32_t> arrays; ///< their elements
  llvm::DenseMap<uint32_t, Pointer> pointers;
  llvm::DenseMap<uint32_t, uint32_t> firstMembers; ///< of structures: the type of the first member
  std::map<uint32_t, uint32_t> specIds;            ///< SpecId, which may be any number -> constant
  llvm::StringMap<uint32_t> imports;               ///< of extended instructions, by name
  bool hasSpecConstants = false;

private:
  llvm::DenseMap<uint32_t, uint32_t> values; ///< their types
  llvm::DenseMap<uint32_t, uint32_t> constants;
  uint32_t voidType = 0;
};

/// Makes a module anew, instruction by instruction. Declarations that are added while functions are
/// rewritten end up where SPIR-V wants them (2.4, logical layout of a module).
class Rewriter {
public:
  Rewriter(Words &module, Declarations &declarations)
      : declarations(declarations), module(module), bound(module[3]) {}

  /// Calls VISIT for each instruction, which keeps it or adds others in its place.
  void run(llvm::function_ref<void(const SpvInstruction &)> visit);

  void keep(const SpvInstruction &i) { emit(i.opcode, i.operands); }
  void emit(unsigned opcode, llvm::ArrayRef<uint32_t> operands) {
    append(result, opcode, operands);
  }

  uint32_t newId() { return bound++; }
  /// Adds an instruction with a result of TYPE, in this place, and returns its id: ID, or a new
  /// one.
  uint32_t add(spv::Op opcode, uint32_t type, llvm::ArrayRef<uint32_t> operands, uint32_t id = 0);
  /// Adds a type (TYPE is 0), a constant, or what else stands in front of the functions.
  uint32_t addGlobal(spv::Op opcode, uint32_t type, llvm::ArrayRef<uint32_t> operands);
  uint32_t addString(llvm::StringRef text);
  /// Returns the import of the extended instructions NAME, which is added if there is none.
  uint32_t import(llvm::StringRef name);

  Declarations &declarations;
  Words result; ///< so far, without what is in the lists below

private:
  uint32_t declare(Words &list, spv::Op opcode, uint32_t type, llvm::ArrayRef<uint32_t> operands,
                   uint32_t id);

  Words &module;
  uint32_t bound;
  Words imports, strings, globals;
};

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_DECLARATIONS_H
