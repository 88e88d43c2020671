// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One folder for all temporary files of a run, those of the programs that vxcc starts included. It
// vanishes with the object and when vxcc is asked to end by a signal. What a killed vxcc has left
// is removed by the next one: the folder of a vxcc that runs is locked.

#ifndef VX_LIB_DRIVER_TEMPFOLDER_H
#define VX_LIB_DRIVER_TEMPFOLDER_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace vx::driver {

class TempFolder {
public:
  /// Makes the folder and has TMPDIR name it. Where none can be made, all stays as it is.
  TempFolder();
  TempFolder(const TempFolder &) = delete;
  TempFolder &operator=(const TempFolder &) = delete;
  ~TempFolder();

  /// Makes FILE, which lies elsewhere, be removed as well if this process is killed.
  static void noteFile(llvm::StringRef file);
  /// Gives TMPDIR back its value, for a program of the user's.
  static void restoreEnvironment();

private:
  bool make(const std::string &parent);

  std::optional<std::string> former; ///< value of TMPDIR
  int lock = -1;
};

} // namespace vx::driver

#endif // VX_LIB_DRIVER_TEMPFOLDER_H
