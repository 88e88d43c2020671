#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the manual pages and the completions of bash, zsh and fish for the tools.

usage: manual.py --version V --docs DIR --out DIR --table OPTIONS.json --help-of TOOL=FILE…

OPTIONS.json is vxcc's option table, as llvm-tblgen --dump-json prints it; FILE is what TOOL --help has
printed. The tables of environment variables and exit codes are those of docs/.
"""

import argparse
import os
import re
import sys

import completions
import options

TITLES = {
    "vxcc": "CUDA compiler for the Vortex GPU",
    "vxcc-check": "run a program of vxcc under checkers of its memory accesses",
    "vx-grade": "compile, run and check programs against tests",
    "vx-report": "statistics, profiles and sweeps as one HTML page",
    "vx-sim": "run a device image on the Vortex simulator",
    "vx-opt": "run passes of the Vortex compiler on LLVM IR",
    "vx-objdump": "show and check device images of the Vortex GPU",
    "vx-mlir-opt": "mlir-opt with the dialect vx of the Vortex GPU",
    "vx-mlir-translate": "turn gpu.modules into NVVM IR, as vxcc reads it",
}
SYNOPSIS = {
    "vxcc": "[options] file...",
    "vxcc-check": "[options] program [arguments]",
    "vx-grade": "[options] program.cu...",
    "vx-report": "[options] run... | sweep.csv",
    "vx-sim": "[options] image",
    "vx-opt": "[options] [file]",
    "vx-objdump": "[options] file...",
    "vx-mlir-opt": "[options] [file]",
    "vx-mlir-translate": "[options] [file]",
}
DESCRIPTIONS = {
    "vx-report": """\
vx-report compares runs of programs on the simulator, or shows a sweep over configurations. A run is
[NAME=]STATS.json[,PROFILE.profile.json]: what VX_STATS=json:STATS.json and VX_PROFILE=PROFILE have left of a
program. The page has charts, and refers to nothing outside. It needs Debian's python3-matplotlib.""",
    "vxcc": """\
vxcc compiles CUDA, C++ and C sources and links them with a CUDA runtime that runs kernels on a simulator
of Vortex, in the process of the program. It takes nvcc's command line: of options with two spellings
either may be written with one dash or two, and a value may follow as the next word or after "=".
Options that are not listed here and that nvcc has are accepted without effect if that is harmless.""",
    "vx-mlir-opt": """\
vx-mlir-opt is mlir-opt with one dialect, a target and some passes and pipelines more. These are listed
here; all passes and options of mlir-opt are there besides, and `--help` prints them. Options of a pass
follow its name: `--pass="one=1 two=2"`.""",
    "vx-mlir-translate": """\
vx-mlir-translate reads a file that holds gpu.modules and nothing else, and writes them as one module of
NVVM IR, in bitcode. vxcc runs it for inputs in MLIR.""",
}
# Tools of MLIR's kind, whose --help lists all of MLIR's passes.
MLIR_TOOLS = {"vx-mlir-opt"}
# The exit codes of tools that differ from vxcc's.
EXIT_CODES = {
    "vxcc-check": [("0", "the program has ended with 0, and nothing was found or no other code asked for"),
                   ("`--error-exitcode`", "the program has ended with 0, and there are errors"),
                   ("1", "an option is wrong, or nothing was checked"), ("127", "the program cannot be run"),
                   ("other", "the program's own")],
    "vx-grade": [("0", "all tests have passed"), ("1", "an output or exit code is wrong"), ("2", "wrong usage"),
                 ("3", "a checker has found something"), ("4", "a program was stopped, or waits for ever"),
                 ("5", "a program does not compile"), ("6", "something could not be checked")],
    "vx-report": [("0", "the page has been written"), ("1", "an option or an input is wrong")],
    "vx-mlir-opt": [("0", "the file has been written"), ("1", "there were errors")],
    "vx-mlir-translate": [("0", "the file has been written"), ("1", "a file cannot be read or written"),
                          ("2", "what has been read is at fault")],
}


def roff(text):
    """TEXT, with `code` and [links](of markdown), as roff."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    text = text.replace("\\|", "|").replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in text.split("\n"))


def table(docs, page, heading):
    """The rows of the first table below HEADING in PAGE, without the table's head."""
    with open(os.path.join(docs, page)) as file:
        text = file.read().split("\n" + heading + "\n")[1]
    lines = re.search(r"(^\|.*\n)+", text, re.M).group(0).splitlines()[2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def definitions(rows):
    return "".join(f".TP\n{roff(name)}\n{roff(meaning)}\n" for name, meaning in rows)


def page(tool, groups, version, docs, tools):
    """The manual page of TOOL, one of TOOLS."""
    text = f'.\\" Written by tools/manual/manual.py\n.TH "{tool.upper()}" 1 "" "vxcc {version}" "vxcc"\n'
    text += f".SH NAME\n{roff(tool)} \\- {roff(TITLES[tool])}\n"
    text += f".SH SYNOPSIS\n.B {roff(tool)}\n{roff(SYNOPSIS[tool])}\n"
    if tool in DESCRIPTIONS:
        text += f".SH DESCRIPTION\n{roff(DESCRIPTIONS[tool])}\n"
    text += ".SH OPTIONS\n"
    for group in groups:
        if len(groups) > 1:
            text += f".SS {roff(group.title)}\n"
        for option in group.options:
            heading = ", ".join(f"\\fB{roff(name)}\\fR" for name in option.heading())
            text += f".TP\n{heading}\n{roff(option.help)}\n"
            if option.choices and not any(choice in option.help + option.value
                                          for choice in option.choices):
                text += roff("One of: " + ", ".join(option.choices) + ".") + "\n"
            for part in option.parts:
                text += f".RS\n.TP\n\\fB{roff(part.heading()[0])}\\fR\n{roff(part.help)}\n.RE\n"
    if tool == "vxcc":
        text += ".SH ENVIRONMENT\n.TP\n\\fBVXCC_HOME\\fR\nThe toolkit to use instead of the one that the "
        text += "executable is in.\n.SS Of programs built with vxcc\n"
        text += definitions(table(docs, "runtime.md", "## Environment"))
    codes = EXIT_CODES.get(tool) or table(docs, "vxcc.md", "## Exit codes")
    text += ".SH EXIT STATUS\n" + definitions(codes)
    text += ".SH FILES\n.TP\n\\fIshare/doc/vxcc\\fR\nThe documentation that is referred to, next to \\fIbin\\fR.\n"
    others = ", ".join(f"\\fB{roff(name)}\\fR(1)" for name in tools if name != tool)
    return text + f".SH SEE ALSO\n{others}\n"


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--version", required=True)
    parser.add_argument("--docs", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--help-of", nargs="+", default=[], metavar="TOOL=FILE")
    arguments = parser.parse_args()
    tools = {"vxcc": options.from_table(arguments.table)}
    for item in arguments.help_of:
        tool, path = item.split("=", 1)
        with open(path) as file:
            read = options.from_mlir_help if tool in MLIR_TOOLS else options.from_help
            tools[tool] = read(file.read())
    for tool, groups in tools.items():
        out = lambda *parts: os.path.join(arguments.out, *parts)
        names = [tool, "nvcc"] if tool == "vxcc" else [tool]
        write(out("man", "man1", tool + ".1"), page(tool, groups, arguments.version, arguments.docs, tools))
        if tool == "vxcc":
            write(out("man", "man1", "nvcc.1"), ".so man1/vxcc.1\n")
        for name in names:
            write(out("bash-completion", "completions", name), completions.bash(name, groups))
            write(out("zsh", "site-functions", "_" + name), completions.zsh(name, groups))
            write(out("fish", "vendor_completions.d", name + ".fish"), completions.fish(name, groups))
    return 0


if __name__ == "__main__":
    sys.exit(main())
