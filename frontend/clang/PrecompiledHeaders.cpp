// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/PrecompiledHeaders.h"
#include "frontend/clang/ClangInstance.h"
#include "frontend/clang/HeaderRecord.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Options/Options.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;
namespace options = clang::options;

namespace vx {
namespace {

constexpr StringLiteral kWrapper = "vx/cuda/wrapper.h";
/// The file in memory that clang loads.
constexpr StringLiteral kFileName = "/vxcc-precompiled-headers.pch";

CacheFolder chooseFolder() {
  if (auto path = sys::Process::GetEnv("VXCC_HEADER_CACHE"); path && !path->empty())
    return CacheFolder(*path == "0" ? std::string() : *path);
  SmallString<128> path = StringRef(CacheFolder::ofUser());
  if (!path.empty())
    sys::path::append(path, "headers");
  return CacheFolder(path.str().str());
}

// --- options ---

struct Macro {
  std::string name, option;
  bool isNeeded; ///< the headers name it
};

/// The options of a -cc1 line that concern the headers.
struct HeaderOptions {
  Cc1Args args;                     ///< options that they are compiled with, apart from macros
  std::vector<Macro> macros;        ///< of the command line, in its order
  std::vector<std::string> folders; ///< folders in which headers are looked for first
};

/// Returns true if an option concerns the source, or what is made of it, but not the headers'
/// meaning.
bool isOfSource(const opt::Option &option) {
  switch (option.getID()) {
  case options::OPT_INPUT:
  case options::OPT_o:
  case options::OPT_main_file_name:
  case options::OPT_dumpdir:
  case options::OPT_dependency_file:
  case options::OPT_MT:
  case options::OPT_sys_header_deps:
  case options::OPT_fcuda_include_gpubinary:
  case options::OPT_fembed_offload_object_EQ:
  case options::OPT_cuid_EQ:
  case options::OPT_fdebug_compilation_dir_EQ:
  case options::OPT_fcoverage_compilation_dir_EQ:
  case options::OPT_ferror_limit:
  case options::OPT_fmessage_length_EQ:
  case options::OPT_fcolor_diagnostics:
  case options::OPT_object_file_name_EQ:
  case options::OPT_split_dwarf_file:
  case options::OPT_split_dwarf_output:
  case options::OPT_opt_record_file:
  case options::OPT_stack_usage_file:
  case options::OPT_dwarf_debug_flags:
  case options::OPT_record_command_line:
  case options::OPT_ftime_trace:
  case options::OPT_ftime_trace_EQ:
  case options::OPT_disable_free:
  case options::OPT_v:
    return true;
  default:
    return option.matches(options::OPT_W_Group) || option.matches(options::OPT_Action_Group) ||
           option.getPrefixedName().starts_with("-coverage-");
  }
}

/// Returns true if ARGS make code. What shows the text of the headers, or their declarations, reads
/// them.
bool makesCode(const opt::InputArgList &args) {
  for (const opt::Arg *action : args.filtered(options::OPT_Action_Group))
    switch (action->getOption().getID()) {
    case options::OPT_S:
    case options::OPT_emit_obj:
    case options::OPT_emit_llvm:
    case options::OPT_emit_llvm_bc:
    case options::OPT_emit_llvm_only:
    case options::OPT_fsyntax_only:
      break;
    default:
      return false;
    }
  return !args.hasArg(options::OPT_include_pch, options::OPT_fmodules, options::OPT_H,
                      options::OPT_header_include_file, options::OPT_show_includes) &&
         !is_contained(args.getAllArgValues(options::OPT_W_Joined), "system-headers");
}

bool isSame(StringRef folder, StringRef other) {
  bool same = false;
  return !sys::fs::equivalent(folder, other, same) && same;
}

bool isIn(StringRef folder, StringRef parent) {
  for (; !folder.empty(); folder = sys::path::parent_path(folder))
    if (isSame(folder, parent))
      return true;
  return false;
}

/// Returns true if the headers surely name a macro: those of the compiler.
bool isOfCompiler(StringRef macro) {
  return macro.starts_with("__CUDA") || macro.starts_with("__NVCC") || macro.starts_with("__VXCC");
}

/// Returns the options in ARGS, or nothing if the headers have to be read as text.
std::optional<HeaderOptions> readOptions(const Cc1Args &args) {
  std::vector<const char *> argv;
  for (const std::string &arg : args)
    argv.push_back(arg.c_str());
  unsigned index = 0, count = 0;
  opt::InputArgList parsed =
      clang::getDriverOptTable().ParseArgs(argv, index, count, opt::Visibility(options::CC1Option));
  std::vector<std::string> includes = parsed.getAllArgValues(options::OPT_include);
  if (count || !makesCode(parsed) || includes.empty() || includes.front() != kWrapper)
    return std::nullopt;
  std::string own, resources = parsed.getLastArgValue(options::OPT_resource_dir).str();
  for (const std::string &folder : parsed.getAllArgValues(options::OPT_isystem))
    if (sys::fs::exists(folder + "/" + kWrapper))
      own = folder;
  if (!sys::path::is_absolute(own))
    return std::nullopt;

  HeaderOptions result;
  opt::ArgStringList kept;
  for (const opt::Arg *arg : parsed) {
    const opt::Option &option = arg->getOption();
    switch (option.getID()) {
    case options::OPT_D:
    case options::OPT_U: {
      StringRef name = StringRef(arg->getValue()).split('=').first.split('(').first;
      result.macros.push_back({name.str(), arg->getAsString(parsed), isOfCompiler(name)});
      break;
    }
    case options::OPT_I:
    case options::OPT_iquote:
    case options::OPT_isystem:
    case options::OPT_idirafter: {
      StringRef folder = arg->getValue();
      if (option.getID() == options::OPT_isystem && (isIn(folder, own) || isIn(folder, resources)))
        arg->render(parsed, kept);
      else if (!isSame(folder, own)) // clang leaves out what is there twice
        result.folders.push_back(folder.str());
      break;
    }
    case options::OPT_include:
      if (arg->getValue() == kWrapper)
        arg->render(parsed, kept);
      break;
    default:
      if (isOfSource(option))
        break;
      // What a relative path means is not in the file's name.
      if (option.matches(options::OPT_clang_i_Group) && arg->getNumValues() &&
          !sys::path::is_absolute(arg->getValue()))
        return std::nullopt;
      arg->render(parsed, kept);
    }
  }
  result.args.assign(kept.begin(), kept.end());
  return result;
}

// --- compilation ---

/// Returns true if there are errors that clang keeps until a function of both sides is needed,
/// which a precompiled header does not hold. Those of templates are found again in their instances.
bool hasPendingErrors(const clang::Sema &sema) {
  return any_of(sema.DeviceDeferredDiags, [](const auto &entry) {
    const clang::FunctionDecl *function = entry.first;
    return !function->isTemplated();
  });
}

/// Leaves the precompiled header in a buffer.
class Precompile : public clang::GeneratePCHAction {
public:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                        StringRef) override {
    const clang::FrontendOptions &frontend = instance.getFrontendOpts();
    return std::make_unique<clang::PCHGenerator>(
        instance.getPreprocessor(), instance.getModuleCache(), kFileName, /*isysroot=*/"", buffer,
        instance.getCodeGenOpts(), frontend.ModuleFileExtensions);
  }
  void ExecuteAction() override {
    GeneratePCHAction::ExecuteAction();
    clang::CompilerInstance &instance = getCompilerInstance();
    record = recorder->finish(instance);
    isWhole = buffer->IsComplete && !hasPendingErrors(instance.getSema());
  }

  const HeaderRecorder *recorder = nullptr;
  std::shared_ptr<clang::PCHBuffer> buffer = std::make_shared<clang::PCHBuffer>();
  std::string record;
  bool isWhole = false;
};

// A file of the folder: the precompiled header (nothing if the headers cannot be compiled), its
// record, and the size of the former.

struct Kept {
  StringRef header, record;
};

Kept takeApart(StringRef content) {
  uint64_t size = 0;
  if (content.size() < sizeof size)
    return {};
  std::memcpy(&size, content.end() - sizeof size, sizeof size);
  content = content.drop_back(sizeof size);
  return size > content.size() ? Kept{} : Kept{content.take_front(size), content.drop_front(size)};
}

std::string precompile(const Cc1Args &args,
                       function_ref<void(clang::CompilerInvocation &)> adjust) {
  DiagnosticLog log; // whatever there is to say, the source's own compilation says it
  Precompile action;
  if (auto invocation = parseCc1(args, log)) {
    adjust(*invocation);
    clang::FrontendOptions &frontend = invocation->getFrontendOpts();
    auto empty = MemoryBuffer::getMemBuffer("", "<headers>");
    frontend.Inputs = {{empty->getMemBufferRef(), clang::Language::CUDA}};
    frontend.ProgramAction = clang::frontend::GeneratePCH;
    frontend.DisableFree = false;
    LenientCode lenient(/*isDevice=*/false); // not applied
    auto instance = makeInstance(std::move(invocation), log, lenient, vfs::getRealFileSystem());
    HeaderRecorder recorder(*instance);
    action.recorder = &recorder;
    instance->ExecuteAction(action);
  }
  std::string content;
  if (action.isWhole && log.serialize().empty())
    content.assign(action.buffer->Data.begin(), action.buffer->Data.end());
  uint64_t size = content.size();
  content += action.record;
  content.append(reinterpret_cast<const char *>(&size), sizeof size);
  return content;
}

std::string keyOf(const Cc1Args &args, StringRef settings) {
  CacheKey key;
  key.add("headers 2");
  key.add(settings);
  for (const std::string &arg : args) {
    key.add(arg);
    if (sys::path::is_absolute(arg)) // a folder, which changes with a new header in front of others
      key.addFile(arg);
  }
  key.addBinary(reinterpret_cast<void *>(&keyOf));
  key.addBinary(reinterpret_cast<void *>(&clang::getDriverOptTable));
  return key.finish();
}

/// Returns the headers compiled with ARGS, from the folder or new.
CachedFile findOrMake(const CacheFolder &folder, const Cc1Args &args, StringRef settings,
                      function_ref<void(clang::CompilerInvocation &)> adjust) {
  std::string key = keyOf(args, settings);
  CachedFile file = folder.find(key);
  if (file && HeaderRecord(takeApart(file.content).record).isCurrent())
    return file;
  std::string content = precompile(args, adjust);
  // A folder that keeps nothing would have them compiled for each source.
  if (!folder.keep(key, content))
    return {};
  auto buffer = MemoryBuffer::getMemBufferCopy(content);
  StringRef whole = buffer->getBuffer();
  return {std::move(buffer), whole};
}

} // namespace

PrecompiledHeaders PrecompiledHeaders::find(const Cc1Args &args, StringRef settings,
                                            function_ref<void(clang::CompilerInvocation &)> adjust,
                                            ArrayRef<std::pair<std::string, std::string>> files) {
  CacheFolder folder = chooseFolder();
  std::optional<HeaderOptions> given = folder ? readOptions(args) : std::nullopt;
  if (!given || !folder.create())
    return {};
  PrecompiledHeaders result;
  // With more macros, the headers may name others.
  for (bool again = true; again;) {
    again = false;
    Cc1Args all = given->args;
    for (const Macro &macro : given->macros)
      if (macro.isNeeded)
        all.push_back(macro.option);
    result.file = findOrMake(folder, all, settings, adjust);
    Kept kept = takeApart(result.file.content);
    if (kept.header.empty())
      return {};
    HeaderRecord record(kept.record);
    for (Macro &macro : given->macros)
      if (!macro.isNeeded && record.names(macro.name))
        macro.isNeeded = again = true;
    if (again)
      continue;
    auto hidesHeader = [&](StringRef folder) { return record.mayAskFor(folder); };
    auto isHeader = [&](const auto &file) { return record.isNameOf(file.first); };
    if (any_of(given->folders, hidesHeader) || any_of(files, isHeader))
      return {};
  }
  return result;
}

void PrecompiledHeaders::use(clang::CompilerInvocation &invocation) const {
  clang::PreprocessorOptions &options = invocation.getPreprocessorOpts();
  options.Includes.erase(options.Includes.begin()); // the wrapper
  options.ImplicitPCHInclude = kFileName.str();
  // Clang's rules name what __has_include finds, too. The headers are the system's.
  clang::DependencyOutputOptions &rule = invocation.getDependencyOutputOpts();
  if (rule.IncludeSystemHeaders)
    for (StringRef looked : HeaderRecord(takeApart(file.content).record).filesLookedFor())
      rule.ExtraDeps.emplace_back(looked.str(), clang::EDK_DepFileEntry);
}

IntrusiveRefCntPtr<vfs::FileSystem>
PrecompiledHeaders::over(IntrusiveRefCntPtr<vfs::FileSystem> files) const {
  auto inMemory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  if (auto folder = files->getCurrentWorkingDirectory())
    inMemory->setCurrentWorkingDirectory(*folder);
  inMemory->addFile(kFileName, 0,
                    MemoryBuffer::getMemBuffer(takeApart(file.content).header, kFileName,
                                               /*RequiresNullTerminator=*/false));
  auto both = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(files));
  both->pushOverlay(std::move(inMemory));
  return both;
}

} // namespace vx
