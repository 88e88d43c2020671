// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/vx-sim/Options.h"
#include "simulator/api/Stats.h"
#include <charconv>
#include <tuple>

namespace vx::sim {

const char *const kHelpText = R"(usage: vx-sim [options] IMAGE

Runs a device image: a RISC-V ELF, a .vxbin, or raw bytes for 0x80000000.

Argument block (each adds one 64-bit word; mscratch holds the block's address):
  --arg N               a number
  --in FILE             the address of a buffer with the bytes of FILE
  --out BYTES[:FILE]    the address of a zeroed buffer, written to FILE at the end

Device:
  --config FILE         apply a TOML file
  --set KEY=VALUE[,…]   set knobs; after --config, in the order given
  --functional          one instruction per cycle, instead of the cycle-level model
  --sampled             parts of a long run in the cycle-level model, and an estimate of its cycles
  --dump-config         print all knobs as TOML and stop

Reports:
  --stats text|json|csv[:FILE]
  --profile[=PREFIX]      cycles, stalls and divergence by source line: to PREFIX.txt and
                          PREFIX.html, without PREFIX to standard output
  --trace-konata FILE     pipeline trace for the viewer Konata
  --trace-perfetto FILE   trace as Chrome JSON, for ui.perfetto.dev
  --trace-commit FILE     instructions of each warp and what they wrote, without times: for diff
  --trace-cycles A:B, --trace-cores, --trace-warps
                          what is traced, e.g. 0:99+500 (default: everything)
Profile and pipeline traces need the cycle-level model.

  --help, --version

Exit code: the guest's (exit system call, else 0), 125 when the guest was stopped by a fault,
1 when the command line, the configuration or the image is wrong.
)";

namespace {

bool parseNumber(const std::string &text, uint64_t &value) {
  bool negative = text.starts_with('-');
  std::string digits = text.substr(negative);
  bool isHex = digits.starts_with("0x") || digits.starts_with("0X");
  const char *begin = digits.data() + (isHex ? 2 : 0), *end = digits.data() + digits.size();
  auto [stop, error] = std::from_chars(begin, end, value, isHex ? 16 : 10);
  if (negative)
    value = -value;
  return error == std::errc() && stop == end && begin != end;
}

/// Splits "A:B" at the first colon; B may be missing.
std::pair<std::string, std::string> splitColon(const std::string &text) {
  size_t colon = text.find(':');
  if (colon == std::string::npos)
    return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

/// Options that are another way to set a knob.
struct KnobOption {
  const char *name, *key;
};
constexpr KnobOption kKnobOptions[] = {
    {"--profile", "profile.output"},        {"--trace-konata", "trace.konata"},
    {"--trace-perfetto", "trace.perfetto"}, {"--trace-commit", "trace.commit"},
    {"--trace-cycles", "trace.cycles"},     {"--trace-cores", "trace.cores"},
    {"--trace-warps", "trace.warps"},
};

const KnobOption *findKnobOption(const std::string &name) {
  for (const KnobOption &option : kKnobOptions)
    if (name == option.name)
      return &option;
  return nullptr;
}

class Parser {
public:
  explicit Parser(const std::vector<std::string> &words) : words(words) {
    options.config.mode = SimMode::Timing;
  }

  Result<Options> run() {
    while (next < words.size()) {
      const std::string &word = words[next++];
      Result<void> done = word.starts_with("-") && word != "-" ? option(word) : image(word);
      if (!done)
        return done.error();
    }
    checkConfiguration();
    if (!configErrors.empty())
      return Failure{configErrors};
    if (options.action == Options::Action::Run && options.image.empty())
      return Failure{"no image given; see --help"};
    return std::move(options);
  }

private:
  Result<void> image(const std::string &word) {
    if (!options.image.empty())
      return Failure{"more than one image: '" + options.image + "' and '" + word + "'"};
    options.image = word;
    return {};
  }

  Result<void> option(std::string name) {
    std::string value;
    bool hasValue = false;
    if (size_t equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
      hasValue = true;
    }
    if (Options::Action action; isFlag(name, action)) {
      if (hasValue)
        return Failure{"option " + name + " takes no value"};
      if (name == "--functional")
        options.config.mode = SimMode::Functional;
      if (name == "--sampled")
        options.config.mode = SimMode::Sampled;
      if (action != Options::Action::Run)
        options.action = action;
      return {};
    }
    if (name == "--profile" && !hasValue)
      return withValue(name, "-");
    if (!findKnobOption(name) && name != "--arg" && name != "--in" && name != "--out" &&
        name != "--config" && name != "--set" && name != "--stats")
      return Failure{"unknown option '" + name + "'; see --help"};
    if (!hasValue) {
      if (next == words.size())
        return Failure{"option " + name + " needs a value"};
      value = words[next++];
    }
    return withValue(name, value);
  }

  static bool isFlag(const std::string &name, Options::Action &action) {
    action = name == "--help"          ? Options::Action::Help
             : name == "--version"     ? Options::Action::Version
             : name == "--dump-config" ? Options::Action::DumpConfig
                                       : Options::Action::Run;
    return action != Options::Action::Run || name == "--functional" || name == "--sampled";
  }

  Result<void> withValue(const std::string &name, const std::string &value) {
    const KnobOption *knob = findKnobOption(name);
    if (knob || name == "--config" || name == "--set") {
      // All that is wrong with a configuration is reported at once.
      Result<void> done = knob                 ? options.config.apply(knob->key, value)
                          : name == "--config" ? options.config.loadFile(value)
                                               : options.config.applyList(value);
      if (!done)
        addConfigError(done.error().message);
      return {};
    }
    if (name == "--stats")
      return stats(value);
    return argument(name, value);
  }

  Result<void> stats(const std::string &value) {
    std::tie(options.statsFormat, options.statsFile) = splitColon(value);
    if (!isReportFormat(options.statsFormat))
      return Failure{"--stats takes text, json or csv, not '" + options.statsFormat + "'"};
    return {};
  }

  Result<void> argument(const std::string &name, const std::string &value) {
    Argument argument{Argument::Kind::Number, 0, {}};
    if (name == "--in") {
      argument.kind = Argument::Kind::Input;
      argument.file = value;
    } else {
      auto [number, file] = name == "--out" ? splitColon(value) : std::pair(value, std::string());
      if (!parseNumber(number, argument.number))
        return Failure{name + " takes a number, not '" + number + "'"};
      if (name == "--out")
        argument.kind = Argument::Kind::Output;
      argument.file = file;
    }
    options.arguments.push_back(std::move(argument));
    return {};
  }

  void checkConfiguration() {
    for (const std::string &error : options.config.validate())
      addConfigError(error);
  }
  void addConfigError(const std::string &message) {
    configErrors += (configErrors.empty() ? "" : "\n") + message;
  }

  const std::vector<std::string> &words;
  size_t next = 0;
  Options options;
  std::string configErrors;
};

} // namespace

Result<Options> parseOptions(const std::vector<std::string> &words) {
  return Parser(words).run();
}

} // namespace vx::sim
