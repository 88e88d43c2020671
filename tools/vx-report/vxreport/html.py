# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pieces of the page. It is well-formed XML, too, refers to nothing outside and has no scripts."""

import html

STYLE = """
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1200px;padding:0 1em;color:#222}
h1{font-size:1.6em}h2{font-size:1.2em;margin-top:2.2em;border-top:1px solid #ccc;padding-top:.8em}
table{border-collapse:collapse;margin:.6em 0}td,th{padding:2px 10px;text-align:right;vertical-align:top}
th{font-weight:600;border-bottom:1px solid #999}td.t,th.t{text-align:left;overflow-wrap:break-word}
tr:hover td{background:#f2f6fb}tr.best td{background:#e3f3e6}tr.failed td{color:#a33}
td.code{font:13px ui-monospace,monospace;text-align:left;white-space:pre-wrap}
figure{margin:1em 0;overflow-x:auto}figcaption{color:#555;max-width:80ch}svg{max-width:100%;height:auto}
details{margin:.6em 0}summary{cursor:pointer}
"""


def text(value):
    return html.escape(str(value), quote=True)


def shown(value):
    """A number as people read it."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return "–" if value is None else str(value)
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", "\u202f")
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.1f}"


def cell(value, tag="td"):
    left = isinstance(value, str)
    return f'<{tag}{" class=" + chr(34) + "t" + chr(34) if left else ""}>{text(shown(value))}</{tag}>'


def table(name, head, rows, classes=None):
    """A table with the id NAME. ROWS are lists of values, texts on the left; CLASSES are those of rows."""
    out = f'<table id="{text(name)}"><thead><tr>' + "".join(cell(h, "th") for h in head) + "</tr></thead>\n"
    out += "<tbody>\n"
    for index, row in enumerate(rows):
        kind = classes[index] if classes and classes[index] else ""
        out += f'<tr class="{kind}">' if kind else "<tr>"
        out += "".join(cell(value) for value in row) + "</tr>\n"
    return out + "</tbody></table>\n"


def figure(svg, caption):
    return f"<figure>{svg}<figcaption>{text(caption)}</figcaption></figure>\n"


def folded(title, body):
    return f"<details><summary>{text(title)}</summary>\n{body}</details>\n"


def page(title, body):
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/><title>{text(title)}</title>'
            f"<style>{STYLE}</style></head><body>\n<h1>{text(title)}</h1>\n{body}</body></html>\n")
