// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_TOOLS_VXCC_CHECK_OPTIONS_H
#define VX_TOOLS_VXCC_CHECK_OPTIONS_H

#include <string>
#include <vector>

namespace vx::check {

/// The command line.
struct Options {
  std::string tools = "memcheck";
  bool leaks = false, xml = false, apiErrors = true;
  int errorExitCode = 0;
  unsigned printLimit = 0; ///< 0: none
  std::string log, save, mode;
  char **program = nullptr; ///< and its arguments
  bool wantsHelp = false, wantsVersion = false;
};

/// Reads ARGUMENTS, which end with null, without the command's own name. Returns what is wrong with
/// them; empty: nothing.
std::string readOptions(char **arguments, Options &options);

/// Returns the help text of a command that is called COMMAND.
std::string helpText(const std::string &command);

} // namespace vx::check

#endif // VX_TOOLS_VXCC_CHECK_OPTIONS_H
