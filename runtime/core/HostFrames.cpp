// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/HostFrames.h"
#include "intrinsics/abi/SymbolNames.h"
#include "intrinsics/text/Hex.h"
#include "simulator/api/ElfSections.h"
#include "simulator/api/Files.h"
#include "simulator/api/InlineTable.h"
#include "simulator/api/LineTable.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>

namespace vx::rt {

namespace {

struct HostFunction {
  uint64_t address, size; ///< in the file
  std::string name;
};

/// The functions of an ELF file of this machine, from its symbol table, which `dladdr` does not
/// read, and its lines, if it was compiled with -g.
class HostSymbols {
public:
  explicit HostSymbols(const char *path) : path(path) {
    std::FILE *file = std::fopen(path, "rb");
    if (!file)
      return;
    Elf64_Ehdr header;
    if (read(file, 0, &header, sizeof header) && !std::memcmp(header.e_ident, ELFMAG, SELFMAG) &&
        header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_shentsize == sizeof(Elf64_Shdr))
      readSections(file, header);
    std::fclose(file);
  }

  /// The function at ADDRESS of the file, or null.
  const HostFunction *find(uint64_t address) const {
    auto it = functions.upper_bound(address);
    if (it == functions.begin())
      return nullptr;
    --it;
    return address - it->first < it->second.size ? &it->second : nullptr;
  }

  /// " file:line" of the instruction at ADDRESS in the function that is not inlined, or nothing.
  std::string findLine(uint64_t address) {
    if (!lines)
      readLines();
    sim::SourceLine line = lines->find(address);
    if (std::vector<sim::InlinedCall> calls = inlined->find(address); !calls.empty())
      line = calls.back().line;
    return line.file.empty() ? "" : " " + line.file + ":" + std::to_string(line.line);
  }

private:
  static bool read(std::FILE *file, uint64_t offset, void *to, size_t size) {
    return std::fseek(file, long(offset), SEEK_SET) == 0 && std::fread(to, 1, size, file) == size;
  }

  void readLines() {
    std::vector<uint8_t> bytes;
    if (Result<std::vector<uint8_t>> file = sim::readFile(path))
      bytes = std::move(*file);
    auto image = sim::readElfSections(bytes, sim::ElfMachine::X86);
    sim::ElfImage none;
    lines.emplace(image ? *image : none);
    inlined.emplace(image ? *image : none, *lines);
  }

  void readSections(std::FILE *file, const Elf64_Ehdr &header) {
    std::vector<Elf64_Shdr> sections(header.e_shnum);
    if (!read(file, header.e_shoff, sections.data(), sections.size() * sizeof sections[0]))
      return;
    for (const Elf64_Shdr &s : sections) {
      constexpr uint64_t kMost = uint64_t(1) << 30; // of a table
      if (s.sh_type != SHT_SYMTAB || s.sh_link >= sections.size() || s.sh_size > kMost ||
          sections[s.sh_link].sh_size > kMost)
        continue;
      std::vector<Elf64_Sym> symbols(s.sh_size / sizeof(Elf64_Sym));
      std::vector<char> names(sections[s.sh_link].sh_size + 1);
      if (!read(file, s.sh_offset, symbols.data(), symbols.size() * sizeof symbols[0]) ||
          !read(file, sections[s.sh_link].sh_offset, names.data(), names.size() - 1))
        continue;
      for (const Elf64_Sym &symbol : symbols)
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size &&
            symbol.st_name < names.size())
          functions[symbol.st_value] = {symbol.st_value, symbol.st_size,
                                        abi::sourceName(names.data() + symbol.st_name)};
    }
  }

  std::string path;
  std::map<uint64_t, HostFunction> functions;
  std::optional<sim::LineTable> lines; ///< read when the first one is asked for
  std::optional<sim::InlineTable> inlined;
};

constexpr std::string_view kOwnName = "__vx_";

struct HostFrame {
  std::string text;
  HostSymbols *symbols = nullptr; ///< of the file that it is in
  uint64_t offset = 0;            ///< there
  bool isRuntime = false;
  bool isMain = false;
};

/// The file's symbols are shared: one thread at a time.
HostFrame describe(void *returnAddress) {
  static std::map<std::string, HostSymbols> *known = new std::map<std::string, HostSymbols>;
  // The call is before the address that it returns to.
  uintptr_t address = reinterpret_cast<uintptr_t>(returnAddress) - 1;
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void *>(address), &info) || !info.dli_fname)
    return {hexText(address)};
  uint64_t base = reinterpret_cast<uintptr_t>(info.dli_fbase);
  // Programs that are not position-independent are loaded where the file says.
  bool isFixed = false;
  if (const auto *header = static_cast<const Elf64_Ehdr *>(info.dli_fbase))
    isFixed = header->e_type == ET_EXEC;
  uint64_t offset = isFixed ? address : address - base;
  std::string name;
  auto [symbols, isNew] = known->try_emplace(info.dli_fname, info.dli_fname);
  const HostFunction *function = symbols->second.find(offset);
  if (function)
    name = function->name;
  else if (info.dli_sname)
    name = abi::sourceName(info.dli_sname);
  if (name.starts_with(kOwnName)) // of the libraries' entries (library/Entries.cmake)
    name.erase(0, kOwnName.size());
  HostFrame frame;
  frame.isRuntime = name.find("vx::rt::") != std::string::npos || name.starts_with("cuda") ||
                    (name.starts_with("cu") && name.size() > 2 && name[2] >= 'A' && name[2] <= 'Z');
  frame.isMain = name == "main";
  frame.symbols = &symbols->second;
  frame.offset = offset;
  if (function)
    name += "+" + hexText(offset - function->address);
  const char *file = std::strrchr(info.dli_fname, '/');
  frame.text = name + (name.empty() ? "" : " ") + "(" + (file ? file + 1 : info.dli_fname) + "+" +
               hexText(offset) + ")";
  return frame;
}

} // namespace

std::vector<void *> captureHostFrames() {
  std::vector<void *> frames(48);
  frames.resize(size_t(backtrace(frames.data(), int(frames.size()))));
  return frames;
}

std::vector<std::string> describeHostFrames(const std::vector<void *> &frames) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  std::vector<HostFrame> all;
  size_t first = 0;
  for (void *address : frames) {
    HostFrame frame = describe(address);
    if (frame.isRuntime)
      first = all.size();
    all.push_back(std::move(frame));
    if (all.back().isMain)
      break;
  }
  // The runtime's own frames have no lines that anyone looks for.
  std::vector<std::string> texts;
  for (size_t i = first; i < all.size(); ++i) {
    HostFrame &frame = all[i];
    bool hasLine = frame.symbols && !frame.isRuntime;
    texts.push_back(frame.text + (hasLine ? frame.symbols->findLine(frame.offset) : ""));
  }
  return texts;
}

} // namespace vx::rt
