// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Modules.h"
#include "runtime/image/Module.h"
#include "runtime/image/ModuleLoader.h"
#include "runtime/image/Registry.h"
#include "runtime/memory/DeviceMemory.h"
#include "runtime/memory/HostMemory.h"
#include <span>
#include <string_view>

namespace vx::rt::driver {

LoadedCode::~LoadedCode() {
  if (!registered)
    return;
  for (ContextUse &context : Runtime::get().all())
    context->modules().forget(registered);
  std::vector<ManagedVariable> managed = Registry::get().managedVariables(registered);
  Registry::get().removeModule(registered);
  for (const ManagedVariable &variable : managed)
    endHostRegion(variable.base, 1u << unsigned(HostRegionKind::Managed));
}

Modules &Modules::get() {
  static auto *modules = new Modules; // outlives every static object of the program
  return *modules;
}

LoadedCode *Modules::add(std::vector<uint8_t> fatBinary, int optLevel, bool isLibrary,
                         uint64_t slot) {
  auto code = std::make_unique<LoadedCode>();
  code->fatBinary = std::move(fatBinary);
  code->wrapper.data = code->fatBinary.data();
  code->isLibrary = isLibrary;
  code->slot = slot;
  if (ContextUse use = Runtime::get().find(slot))
    code->context = use->id();
  code->registered = Registry::get().addModule(&code->wrapper, optLevel);
  std::lock_guard lock(mutex);
  LoadedCode *handle = code.get();
  all.emplace(handle, std::move(code));
  return handle;
}

LoadedCode *Modules::findModule(CUmodule handle) {
  std::lock_guard lock(mutex);
  auto it = all.find(handle);
  if (it == all.end())
    return nullptr;
  // cuLibraryGetModule makes libraries modules.
  LoadedCode &code = *it->second;
  ContextUse use = code.isLibrary ? ContextUse() : Runtime::get().find(code.slot);
  return code.isLibrary || (use && use->id() == code.context) ? &code : nullptr;
}

LoadedCode *Modules::findLibrary(CUlibrary handle) {
  std::lock_guard lock(mutex);
  auto it = all.find(handle);
  return it == all.end() || !it->second->isLibrary ? nullptr : it->second.get();
}

void Modules::removeOf(uint64_t slot) {
  std::vector<LoadedCode *> ending;
  {
    std::lock_guard lock(mutex);
    for (const auto &[handle, code] : all)
      if (!code->isLibrary && code->slot == slot)
        ending.push_back(code.get());
  }
  for (LoadedCode *code : ending)
    remove(code);
}

void Modules::remove(LoadedCode *code) {
  std::unique_ptr<LoadedCode> ending;
  std::lock_guard lock(mutex);
  for (const auto &[name, function] : code->functions)
    functions.erase(function.get());
  auto it = all.find(code);
  ending = std::move(it->second);
  all.erase(it);
}

LoadedFunction *Modules::function(LoadedCode &code, const std::string &name) {
  std::lock_guard lock(mutex);
  std::unique_ptr<LoadedFunction> &function = code.functions[name];
  if (!function) {
    function.reset(new LoadedFunction{&code, name});
    functions.emplace(function.get(), function.get());
    Registry::get().addKernel(code.registered, function.get(), name.c_str());
  }
  return function.get();
}

LoadedFunction *Modules::findFunction(const void *handle) {
  std::lock_guard lock(mutex);
  auto it = functions.find(handle);
  return it == functions.end() ? nullptr : it->second;
}

CUresult checkFunction(const void *handle) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  if (const LoadedFunction *function = Modules::get().findFunction(handle))
    return function->code->isLibrary || function->code->slot == currentSlot()
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_HANDLE;
  return handle && Registry::get().findKernel(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

namespace {

/// A __managed__ variable as a module has it: kernels reach it through the pointer NAME, and a
/// variable of the module holds its initial value.
struct ManagedInModule {
  std::string name;
  AddressRange pointer, initial;
};

std::vector<ManagedInModule> managedVariablesOf(const Module &module) {
  constexpr std::string_view kSuffix = ".managed"; // clang's, of the one with the value
  std::vector<ManagedInModule> found;
  for (const auto &[name, symbol] : module.image().symbols()) {
    std::string_view pointerName = name;
    if (!pointerName.ends_with(kSuffix))
      continue;
    pointerName.remove_suffix(kSuffix.size());
    std::optional<AddressRange> pointer = module.variable(pointerName);
    std::optional<AddressRange> initial = module.variable(name);
    if (pointer && initial && pointer->size <= sizeof(uint64_t))
      found.push_back({std::string(pointerName), *pointer, *initial});
  }
  return found;
}

/// Gives the managed variables of MODULE memory and tells its kernels where that is. No host code
/// has registered them: they are registered here, for other contexts that load the module.
cudaError_t makeManagedVariables(Context &context, const FatModule *fat, const Module &module) {
  for (const ManagedInModule &variable : managedVariablesOf(module)) {
    HostRegion region{HostRegionKind::Managed, 0, variable.initial.size, cudaMemAttachGlobal};
    region.isVariable = true;
    void *base = HostMemory::get().allocate(region, context.pointerBits());
    if (!base)
      return cudaErrorMemoryAllocation;
    Registry::get().addVariable(base, {fat, variable.name, region.size, false, true});
    uint64_t address = addressOf(base);
    cudaError_t e = context.memory().readAlone(
        variable.initial.base, std::span(static_cast<uint8_t *>(base), region.size));
    if (e == cudaSuccess)
      e = context.memory().writeAlone(
          variable.pointer.base,
          std::span(reinterpret_cast<const uint8_t *>(&address), size_t(variable.pointer.size)));
    if (e != cudaSuccess)
      return e;
  }
  return cudaSuccess;
}

} // namespace

CUresult load(LoadedCode &code, Module *&module, std::string &log) {
  return withContext([&](Context &context) {
    cudaError_t e = context.modules().load(code.registered, module, log);
    if (e == cudaSuccess)
      std::call_once(code.managedVariables,
                     [&] { e = makeManagedVariables(context, code.registered, *module); });
    return fromRuntime(e);
  });
}

std::optional<AddressRange> managedVariable(const LoadedCode &code, std::string_view name) {
  for (const ManagedVariable &variable : Registry::get().managedVariables(code.registered))
    if (variable.deviceName == name)
      if (std::optional<RegisteredVariable> known = Registry::get().findVariable(variable.base))
        return AddressRange{addressOf(variable.base), known->size};
  return std::nullopt;
}

} // namespace vx::rt::driver
