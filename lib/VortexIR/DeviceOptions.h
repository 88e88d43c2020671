// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of DeviceOptions.def: as values, on a command line, and as flags of a module, where
// passes read them. Without a flag, as under vx-opt, an option is false, or a number has no limit.

#ifndef VX_LIB_VORTEXIR_DEVICEOPTIONS_H
#define VX_LIB_VORTEXIR_DEVICEOPTIONS_H

#include "lib/VortexIR/TargetFeatures.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <variant>

namespace vx {

/// The number of an option without a limit.
inline constexpr unsigned kNoLimit = ~0u;

struct DeviceOptions {
#define VX_DEVICE_OPTION(TYPE, FIELD, DEFAULT, NAME, WORDS) TYPE FIELD = DEFAULT;
#include "lib/VortexIR/DeviceOptions.def"

  /// Takes what modules need that are compiled together: what one of them wants, or the larger
  /// number.
  void uniteWith(const DeviceOptions &other);

  /// Writes the flags of M.
  void write(llvm::Module &m) const;

  /// Sets what flags of M say.
  void read(const llvm::Module &m);
};

/// A row of the table.
struct DeviceOption {
  std::variant<bool DeviceOptions::*, unsigned DeviceOptions::*> field;
  llvm::StringLiteral flag, name, words;

  /// Returns true if the option is followed by a value.
  bool takesValue() const { return !words.empty() || field.index() == 1; }

  /// Sets the option in OPTIONS to VALUE; returns false if it is not a value of this option.
  bool set(DeviceOptions &options, std::optional<llvm::StringRef> value) const;

  /// Returns the values that the option may have, for a message.
  std::string expected() const;
};

llvm::ArrayRef<DeviceOption> deviceOptions();

/// Returns the option that is called NAME, without dashes, or null.
const DeviceOption *findDeviceOption(llvm::StringRef name);

/// Readers of a module's flags, one for each option.
namespace deviceOption {
#define VX_DEVICE_OPTION(TYPE, FIELD, DEFAULT, NAME, WORDS)                                        \
  inline TYPE FIELD(const llvm::Module &m) {                                                       \
    return static_cast<TYPE>(getModuleFlagOr(                                                      \
        m, "vx." #FIELD, std::is_same_v<TYPE, bool> ? 0 : static_cast<uint64_t>(kNoLimit)));       \
  }
#include "lib/VortexIR/DeviceOptions.def"
} // namespace deviceOption

} // namespace vx

#endif // VX_LIB_VORTEXIR_DEVICEOPTIONS_H
