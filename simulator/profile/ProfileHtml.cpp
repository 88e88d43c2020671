// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile as one HTML file that needs nothing else: no scripts, no links to other places.

#include "intrinsics/isa/Disassembler.h"
#include "intrinsics/text/Hex.h"
#include "simulator/profile/ProfileReport.h"
#include "simulator/stats/Escape.h"

namespace vx::sim {

namespace {

constexpr uint32_t kPageContext = 3;

constexpr const char *kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Profile</title><style>
body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#222;background:#fff}
h1{font-size:1.5em}h2{font-size:1.15em;overflow-wrap:anywhere;margin-top:2em;border-top:1px solid #ccc;padding-top:1em}
h3{font:13px ui-monospace,monospace;color:#555;margin:1.5em 0 .3em}
table{border-collapse:collapse}td,th{padding:1px 8px;text-align:right;vertical-align:top}
th{font-weight:600;border-bottom:1px solid #aaa}
td.s,th.s{text-align:left;font-family:ui-monospace,monospace;font-size:13px;white-space:pre}
td.p{max-width:32ch;overflow:hidden;text-overflow:ellipsis}
tr.gap td{color:#aaa}tr:hover td{background:#f2f6fb}
.bar{display:flex;width:160px;height:12px;background:#eee}.bar i{display:block;height:100%}
.wide{width:600px;height:18px}
.legend span{margin-right:1.2em}.legend i{display:inline-block;width:10px;height:10px;margin-right:4px}
summary{cursor:pointer}details td{font-size:12px;padding:0 6px}
</style></head><body>
<h1>Profile by source line</h1>
<p>Core cycles. A cycle without an issue counts for the instruction that could not be issued, under
its cause. <b>lanes</b>: active lanes of the instructions, the rest is lost to divergence and partial
blocks. <b>latency</b>: cycles of a memory instruction in its unit, on average.</p>
)";

constexpr const char *kIssueColor =
#define VX_ISSUE(name, color) color
#include "simulator/timing/StallCauses.def"
    ;
constexpr const char *kColors[kStallCauses] = {
#define VX_STALL(id, name, color) color,
#include "simulator/timing/StallCauses.def"
};

std::string box(const char *color) {
  return std::string("<i style=\"background:") + color + "\"></i>";
}

std::string legend() {
  std::string text = std::string("<p class=\"legend\"><span>") + box(kIssueColor) + "issue</span>";
  for (unsigned i = 0; i < kStallCauses; ++i)
    text += "<span>" + box(kColors[i]) + htmlText(toString(StallCause(i))) + "</span>";
  return text + "</p>\n";
}

/// The parts of COUNTS' cycles, as long as they are of WHOLE.
std::string bar(const ProfileTable &table, const ProfileCounts &counts, double whole,
                const char *cssClass) {
  std::string text = std::string("<div class=\"") + cssClass + "\">";
  auto part = [&](const char *color, const char *name, double cycles) {
    if (cycles > 0 && whole > 0)
      text += std::string("<i style=\"width:") + decimal(100 * cycles / whole, 2) +
              "%;background:" + color + "\" title=\"" + htmlText(name) + ": " + decimal(cycles, 0) +
              "\"></i>";
  };
  part(kIssueColor, "issue", double(counts.issued) * table.cyclesPerIssue);
  for (unsigned i = 0; i < kStallCauses; ++i)
    part(kColors[i], toString(StallCause(i)), double(counts.stalls[i]));
  return text + "</div>";
}

/// Cycles, percent, issued, lanes, latency.
std::string numbers(const ProfileTable &table, const ProfileCounts &counts) {
  double cycles = table.cyclesOf(counts);
  return "<td>" + decimal(cycles, 0) + "</td><td>" + decimal(table.percent(cycles), 1) +
         "</td><td>" + std::to_string(counts.issued) + "</td><td>" +
         (counts.issued ? decimal(lanePercent(counts), 1) : "") + "</td><td>" +
         (counts.accesses ? decimal(accessLatency(counts), 1) : "") + "</td>";
}

constexpr const char *kColumns = "<th>cycles</th><th>%</th><th>issued</th><th>lanes %</th>"
                                 "<th>latency</th><th class=\"s\">where</th>";

/// The instructions of a line, to be opened.
std::string details(const ProfileTable &table, const ProfileLine &line) {
  CodeMap &code = *table.kernel->code;
  std::string text = "<details><summary>" + std::to_string(line.insns.size()) +
                     (line.insns.size() == 1 ? " instruction" : " instructions") +
                     "</summary><table>";
  for (auto [pc, insn] : line.insns) {
    std::string what = "(no instruction)";
    if (insn->word)
      what = hexText(code.linkedAddress(pc)) + "  " + code.disassemble(pc, insn->word);
    else if (pc)
      what = hexText(code.linkedAddress(pc));
    text += "<tr>" + numbers(table, insn->counts) + "<td>" +
            bar(table, insn->counts, line.cycles, "bar") + "</td><td class=\"s\">" +
            htmlText(what) + "</td></tr>";
  }
  return text + "</table></details>";
}

} // namespace

std::string ProfileReport::toHtml() {
  std::string text = kHead + legend();
  for (size_t i = 0; i < tables.size(); ++i)
    text += htmlOf(tables[i], i);
  if (tables.empty())
    text += "<p>Nothing was run.</p>\n";
  return text + "</body></html>\n";
}

std::string ProfileReport::htmlOf(const ProfileTable &table, size_t number) {
  std::string name = table.kernel->name.empty() ? "run" : table.kernel->name;
  std::string text = "<h2 id=\"k" + std::to_string(number) + "\">" + htmlText(name) + "</h2>\n<p>" +
                     htmlText(table.summary()) + "</p>\n" +
                     bar(table, table.total, table.cycles, "bar wide");
  if (!table.kernel->code->hasLines())
    text += "<p>The image has no line information: by function.</p>\n";
  text += std::string("<table><tr>") + kColumns +
          "<th class=\"s\">place</th><th class=\"s\">source</th></tr>\n";
  double hottest = table.lines.empty() ? 0 : table.lines.front().cycles;
  for (const ProfileLine &line : table.lines) {
    text += "<tr>" + numbers(table, line.counts) + "<td>" +
            bar(table, line.counts, hottest, "bar") + "</td><td class=\"s p\" title=\"" +
            htmlText(line.source.file.empty() ? line.place() : line.source.file) + "\">" +
            htmlText(line.place()) + "</td><td class=\"s\">" +
            htmlText(sources.line(line.source.file, line.source.line)) + details(table, line) +
            "</td></tr>\n";
  }
  return text + "</table>\n" + annotatedHtml(table);
}

std::string ProfileReport::annotatedHtml(const ProfileTable &table) {
  std::string text;
  double hottest = table.lines.empty() ? 0 : table.lines.front().cycles;
  for (const auto &[file, lines] : annotate(table, sources, kPageContext)) {
    text += "<h3>" + htmlText(file) + "</h3>\n<table><tr>" + kColumns +
            "<th>line</th><th class=\"s\">source</th></tr>\n";
    uint32_t last = 0;
    for (auto [number, line] : lines) {
      if (last && number != last + 1)
        text += "<tr class=\"gap\"><td colspan=\"8\">&#8942;</td></tr>\n";
      last = number;
      text += "<tr>" +
              (line ? numbers(table, line->counts) + "<td>" +
                          bar(table, line->counts, hottest, "bar") + "</td>"
                    : "<td></td><td></td><td></td><td></td><td></td><td></td>") +
              "<td>" + std::to_string(number) + "</td><td class=\"s\">" +
              htmlText(sources.line(file, number)) + "</td></tr>\n";
    }
    text += "</table>\n";
  }
  return text;
}

} // namespace vx::sim
