// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings of the checkers: counted once for each source line, printed in words when a run
// ends, and written to a file for machines when the program ends.

#ifndef VX_SIMULATOR_CHECK_FINDINGS_H
#define VX_SIMULATOR_CHECK_FINDINGS_H

#include "simulator/api/InlineTable.h"
#include "simulator/api/Result.h"
#include "simulator/api/SimConfig.h"
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vx::sim {

struct Finding {
  const char *tool = "";               ///< "memcheck"
  const char *kind = "";               ///< for machines, e.g. "invalid-read"
  std::string title;                   ///< in words
  std::string kernel;                  ///< empty: it is not about a kernel
  std::string lowering, block, thread; ///< "(0,0,0)"; empty: not known
  std::string function, file;
  uint64_t functionOffset = 0;
  uint32_t line = 0;
  std::vector<InlinedCall> inlined; ///< the calls that the line was inlined by
  uint64_t address = 0, bytes = 0;
  std::string otherFile; ///< of the other access or call that it is about, if there is one
  uint32_t otherLine = 0;
  std::vector<std::string> notes; ///< lines; those that belong to the one before begin with a space
  uint64_t count = 1;             ///< how often

  /// "name+0x12 file.cu:7", as much of it as is known.
  std::string place() const;
};

class Findings {
public:
  explicit Findings(const SimConfig &config) : config(config) {}

  /// Creates the files that are asked for, so that a name that cannot be written is found at once.
  Result<void> open();
  ~Findings();

  /// The number of the finding of KEY; none: there is none.
  std::optional<size_t> find(const std::string &key) const;
  /// The number of FINDING, which is new.
  size_t add(const std::string &key, Finding finding);
  /// The finding NUMBER once more.
  void count(size_t number) {
    ++all[number].count;
    ++counted;
  }
  /// Returns how many have been added or counted.
  uint64_t total() const { return all.size() + counted; }
  /// KERNEL has run. If some checkers see nothing of it, WHY says why, which is printed once; else
  /// it is empty.
  void noteKernel(const std::string &kernel, const std::string &why);
  /// Prints what is new.
  void print();
  /// Prints the summary and writes the files. Nothing may be added afterwards.
  Result<void> finish();

private:
  std::string toJson() const;
  std::string toXml() const;
  std::vector<std::string> unseenKernels() const;
  std::string summary() const;
  void say(const std::string &text);

  const SimConfig &config;
  std::FILE *log = nullptr; ///< null: stderr
  std::vector<Finding> all;
  std::map<std::string, size_t> places; ///< in `all`, by key
  size_t printed = 0;
  uint64_t counted = 0;
  std::map<std::string, bool> kernels; ///< that have run; true: all checkers have seen them
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_FINDINGS_H
