// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Modules.h"

namespace vx::rt::driver {

LoadedCode::~LoadedCode() {
  if (!registered)
    return;
  for (ContextUse &context : Runtime::get().all())
    context->forgetModule(registered);
  Registry::get().removeModule(registered);
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

CUresult load(LoadedCode &code, Module *&module, std::string &log) {
  return withContext(
      [&](Context &context) { return fromRuntime(context.load(code.registered, module, log)); });
}

} // namespace vx::rt::driver
