# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Completions of the options in the languages of bash, zsh and fish."""

LICENCE = "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"


def all_options(groups):
    return [option for group in groups for option in group.options]


def kind(option):
    """What completes the value of OPTION: its choices, "folder", "file", or nothing."""
    if option.choices:
        return "choices"
    value = option.value.lower()
    return "folder" if "directory" in value else "file" if "file" in value or "prefix" in value else ""


def bash(tool, groups):
    """A function for bash's `complete`; needs nothing else."""
    function = "_" + tool.replace("-", "_")
    words, cases = [], []
    for option in all_options(groups):
        words += [name + ("=" if option.equals else "") for name in option.spellings()]
        if not option.value or option.joined:
            continue
        pattern = "|".join(option.spellings())
        reply = {"choices": f'COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$word"))',
                 "folder": 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word"))',
                 "file": 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word"))',
                 "": "COMPREPLY=()"}[kind(option)]
        cases.append(f"    {pattern}) {reply}; return ;;\n")
    words = " ".join(dict.fromkeys(words))
    return f"""{LICENCE}# Completion of {tool} for bash.

{function}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD-1]}}
  # bash splits words at "=": "--name", "=", "value".
  if [[ $word == = ]]; then
    word=
  elif [[ $option == = ]]; then
    option=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  case $option in
{"".join(cases)}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "{words}" -- "$word"))
    [[ ${{COMPREPLY[0]-}} == *= ]] && compopt -o nospace 2>/dev/null
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$word"))
  fi
  return 0
}}
complete -F {function} {tool}
"""


def zsh(tool, groups):
    """Arguments of zsh's _arguments."""
    def quoted(text):
        for character in "\\[]:":
            text = text.replace(character, "\\" + character)
        return text.replace("'", "'\\''")

    lines = []
    for option in all_options(groups):
        action = {"choices": "(" + " ".join(option.choices) + ")", "folder": "_files -/",
                  "file": "_files", "": " "}[kind(option)]
        value = quoted(option.value.strip("<>")) or "value"
        for name in option.spellings():
            if not option.value:
                lines.append(f"'*{name}[{quoted(option.help)}]'")
            else:
                sign = "-" if option.joined else "=" if option.equals else "+" if len(name) == 2 else "="
                lines.append(f"'*{name}{sign}[{quoted(option.help)}]:{value}:{action}'")
    body = " \\\n  ".join(lines + ["'*:file:_files'"])
    return f"#compdef {tool}\n{LICENCE}\n_arguments \\\n  {body}\n"


def fish(tool, groups):
    """Calls of fish's complete."""
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    text = LICENCE
    for option in all_options(groups):
        for name in option.spellings():
            bare = name.lstrip("-")
            how = "-l" if name.startswith("--") else "-s" if len(bare) == 1 else "-o"
            line = f"complete -c {tool} {how} {bare}"
            if option.choices:
                line += " -x -a " + quoted(" ".join(option.choices))
            elif option.value and not option.joined:
                line += " -r" if kind(option) else " -x"
            text += f"{line} -d {quoted(option.help)}\n"
    return text
