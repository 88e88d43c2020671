// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/DeviceOptions.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace vx {

static constexpr DeviceOption kOptions[] = {
#define VX_DEVICE_OPTION(TYPE, FIELD, DEFAULT, NAME, WORDS)                                        \
  {&DeviceOptions::FIELD, "vx." #FIELD, NAME, WORDS},
#include "lib/VortexIR/DeviceOptions.def"
};

ArrayRef<DeviceOption> deviceOptions() {
  return kOptions;
}

const DeviceOption *findDeviceOption(StringRef name) {
  const auto *found =
      find_if(kOptions, [&](const DeviceOption &o) { return !name.empty() && o.name == name; });
  return found == std::end(kOptions) ? nullptr : found;
}

void DeviceOptions::uniteWith(const DeviceOptions &other) {
  for (const DeviceOption &option : kOptions)
    std::visit([&](auto field) { this->*field = std::max(this->*field, other.*field); },
               option.field);
}

void DeviceOptions::write(Module &m) const {
  for (const DeviceOption &option : kOptions)
    std::visit([&](auto field) { setModuleFlag(m, option.flag, this->*field); }, option.field);
}

void DeviceOptions::read(const Module &m) {
  for (const DeviceOption &option : kOptions)
    std::visit(
        [&](auto field) {
          using Field = std::remove_reference_t<decltype(this->*field)>;
          this->*field = static_cast<Field>(getModuleFlagOr(m, option.flag, this->*field));
        },
        option.field);
}

bool DeviceOption::set(DeviceOptions &options, std::optional<StringRef> value) const {
  if (const auto *number = std::get_if<unsigned DeviceOptions::*>(&field)) {
    unsigned limit = 0;
    if (!value || value->getAsInteger(10, limit))
      return false;
    options.**number = limit == 0 ? kNoLimit : limit;
    return true;
  }
  auto [no, yes] = words.split(',');
  bool on = value ? *value == (words.empty() ? "true" : yes) : words.empty();
  options.*std::get<bool DeviceOptions::*>(field) = on;
  return on || (value && *value == (words.empty() ? "false" : no));
}

std::string DeviceOption::expected() const {
  if (field.index() == 1)
    return "a number of instructions; 0: no limit";
  auto [no, yes] = words.empty() ? StringRef("false,true").split(',') : words.split(',');
  return (yes + ", " + no).str();
}

} // namespace vx
