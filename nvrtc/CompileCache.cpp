// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nvrtc/CompileCache.h"
#include "nvrtc/Installation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <dlfcn.h>
#include <set>

using namespace llvm;

namespace vx::nvrtc {
namespace {

constexpr uint64_t kMaxBytes = uint64_t(1) << 30;
constexpr std::chrono::hours kUnusedFor(24 * 30);
/// pruneCache leaves other files alone.
constexpr StringLiteral kPrefix = "llvmcache-";
using Hash = std::array<uint8_t, 32>;

std::string chooseFolder() {
  if (sys::Process::GetEnv("CUDA_CACHE_DISABLE").value_or("0") != "0")
    return "";
  if (auto path = sys::Process::GetEnv("CUDA_CACHE_PATH"); path && !path->empty())
    return *path;
  SmallString<128> folder;
  if (!sys::path::cache_directory(folder))
    return "";
  sys::path::append(folder, "vxcc");
  return folder.str().str();
}

void add(SHA256 &hash, StringRef bytes) {
  uint64_t size = bytes.size(); // tells where the next one begins
  hash.update(StringRef(reinterpret_cast<const char *>(&size), sizeof size));
  hash.update(bytes);
}

template <typename T> void addNumber(SHA256 &hash, T number) {
  add(hash, StringRef(reinterpret_cast<const char *>(&number), sizeof number));
}

void addFile(SHA256 &hash, const Twine &path) {
  sys::fs::file_status status;
  if (sys::fs::status(path, status))
    return;
  add(hash, path.str());
  addNumber(hash, status.getSize());
  addNumber(hash, status.getLastModificationTime().time_since_epoch().count());
}

/// This library, and the bitcode that it links.
void addCompiler(SHA256 &hash) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&addCompiler), &info) && info.dli_fname)
    addFile(hash, info.dli_fname);
  std::set<std::string> files; // in the order of their names
  std::error_code error;
  for (sys::fs::directory_iterator it(installation().resources, error), end; !error && it != end;
       it.increment(error))
    files.insert(it->path());
  for (const std::string &path : files)
    addFile(hash, path);
}

std::string keyOf(const abi::RuntimeCompileRequest &request) {
  SHA256 hash;
  addCompiler(hash);
  addNumber(hash, request.xlen);
  addNumber(hash, request.profile);
  addNumber(hash, request.zicond);
  addNumber(hash, request.host);
  addNumber(hash, request.optLevel);
  addNumber(hash, request.lowering);
  addNumber(hash, request.defersSw);
  for (uint32_t i = 0; i < request.numInputs; ++i) {
    const abi::RuntimeCompileInput &input = request.inputs[i];
    add(hash, StringRef(input.data, input.size));
  }
  return toHex(hash.final(), /*LowerCase=*/true);
}

Hash hashOf(StringRef image) {
  return SHA256::hash(arrayRefFromStringRef(image));
}

/// Removes what is too much, or has not been used for long; rarely looks.
void prune(StringRef folder) {
  CachePruningPolicy policy;
  policy.Expiration = kUnusedFor;
  policy.MaxSizeBytes = kMaxBytes;
  if (auto text = sys::Process::GetEnv("CUDA_CACHE_MAXSIZE"))
    StringRef(*text).getAsInteger(10, policy.MaxSizeBytes);
  pruneCache(folder, policy);
}

} // namespace

CompileCache::CompileCache(const abi::RuntimeCompileRequest &request) : folder(chooseFolder()) {
  if (folder.empty())
    return;
  SmallString<128> path = StringRef(folder);
  sys::path::append(path, kPrefix + keyOf(request));
  file = path.str().str();
}

bool CompileCache::find(Bytes &image) const {
  if (folder.empty())
    return false;
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer || (*buffer)->getBufferSize() < sizeof(Hash))
    return false;
  StringRef content = (*buffer)->getBuffer(), own = content.substr(sizeof(Hash));
  Hash hash = hashOf(own);
  if (std::memcmp(hash.data(), content.data(), sizeof hash) != 0)
    return false;
  image.assign(own.begin(), own.end());
  return true;
}

void CompileCache::keep(const Bytes &image) const {
  if (folder.empty() ||
      sys::fs::create_directories(folder, /*IgnoreExisting=*/true, sys::fs::perms::owner_all))
    return;
  // Other processes see the whole file or none.
  SmallString<128> temporary;
  int descriptor = -1;
  if (sys::fs::createUniqueFile(folder + "/vxcc-%%%%%%%%.tmp", descriptor, temporary))
    return;
  Hash hash = hashOf(StringRef(image.data(), image.size()));
  raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os.write(reinterpret_cast<const char *>(hash.data()), hash.size());
  os.write(image.data(), image.size());
  os.close();
  bool failed = os.has_error();
  os.clear_error();
  if (failed || sys::fs::rename(temporary, file))
    sys::fs::remove(temporary);
  else
    prune(folder);
}

} // namespace vx::nvrtc
