// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a command line into Options: OptionParser.cpp what is to be made, OptionsLanguage.cpp how
// sources are read and optimized, OptionsVortex.cpp for which devices, OptionsInputs.cpp from which
// files.

#ifndef VX_LIB_DRIVER_OPTIONPARSER_H
#define VX_LIB_DRIVER_OPTIONPARSER_H

#include "lib/Driver/OptionTable.h"
#include "lib/Driver/Options.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/Option.h"

namespace vx::driver {

/// One parse: reads the arguments into `result`, reporting what is wrong.
class OptionParser {
public:
  explicit OptionParser(llvm::ArrayRef<const char *> argv);
  ParseResult run(const ParseActions &actions);
  std::optional<Options> runForDevice();

private:
  void fail(const llvm::Twine &message);
  void checkUnknown();
  std::string hintFor(llvm::StringRef unknown) const;
  void readAction();
  void readSeparateCompilation();
  /// Returns true if what is made of device code is one image.
  bool wantsOneImage() const;
  void readDependencies();
  void readLanguage();
  void readHostOptions();
  void readDefaultStream();
  /// Adds a header or a folder of headers. Those of NVIDIA's toolkit do not go with ours; makefiles
  /// name them all the same.
  void addNamed(llvm::StringRef option, llvm::StringRef name);
  /// Adds a warning, unless only nvcc's front end knows it.
  void addWarning(llvm::StringRef value);
  /// Returns the elements of a value that nvcc documents as a list.
  std::vector<std::string> readList(llvm::StringRef value);
  /// Returns the elements of a list of files, folders and libraries, without their quotes.
  std::vector<std::string> readNames(llvm::StringRef value);
  /// Returns the elements as the words of a command, for the options of another program.
  std::vector<std::string> readWords(llvm::StringRef value);
  void addWords(OptionId id, std::vector<std::string> &words);
  void readCodegen();
  bool readBool(OptionId id, bool otherwise);
  void checkArchitectures(llvm::StringRef list);
  /// Checks a value such as arch=compute_80,code=[sm_80,compute_80].
  void checkGenerateCode(llvm::StringRef spec);
  void readVortex();
  /// Reads one profile or, for a fat binary, several.
  void readProfiles(const llvm::opt::Arg *a);
  /// Reads one way or, for a fat binary, both.
  void readZicond(const llvm::opt::Arg *a);
  /// Reads one target or, for a fat binary, both.
  void readTargets(const llvm::opt::Arg *a);
  /// Reads one width or, for a fat binary, both.
  void readWidths(const llvm::opt::Arg *a);
  static std::optional<abi::Lowering> lowering(llvm::StringRef name);
  void readLowering(const llvm::opt::Arg *a);
  void readKernelLowering(const llvm::opt::Arg *a);
  void badValue(const llvm::opt::Arg *a, const char *allowed);
  void readLink();
  void readTool();
  void readInputs();
  /// Returns true for the CUDA runtime. Ours is linked as -cudart says; NVIDIA's, under any of its
  /// names, would take its place.
  bool isCudaRuntime(llvm::StringRef library) const;
  void addLibrary(llvm::StringRef name);
  /// The language of an input, which -x or a suffix says.
  struct Language {
    InputKind kind;
    const DeviceLanguage *language = nullptr;
  };
  std::optional<Language> readLanguageName(llvm::StringRef name);
  void addInput(llvm::StringRef path, std::optional<Language> forced);
  /// Checks the inputs' languages: device code in another language is linked into an image, and
  /// with nothing else.
  void checkLanguages();
  void checkTogether();

  const llvm::opt::OptTable &table = optionTable();
  std::unique_ptr<llvm::opt::InputArgList> args;
  Options result;
  bool failed = false;
};

} // namespace vx::driver

#endif // VX_LIB_DRIVER_OPTIONPARSER_H
