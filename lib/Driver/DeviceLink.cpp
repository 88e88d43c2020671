// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/DeviceLink.h"
#include "lib/VortexIR/DisplayName.h"
#include "passes/Pipelines.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {
namespace {

constexpr unsigned kSharedMemory = 3; ///< address space of NVVM IR

class DeviceLinker {
public:
  DeviceLinker(ArrayRef<DeviceUnit> units, LLVMContext &context, DiagnosticLog &log)
      : units(units), context(context), log(log) {}

  std::unique_ptr<Module> link() {
    if (!readModules())
      return nullptr;
    for (size_t i = 0; i < units.size(); ++i)
      addDefinitions(i);
    for (size_t i = 0; i < units.size(); ++i)
      checkReferences(i);
    if (log.hasErrors())
      return nullptr;
    std::unique_ptr<Module> whole = std::move(modules.front());
    Linker linker(*whole);
    for (std::unique_ptr<Module> &module : drop_begin(modules))
      if (linker.linkInModule(std::move(module))) {
        if (!log.hasErrors())
          log.addPlain(Severity::Error, "device code cannot be linked");
        return nullptr;
      }
    return whole;
  }

  /// Returns the kernels of unit I.
  std::vector<std::string> kernelsOf(size_t i) const { return kernels[i]; }

private:
  bool readModules() {
    for (const DeviceUnit &unit : units) {
      auto module = parseBitcodeFile(*unit.bitcode, context);
      if (!module) {
        log.addPlain(Severity::Error, "cannot read the device code of '" + unit.name +
                                          "': " + toString(module.takeError()));
        return false;
      }
      std::vector<std::string> names;
      for (const Function &f : **module)
        if (f.getCallingConv() == CallingConv::PTX_Kernel && !f.isDeclaration())
          names.push_back(f.getName().str());
      kernels.push_back(std::move(names));
      modules.push_back(std::move(*module));
    }
    return true;
  }

  static std::string describe(const GlobalValue &g) {
    const auto *f = dyn_cast<Function>(&g);
    bool isKernel = f && f->getCallingConv() == CallingConv::PTX_Kernel;
    return (isKernel ? "kernel '"
            : f      ? "device function '"
                     : "device variable '") +
           displayName(g) + "'";
  }

  void addDefinitions(size_t i) {
    for (const GlobalValue &g : modules[i]->global_values()) {
      if (g.hasLocalLinkage() || g.isDeclaration() || g.hasAppendingLinkage())
        continue;
      if (g.hasAvailableExternallyLinkage())
        continue;
      if (!g.isWeakForLinker()) {
        auto [it, isNew] = strong.try_emplace(g.getName(), i);
        if (!isNew)
          log.addPlain(Severity::Error, "multiple definition of " + describe(g) + " in '" +
                                            units[i].name + "', first defined in '" +
                                            units[it->second].name + "'");
      }
      defined.insert(g.getName());
    }
  }

  /// Returns true for what CUDA's headers declare and vxcc does not have: that is reported later,
  /// with its source line.
  static bool isOfCuda(StringRef name) {
    return name.starts_with("cuda") || name.starts_with("__");
  }

  void checkReferences(size_t i) {
    for (const GlobalValue &g : modules[i]->global_values()) {
      if (!g.isDeclaration() || g.use_empty() || g.hasExternalWeakLinkage() ||
          defined.contains(g.getName()) || g.getAddressSpace() == kSharedMemory)
        continue;
      const auto *f = dyn_cast<Function>(&g);
      if (f ? isProvidedByDevice(*f) || isOfCuda(f->getName()) : g.getName().starts_with("llvm."))
        continue;
      log.addPlain(Severity::Error,
                   "undefined reference to " + describe(g) + " in '" + units[i].name + "'");
    }
  }

  ArrayRef<DeviceUnit> units;
  LLVMContext &context;
  DiagnosticLog &log;
  std::vector<std::unique_ptr<Module>> modules;
  std::vector<std::vector<std::string>> kernels;
  StringMap<size_t> strong;
  StringSet<> defined;
};

/// Adds what is in FROM and not yet in TO.
template <typename T> void unite(std::vector<T> &to, const std::vector<T> &from) {
  for (const T &value : from)
    if (!is_contained(to, value))
      to.push_back(value);
}

/// Returns true if ARGS has option NAME.
bool says(const std::vector<std::string> &args, StringRef name) {
  return any_of(args, [&](StringRef arg) { return arg.ltrim('-').split('=').first == name; });
}

/// Returns the options that UNITS agree in, or need together, as far as LINK has none of its own.
Options uniteOptions(const Options &link, ArrayRef<DeviceUnit> units, const DeviceLinker &linker) {
  Options result = link;
  result.kernelLowerings.clear();
  bool first = true, sameLowering = true;
  std::vector<Options> all;
  for (const DeviceUnit &unit : units) {
    Options own = parseDeviceOptions(unit.deviceArgs).value_or(Options());
    own.device.optLevel = unit.optLevel;
    auto take = [&](const char *name, auto field) {
      if (says(link.deviceArgs, name))
        return;
      if (first)
        result.*field = own.*field;
      else if constexpr (std::is_same_v<decltype(field), bool Options::*>)
        result.*field |= own.*field;
      else
        unite(result.*field, own.*field);
    };
    take("target", &Options::forVortex);
    take("target", &Options::forHost);
    take("vx-xlen", &Options::xlens);
    take("vx-isa", &Options::profiles);
    take("vx-zicond", &Options::zicond);
    if (first)
      result.device = own.device;
    else
      result.device.uniteWith(own.device);
    unite(result.deviceLinkArgs, own.deviceLinkArgs);
    sameLowering &= first || own.lowering == all.front().lowering;
    first = false;
    all.push_back(std::move(own));
  }
  for (const DeviceOption &option : deviceOptions())
    if (!option.name.empty() && says(link.deviceArgs, option.name))
      std::visit([&](auto field) { result.device.*field = link.device.*field; }, option.field);
  bool ownLowering = says(link.deviceArgs, "lower");
  if (!ownLowering)
    result.lowering = sameLowering ? all.front().lowering : abi::Lowering::Auto;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!ownLowering && !sameLowering && all[i].lowering != abi::Lowering::Auto)
      for (const std::string &kernel : linker.kernelsOf(i))
        result.kernelLowerings.push_back({kernel, all[i].lowering});
    unite(result.kernelLowerings, all[i].kernelLowerings);
  }
  for (const auto &own : link.kernelLowerings) // the last one counts
    result.kernelLowerings.push_back(own);
  return result;
}

} // namespace

LinkedModule linkDeviceUnits(ArrayRef<DeviceUnit> units, const Options &options,
                             LLVMContext &context, DiagnosticLog &log) {
  LinkedModule result;
  DeviceLinker linker(units, context, log);
  result.module = linker.link();
  if (result.module)
    result.options = uniteOptions(options, units, linker);
  return result;
}

} // namespace vx::driver
