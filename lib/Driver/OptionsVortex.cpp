// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/DeviceLanguage.h"
#include "intrinsics/abi/FatBinaryNames.h"
#include "lib/Driver/OptionParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace llvm::opt;

namespace vx::driver {

void OptionParser::readVortex() {
  for (const Arg *a : *args) {
    Option option = a->getOption();
    if (!option.matches(OPT_VORTEX) || option.matches(OPT_emit))
      continue;
    std::string name = option.getPrefixedName().str();
    std::optional<StringRef> value;
    if (a->getNumValues() > 0)
      value = a->getValue();
    result.deviceArgs.push_back(value ? (name + "=" + *value).str() : name);
    const DeviceOption *row = findDeviceOption(option.getName());
    if (row && !row->set(result.device, value))
      badValue(a, row->expected().c_str());
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
  if (result.device.forCheckers) // reports name local arrays; returns are marked
    for (const char *word : {"-fno-discard-value-names", "-D__VX_MARK_RETURNS__"})
      result.clangArgs.push_back(word);
  addWords(OPT_Xvxlink, result.deviceLinkArgs);
}

void OptionParser::readProfiles(const Arg *a) {
  SmallVector<StringRef, 3> names;
  StringRef(a->getValue()).split(names, ',');
  result.profiles.clear();
  for (StringRef name : names) {
    std::optional<abi::IsaProfile> profile = abi::isaProfileNamed(name);
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
