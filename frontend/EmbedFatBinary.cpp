// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host and device halves are compiled at the same time, so the host object is made with a small
// placeholder as its fat binary. Nothing in an object refers to an offset behind the start of
// .nv_fatbin, hence the real content can go to the end of the file: only the section header
// (offset, size, alignment) changes.
//
//   before  | ELF header | … | placeholder | … | section headers |
//   after   | ELF header | … | placeholder | … | section headers |  fat binary |

#include "frontend/Frontend.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;

namespace vx {
namespace {

/// Finds the header of section NAME in the ELF-64 file BYTES, or 0.
size_t findSectionHeader(ArrayRef<char> bytes, StringRef name) {
  ELF::Elf64_Ehdr header;
  if (bytes.size() < sizeof(header))
    return 0;
  std::memcpy(&header, bytes.data(), sizeof(header));
  auto sectionAt = [&](unsigned i, ELF::Elf64_Shdr &section) {
    size_t at = header.e_shoff + size_t(i) * header.e_shentsize;
    if (at + sizeof(section) > bytes.size())
      return size_t(0);
    std::memcpy(&section, bytes.data() + at, sizeof(section));
    return at;
  };
  ELF::Elf64_Shdr names;
  if (!sectionAt(header.e_shstrndx, names))
    return 0;
  for (unsigned i = 1; i < header.e_shnum; ++i) {
    ELF::Elf64_Shdr section;
    size_t at = sectionAt(i, section);
    size_t nameAt = names.sh_offset + section.sh_name;
    if (at && nameAt + name.size() < bytes.size() &&
        StringRef(bytes.data() + nameAt, name.size()) == name && !bytes[nameAt + name.size()])
      return at;
  }
  return 0;
}

} // namespace

bool embedFatBinary(StringRef path, ArrayRef<char> content, DiagnosticLog &log) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    log.addPlain(Severity::Error, "cannot read '" + path + "': " + buffer.getError().message());
    return false;
  }
  std::vector<char> bytes((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
  size_t at = findSectionHeader(bytes, ".nv_fatbin");
  if (!at)
    return true;
  ELF::Elf64_Shdr section;
  std::memcpy(&section, bytes.data() + at, sizeof(section));
  section.sh_offset = alignTo(bytes.size(), 16);
  section.sh_size = content.size();
  section.sh_addralign = 16;
  std::memcpy(bytes.data() + at, &section, sizeof(section));
  bytes.resize(section.sh_offset);
  bytes.insert(bytes.end(), content.begin(), content.end());

  std::error_code ec;
  raw_fd_ostream os(path, ec);
  if (!ec)
    os.write(bytes.data(), bytes.size());
  os.close();
  if (ec || os.has_error()) {
    log.addPlain(Severity::Error, "cannot write '" + path + "'");
    os.clear_error();
    return false;
  }
  return true;
}

} // namespace vx
