// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the copies of the runtime in one process find each other.
//
// A program linked with libcudart_static.a, its shared libraries linked with it too, libcudart.so
// and libcuda.so all hold the whole runtime. Only one of them may run: contexts, streams and
// pointers are its state. Each copy has an ELF note that leads to its table of functions; when a
// copy is loaded, it looks for the notes of all objects in the process, chooses the same one as
// all copies, and its own exported functions jump into that. No symbol has to be exported for
// this, so it works however a program has been linked and whether a library is loaded at start or
// by dlopen.
//
//   call ─► cudaMalloc ── jmp *slot ─┬─► function of this copy
//           (Entries.cmake)          └─► function of the copy that was chosen

#ifndef VX_RUNTIME_TOOLKIT_INSTANCES_H
#define VX_RUNTIME_TOOLKIT_INSTANCES_H

#include <cstdint>

namespace vx::rt {

/// Name and type of the note; its content is the distance from itself to the InstanceTable.
inline constexpr char kInstanceNoteName[] = "vxcc-rt";
inline constexpr uint32_t kInstanceNoteType = 1;

/// A place in the object that holds it, as the distance from itself: needs no relocation when
/// loaded.
struct Distance {
  int64_t value;
  template <typename T> T *follow() const {
    return reinterpret_cast<T *>(reinterpret_cast<intptr_t>(this) + value);
  }
};

/// One function of the API, sorted by name.
struct InstanceFunction {
  Distance name, code;
};

/// The table in the generated assembly of a library (Entries.cmake). Other versions of the runtime
/// read it: fields are only added at the end.
struct InstanceTable {
  uint64_t numFunctions;
  Distance functions; ///< InstanceFunction[numFunctions]: all of the API, exported here or not
  uint64_t numSlots;
  Distance slots;     ///< void *[numSlots]: where the exported functions jump to
  Distance slotNames; ///< Distance[numSlots]
  Distance chosen;    ///< uint32_t: 1 once this copy is the one that runs
};

} // namespace vx::rt

#endif // VX_RUNTIME_TOOLKIT_INSTANCES_H
