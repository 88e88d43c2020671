// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiled host code calls before main and for <<<>>>. The functions run before the
// constructors of this library's own objects could: all state is made at its first use.

#include "nvtx3/nvToolsExt.h"
#include "runtime/core/Messages.h"
#include "runtime/cuda/Api.h"
#include "runtime/cuda/PerThread.h"
#include "runtime/image/FatBinary.h"
#include "runtime/image/ModuleLoader.h"
#include "runtime/image/Registry.h"
#include "runtime/memory/HostMemory.h"
#include <algorithm>
#include <cstring>
#include <vector>

using namespace vx::rt;

/// Programs refer to NVTX weakly, which takes nothing from an archive: this does.
[[gnu::used]] static int (*const nvtxIsLinked)(nvtxDomainHandle_t,
                                               const nvtxEventAttributes_t *) = __cudaNvtxPush;

extern "C" void **__cudaRegisterFatBinary(void *wrapper) {
  return reinterpret_cast<void **>(Registry::get().addModule(wrapper));
}

extern "C" void __cudaRegisterFatBinaryEnd(void **) {}

extern "C" void __cudaUnregisterFatBinary(void **handle) {
  const FatModule *module = reinterpret_cast<const FatModule *>(handle);
  // At the end of the process other threads may still launch, and destructors will. It may have
  // been ended by a host function, too, whose stream would be waited for.
  if (Runtime::isExiting() || Scheduler::inHostFunction())
    return;
  for (ContextUse &context : Runtime::get().all())
    context->modules().forget(module);
  std::vector<ManagedVariable> managed = Registry::get().managedVariables(module);
  Registry::get().removeModule(module);
  for (const ManagedVariable &variable : managed)
    endHostRegion(variable.base, 1u << unsigned(HostRegionKind::Managed));
}

extern "C" void __cudaRegisterFunction(void **handle, const char *hostFunction, char *,
                                       const char *deviceName, int, uint3 *, uint3 *, dim3 *,
                                       dim3 *, int *) {
  Registry::get().addKernel(reinterpret_cast<const FatModule *>(handle), hostFunction, deviceName);
}

extern "C" void __cudaRegisterVar(void **handle, char *hostVariable, char *, const char *deviceName,
                                  int, size_t size, int isConstant, int) {
  Registry::get().addVariable(hostVariable, {reinterpret_cast<const FatModule *>(handle),
                                             deviceName, size, isConstant != 0});
}

/// Returns true if MODULE has code for devices whose pointers have 32 bits.
static bool hasNarrowCode(const FatModule *module) {
  vx::Result<std::vector<FatImage>> images = parseFatWrapper(module->wrapper);
  return images && std::any_of(images->begin(), images->end(),
                               [](const FatImage &image) { return image.xlen == 32; });
}

/// A __managed__ variable. Both sides reach it through a pointer of their own: the host's is
/// *POINTER, those of devices are filled in when the module is loaded there. INITIAL: its value.
extern "C" void __cudaRegisterManagedVar(void **handle, void **pointer, char *initial,
                                         const char *deviceName, size_t size, unsigned) {
  const FatModule *module = reinterpret_cast<const FatModule *>(handle);
  HostRegion region{HostRegionKind::Managed, 0, size, cudaMemAttachGlobal};
  region.isVariable = true;
  void *base = HostMemory::get().allocate(region, hasNarrowCode(module) ? 32 : 64);
  if (!base) {
    printMessage("no memory for the managed variable " + std::string(deviceName));
    *pointer = initial; // the host's part of the program can continue
    return;
  }
  std::memcpy(base, initial, size);
  *pointer = base;
  Registry::get().addVariable(base, {module, deviceName, size, false, true});
}

extern "C" char __cudaInitModule(void **) {
  return 1;
}

namespace {
struct CallConfiguration {
  dim3 grid, block;
  size_t sharedBytes;
  cudaStream_t stream;
};
} // namespace

/// Arguments of a kernel may launch kernels themselves: a stack.
static std::vector<CallConfiguration> &configurations() {
  return PerThread<std::vector<CallConfiguration>>::get();
}

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes,
                                                struct CUstream_st *stream) {
  configurations().push_back({grid, block, sharedBytes, stream});
  return 0;
}

extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes,
                                                  void *stream) {
  std::vector<CallConfiguration> &stack = configurations();
  if (stack.empty())
    return recordError(cudaErrorMissingConfiguration);
  const CallConfiguration &top = stack.back();
  *grid = top.grid;
  *block = top.block;
  *sharedBytes = top.sharedBytes;
  *static_cast<cudaStream_t *>(stream) = top.stream;
  stack.pop_back();
  return cudaSuccess;
}
