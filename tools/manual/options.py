# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options of a tool, from where the tool itself has them: vxcc's table (Options.td, as JSON of
llvm-tblgen), or the text that --help prints."""

import dataclasses
import json
import re


@dataclasses.dataclass
class Option:
    """One option: its spellings, the most usual first, and how a value follows them."""
    names: list          # "-o", "--output-file"
    help: str
    value: str = ""      # "<file>"; empty: none
    joined: bool = False # -W<warning>: the value is a part of the word
    equals: bool = False # --name=<value> only
    choices: list = dataclasses.field(default_factory=list)
    others: list = dataclasses.field(default_factory=list) # more spellings, which no manual needs
    parts: list = dataclasses.field(default_factory=list) # of a pass: its options, --pass="one=1 two=2"

    def spellings(self):
        return self.names + self.others

    def heading(self):
        """The spellings with the value, as a manual page shows them."""
        if not self.value:
            return list(self.names)
        join = "" if self.joined else "=" if self.equals else " "
        return [name + join + self.value for name in self.names]


@dataclasses.dataclass
class Group:
    title: str
    options: list


def spelled(record):
    """The longest of the spellings: "--name" unless there is none, or NAME is one letter."""
    dashes = "-" if len(record["Name"]) == 1 else max(record["Prefixes"], key=len)
    return dashes + record["Name"]


def from_table(path):
    """Groups of the options in the option table of llvm-tblgen's JSON file PATH. Options that have no
    help are accepted for others' sake; they are not part of the manual."""
    with open(path) as file:
        table = json.load(file)
    records = [table[name] for name in table["!instanceof"]["Option"]]
    records = [record for record in records if record["Kind"]["def"] not in ("KIND_INPUT", "KIND_UNKNOWN")]
    aliases = {}
    for record in records:
        if record["Alias"] and not record["Name"].endswith("="):
            aliases.setdefault(record["Alias"]["def"], []).append(record)
    groups = {}
    for record in records:
        if record["Alias"] or not record["HelpText"] or not record["Group"]:
            continue
        group = table[record["Group"]["def"]]
        # The first spelling is the short one of nvcc, which has one dash.
        names = [record["Prefixes"][0] + record["Name"]]
        names += [spelled(alias) for alias in aliases.get(record["!name"], [])]
        every = [prefix + one["Name"] for one in [record] + aliases.get(record["!name"], [])
                 for prefix in one["Prefixes"]]
        kind = record["Kind"]["def"]
        option = Option(names, record["HelpText"],
                        others=[name for name in every if name not in names],
                        value="" if kind == "KIND_FLAG" else record["MetaVarName"] or "<value>",
                        joined=kind in ("KIND_JOINED", "KIND_COMMAJOINED"),
                        choices=(record["Values"] or "").split(",") if record["Values"] else [])
        groups.setdefault(group["HelpText"] or group["Name"], []).append(option)
    for options in groups.values():
        options.sort(key=lambda option: option.names[0].lstrip("-").lower())
    return [Group(title, groups[title]) for title in sorted(groups)]


NAME = r"--?[A-Za-z][A-Za-z0-9-]*"
WORD = re.compile(rf"({NAME})(\[?=)?(.*)")


def split_option(text):
    """The spellings and the value in the first column of a help text: "-d, --disassemble",
    "--raw[=ADDRESS]", "--arg N"."""
    names, value, equals = [], "", False
    for part in re.split(r",\s+(?=-)", text):
        match = WORD.match(part.strip())
        names.append(match.group(1))
        rest = match.group(3).strip()
        if rest:
            value, equals = rest.rstrip("]") if match.group(2) == "[=" else rest, bool(match.group(2))
            if match.group(2) == "[=":
                value = "[=" + value + "]"
    return names, value, equals


def from_help(text):
    """Groups of the options in a help text: a line that is indented and begins with a dash is an
    option, one that ends with a colon a title, what is left of two blanks or " - " an explanation."""
    groups = [Group("Options", [])]
    for line in text.splitlines():
        stripped = line.strip()
        if re.match(r"[A-Z][^:]*:$", stripped) or re.match(r"[A-Z][^:]* \(.*\):$", stripped):
            groups.append(Group(stripped[:-1], []))
        elif line.startswith("  ") and stripped.startswith("-"):
            columns = re.split(r"\s+-\s+|\s{2,}", stripped, maxsplit=1)
            names, value, equals = split_option(columns[0])
            optional = value.startswith("[=")
            choices = value.split("|") if re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", value) else []
            groups[-1].options.append(Option(names, columns[1] if len(columns) > 1 else "", value,
                                             joined=optional, equals=equals and not optional,
                                             choices=choices))
        elif line.startswith("   ") and groups[-1].options:
            last = groups[-1].options[-1]
            last.help = (last.help + " " + stripped).strip()
    return [group for group in groups if group.options]


def from_mlir_help(text):
    """Groups of the passes and pipelines of the project in what mlir-opt's kind prints for --help: a pass
    is indented by six blanks, its options by two more. The rest is mlir-opt's own."""
    groups = []
    for line in text.splitlines():
        match = re.match(r"( +)(--?\S+(?: <\w+>)?) +- +(.*)", line)
        if re.match(r"    [A-Z][^:]*:$", line):
            groups.append(Group(line.strip()[:-1], []))
            ours = False
        elif match and groups and len(match.group(1)) == 6:
            ours = "vx" in re.split("[^a-z]", match.group(2))
            if ours:
                groups[-1].options.append(Option([match.group(2)], match.group(3)))
        elif match and groups and len(match.group(1)) == 8 and ours:
            names, value, _ = split_option(match.group(2))
            groups[-1].options[-1].parts.append(Option([names[0].lstrip("-")], match.group(3), value,
                                                       equals=True))
    return [group for group in groups if group.options]
