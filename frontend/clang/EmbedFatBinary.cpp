// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host and device halves are compiled at the same time, so the host object is made with a small
// placeholder as its fat binary. Nothing in an object refers to an offset after the start of
// .nv_fatbin, hence the real content can go to the end of the file: only the section header
// (offset, size, alignment) changes. The same goes for the device code of a relocatable object.
//
//   before  | ELF header | … | placeholder | … | section headers |
//   after   | ELF header | … | placeholder | … | section headers |  fat binary |

#include "frontend/Frontend.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
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

/// Puts CONTENT in the place of section NAME; false if there is no such section.
bool replaceSection(std::vector<char> &bytes, StringRef name, ArrayRef<char> content) {
  size_t at = findSectionHeader(bytes, name);
  if (!at)
    return false;
  ELF::Elf64_Shdr section;
  std::memcpy(&section, bytes.data() + at, sizeof(section));
  section.sh_offset = alignTo(bytes.size(), 16);
  section.sh_size = content.size();
  section.sh_addralign = 16;
  std::memcpy(bytes.data() + at, &section, sizeof(section));
  bytes.resize(section.sh_offset);
  bytes.insert(bytes.end(), content.begin(), content.end());
  return true;
}

/// Gives the module id, which clang makes of the source's name, one of the same length that no
/// object with other device code has. It is part of names in BYTES: the string table, or assembly
/// text.
void renameModule(MutableArrayRef<char> bytes, ArrayRef<char> deviceCode) {
  static constexpr StringLiteral prefix = "_nv_";
  StringRef text(bytes.data(), bytes.size());
  size_t at = text.find((kRegisterLinkedPrefix + prefix).str());
  if (at == StringRef::npos)
    return;
  at += kRegisterLinkedPrefix.size();
  std::string id = text.substr(at).take_while([](char c) { return isAlnum(c) || c == '_'; }).str();
  MD5 hash;
  hash.update(StringRef(deviceCode.data(), deviceCode.size()));
  std::string digits = hash.final().digest().str().str();
  for (at = text.find(id); at != StringRef::npos; at = text.find(id, at + id.size()))
    for (size_t i = prefix.size(); i < id.size(); ++i)
      bytes[at + i] = digits[(i - prefix.size()) % digits.size()];
}

bool readBytes(StringRef path, std::vector<char> &bytes, DiagnosticLog &log) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    log.addPlain(Severity::Error, "cannot read '" + path + "': " + buffer.getError().message());
    return false;
  }
  bytes.assign((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
  return true;
}

bool writeBytes(StringRef path, ArrayRef<char> bytes, DiagnosticLog &log) {
  std::error_code ec;
  raw_fd_ostream os(path, ec);
  if (!ec)
    os.write(bytes.data(), bytes.size());
  os.close();
  if (!ec && !os.has_error())
    return true;
  log.addPlain(Severity::Error, "cannot write '" + path + "'");
  os.clear_error();
  return false;
}

} // namespace

bool embedFatBinary(StringRef path, ArrayRef<char> content, DiagnosticLog &log) {
  std::vector<char> bytes;
  if (!readBytes(path, bytes, log))
    return false;
  return !replaceSection(bytes, ".nv_fatbin", content) || writeBytes(path, bytes, log);
}

bool embedDeviceCode(StringRef path, ArrayRef<char> content, bool isText, DiagnosticLog &log) {
  std::vector<char> bytes;
  if (!readBytes(path, bytes, log))
    return false;
  renameModule(bytes, content);
  if (!isText)
    replaceSection(bytes, kDeviceCodeSection, content);
  return writeBytes(path, bytes, log);
}

} // namespace vx
