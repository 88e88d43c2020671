#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the indexes and links of the documentation.

usage: check-docs.py ROOT

Each page of a folder of docs/ is in the folder's README.md, each of these in docs/README.md, and each relative
link of a page leads to a file. Prints one line per violation and exits with 1 if there is any.
"""

import os
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[\w-]*)?\)")


def pages_of(root):
    """The Markdown pages of docs/, and those at the top."""
    pages = [name for name in os.listdir(root) if name.endswith(".md")]
    for folder, _, names in os.walk(os.path.join(root, "docs")):
        pages += [os.path.relpath(os.path.join(folder, name), root) for name in names if name.endswith(".md")]
    return sorted(pages)


def links_of(root, page):
    """What PAGE links to, as it is written; examples of code have brackets, too."""
    with open(os.path.join(root, page)) as file:
        text = re.sub(r"```.*?```", "", file.read(), flags=re.S)
    return [link for link in LINK.findall(re.sub(r"`[^`\n]*`", "", text)) if not re.match(r"\w+:", link)]


def index_of(page):
    """The page that names PAGE; None: it needs none."""
    folder, name = os.path.split(page)
    if not folder or page == "docs/README.md":
        return None
    return os.path.join(os.path.dirname(folder) if name == "README.md" else folder, "README.md")


def main():
    root, problems = sys.argv[1], []
    pages = pages_of(root)
    links = {page: links_of(root, page) for page in pages}
    for page in pages:
        folder = os.path.dirname(page)
        index = index_of(page)
        if index in links and page not in [os.path.normpath(os.path.join(os.path.dirname(index), link))
                                           for link in links[index]]:
            problems.append(f"{index} does not name {page}")
        problems += [f"{page}: there is no {link}" for link in links[page]
                     if not os.path.exists(os.path.join(root, folder, link))]
    print("\n".join(sorted(problems) + [f"{len(pages)} pages, {len(problems)} violations"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
