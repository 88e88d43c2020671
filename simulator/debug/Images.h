// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image files of what has run, which gdb reads symbols and lines from over the line: the first
// one as the program, the others as its libraries.

#ifndef VX_SIMULATOR_DEBUG_IMAGES_H
#define VX_SIMULATOR_DEBUG_IMAGES_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vx::sim {

class Images {
public:
  /// A run of FILE starts, which is at ADDRESS, by SLIDE higher than it was linked to. Whether gdb
  /// has to be told of a new library.
  bool add(std::span<const uint8_t> file, uint64_t address, uint64_t slide);

  /// The path of the program; empty: there is none, or it does not run where it is linked to.
  std::string program() const;
  /// The libraries, as gdb's XML has them.
  std::string libraries() const;
  /// Answers a vFile request (the part after "vFile:") as the protocol wants it.
  std::string answerFileRequest(std::string_view request) const;

private:
  struct Image {
    std::vector<uint8_t> bytes;
    uint64_t address = 0, slide = 0;
  };

  static std::string pathOf(size_t number);
  std::string open(std::string_view path) const;
  bool isProgram(size_t number) const { return number == 0 && images[0].slide == 0; }

  std::vector<Image> images;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_DEBUG_IMAGES_H
