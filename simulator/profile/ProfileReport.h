// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profile by source line, with the source text: as text, as one HTML file, and for programs
// (JSON). Code without debug information is shown by function.

#ifndef VX_SIMULATOR_PROFILE_PROFILEREPORT_H
#define VX_SIMULATOR_PROFILE_PROFILEREPORT_H

#include "simulator/profile/Profiler.h"
#include "simulator/profile/SourceText.h"

namespace vx::sim {

/// A source line, or a function without lines.
struct ProfileLine {
  SourceLine source;    ///< file empty: not known
  std::string function; ///< then the function; empty: not known either
  double cycles = 0;    ///< core cycles, issuing or not
  ProfileCounts counts;
  std::vector<std::pair<uint64_t, const InsnProfile *>> insns; ///< by address

  /// "file.cu:7", without folders, or the function.
  std::string place() const;
};

/// A kernel's lines, the one with most cycles first.
struct ProfileTable {
  const KernelProfile *kernel = nullptr;
  ProfileCounts total;
  double cyclesPerIssue = 0;
  double cycles = 0; ///< of all lines
  std::vector<ProfileLine> lines;

  explicit ProfileTable(const KernelProfile &kernel);
  double cyclesOf(const ProfileCounts &counts) const {
    return double(counts.issued) * cyclesPerIssue + double(counts.stalled());
  }
  /// PART of the kernel's cycles, in percent.
  double percent(double part) const { return cycles > 0 ? 100 * part / cycles : 0; }
  /// "12 runs, 3400 cycles, …" in words.
  std::string summary() const;
};

class ProfileReport {
public:
  explicit ProfileReport(const std::vector<KernelProfile> &kernels);

  std::string toText();
  std::string toHtml();
  std::string toJson();

private:
  std::string textOf(const ProfileTable &table);
  std::string annotatedText(const ProfileTable &table);
  std::string htmlOf(const ProfileTable &table, size_t number);
  std::string annotatedHtml(const ProfileTable &table);

  std::vector<ProfileTable> tables; ///< the kernel with most cycles first
  SourceCache sources;
};

/// The lines of a file around those that have counts, in order; null: a line without any.
using AnnotatedLines = std::map<uint32_t, const ProfileLine *>;
/// The files of TABLE, the one with most cycles first, each with its lines and CONTEXT around them.
std::vector<std::pair<std::string, AnnotatedLines>>
annotate(const ProfileTable &table, SourceCache &sources, uint32_t context);

/// Active lanes in percent.
inline double lanePercent(const ProfileCounts &counts) {
  return counts.laneSlots ? 100 * double(counts.lanes) / double(counts.laneSlots) : 0;
}
/// Cycles from the load/store unit to commit, on average.
inline double accessLatency(const ProfileCounts &counts) {
  return counts.accesses ? double(counts.accessCycles) / double(counts.accesses) : 0;
}
/// Returns a number with DIGITS digits after the point.
std::string decimal(double value, int digits);

} // namespace vx::sim

#endif // VX_SIMULATOR_PROFILE_PROFILEREPORT_H
