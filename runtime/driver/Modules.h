// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules, libraries and what is in them, by their handles. Their code is registered like that of
// the program's objects (Registry.h): the handle of a function is the "host address" that stands
// for it, so that all functions of the runtime API take it, too.

#ifndef VX_RUNTIME_DRIVER_MODULES_H
#define VX_RUNTIME_DRIVER_MODULES_H

#include "runtime/driver/Api.h"
#include "runtime/driver/Images.h"
#include "runtime/image/Module.h"
#include "runtime/image/Registry.h"
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace vx::rt::driver {

struct LoadedCode;

/// A function of loaded code. Its address is its handle, as CUfunction and as CUkernel.
struct LoadedFunction {
  LoadedCode *code = nullptr;
  std::string name;
};

/// A module, which belongs to a context, or a library, which is loaded in each context that uses
/// it.
struct LoadedCode {
  ~LoadedCode();
  bool isLibrary = false;
  uint64_t slot = 0;    ///< of a module's context
  uint64_t context = 0; ///< that context's number
  std::vector<uint8_t> fatBinary;
  FatWrapper wrapper;
  FatModule *registered = nullptr;
  std::once_flag managedVariables; ///< have memory
  std::map<std::string, std::unique_ptr<LoadedFunction>, std::less<>> functions;
};

class Modules {
public:
  static Modules &get();

  /// Makes FATBINARY known.
  LoadedCode *add(std::vector<uint8_t> fatBinary, int optLevel, bool isLibrary, uint64_t slot);
  /// Returns the code if HANDLE is a module (a library), of a context that still exists.
  LoadedCode *findModule(CUmodule handle);
  LoadedCode *findLibrary(CUlibrary handle);
  /// Forgets the modules of the context in SLOT.
  void removeOf(uint64_t slot);
  /// Forgets CODE in all contexts.
  void remove(LoadedCode *code);
  /// The function NAME of CODE as a handle; NAME is one of CONTEXT's module.
  LoadedFunction *function(LoadedCode &code, const std::string &name);
  /// Returns the loaded function that HANDLE names; null if it names none.
  LoadedFunction *findFunction(const void *handle);

private:
  Modules() = default;
  std::mutex mutex;
  std::map<const void *, std::unique_ptr<LoadedCode>> all;
  std::map<const void *, LoadedFunction *> functions;
};

/// The code of FUNCTION, if that is a handle that programs may use in the current context: a loaded
/// function, or a kernel of the program's own.
CUresult checkFunction(const void *function);

/// CONFIG as the runtime API has it.
cudaLaunchConfig_t toRuntime(const CUlaunchConfig &config);

/// Returns the managed variable NAME of CODE, which is loaded; none if it does not exist.
std::optional<AddressRange> managedVariable(const LoadedCode &code, std::string_view name);

/// Reads CODE in the current context. LOG: what there is to say.
CUresult load(LoadedCode &code, Module *&module, std::string &log);

} // namespace vx::rt::driver

#endif // VX_RUNTIME_DRIVER_MODULES_H
