// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/DeviceLanguage.h"
#include "tools/vxcc/OptionParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace llvm::opt;

namespace vx::driver {

void OptionParser::readVortex() {
  for (const Arg *a :
       args->filtered(OPT_lower, OPT_lower_kernel, OPT_Rvx_lower, OPT_target, OPT_vx_xlen,
                      OPT_vx_isa, OPT_vx_zicond, OPT_vx_tiles, OPT_vx_split_warps, OPT_vx_coarsen,
                      OPT_vx_mapping_budget, OPT_vx_defer_sw, OPT_Xvxlink)) {
    bool isSwitch = a->getOption().matches(OPT_Rvx_lower);
    std::string name = "-" + std::string(isSwitch ? "" : "-") + a->getOption().getName().str();
    result.deviceArgs.push_back(isSwitch ? name : name + "=" + a->getValue());
  }
  if (const Arg *a = args->getLastArg(OPT_emit)) {
    if (result.action == Action::DeviceLink)
      result.deviceLinkToImage = true;
    else
      result.action = Action::Device;
    auto kind = StringSwitch<std::optional<DeviceOutput>>(a->getValue())
                    .Case("nvvm", DeviceOutput::Nvvm)
                    .Case("ir", DeviceOutput::Ir)
                    .Case("asm", DeviceOutput::Asm)
                    .Case("obj", DeviceOutput::Obj)
                    .Case("elf", DeviceOutput::Elf)
                    .Case("vxbin", DeviceOutput::VxBin)
                    .Default(std::nullopt);
    std::string kinds = "nvvm, ir, asm, obj, elf, vxbin";
    for (const DeviceLanguage &language : deviceLanguages()) {
      if (!language.write)
        continue;
      kinds += (", " + language.name).str();
      if (language.name == a->getValue()) {
        kind = DeviceOutput::Language;
        result.deviceLanguage = &language;
      }
    }
    if (kind)
      result.deviceOutput = *kind;
    else
      badValue(a, kinds.c_str());
  }
  if (const Arg *a = args->getLastArg(OPT_lower))
    readLowering(a);
  result.lowerRemarks = args->hasArg(OPT_Rvx_lower);
  for (const Arg *a : args->filtered(OPT_lower_kernel))
    readKernelLowering(a);
  if (const Arg *a = args->getLastArg(OPT_target))
    readTargets(a);
  if (const Arg *a = args->getLastArg(OPT_vx_xlen))
    readWidths(a);
  if (const Arg *a = args->getLastArg(OPT_vx_isa))
    readProfiles(a);
  if (const Arg *a = args->getLastArg(OPT_vx_zicond))
    readZicond(a);
  if (const Arg *a = args->getLastArg(OPT_vx_tiles)) {
    result.exactTiles = StringRef(a->getValue()) == "exact";
    if (!result.exactTiles && StringRef(a->getValue()) != "wide")
      badValue(a, "wide, exact");
  }
  result.splitWarps = readBool(OPT_vx_split_warps, false);
  result.coarsen = readBool(OPT_vx_coarsen, true);
  auto readLimit = [&](OptSpecifier option) -> std::optional<unsigned> {
    const Arg *a = args->getLastArg(option);
    unsigned limit = 0;
    if (a && StringRef(a->getValue()).getAsInteger(10, limit))
      badValue(a, "a number of instructions; 0: no limit");
    return a ? std::optional(limit) : std::nullopt;
  };
  result.mappingBudget = readLimit(OPT_vx_mapping_budget);
  result.deferSwLimit = readLimit(OPT_vx_defer_sw);
  result.forCheckers = args->hasArg(OPT_fvx_check);
  if (result.forCheckers)
    result.clangArgs.push_back("-fno-discard-value-names"); // reports name local arrays
  addWords(OPT_Xvxlink, result.deviceLinkArgs);
}

void OptionParser::readProfiles(const Arg *a) {
  SmallVector<StringRef, 3> names;
  StringRef(a->getValue()).split(names, ',');
  result.profiles.clear();
  for (StringRef name : names) {
    auto profile = StringSwitch<std::optional<abi::IsaProfile>>(name)
                       .Case("base", abi::IsaProfile::Base)
                       .Case("upstream", abi::IsaProfile::Upstream)
                       .Case("warp", abi::IsaProfile::Warp)
                       .Case("paths", abi::IsaProfile::Paths)
                       .Default(std::nullopt);
    bool tooMany = wantsOneImage() && !result.profiles.empty();
    if (!profile || tooMany)
      return badValue(a, tooMany ? "base, upstream, warp, paths: one of them here"
                                 : "base, upstream, warp, paths");
    if (!is_contained(result.profiles, *profile))
      result.profiles.push_back(*profile);
  }
}

void OptionParser::readZicond(const Arg *a) {
  bool one = wantsOneImage();
  auto ways = StringSwitch<std::vector<bool>>(a->getValue())
                  .Case("true", {true})
                  .Case("false", {false})
                  .Cases({"true,false", "false,true"}, {true, false})
                  .Default({});
  if (ways.empty() || (one && ways.size() > 1))
    badValue(a, one ? "true, false" : "true, false and \"true,false\"");
  else
    result.zicond = ways;
}

void OptionParser::readTargets(const Arg *a) {
  StringRef value = a->getValue();
  bool both = value == "vortex,host" || value == "host,vortex";
  bool one = wantsOneImage();
  if ((value != "vortex" && value != "host" && !both) || (one && both))
    return badValue(a, one ? "vortex, host" : "vortex, host and \"vortex,host\"");
  result.forVortex = value != "host";
  result.forHost = value != "vortex";
}

void OptionParser::readWidths(const Arg *a) {
  auto widths = StringSwitch<std::vector<unsigned>>(a->getValue())
                    .Case("32", {32})
                    .Case("64", {64})
                    .Cases({"32,64", "64,32"}, {32, 64})
                    .Default({});
  bool one = wantsOneImage();
  if (widths.empty() || (one && widths.size() > 1))
    badValue(a, one ? "32, 64" : "32, 64 and \"32,64\"");
  else
    result.xlens = widths;
}

std::optional<abi::Lowering> OptionParser::lowering(StringRef name) {
  return StringSwitch<std::optional<abi::Lowering>>(name)
      .Case("hw", abi::Lowering::Hw)
      .Case("sw", abi::Lowering::Sw)
      .Case("auto", abi::Lowering::Auto)
      .Default(std::nullopt);
}

void OptionParser::readLowering(const Arg *a) {
  if (auto how = lowering(a->getValue()))
    result.lowering = *how;
  else
    badValue(a, "hw, sw, auto");
}

void OptionParser::readKernelLowering(const Arg *a) {
  auto [kernel, name] = StringRef(a->getValue()).rsplit('=');
  auto how = lowering(name);
  if (how && !kernel.empty())
    result.kernelLowerings.push_back({kernel.str(), *how});
  else
    badValue(a, "KERNEL=hw, KERNEL=sw, KERNEL=auto");
}

void OptionParser::badValue(const Arg *a, const char *allowed) {
  fail("value '" + Twine(a->getValue()) + "' is not defined for option '" +
       a->getOption().getName() + "'; allowed: " + allowed);
}

} // namespace vx::driver
