# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bar and line charts as SVG, drawn by matplotlib with text as text."""

import io

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as pyplot  # noqa: E402

matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "vxcc", "font.size": 9,
                            "font.family": "sans-serif", "text.parse_math": False,
                            "axes.spines.top": False, "axes.spines.right": False})
SIZE = (8.4, 4.2)  # inches


def svg_of(figure):
    stream = io.StringIO()
    figure.savefig(stream, format="svg", bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)
    return " ".join(stream.getvalue().split()) + "\n"


def bar_chart(title, y_label, groups, series, baseline=None):
    """SERIES: {name: values of GROUPS}; a text stands in place of a value that is one, None has no bar. Bars
    have the ids bar-SERIES-GROUP."""
    figure, axes = pyplot.subplots(figsize=SIZE)
    width = 0.78 / len(series)
    for s, (name, row) in enumerate(series.items()):
        axes.bar([0], [0], color=f"C{s}", label=name)
        for g, value in enumerate(row):
            x = g + (s - (len(series) - 1) / 2) * width
            if isinstance(value, (int, float)):
                bars = axes.bar(x, value, width, color=f"C{s}")
                bars[0].set_gid(f"bar-{s}-{g}")
                axes.bar_label(bars, fmt="%.2f", fontsize=7)
            elif value:
                axes.text(x, 0, value, rotation=90, ha="center", va="bottom", fontsize=7)
    if baseline is not None:
        axes.axhline(baseline, color="#666", linestyle="--", linewidth=1)
    axes.set_xticks(range(len(groups)), groups, rotation=20 if len(groups) > 8 else 0)
    axes.set_ylabel(y_label)
    axes.set_title(title)
    axes.legend(frameon=False)
    return svg_of(figure)


def line_chart(title, x_label, y_label, xs, series, log=False):
    """SERIES: {name: values at XS}; None: no point. LOG: a logarithmic y axis. Lines have the ids line-SERIES."""
    figure, axes = pyplot.subplots(figsize=SIZE)
    for s, (name, row) in enumerate(series.items()):
        known = [(x, value) for x, value in enumerate(row) if value is not None]
        axes.plot([x for x, _ in known], [y for _, y in known], "o-", label=name)[0].set_gid(f"line-{s}")
    axes.set_xticks(range(len(xs)), xs)
    if log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.set_title(title)
    axes.legend(frameon=False)
    return svg_of(figure)
