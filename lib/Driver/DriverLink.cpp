// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's last step: what all inputs make together, a program, a shared library, an archive or
// the result of a device link.

#include "lib/Driver/DeviceLink.h"
#include "lib/Driver/Driver.h"
#include "lib/Driver/Environment.h"
#include "lib/Driver/Messages.h"
#include "lib/Driver/PartialOutput.h"
#include "lib/Driver/Results.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {

/// Returns the name of the result, which is nvcc's.
std::string Driver::linkedName() const {
  if (!options.output.empty())
    return options.output;
  switch (options.action) {
  case Action::DeviceLink:
    return options.deviceLinkToImage ? "a_dlink." + options.deviceFileSuffix() : "a_dlink.o";
  case Action::Archive:
    return "a.a";
  default:
    return "a.out";
  }
}

int Driver::makeOutput(ArrayRef<std::string> inputs) {
  int code = 0;
  const char *step = "link";
  switch (options.action) {
  case Action::DeviceLink:
    step = "device link";
    code = linkDevice(inputs, linkedName(), /*needed=*/nullptr);
    break;
  case Action::Archive:
    step = "archive";
    code = archive(inputs);
    break;
  default:
    code = link(inputs);
  }
  times.add("", step, join(inputs, " "), linkedName());
  return code;
}

/// Links the device code of INPUTS into OUTPUT: an object for the host's linker, or with -fatbin
/// and -cubin what device code is compiled to. If NEEDED is given, it is set to whether there is
/// any, and without, OUTPUT is left alone.
int Driver::linkDevice(ArrayRef<std::string> inputs, const std::string &output, bool *needed) {
  std::vector<std::string> directories;
  for (StringRef arg : options.linkArgs)
    if (arg.consume_front("-L"))
      directories.push_back(arg.str());
  DiagnosticLog log(errs().has_colors());
  DeviceInputs device;
  if (!readDeviceInputs(inputs, directories, device, log)) {
    report(log);
    return 1;
  }
  if (needed) {
    // What sources will have is not there yet in a dry run.
    *needed = !device.units.empty() || !device.registrations.empty() ||
              (options.dryRun && options.relocatable && countSources());
    if (!*needed)
      return 0;
  }
  if (showSteps()) {
    std::vector<std::string> step = {"vxcc", "-dlink", "-o", output};
    step.insert(step.end(), inputs.begin(), inputs.end());
    printStep(step);
  }
  if (options.dryRun)
    return 0;

  LLVMContext context;
  routeDiagnostics(context, options, log);
  bool toImage = options.deviceLinkToImage;
  FatBinary fat;
  Bytes bytes;
  bool good = true;
  if (!device.units.empty()) {
    LinkedModule linked = linkDeviceUnits(device.units, options, context, log);
    if (!linked.module) {
      report(log);
      return 1;
    }
    noteKernels(*linked.module);
    good = toImage ? compileDeviceCode(std::move(linked.module), linked.options,
                                       installation.resources, options.deviceOutput, log, bytes)
                   : buildFatBinary(std::move(linked.module), linked.options,
                                    installation.resources, log, fat);
  }
  if (good && !toImage)
    good = makeLinkedObject(fat.bytes, device.registrations, bytes, log);
  report(log);
  if (!good)
    return compileErrorCode(log);
  if (options.keep && !toImage) {
    std::string name = sys::path::stem(linkedName()).str();
    for (auto &[suffix, elf] : fat.images)
      writeFile(keptFile(name + "_dlink", suffix), elf);
    writeFile(keptFile(name + "_dlink", "fatbin"), fat.bytes);
  }
  return writeFile(output, bytes);
}

int Driver::archive(ArrayRef<std::string> inputs) {
  Command command = {options.archiver, "cr"};
  command.insert(command.end(), options.archiveOptions.begin(), options.archiveOptions.end());
  size_t archive = command.size();
  command.push_back(linkedName());
  for (const std::string &input : inputs)
    if (input[0] != '-') // libraries are for the link step
      command.push_back(input);
  if (showSteps())
    printStep(command);
  if (options.dryRun)
    return 0;
  if (!StringRef(command[0]).contains('/')) {
    auto program = sys::findProgramByName(command[0]);
    if (!program) {
      printError("cannot find the archiver '" + command[0] + "'");
      return 1;
    }
    command[0] = *program;
  }
  // The archiver adds to what there is. It would not take the empty file for an archive.
  PartialOutput output(linkedName());
  if (output.path() != linkedName()) {
    if (!sys::fs::exists(linkedName())) {
      sys::fs::remove(output.path());
    } else if (sys::fs::copy_file(linkedName(), output.path())) {
      printError("cannot read '" + linkedName() + "'");
      return 1;
    }
  }
  command[archive] = output.path();
  return execute(command) == 0 && output.commit() ? 0 : 1;
}

/// Returns true if one of the -L directories of COMMAND has LIBRARY.
static bool isInstalled(StringRef library, const Command &command) {
  return any_of(command, [&](StringRef argument) {
    SmallString<128> path;
    if (argument.consume_front("-L"))
      sys::path::append(path, argument, library);
    return sys::fs::exists(path);
  });
}

int Driver::link(ArrayRef<std::string> inputs) {
  std::vector<std::string> objects = inputs.vec(), libraries = options.linkArgs;
  if (options.cudart != Cudart::None)
    libraries.push_back(options.cudart == Cudart::Static ? "-lcudart_static" : "-lcudart");
  libraries.insert(libraries.end(), {"-lpthread", "-ldl", "-Wl,-rpath," + installation.libraries});
  if (options.linkDevice) {
    std::string name = (sys::path::stem(linkedName()) + "_dlink").str();
    std::string object = options.keep     ? keptFile(name, "o")
                         : options.dryRun ? name + ".o"
                                          : temps.createNamed(name + ".o");
    if (object.empty())
      return 1;
    bool needed = false;
    if (int code = linkDevice(inputs, object, &needed))
      return code;
    // First: archives may have results of a device link of their own, which are not taken then.
    if (needed)
      objects.insert(objects.begin(), object);
  }
  std::vector<std::string> args = {"-Qunused-arguments", "-o", linkedName()};
  args.insert(args.end(), objects.begin(), objects.end());
  args.insert(args.end(), libraries.begin(), libraries.end());
  args.push_back("-L" + installation.libraries);
  // What the linker is told as well: the sanitizers that the libraries were built with.
  const std::vector<std::string> sanitizers = {VX_LINK_OPTIONS};
  args.insert(args.end(), sanitizers.begin(), sanitizers.end());
  DiagnosticLog log(errs().has_colors());
  auto command = planLink(args, installation.paths, log);
  report(log);
  if (!command)
    return 1;
  if (showSteps()) {
    printHostLink(installation, objects, libraries, linkedName());
    printStep(*command);
  } else if (is_contained(options.linkArgs, "-v")) {
    printStep(*command, ""); // -Xcompiler -v: CMake looks for the linker's line
  }
  if (options.dryRun || execute(*command, linkedName()) == 0)
    return 0;
  if (is_contained(*command, "-lomp") && !isInstalled("libomp.so", *command))
    printError("'-fopenmp' needs LLVM's OpenMP library, which is not installed (on Debian: package "
               "libomp-" +
               Twine(LLVM_VERSION_MAJOR) + "-dev)");
  return 1;
}

} // namespace vx::driver
