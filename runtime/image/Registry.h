// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program's compiled objects announce before main: their fat binaries, and which host
// address stands for which kernel or device variable. It outlives every context and is never
// destroyed, because objects come and go in any order at start and at exit.

#ifndef VX_RUNTIME_IMAGE_REGISTRY_H
#define VX_RUNTIME_IMAGE_REGISTRY_H

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace vx::rt {

/// One registered fat binary. Its address is the handle that host code holds.
struct FatModule {
  const void *wrapper = nullptr;
  int optLevel = -1; ///< of NVVM IR that is compiled when it is loaded; -1: as its source says
};

struct RegisteredKernel {
  const FatModule *module = nullptr;
  std::string deviceName;
};

struct RegisteredVariable {
  const FatModule *module = nullptr;
  std::string deviceName;
  size_t size = 0;
  bool isConstant = false;
  bool isManaged = false; ///< its address is one for both sides; kernels have a pointer to it
};

/// A __managed__ variable.
struct ManagedVariable {
  std::string deviceName; ///< of the pointer that kernels have
  void *base = nullptr;
};

class Registry {
public:
  static Registry &get();

  FatModule *addModule(const void *wrapper, int optLevel = -1);
  /// Forgets the module with its kernels and variables; returns false if it does not exist.
  bool removeModule(const FatModule *module);
  void addKernel(const FatModule *module, const void *hostAddress, const char *deviceName);
  void addVariable(const void *hostAddress, RegisteredVariable variable);

  /// The fat binaries of all modules.
  std::vector<const void *> wrappers();

  /// The managed variables of MODULE.
  std::vector<ManagedVariable> managedVariables(const FatModule *module);
  std::optional<RegisteredKernel> findKernel(const void *hostAddress);
  std::optional<RegisteredVariable> findVariable(const void *hostAddress);

private:
  Registry() = default;
  std::mutex mutex;
  std::list<FatModule> modules;
  // An inline kernel has one address and a registration per object, and all are the same code. The
  // last one counts, until the library that it came with is closed.
  std::unordered_map<const void *, std::vector<RegisteredKernel>> kernels;
  std::unordered_map<const void *, std::vector<RegisteredVariable>> variables;
};

} // namespace vx::rt

#endif // VX_RUNTIME_IMAGE_REGISTRY_H
