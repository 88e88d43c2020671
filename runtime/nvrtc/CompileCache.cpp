// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/nvrtc/CompileCache.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include <set>

using namespace llvm;

namespace vx::nvrtc {
namespace {

CacheFolder chooseFolder() {
  if (sys::Process::GetEnv("CUDA_CACHE_DISABLE").value_or("0") != "0")
    return CacheFolder();
  uint64_t maxBytes = CacheFolder::kMaxBytes;
  if (auto text = sys::Process::GetEnv("CUDA_CACHE_MAXSIZE"))
    StringRef(*text).getAsInteger(10, maxBytes);
  auto path = sys::Process::GetEnv("CUDA_CACHE_PATH");
  return CacheFolder(path && !path->empty() ? *path : CacheFolder::ofUser(), maxBytes);
}

/// Adds this library and the bitcode that it links.
void addCompiler(CacheKey &key) {
  key.addBinary(reinterpret_cast<void *>(&addCompiler));
  std::set<std::string> files; // in the order of their names
  std::error_code error;
  for (sys::fs::directory_iterator it(installation().resources, error), end; !error && it != end;
       it.increment(error))
    files.insert(it->path());
  for (const std::string &path : files)
    key.addFile(path);
}

std::string keyOf(const abi::RuntimeCompileRequest &request) {
  CacheKey key;
  addCompiler(key);
  key.addNumber(request.xlen);
  key.addNumber(uint64_t(request.profile));
  key.addNumber(request.zicond);
  key.addNumber(request.host);
  key.addNumber(uint64_t(request.optLevel));
  key.addNumber(uint64_t(request.lowering));
  key.addNumber(request.defersSw);
  for (uint32_t i = 0; i < request.numInputs; ++i) {
    const abi::RuntimeCompileInput &input = request.inputs[i];
    key.add(StringRef(input.data, input.size));
  }
  return key.finish();
}

} // namespace

CompileCache::CompileCache(const abi::RuntimeCompileRequest &request) : folder(chooseFolder()) {
  if (folder)
    key = keyOf(request);
}

bool CompileCache::find(Bytes &image) const {
  CachedFile file = folder.find(key);
  if (file)
    image.assign(file.content.begin(), file.content.end());
  return bool(file);
}

void CompileCache::keep(const Bytes &image) const {
  folder.keep(key, StringRef(image.data(), image.size()));
}

} // namespace vx::nvrtc
