// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/RunReports.h"
#include "intrinsics/abi/CoarsenedParts.h"
#include "simulator/check/Text.h"

namespace vx::sim {

bool RunReports::describeRun(const RunInfo &info) {
  kernel = info.name;
  lowering = info.lowering;
  image = info.image;
  slide = info.slide;
  isLaunch = info.launch != nullptr;
  launch = isLaunch ? *info.launch : abi::LaunchDescriptor{};
  std::pair<const void *, uint64_t> key{image, slide};
  auto found = codes.find(key);
  bool isNew = found == codes.end();
  if (isNew) {
    unsigned xlen = device.config.xlen;
    CodeMap map = info.image ? CodeMap(*info.image, info.slide, xlen) : CodeMap(xlen);
    found = codes.emplace(key, std::move(map)).first;
  }
  if (code != &found->second)
    known.clear(); // addresses may mean something else
  code = &found->second;
  return isNew && image;
}

std::string RunReports::threadText(uint64_t block, uint64_t thread) const {
  return "block " + coordinatesText(block, launch.gridDim) + ", thread " +
         coordinatesText(thread, launch.blockDim);
}

/// The thread that PLACE is for, of a lane that has hinted at HINTED.
static uint64_t threadAt(const CodePlace &place, uint64_t hinted) {
  std::optional<uint32_t> part = abi::partOfDiscriminator(place.source.discriminator);
  return part && hinted < abi::kMaxBlockThreads ? abi::threadOfPart(uint32_t(hinted), *part)
                                                : hinted;
}

std::string RunReports::describeThread(Exec &e, unsigned lane) {
  CodePlace place = placeAt(pcOf(e, lane));
  std::string text = place.text();
  return "by " + threadText(blockOf(e, lane), threadAt(place, threadOf(e, lane))) + " of `" +
         kernel + "`" + (text.empty() ? "" : " at " + text);
}

/// Returns the pc that LANE executes or, in functions of the device library, that of their call.
uint64_t RunReports::pcOf(Exec &e, unsigned lane) {
  constexpr uint32_t kReturnAddress = 1;
  if (!code)
    return e.pc;
  const CodePlace &place = code->at(e.pc);
  if (!place.function.starts_with("__vx_") || !place.source.file.empty())
    return e.pc;
  uint64_t address = e.x(kReturnAddress * device.stride)[lane];
  return (device.config.xlen == 32 ? uint32_t(address) : address) - 4;
}

std::string RunReports::lineOf(uint64_t pc) {
  CodePlace place = placeAt(pc);
  return place.source.file.empty() ? hexText(pc)
                                   : place.source.file + ":" + std::to_string(place.source.line);
}

void RunReports::notePlace(std::vector<std::string> &notes, uint64_t pc) {
  CodePlace place = placeAt(pc);
  std::string text = place.text();
  notes.push_back("at " + (text.empty() ? hexText(pc) : text));
  for (const InlinedCall &call : place.inlined)
    notes.push_back(call.text());
}

void RunReports::locate(Finding &finding, const ThreadPlace &at) {
  CodePlace place = placeAt(at.pc);
  finding.kernel = kernel;
  finding.lowering = lowering;
  finding.block = coordinatesText(at.block, launch.gridDim);
  finding.thread = coordinatesText(threadAt(place, at.thread), launch.blockDim);
  finding.function = place.function;
  finding.functionOffset = place.offset;
  finding.file = place.source.file;
  finding.line = place.source.line;
  finding.inlined = place.inlined;
}

size_t RunReports::report(const ThreadPlace &at, const std::string &key, Finding finding) {
  if (std::optional<size_t> number = findings.find(key)) {
    findings.count(*number);
    return *number;
  }
  locate(finding, at);
  return findings.add(key, std::move(finding));
}

void RunReports::report(Exec &e, unsigned lane, const char *tool, const char *kind,
                        uint64_t address, uint64_t size, std::string title,
                        std::vector<std::string> notes) {
  ThreadPlace at{blockOf(e, lane), threadOf(e, lane), pcOf(e, lane)};
  Finding finding;
  finding.tool = tool;
  finding.kind = kind;
  finding.title = std::move(title);
  finding.address = address;
  finding.bytes = size;
  finding.notes = std::move(notes);
  known[{e.pc, kind}] = report(at, std::string(kind) + "|" + lineOf(at.pc), std::move(finding));
}

bool RunReports::isKnown(Exec &e, const char *kind) {
  auto found = known.find({e.pc, kind});
  if (found != known.end())
    findings.count(found->second);
  return found != known.end();
}

} // namespace vx::sim
