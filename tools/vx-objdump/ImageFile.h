// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device image as vx-objdump sees it: sections with addresses and bytes, symbols, source lines.
// An ELF file has all of these; a vxbin or a raw file is one nameless piece of code.

#ifndef VX_TOOLS_OBJDUMP_IMAGEFILE_H
#define VX_TOOLS_OBJDUMP_IMAGEFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vx {

/// Settings for a file that does not say itself how to read it.
struct ImageOptions {
  bool raw = false;                 ///< raw bytes, not a vxbin
  uint64_t rawAddress = 0x80000000; ///< address of raw bytes
  unsigned xlen = 64;               ///< register width of raw and vxbin code
  bool demangle = true;             ///< show C++ names as in the source
};

struct Section {
  std::string name;
  uint64_t address = 0, size = 0;
  bool isCode = false, isLoaded = false;
  llvm::ArrayRef<uint8_t> bytes; ///< empty for zero-initialised sections
};

struct Symbol {
  std::string name;
  uint64_t address = 0, size = 0;
  std::string section;
  char binding = 'l'; ///< l local, g global, w weak
  char kind = ' ';    ///< F function, O object, else blank
};

class ImageFile {
public:
  static llvm::Expected<std::unique_ptr<ImageFile>> read(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                                         const ImageOptions &options);
  ~ImageFile();

  llvm::StringRef format() const { return formatName; }
  unsigned xlen() const { return registerWidth; }
  bool isRelocatable() const { return relocatable; }
  const std::vector<Section> &sections() const { return sectionList; }
  /// Returns the section called NAME, or null.
  const Section *section(llvm::StringRef name) const;
  /// Returns the symbols, ordered by address.
  const std::vector<Symbol> &symbols() const { return symbolList; }
  /// Returns "name" or "name+0x10" for the code symbol at or before ADDRESS; empty when there is
  /// none.
  std::string describe(uint64_t address) const;
  /// Returns "file:line:column" from the debug information; empty when there is none.
  std::string sourceLine(uint64_t address);

private:
  struct Elf;
  ImageFile();
  llvm::Error readElf(const ImageOptions &options);
  llvm::Error readFlat(const ImageOptions &options);

  std::string formatName;
  unsigned registerWidth = 64;
  bool relocatable = false;
  std::vector<Section> sectionList;
  std::vector<Symbol> symbolList;
  std::unique_ptr<Elf> elf;
};

} // namespace vx

#endif // VX_TOOLS_OBJDUMP_IMAGEFILE_H
