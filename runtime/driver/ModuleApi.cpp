// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules and libraries: loading, and finding functions and variables.

#include "runtime/core/Messages.h"
#include "runtime/driver/Modules.h"
#include "runtime/image/Module.h"
#include <algorithm>
#include <chrono>
#include <cstring>

using namespace vx::rt;
using namespace vx::rt::driver;

static double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Loads what is at DATA as a module of the current context.
static CUresult loadModule(CUmodule *handle, const void *data, std::optional<size_t> size,
                           JitOptions &jit, bool saysWhy) {
  auto start = std::chrono::steady_clock::now();
  std::string log;
  std::vector<uint8_t> fatBinary;
  CUresult result = readImage(data, size, fatBinary, log);
  if (result == CUDA_SUCCESS) {
    LoadedCode *code = Modules::get().add(std::move(fatBinary), jit.optLevel, false, currentSlot());
    Module *module = nullptr;
    result = load(*code, module, log);
    if (result == CUDA_SUCCESS)
      *handle = reinterpret_cast<CUmodule>(code);
    else
      Modules::get().remove(code);
  }
  jit.report(result, log, millisecondsSince(start));
  // A program that has no log still learns why.
  if (saysWhy && result != CUDA_SUCCESS && !jit.errorLog && !log.empty())
    printMessage(log);
  return result;
}

static CUresult loadModule(CUmodule *handle, const void *data, unsigned count,
                           CUjit_option *options, void **values) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  if (!handle || !data)
    return CUDA_ERROR_INVALID_VALUE;
  JitOptions jit;
  if (CUresult e = jit.read(count, options, values); e != CUDA_SUCCESS)
    return e;
  return loadModule(handle, data, std::nullopt, jit, true);
}

extern "C" CUresult cuModuleLoad(CUmodule *handle, const char *path) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  if (!handle)
    return CUDA_ERROR_INVALID_VALUE;
  JitOptions jit;
  std::vector<uint8_t> bytes;
  if (CUresult e = readFile(path, bytes); e != CUDA_SUCCESS)
    return e;
  return loadModule(handle, bytes.data(), bytes.size(), jit, true);
}

extern "C" CUresult cuModuleLoadData(CUmodule *handle, const void *data) {
  return loadModule(handle, data, 0, nullptr, nullptr);
}

extern "C" CUresult cuModuleLoadDataEx(CUmodule *handle, const void *data, unsigned count,
                                       CUjit_option *options, void **values) {
  return loadModule(handle, data, count, options, values);
}

extern "C" CUresult cuModuleLoadFatBinary(CUmodule *handle, const void *data) {
  return loadModule(handle, data, 0, nullptr, nullptr);
}

extern "C" CUresult cuModuleUnload(CUmodule handle) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  LoadedCode *code = Modules::get().findModule(handle);
  if (!code || code->isLibrary)
    return CUDA_ERROR_INVALID_HANDLE;
  Modules::get().remove(code);
  return CUDA_SUCCESS;
}

extern "C" CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  if (!mode)
    return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_EAGER_LOADING;
  return checkInitialized();
}

/// The module of CODE in the current context.
static CUresult moduleIn(LoadedCode *code, Module *&module) {
  if (!code)
    return CUDA_ERROR_INVALID_HANDLE;
  std::string log;
  CUresult e = load(*code, module, log);
  if (e != CUDA_SUCCESS && !log.empty())
    printMessage(log);
  return e;
}

static CUresult findFunction(LoadedCode *code, const char *name, LoadedFunction *&function) {
  if (!name || !*name)
    return CUDA_ERROR_INVALID_VALUE;
  Module *module = nullptr;
  if (CUresult e = moduleIn(code, module); e != CUDA_SUCCESS)
    return e;
  if (!module->kernel(name))
    return CUDA_ERROR_NOT_FOUND;
  function = Modules::get().function(*code, name);
  return CUDA_SUCCESS;
}

/// Tells the program of RANGE; ADDRESS and SIZE may be null.
static void tellRange(const AddressRange &range, CUdeviceptr *address, size_t *size) {
  if (address)
    *address = range.base;
  if (size)
    *size = range.size;
}

static CUresult findVariable(LoadedCode *code, const char *name, CUdeviceptr *address,
                             size_t *size) {
  if (!name || (!address && !size))
    return CUDA_ERROR_INVALID_VALUE;
  Module *module = nullptr;
  if (CUresult e = moduleIn(code, module); e != CUDA_SUCCESS)
    return e;
  std::optional<AddressRange> range = managedVariable(*code, name); // kernels have a pointer to it
  if (!range)
    range = module->variable(name);
  if (!range)
    return module->kernel(name) ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_FOUND;
  tellRange(*range, address, size);
  return CUDA_SUCCESS;
}

/// The function NAME of CODE as a handle of either kind.
template <typename Handle>
static CUresult getFunction(LoadedCode *code, const char *name, Handle *handle) {
  LoadedFunction *function = nullptr;
  CUresult e = findFunction(code, name, function);
  if (e == CUDA_SUCCESS)
    *handle = reinterpret_cast<Handle>(function);
  return e;
}

extern "C" CUresult cuModuleGetFunction(CUfunction *handle, CUmodule module, const char *name) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  if (!handle)
    return CUDA_ERROR_INVALID_VALUE;
  return getFunction(Modules::get().findModule(module), name, handle);
}

extern "C" CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule handle) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  Module *module = nullptr;
  if (CUresult e = moduleIn(Modules::get().findModule(handle), module); e != CUDA_SUCCESS)
    return e;
  *count = module->kernelCount();
  return CUDA_SUCCESS;
}

extern "C" CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *size, CUmodule module,
                                      const char *name) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  return findVariable(Modules::get().findModule(module), name, address, size);
}

/// A context has a library's options to itself; there is none that would change anything here.
static CUresult loadLibrary(CUlibrary *handle, const void *data, std::optional<size_t> size,
                            CUjit_option *options, void **values, unsigned count) {
  JitOptions jit;
  if (CUresult e = jit.read(count, options, values); e != CUDA_SUCCESS)
    return e;
  std::string log;
  std::vector<uint8_t> fatBinary;
  CUresult result = readImage(data, size, fatBinary, log);
  jit.report(result, log, 0);
  if (result != CUDA_SUCCESS) {
    if (!jit.errorLog && !log.empty())
      printMessage(log);
    return result;
  }
  *handle =
      reinterpret_cast<CUlibrary>(Modules::get().add(std::move(fatBinary), jit.optLevel, true, 0));
  return CUDA_SUCCESS;
}

extern "C" CUresult cuLibraryLoadData(CUlibrary *handle, const void *data, CUjit_option *jitOptions,
                                      void **jitValues, unsigned numJitOptions, CUlibraryOption *,
                                      void **, unsigned) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  if (!handle || !data)
    return CUDA_ERROR_INVALID_VALUE;
  return loadLibrary(handle, data, std::nullopt, jitOptions, jitValues, numJitOptions);
}

extern "C" CUresult cuLibraryLoadFromFile(CUlibrary *handle, const char *path,
                                          CUjit_option *jitOptions, void **jitValues,
                                          unsigned numJitOptions, CUlibraryOption *, void **,
                                          unsigned) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  if (!handle)
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<uint8_t> bytes;
  if (CUresult e = readFile(path, bytes); e != CUDA_SUCCESS)
    return e;
  return loadLibrary(handle, bytes.data(), bytes.size(), jitOptions, jitValues, numJitOptions);
}

extern "C" CUresult cuLibraryUnload(CUlibrary library) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  LoadedCode *code = Modules::get().findLibrary(library);
  if (!code)
    return CUDA_ERROR_INVALID_HANDLE;
  Modules::get().remove(code);
  return CUDA_SUCCESS;
}

/// Runs BODY with a current context: a library can be looked into without one.
template <typename Body> static CUresult withAnyContext(Body &&body) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  if (currentSlot())
    return body();
  DriverCall guard;
  ContextUse primary = Runtime::get().primary(0);
  if (!primary)
    return CUDA_ERROR_DEVICE_UNAVAILABLE;
  Runtime::get().setCurrentSlot(primary.slotId());
  CUresult result = body();
  Runtime::get().setCurrentSlot(0);
  return result;
}

extern "C" CUresult cuLibraryGetKernel(CUkernel *handle, CUlibrary library, const char *name) {
  if (!handle)
    return CUDA_ERROR_INVALID_VALUE;
  return withAnyContext(
      [&] { return getFunction(Modules::get().findLibrary(library), name, handle); });
}

extern "C" CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *size, CUlibrary library,
                                       const char *name) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  return findVariable(Modules::get().findLibrary(library), name, address, size);
}

extern "C" CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *size, CUlibrary library,
                                        const char *name) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  LoadedCode *code = Modules::get().findLibrary(library);
  if (!code)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  return withAnyContext([&] {
    Module *module = nullptr;
    if (CUresult e = moduleIn(code, module); e != CUDA_SUCCESS)
      return e;
    std::optional<AddressRange> range = managedVariable(*code, name);
    if (!range)
      return CUDA_ERROR_NOT_FOUND;
    tellRange(*range, address, size);
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuLibraryGetUnifiedFunction(void **, CUlibrary library, const char *) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  return Modules::get().findLibrary(library) ? CUDA_ERROR_NOT_FOUND : CUDA_ERROR_INVALID_HANDLE;
}

/// A library's functions are the same in all contexts, and so are their handles.
extern "C" CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  if (!function)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult e = checkFunction(kernel); e != CUDA_SUCCESS)
    return e;
  *function = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}

/// The module of a library in the current context: the same handle, of another type.
extern "C" CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  if (!module)
    return CUDA_ERROR_INVALID_VALUE;
  Module *loaded = nullptr;
  LoadedCode *code = Modules::get().findLibrary(library);
  if (CUresult e = moduleIn(code, loaded); e != CUDA_SUCCESS)
    return e;
  *module = reinterpret_cast<CUmodule>(code);
  return CUDA_SUCCESS;
}

extern "C" CUresult cuFuncGetModule(CUmodule *module, CUfunction handle) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  if (!module)
    return CUDA_ERROR_INVALID_VALUE;
  const LoadedFunction *function = Modules::get().findFunction(handle);
  if (!function)
    return CUDA_ERROR_INVALID_HANDLE;
  *module = reinterpret_cast<CUmodule>(function->code);
  return CUDA_SUCCESS;
}
