// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_TOOLS_OBJDUMP_DUMPER_H
#define VX_TOOLS_OBJDUMP_DUMPER_H

#include "tools/vx-objdump/Disassembly.h"
#include "tools/vx-objdump/ImageFile.h"

namespace vx {

/// Prints the parts of an image to stdout.
class Dumper {
public:
  /// LINES: show source lines where they change; DEMANGLE: C++ names as in the source.
  Dumper(ImageFile &image, bool lines, bool demangle)
      : image(image), lines(lines), demangle(demangle) {}
  void sections() const;
  void symbols() const;
  llvm::Error disassemble() const;
  llvm::Error kernels() const;
  /// Returns true when the image is free of violations.
  llvm::Expected<bool> checkDivergence() const;

private:
  void disassemble(const Section &section, Disassembler &disassembler) const;
  ImageFile &image;
  bool lines, demangle;
};

} // namespace vx

#endif // VX_TOOLS_OBJDUMP_DUMPER_H
