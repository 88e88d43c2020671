# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bar and line charts as SVG, without any library."""

import math
from xml.sax.saxutils import escape

FONT = 'font-family="system-ui, sans-serif"'
COLORS = ["#3b6fb6", "#b8c4d6", "#d1793b", "#4c9f70", "#8a5fb0", "#c44e52"]


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


def nice_step(top, count=5):
    """A step of 1, 2 or 5 times a power of ten that gives about COUNT lines up to TOP."""
    raw = top / count
    power = 10 ** math.floor(math.log10(raw))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= raw)


class Chart:
    """The frame: title, legend, axes. Subclasses draw what is inside."""

    left, top, bottom, right = 64, 76, 64, 20

    def __init__(self, title, y_label, width=760, height=380):
        self.title, self.y_label = title, y_label
        self.width, self.height = width, height
        self.parts = []

    def text(self, x, y, text, anchor="middle", size=12, extra=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
                          f'{FONT} fill="#222" {extra}>{escape(str(text))}</text>')

    def line(self, x1, y1, x2, y2, color="#ddd", extra=""):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                          f'stroke="{color}" {extra}/>')

    def rectangle(self, x, y, width, height, color, title=""):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
                          f'fill="{color}"><title>{escape(title)}</title></rect>')

    def frame(self, names, ticks, y_of):
        middle = self.left + (self.width - self.left - self.right) / 2
        self.text(middle, 24, self.title, size=16, extra='font-weight="600"')
        x = self.left
        for i, name in enumerate(names):
            self.rectangle(x, 42, 12, 12, COLORS[i])
            self.text(x + 17, 52, name, anchor="start")
            x += 36 + 7 * len(name)
        for tick in ticks:
            self.line(self.left, y_of(tick), self.width - self.right, y_of(tick))
            self.text(self.left - 8, y_of(tick) + 4, f"{tick:g}", anchor="end")
        y = (self.top + self.height - self.bottom) / 2
        self.text(18, y, self.y_label, extra=f'transform="rotate(-90 18 {y:.1f})"')

    def svg(self):
        body = "\n".join(self.parts)
        return ('<?xml version="1.0" encoding="UTF-8"?>\n'
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" '
                f'height="{self.height}" viewBox="0 0 {self.width} {self.height}">\n'
                f'<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n')


def bar_chart(title, y_label, groups, series, baseline=None):
    """SERIES: {name: values of GROUPS}; a value None has no bar, a text stands in its place."""
    chart = Chart(title, y_label)
    values = [v for row in series.values() for v in row if isinstance(v, (int, float))]
    step = nice_step(max(values + [1]) * 1.08)
    ticks = [step * i for i in range(int(max(values + [1]) * 1.08 / step) + 2)]
    plot_height = chart.height - chart.top - chart.bottom

    def y_of(value):
        return chart.height - chart.bottom - plot_height * value / ticks[-1]

    chart.frame(list(series), ticks, y_of)
    slot = (chart.width - chart.left - chart.right) / len(groups)
    bar = slot * 0.74 / len(series)
    for g, group in enumerate(groups):
        x = chart.left + slot * g
        chart.text(x + slot / 2, chart.height - chart.bottom + 20, group)
        for s, (name, row) in enumerate(series.items()):
            left = x + slot * 0.13 + bar * s
            value = row[g]
            if isinstance(value, (int, float)):
                chart.rectangle(left, y_of(value), bar * 0.94, y_of(0) - y_of(value), COLORS[s],
                                f"{name}, {group}: {number(value)}")
                chart.text(left + bar * 0.47, y_of(value) - 4, number(value), size=11)
            elif value:
                chart.text(left + bar * 0.47, y_of(0) - 6, value, anchor="start", size=11,
                           extra=f'transform="rotate(-90 {left + bar * 0.47:.1f} {y_of(0) - 6:.1f})"')
    if baseline is not None:
        chart.line(chart.left, y_of(baseline), chart.width - chart.right, y_of(baseline), "#666",
                   'stroke-dasharray="5 4"')
    chart.line(chart.left, y_of(0), chart.width - chart.right, y_of(0), "#666")
    return chart.svg()


def line_chart(title, x_label, y_label, xs, series, log=False):
    """SERIES: {name: values at XS}; None: no point. LOG: a logarithmic y axis."""
    chart = Chart(title, y_label)
    values = [v for row in series.values() for v in row if v is not None] or [1]
    if log:
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        high = max(high, low + 1)
        ticks = [10 ** i for i in range(low, high + 1)]
    else:
        step = nice_step(max(values))
        ticks = [step * i for i in range(int(max(values) / step) + 2)]
    plot_height = chart.height - chart.top - chart.bottom

    def y_of(value):
        part = (math.log10(value) - low) / (high - low) if log else value / ticks[-1]
        return chart.height - chart.bottom - plot_height * part

    chart.frame(list(series), ticks, y_of)
    slot = (chart.width - chart.left - chart.right) / len(xs)

    def x_of(i):
        return chart.left + slot * (i + 0.5)

    for i, x in enumerate(xs):
        chart.text(x_of(i), chart.height - chart.bottom + 20, x)
    chart.text(chart.left + slot * len(xs) / 2, chart.height - 16, x_label)
    for s, (name, row) in enumerate(series.items()):
        points = [(x_of(i), y_of(v), v, xs[i]) for i, v in enumerate(row) if v is not None]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in points)
        chart.parts.append(f'<polyline points="{path}" fill="none" stroke="{COLORS[s]}" '
                           'stroke-width="2"/>')
        for x, y, value, x_name in points:
            chart.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{COLORS[s]}"><title>'
                               f'{escape(name)}, {x_name}: {number(value)}</title></circle>')
    chart.line(chart.left, chart.height - chart.bottom, chart.width - chart.right,
               chart.height - chart.bottom, "#666")
    return chart.svg()
