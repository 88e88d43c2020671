// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/DeviceUnits.h"
#include "frontend/Frontend.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace vx::driver {
namespace {

constexpr StringLiteral kVersionKey = "vxcc", kLevelKey = "opt-level", kArgsKey = "options";

/// Reads files one after the other; what it says of one names it.
class Reader {
public:
  Reader(DeviceInputs &result, DiagnosticLog &log) : result(result), log(log) {}

  bool readFile(const std::string &path) {
    auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer)
      return true; // the linker says so
    switch (identify_magic((*buffer)->getBuffer())) {
    case file_magic::elf_relocatable:
      return readObject(**buffer, path, /*fromArchive=*/false);
    case file_magic::archive:
      return readArchive(**buffer, path);
    default:
      return true;
    }
  }

  /// Completes the result. To be called after all files.
  void finish() {
    for (Object &object : objects) {
      if (all_of(object.registrations, [&](const std::string &r) { return defined.contains(r); }) &&
          !object.registrations.empty())
        continue;
      for (DeviceUnit &unit : object.units)
        result.units.push_back(std::move(unit));
      for (std::string &name : object.registrations)
        if (names.insert(name).second)
          result.registrations.push_back(std::move(name));
    }
  }

private:
  struct Object {
    std::vector<DeviceUnit> units;
    std::vector<std::string> registrations;
  };

  bool fail(const Twine &message) {
    log.addPlain(Severity::Error, message);
    return false;
  }

  bool readArchive(MemoryBufferRef buffer, const std::string &path) {
    auto archive = object::Archive::create(buffer);
    if (!archive)
      return fail("cannot read '" + path + "': " + toString(archive.takeError()));
    Error error = Error::success();
    bool good = true;
    for (const object::Archive::Child &child : (*archive)->children(error)) {
      auto name = child.getName();
      auto member = child.getMemoryBufferRef();
      if (!name || !member) {
        consumeError(name.takeError());
        consumeError(member.takeError());
        continue; // a member of a thin archive is missing; the linker says so
      }
      if (identify_magic(member->getBuffer()) == file_magic::elf_relocatable)
        good &= readObject(*member, path + ":" + name->str(), /*fromArchive=*/true);
    }
    if (error)
      return fail("cannot read '" + path + "': " + toString(std::move(error)));
    return good;
  }

  bool readObject(MemoryBufferRef buffer, const std::string &name, bool fromArchive) {
    auto file = object::ObjectFile::createELFObjectFile(buffer);
    if (!file)
      return fail("cannot read '" + name + "': " + toString(file.takeError()));
    Object object;
    for (const object::SymbolRef &symbol : (*file)->symbols())
      readSymbol(symbol, object, fromArchive);
    for (const object::SectionRef &section : (*file)->sections()) {
      auto sectionName = section.getName();
      if (!sectionName || *sectionName != kDeviceCodeSection) {
        consumeError(sectionName.takeError());
        continue;
      }
      auto content = section.getContents();
      if (!content)
        return fail("cannot read '" + name + "': " + toString(content.takeError()));
      if (!readUnits(*content, name, object))
        return false;
    }
    if (!object.units.empty() || !object.registrations.empty())
      objects.push_back(std::move(object));
    return true;
  }

  void readSymbol(const object::SymbolRef &symbol, Object &object, bool fromArchive) {
    auto name = symbol.getName();
    auto flags = symbol.getFlags();
    if (!name || !flags || !name->starts_with(kRegisterLinkedPrefix)) {
      consumeError(name.takeError());
      consumeError(flags.takeError());
      return;
    }
    if (*flags & object::SymbolRef::SF_Undefined)
      object.registrations.push_back(name->str());
    else if (!fromArchive) // that of an archive is not taken where ours is
      defined.insert(*name);
  }

  /// Reads the containers in CONTENT. Several may follow each other: `ld -r` joins sections.
  bool readUnits(StringRef content, const std::string &name, Object &object) {
    using object::OffloadBinary;
    while (content.size() >= sizeof(OffloadBinary::Header)) {
      auto copy = MemoryBuffer::getMemBufferCopy(content, name);
      auto binary = OffloadBinary::create(*copy);
      if (!binary)
        return fail("cannot read the device code of '" + name +
                    "': " + toString(binary.takeError()));
      std::string version = (*binary)->getString(kVersionKey).str();
      if (!version.empty() && version != VX_VERSION)
        return fail("'" + name + "' has device code of vxcc " + version + ", this is vxcc " +
                    VX_VERSION + ": compile it again");
      if (!version.empty()) {
        DeviceUnit unit;
        unit.name = name;
        unit.bitcode = MemoryBuffer::getMemBufferCopy((*binary)->getImage(), name);
        if ((*binary)->getString(kLevelKey).getAsInteger(10, unit.optLevel))
          unit.optLevel = 3;
        SmallVector<StringRef> args;
        (*binary)->getString(kArgsKey).split(args, '\n', -1, /*KeepEmpty=*/false);
        for (StringRef arg : args)
          unit.deviceArgs.push_back(arg.str());
        object.units.push_back(std::move(unit));
      }
      size_t size = alignTo((*binary)->getSize(), OffloadBinary::getAlignment());
      content = content.drop_front(std::min(size, content.size()));
      while (!content.empty() && content.front() == 0) // the padding of the section
        content = content.drop_front();
    }
    return true;
  }

  DeviceInputs &result;
  DiagnosticLog &log;
  std::vector<Object> objects;
  StringSet<> defined;
  std::set<std::string> names;
};

/// Returns the archive that the linker takes for -lNAME; empty if it takes a shared library, or
/// none is found.
std::string findArchive(StringRef name, ArrayRef<std::string> directories) {
  for (StringRef directory : directories) {
    SmallString<128> path(directory);
    if (StringRef file = name; file.consume_front(":")) {
      sys::path::append(path, file);
      if (sys::fs::exists(path))
        return path.str().str();
      continue;
    }
    sys::path::append(path, "lib" + name + ".so");
    if (sys::fs::exists(path))
      return "";
    sys::path::replace_extension(path, "a");
    if (sys::fs::exists(path))
      return path.str().str();
  }
  return "";
}

} // namespace

void writeDeviceUnit(const Module &module, const Options &options, Bytes &output) {
  Bytes bitcode = writeBitcode(module);
  std::string level = utostr(options.device.optLevel), args = join(options.deviceArgs, "\n");
  object::OffloadBinary::OffloadingImage image;
  image.TheImageKind = object::IMG_Bitcode;
  image.TheOffloadKind = object::OFK_Cuda;
  image.StringData["triple"] = module.getTargetTriple().str();
  image.StringData["arch"] = "sm_80";
  image.StringData[kVersionKey] = VX_VERSION;
  image.StringData[kLevelKey] = level;
  image.StringData[kArgsKey] = args;
  image.Image = MemoryBuffer::getMemBuffer(StringRef(bitcode.data(), bitcode.size()), "",
                                           /*RequiresNullTerminator=*/false);
  SmallString<0> bytes = object::OffloadBinary::write(image);
  output.assign(bytes.begin(), bytes.end());
}

bool readDeviceInputs(ArrayRef<std::string> inputs, ArrayRef<std::string> directories,
                      DeviceInputs &result, DiagnosticLog &log) {
  std::vector<std::string> places = directories.vec();
  if (auto more = sys::Process::GetEnv("LIBRARY_PATH"))
    for (StringRef directory : split(*more, ':'))
      places.push_back(directory.str());
  for (const char *directory : {"/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib"})
    places.push_back(directory);
  Reader reader(result, log);
  bool good = true;
  std::set<std::string> seen; // an archive may be named again for the host's sake
  for (StringRef input : inputs) {
    std::string path = input.str();
    if (input.consume_front("-l"))
      path = findArchive(input, places);
    else if (input.starts_with("-"))
      continue;
    if (!path.empty() && (!path.ends_with(".a") || seen.insert(path).second))
      good &= reader.readFile(path);
  }
  reader.finish();
  return good;
}

} // namespace vx::driver
