// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/ModuleLoader.h"
#include "intrinsics/abi/AddressMap.h"
#include "runtime/core/Messages.h"
#include "runtime/image/RuntimeCompiler.h"
#include <algorithm>
#include <unistd.h>

namespace vx::rt {

ImageChoice ModuleLoader::imageChoice() const {
  ImageChoice choice;
  choice.lowering = state.runsHostCode() ? abi::Lowering::Host : state.options().lowering;
  choice.profile = abi::IsaProfile(state.device().caps(Cap::WarpIsa));
  choice.xlen = uint32_t(state.device().caps(Cap::Xlen));
  choice.zicond = state.device().caps(Cap::Zicond) != 0;
  return choice;
}

/// DEFERSSW: without the sw lowering of large kernels that hw runs.
Result<std::unique_ptr<Module>> ModuleLoader::compileModule(const FatModule *fat,
                                                            const FatImage &ir, bool defersSw,
                                                            cudaError_t &error) {
  IrInput input{ir.elf, "device code"};
  CompileChoice how{fat->optLevel};
  how.lowering =
      state.options().lowering == abi::Lowering::Sw ? abi::Lowering::Sw : abi::Lowering::Auto;
  how.defersSw = defersSw;
  how.compiler = ir.compiler;
  if (!ir.compiler.empty() && isatty(STDERR_FILENO)) // it may take as long as compiling the program
    printMessage(
        "compiling device code that is not in the program yet, for this run and later ones");
  CompiledImage compiled = compileIr({&input, 1}, state.device(), how);
  if (compiled.outcome != CompileOutcome::Done) {
    error = compiled.outcome == CompileOutcome::NoCompiler ? cudaErrorJitCompilerNotFound
                                                           : cudaErrorInvalidPtx;
    std::string cure = ir.compiler.empty() ? ""
                                           : "\n  vxcc --vx-defer-sw=0 makes a program that has "
                                             "its sw lowering, and needs no compiler to run";
    return Failure{compiled.log + cure};
  }
  Result<std::vector<FatImage>> images = parseFatBinary(compiled.fatBinary);
  if (!images)
    return images.error();
  Result<FatImage> image = chooseImage(*images, imageChoice());
  if (!image)
    return image.error();
  Result<std::unique_ptr<Module>> module =
      Module::parse(image->elf, image->xlen, image->lowering == abi::Lowering::Host);
  if (module)
    (*module)->own(std::move(compiled.fatBinary));
  return module;
}

/// Returns true if launches that take hw or sw as the device allows need the sw lowering of a
/// kernel of MODULE that does not have it yet.
bool ModuleLoader::lacksSoftware(const Module &module) const {
  return state.options().lowering == abi::Lowering::Auto && module.lacksSoftware(state.shape());
}

/// After errors, which one in ERROR.
Result<std::unique_ptr<Module>> ModuleLoader::loadModule(const FatModule *fat, cudaError_t &error) {
  error = cudaErrorInvalidKernelImage;
  Result<std::vector<FatImage>> images = parseFatWrapper(fat->wrapper);
  if (!images)
    return images.error();
  ImageChoice choice = imageChoice();
  bool host = choice.lowering == abi::Lowering::Host;
  Result<FatImage> image = chooseImage(*images, choice);
  const FatImage *ir = findIr(*images);
  if (image) {
    Result<std::unique_ptr<Module>> module = Module::parse(image->elf, choice.xlen, host);
    if (!module || !ir || !lacksSoftware(**module))
      return module;
    Result<std::unique_ptr<Module>> whole = compileModule(fat, *ir, /*defersSw=*/false, error);
    if (whole)
      return whole;
    printMessage(whole.error().message); // kernels that hw can run do so
    return module;
  }
  error = cudaErrorNoKernelImageForDevice;
  if (ir) {
    Result<std::unique_ptr<Module>> module = compileModule(fat, *ir, /*defersSw=*/true, error);
    if (module && lacksSoftware(**module))
      module = compileModule(fat, *ir, /*defersSw=*/false, error);
    return module;
  }
  choice.lowering = abi::Lowering::Auto;
  if (!host && state.options().lowering != abi::Lowering::Auto && chooseImage(*images, choice))
    return Failure{image.error().message + "; VX_LOWERING=auto takes what there is"};
  return image.error();
}

static uint64_t firstAddress(const Module &module) {
  uint64_t first = UINT64_MAX;
  for (const sim::ImageSegment &segment : module.segments())
    first = std::min(first, segment.address);
  return first;
}

static uint64_t endAddress(const Module &module) {
  uint64_t end = 0;
  for (const sim::ImageSegment &segment : module.segments())
    end = std::max(end, segment.address + segment.memorySize);
  return end;
}

/// Moves MODULE to the device's own addresses, and after the others if it is in the way of one,
/// if it can be moved and there is room.
static void placeModule(Module &module, const std::vector<const Module *> &others, uint32_t xlen,
                        uint64_t deviceSlide) {
  constexpr uint64_t kUnit = 1 << 20; // keeps code addresses easy to read
  uint64_t limit = xlen == 64 ? VX_STACK_BASE_ADDR_64 - VX_STACK_ROOM_64
                              : VX_STACK_BASE_ADDR_32 - VX_STACK_ROOM_32;
  if (xlen == 64)
    limit += deviceSlide;
  if (deviceSlide && module.isMovable() && endAddress(module) + deviceSlide <= limit)
    module.moveBy(deviceSlide);
  uint64_t end = 0;
  bool collides = false;
  for (const Module *other : others) {
    end = std::max(end, endAddress(*other));
    collides |= module.collidesWith(*other);
  }
  if (!collides || !module.isMovable())
    return;
  uint64_t slide = (end - firstAddress(module) + kUnit - 1) & ~(kUnit - 1);
  if (endAddress(module) + slide <= limit)
    module.moveBy(slide);
}

/// The module of FAT, read at its first use. Called with the mutex held.
Result<Module *> ModuleLoader::moduleOf(const FatModule *fat, cudaError_t &error) {
  if (auto it = modules.find(fat); it != modules.end())
    return it->second.get();
  Result<std::unique_ptr<Module>> module = loadModule(fat, error);
  if (!module)
    return module.error();
  std::vector<const Module *> others;
  for (const auto &[otherFat, other] : modules)
    others.push_back(other.get());
  placeModule(**module, others, uint32_t(state.device().caps(Cap::Xlen)),
              state.device().imageSlide());
  return modules.emplace(fat, std::move(*module)).first->second.get();
}

cudaError_t ModuleLoader::findKernel(const void *hostFunction, Kernel *&kernel) {
  std::optional<RegisteredKernel> registered = Registry::get().findKernel(hostFunction);
  if (!registered)
    return cudaErrorInvalidDeviceFunction;
  std::lock_guard lock(mutex);
  if (brokenModules.contains(registered->module))
    return cudaErrorNoKernelImageForDevice;
  cudaError_t error = cudaErrorNoKernelImageForDevice;
  Result<Module *> module = moduleOf(registered->module, error);
  if (!module) {
    brokenModules.emplace(registered->module, cudaErrorNoKernelImageForDevice); // said once
    printMessage(module.error().message);
    return cudaErrorNoKernelImageForDevice;
  }
  kernel = (*module)->kernel(registered->deviceName);
  return kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t ModuleLoader::findVariable(const void *hostVariable, Module *&module,
                                       AddressRange &range) {
  std::optional<RegisteredVariable> registered = Registry::get().findVariable(hostVariable);
  if (!registered)
    return cudaErrorInvalidSymbol;
  std::lock_guard lock(mutex);
  cudaError_t error = cudaErrorNoKernelImageForDevice;
  Result<Module *> found = moduleOf(registered->module, error);
  if (!found) {
    if (brokenModules.emplace(registered->module, cudaErrorNoKernelImageForDevice).second)
      printMessage(found.error().message);
    return cudaErrorNoKernelImageForDevice;
  }
  std::optional<AddressRange> variable = (*found)->variable(registered->deviceName);
  if (!variable)
    return cudaErrorInvalidSymbol;
  module = *found;
  if (registered->isManaged) { // the module only has a pointer
    range = {reinterpret_cast<uintptr_t>(hostVariable), registered->size};
    return cudaSuccess;
  }
  range = {variable->base, registered->size ? registered->size : variable->size};
  return cudaSuccess;
}

Kernel *ModuleLoader::kernelAt(uint64_t handle) {
  std::lock_guard lock(mutex);
  for (auto &[fat, module] : modules)
    if (Kernel *kernel = module->isResident() ? module->kernelAt(handle) : nullptr)
      return kernel;
  return nullptr;
}

std::optional<AddressRange> ModuleLoader::findRange(uint64_t address) {
  std::lock_guard lock(mutex);
  for (const auto &[fat, module] : modules)
    for (const sim::ImageSegment &segment : module->segments())
      if (AddressRange range{segment.address, segment.memorySize}; range.contains(address, 1))
        return range;
  return std::nullopt;
}

Result<void> ModuleLoader::makeResident(Module &module) {
  if (module.isResident())
    return {};
  std::vector<Module *> others;
  const FatModule *own = nullptr;
  {
    std::lock_guard lock(mutex);
    for (const auto &[fat, other] : modules) {
      if (other.get() == &module)
        own = fat;
      if (other->isResident() && other->collidesWith(module))
        others.push_back(other.get());
    }
  }
  for (Module *other : others)
    if (Result<void> r = other->evict(state.device()); !r)
      return r;
  Result<void> loaded = module.load(state.device());
  return loaded && own ? setManagedPointers(module, own) : loaded;
}

/// Tells the kernels of MODULE where its managed variables are.
Result<void> ModuleLoader::setManagedPointers(const Module &module, const FatModule *fat) {
  for (const ManagedVariable &variable : Registry::get().managedVariables(fat)) {
    uint64_t address = reinterpret_cast<uintptr_t>(variable.base);
    std::optional<AddressRange> pointer = module.variable(variable.deviceName);
    if (!pointer || pointer->size > sizeof address)
      continue; // device code does not use it
    std::span bytes(reinterpret_cast<const uint8_t *>(&address), pointer->size);
    if (Result<void> r = state.device().copyToDev(pointer->base, bytes); !r)
      return r;
  }
  return {};
}

cudaError_t ModuleLoader::load(const FatModule *fat, Module *&module, std::string &log) {
  {
    std::lock_guard lock(mutex);
    cudaError_t error = cudaErrorInvalidKernelImage;
    Result<Module *> found = moduleOf(fat, error);
    if (!found) {
      log = found.error().message;
      return error;
    }
    module = *found;
  }
  return state.scheduler().withDevice([&] { return use(*module); });
}

cudaError_t ModuleLoader::use(Module &module) {
  if (Result<void> r = makeResident(module); !r) {
    state.failDevice(r.error());
    return state.stickyError();
  }
  return cudaSuccess;
}

void ModuleLoader::forget(const FatModule *fat) {
  state.scheduler().waitForAll();
  state.scheduler().withDevice([&] {
    std::lock_guard lock(mutex);
    auto it = modules.find(fat);
    if (it == modules.end())
      return;
    if (it->second->isResident())
      (void)it->second->evict(state.device()); // its memory is given up either way
    modules.erase(it);
  });
}

} // namespace vx::rt
