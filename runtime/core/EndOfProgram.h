// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said when the program ends, and the exit status of one whose reports are not complete.

#ifndef VX_RUNTIME_CORE_ENDOFPROGRAM_H
#define VX_RUNTIME_CORE_ENDOFPROGRAM_H

#include <string>

namespace vx::rt {

/// Says that a report which the user has asked for is not complete, for the reason MESSAGE. A
/// program that would end with status 0 ends with status 1.
void noteLostReport(const std::string &message);
bool isAnyReportLost();

/// NOTE is said once in each session of a terminal, when the program ends, after what it has
/// printed; at once if stderr is not a terminal. The first call decides.
void noteForUser(const std::string &note);
void sayNoteForUser();

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_ENDOFPROGRAM_H
