// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modules of a context: from a host address to a kernel or a variable, and from a fat binary to
// an image on the device. A module is read, or compiled, at its first use.

#ifndef VX_RUNTIME_IMAGE_MODULELOADER_H
#define VX_RUNTIME_IMAGE_MODULELOADER_H

#include "runtime/core/ContextState.h"
#include "runtime/image/FatBinary.h"
#include "runtime/image/Module.h"
#include "runtime/image/Registry.h"
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace vx::rt {

class ModuleLoader {
public:
  explicit ModuleLoader(ContextState &state) : state(state) {}

  cudaError_t findKernel(const void *hostFunction, Kernel *&kernel);
  cudaError_t findVariable(const void *hostVariable, Module *&module, AddressRange &range);
  /// The kernel of a resident module whose handle (DeviceLaunch.h) is HANDLE; null if there is
  /// none.
  Kernel *kernelAt(uint64_t handle);
  /// The segment of a module that holds ADDRESS.
  std::optional<AddressRange> findRange(uint64_t address);
  /// Reads FAT now and puts it on the device; after errors, why not. Nothing is printed. LOG: what
  /// the compiler of NVVM IR said.
  cudaError_t load(const FatModule *fat, Module *&module, std::string &log);
  /// Inside an operation: MODULE's variables are on the device from here on.
  cudaError_t use(Module &module);
  /// Inside an operation: loads MODULE; what lies in its way goes out.
  Result<void> makeResident(Module &module);
  void forget(const FatModule *module);

private:
  Result<Module *> moduleOf(const FatModule *fat, cudaError_t &error);
  ImageChoice imageChoice() const;
  Result<std::unique_ptr<Module>> loadModule(const FatModule *fat, cudaError_t &error);
  Result<std::unique_ptr<Module>> compileModule(const FatModule *fat, const FatImage &ir,
                                                bool defersSw, cudaError_t &error);
  bool lacksSoftware(const Module &module) const;
  Result<void> setManagedPointers(const Module &module, const FatModule *fat);

  ContextState &state;
  std::mutex mutex; // the rest; never held while the device is waited for
  std::map<const FatModule *, std::unique_ptr<Module>> modules;
  std::map<const FatModule *, cudaError_t> brokenModules;
};

} // namespace vx::rt

#endif // VX_RUNTIME_IMAGE_MODULELOADER_H
