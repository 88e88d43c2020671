// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/Findings.h"
#include "simulator/api/CheckerNames.h"
#include "simulator/check/Text.h"
#include "simulator/stats/Escape.h"

namespace vx::sim {

namespace {

constexpr const char *kMark = "=========";

/// Calls visit(name, text) or visit(name, number) for all that both machine-readable forms say of a
/// finding.
template <typename F> void forEachField(const Finding &f, F visit) {
  visit("tool", std::string(f.tool));
  visit("kind", std::string(f.kind));
  visit("message", f.title);
  visit("count", f.count);
  for (auto [name, text] : {std::pair("kernel", &f.kernel), std::pair("lowering", &f.lowering),
                            std::pair("block", &f.block), std::pair("thread", &f.thread),
                            std::pair("function", &f.function), std::pair("file", &f.file)})
    if (!text->empty())
      visit(name, *text);
  if (f.line)
    visit("line", uint64_t(f.line));
  if (f.otherLine) {
    visit("other-file", f.otherFile);
    visit("other-line", uint64_t(f.otherLine));
  }
  if (f.bytes) {
    visit("address", hexText(f.address));
    visit("bytes", f.bytes);
  }
}

std::string valueOf(const std::string &text) {
  return jsonString(text);
}
std::string valueOf(uint64_t number) {
  return std::to_string(number);
}
std::string plain(const std::string &text) {
  return htmlText(text);
}
std::string plain(uint64_t number) {
  return std::to_string(number);
}

std::string jsonOf(const std::string &note) {
  return jsonString(note);
}
std::string jsonOf(const InlinedCall &call) {
  return "{\"file\": " + jsonString(call.line.file) +
         ", \"line\": " + std::to_string(call.line.line) +
         ", \"function\": " + jsonString(call.callee) + "}";
}
template <typename T> std::string jsonOf(const std::vector<T> &items) {
  std::string out = "[";
  for (const T &item : items)
    out += (out.size() > 1 ? ", " : "") + jsonOf(item);
  return out + "]";
}

Result<void> writeFile(const std::string &name, const char *mode, const std::string &text) {
  std::FILE *file = std::fopen(name.c_str(), mode);
  bool isWritten = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file)
    isWritten &= std::fclose(file) == 0;
  return isWritten ? Result<void>() : Failure{"cannot write " + name};
}

} // namespace

std::string Finding::place() const {
  std::string text = function;
  if (!function.empty() && functionOffset)
    text += "+" + hexText(functionOffset);
  if (!file.empty())
    text += (text.empty() ? "" : " ") + file + ":" + std::to_string(line);
  return text;
}

Result<void> Findings::open() {
  if (!config.checkSave.empty())
    if (Result<void> r = writeFile(config.checkSave, "w", ""); !r)
      return Failure{"check.save: " + r.error().message};
  if (config.checkLog.empty())
    return {};
  log = std::fopen(config.checkLog.c_str(), "w");
  return log ? Result<void>() : Failure{"check.log: cannot write " + config.checkLog};
}

Findings::~Findings() {
  if (log)
    std::fclose(log);
}

std::optional<size_t> Findings::find(const std::string &key) const {
  auto found = places.find(key);
  return found == places.end() ? std::nullopt : std::optional(found->second);
}

size_t Findings::add(const std::string &key, Finding finding) {
  places.emplace(key, all.size());
  all.push_back(std::move(finding));
  return all.size() - 1;
}

/// Prints the lines of TEXT, each after the mark.
void Findings::say(const std::string &text) {
  std::FILE *to = log ? log : stderr;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::fprintf(to, end > at ? "%s %.*s\n" : "%s%.*s\n", kMark, int(end - at), text.data() + at);
    at = end + 1;
  }
  std::fflush(to);
}

void Findings::print() {
  if (printed < all.size())
    std::fflush(stdout); // what the program has printed before
  for (; printed < all.size(); ++printed) {
    if (config.checkPrintLimit && printed >= config.checkPrintLimit)
      continue;
    const Finding &f = all[printed];
    std::string text = std::string(f.tool) + ": " + f.title + "\n";
    if (!f.kernel.empty()) {
      text += "    kernel `" + f.kernel + "`" + (f.lowering.empty() ? "" : " [" + f.lowering + "]");
      text += f.block.empty() ? "" : ", block " + f.block;
      text += f.thread.empty() ? "\n" : ", thread " + f.thread + "\n";
    }
    if (std::string place = f.place(); !place.empty())
      text += "    at " + place + "\n";
    for (const InlinedCall &call : f.inlined)
      text += "    " + call.text() + "\n";
    for (const std::string &note : f.notes)
      text += "    " + note + "\n";
    if (f.count > 1)
      text += "    " + std::to_string(f.count) + " times\n";
    say(text + "\n");
  }
}

void Findings::noteKernel(const std::string &kernel, const std::string &why) {
  auto [known, isNew] = kernels.try_emplace(kernel, why.empty());
  if (known->second && !why.empty()) // another kernel of the name
    isNew = !(known->second = false);
  if (isNew && !why.empty())
    say("kernel `" + kernel + "` " + why + ": " + checkersWithHints(config.checkTools) +
        " cannot look at it");
}

std::vector<std::string> Findings::unseenKernels() const {
  std::vector<std::string> names;
  for (const auto &[name, isSeen] : kernels)
    if (!isSeen)
      names.push_back(name);
  return names;
}

/// Returns how many errors there are, and what has not been checked.
std::string Findings::summary() const {
  std::string errors = std::to_string(all.size()) + (all.size() == 1 ? " error" : " errors");
  if (kernels.empty())
    return errors + "; no kernel has run";
  std::string tools = checkersWithHints(config.checkTools);
  size_t unseen = unseenKernels().size();
  if (unseen == 0)
    return errors;
  if (unseen < kernels.size())
    return errors + "; " + tools + " could not look at " + std::to_string(unseen) + " of " +
           std::to_string(kernels.size()) + " kernels";
  std::vector<std::string> names = splitCheckers(config.checkTools);
  bool isAll = all.empty() && std::all_of(names.begin(), names.end(), [](const std::string &name) {
                 return findChecker(name)->needsHints;
               });
  return (isAll ? "" : errors + "; ") + tools +
         " checked nothing: no kernel says what its threads do (vxcc -fvx-check)";
}

std::string Findings::toJson() const {
  std::string out = "{\n  \"errors\": " + std::to_string(all.size()) +
                    ",\n  \"unchecked\": " + jsonOf(unseenKernels()) + ",\n  \"findings\": [";
  for (const Finding &f : all) {
    out += &f == all.data() ? "\n    {" : ",\n    {";
    forEachField(f, [&](const char *name, const auto &value) {
      out += (out.back() == '{' ? "\"" : ", \"") + std::string(name) + "\": " + valueOf(value);
    });
    out += ", \"inlined\": " + jsonOf(f.inlined) + ", \"notes\": " + jsonOf(f.notes) + "}";
  }
  return out + "\n  ]\n}\n";
}

std::string Findings::toXml() const {
  std::string out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<findings errors=\"" +
                    std::to_string(all.size()) + "\">\n";
  for (const std::string &kernel : unseenKernels())
    out += "  <unchecked>" + htmlText(kernel) + "</unchecked>\n";
  for (const Finding &f : all) {
    out += "  <finding>\n";
    forEachField(f, [&](const std::string &name, const auto &value) {
      out += "    <" + name + ">" + plain(value) + "</" + name + ">\n";
    });
    for (const InlinedCall &call : f.inlined)
      out += "    <inlined file=\"" + htmlText(call.line.file) + "\" line=\"" +
             std::to_string(call.line.line) + "\" function=\"" + htmlText(call.callee) + "\"/>\n";
    for (const std::string &note : f.notes)
      out += "    <note>" + htmlText(note) + "</note>\n";
    out += "  </finding>\n";
  }
  return out + "</findings>\n";
}

Result<void> Findings::finish() {
  print();
  say("ERROR SUMMARY: " + summary());
  Result<void> done;
  if (log && std::ferror(log))
    done = Failure{"check.log: cannot write all of " + config.checkLog};
  if (!config.checkSave.empty() && done)
    done = writeFile(config.checkSave, "w",
                     config.checkXml || config.checkSave.ends_with(".xml") ? toXml() : toJson());
  if (!config.checkSummary.empty())
    if (Result<void> r =
            writeFile(config.checkSummary, "a",
                      std::to_string(all.size()) + " " + std::to_string(kernels.size()) + " " +
                          std::to_string(unseenKernels().size()) + "\n");
        !r)
      done = r;
  return done;
}

} // namespace vx::sim
