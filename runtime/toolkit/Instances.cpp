// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs when a library of the runtime is loaded, before any code that could call it. It may use no
// state of the runtime. See Instances.h.

#include "runtime/toolkit/Instances.h"
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

using namespace vx::rt;

/// The table of this copy; in the generated assembly.
extern "C" const InstanceTable __vx_instance_table;

namespace {

/// cudaErrorNotSupported and CUDA_ERROR_NOT_SUPPORTED.
constexpr int kNotSupported = 801;

/// For functions that the chosen copy, an older one, does not have. Its arguments stay untouched.
int missingFunction() {
  static bool said = false;
  if (!said)
    std::fputs("vxrt: the runtime in this program is older than a library that it uses: a function "
               "is missing\n",
               stderr);
  said = true;
  return kNotSupported;
}

/// The table that the note at NOTE leads to; null if it is another note.
const InstanceTable *tableOf(const ElfW(Nhdr) * note, const char *name, const char *content) {
  if (note->n_type != kInstanceNoteType || note->n_namesz != sizeof kInstanceNoteName ||
      note->n_descsz != sizeof(Distance) || std::memcmp(name, kInstanceNoteName, note->n_namesz))
    return nullptr;
  int64_t distance;
  std::memcpy(&distance, content, sizeof distance);
  return reinterpret_cast<const InstanceTable *>(content + distance);
}

const InstanceTable *findIn(const dl_phdr_info &object, const ElfW(Phdr) & segment) {
  auto align = [](size_t size) { return (size + 3) & ~size_t(3); };
  const char *at = reinterpret_cast<const char *>(object.dlpi_addr + segment.p_vaddr);
  const char *end = at + segment.p_memsz;
  while (size_t(end - at) >= sizeof(ElfW(Nhdr))) {
    auto *note = reinterpret_cast<const ElfW(Nhdr) *>(at);
    const char *name = at + sizeof *note;
    if (size_t(end - name) < align(note->n_namesz) + align(note->n_descsz))
      return nullptr;
    const char *content = name + align(note->n_namesz);
    if (const InstanceTable *table = tableOf(note, name, content))
      return table;
    at = content + align(note->n_descsz);
  }
  return nullptr;
}

/// Keeps the copy that runs already, else the first one: the program's, if it has one.
int visit(dl_phdr_info *object, size_t, void *result) {
  auto &choice = *static_cast<const InstanceTable **>(result);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    if (object->dlpi_phdr[i].p_type != PT_NOTE)
      continue;
    const InstanceTable *table = findIn(*object, object->dlpi_phdr[i]);
    if (!table)
      continue;
    if (!choice)
      choice = table;
    if (*table->chosen.follow<uint32_t>() == 0)
      continue;
    choice = table;
    return 1;
  }
  return 0;
}

void *findFunction(const InstanceTable &table, const char *name) {
  const InstanceFunction *functions = table.functions.follow<const InstanceFunction>();
  uint64_t low = 0, high = table.numFunctions;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    int order = std::strcmp(functions[middle].name.follow<const char>(), name);
    if (order == 0)
      return functions[middle].code.follow<void>();
    (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
  }
  return reinterpret_cast<void *>(&missingFunction);
}

/// Its state outlives a dlclose of the library that it came with: others use it by then.
void keepLoaded() {
  Dl_info info;
  if (dladdr(&__vx_instance_table, &info) && info.dli_fname && info.dli_fname[0])
    (void)dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/// The first constructor of the object. The loader's lock is held, so that no other copy chooses at
/// the same time.
__attribute__((constructor(101), used)) void chooseInstance() {
  const InstanceTable *choice = nullptr;
  dl_iterate_phdr(visit, &choice);
  const InstanceTable &own = __vx_instance_table;
  if (!choice) // the note has been stripped
    choice = &own;
  *choice->chosen.follow<uint32_t>() = 1;
  if (choice == &own) {
    keepLoaded();
    return;
  }
  void **slots = own.slots.follow<void *>();
  const Distance *names = own.slotNames.follow<const Distance>();
  for (uint64_t i = 0; i < own.numSlots; ++i)
    slots[i] = findFunction(*choice, names[i].follow<const char>());
}

} // namespace
