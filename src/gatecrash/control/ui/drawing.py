"""Charts as numbers for SVG: computed here, drawn by a template, so that no script has to run.

Widths are thousandths of the drawing, which stretches; heights are pixels, and so is the text: it reads alike on a phone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from gatecrash.core.reports.plural import plural

WIDTH, HEIGHT = 1000, 190
TOP, BOTTOM = 10, 22
DAY = 86400
WIDEST = 60  # a bar; wider ones shout
# From the ground up: a status, its word, the class of its segment.
STACK = (
    ("missing", "Missing", "area-bad"),
    ("partial", "Partial", "area-warn"),
    ("consistent", "Consistent", "area-good"),
)


@dataclass(frozen=True, slots=True)
class Segment:
    """A rectangle. tone: its class, of components.css. words: shown on hover."""

    x: float
    width: float
    y: float
    height: float
    tone: str
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars and lines over time. lines: points, broken where there was nothing. grid: y, left and right words.

    marks: (place in percent, words, whether a narrow screen leaves it out).
    """

    segments: list[Segment]
    lines: list[str]
    marks: list[tuple[float, str, bool]]
    grid: list[tuple[int, str, str]]
    summary: str
    height: int = HEIGHT
    plot: int = HEIGHT - BOTTOM

    @property
    def dots(self) -> list[str]:
        """The lines that are one point only, which a line's width would leave unseen."""
        return [line for line in self.lines if len(set(line.split())) == 1]


def hours(series: Sequence[dict[str, Any]]) -> Chart:
    """Requests by hour as bars, the authenticated ones in front, and the authenticated share as a line over them."""
    highest = _nice(max((hour["requests"] for hour in series), default=0))
    step = WIDTH / max(1, len(series))
    segments = [
        bar
        for place, hour in enumerate(series)
        if hour["requests"]
        for bar in _hour(hour, place * step, step * 0.82, highest)
    ]
    total = sum(hour["requests"] for hour in series)
    proven = sum(hour["authenticated"] for hour in series)
    marks = [
        (round(place * step / 10, 2), _date(hour["hour"], "%a %d"), hour["hour"] // DAY % 2 == 0)
        for place, hour in enumerate(series)
        if hour["hour"] % DAY == 0
    ]
    grid = [(round(_y(part)), _short(highest * part), f"{part:.0%}") for part in (0, 0.5, 1)]
    return Chart(
        segments,
        _lines(series, step),
        marks,
        grid,
        f"{plural(total, 'request')} in 7 days, {proven} of them authenticated.",
    )


def days(series: Sequence[dict[str, Any]]) -> Chart:
    """Endpoints by status, a stacked bar for each day; the least protected stand on the ground."""
    totals = [sum(day[name] for name, _, _ in STACK) for day in series]
    highest = _nice(max(totals, default=0))
    step = WIDTH / max(1, len(series))
    width = min(0.82 * step, WIDEST)
    segments = [bar for place, day in enumerate(series) for bar in _stacked(day, place * step, width, highest)]
    marks = [
        (round(place * step / 10, 2), _date(day["day"], "%d %b"), bool((len(series) - 1 - place) % 2))
        for place, day in enumerate(series)
        if (len(series) - 1 - place) % max(1, len(series) // 7) == 0
    ]
    grid = [(round(_y(part)), _short(highest * part), "") for part in (0, 0.5, 1)]
    return Chart(segments, [], marks, grid, _in_words(series))


def _hour(hour: dict[str, Any], x: float, width: float, highest: int) -> tuple[Segment, Segment]:
    at = _date(hour["hour"], "%a %d %b %H:00 UTC")
    words = (
        f"{at}: {plural(hour['requests'], 'request')}, {hour['authenticated']} authenticated, {hour['refused']} refused"
    )
    everything = _segment(x, width, 0, hour["requests"] / highest, "fill-requests", words)
    return everything, _segment(x, width, 0, hour["authenticated"] / highest, "fill-proven", words)


def _stacked(day: dict[str, Any], x: float, width: float, highest: int) -> list[Segment]:
    bars, below = [], 0
    words = f"{_date(day['day'], '%a %d %b')}: " + ", ".join(f"{day[name]} {word}" for name, word, _ in STACK[::-1])
    for name, _, tone in STACK:
        if day[name]:
            bars.append(_segment(x, width, below / highest, (below + day[name]) / highest, tone, words))
        below += day[name]
    return bars


def _in_words(series: Sequence[dict[str, Any]]) -> str:
    """What the chart says, for who does not see it."""
    if not series:
        return "No day."
    first, last = (", ".join(f"{day[name]} {word}" for name, word, _ in STACK[::-1]) for day in (series[0], series[-1]))
    return f"Endpoints by status on {len(series)} days. At first {first}; now {last}."


def _segment(x: float, width: float, low: float, high: float, tone: str, words: str) -> Segment:
    """low, high: parts of the axis."""
    top = _y(high)
    return Segment(round(x, 2), round(width, 2), round(top, 2), round(_y(low) - top, 2), tone, words)


def _lines(series: Sequence[dict[str, Any]], step: float) -> list[str]:
    lines: list[list[str]] = [[]]
    for place, hour in enumerate(series):
        if hour["requests"]:
            x = (place + 0.41) * step
            lines[-1].append(f"{x:.1f},{_y(hour['authenticated'] / hour['requests']):.1f}")
        elif lines[-1]:
            lines.append([])
    return [" ".join(line * 2 if len(line) == 1 else line) for line in lines if line]  # a lone hour is a dot


def _date(at: int, form: str) -> str:
    return datetime.fromtimestamp(at, UTC).strftime(form)


def _y(part: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - part)


def _nice(value: int) -> int:
    """The next round number that is not below, and whose half is a whole one: there is no half a request."""
    size = 1
    while size * 10 < value:
        size *= 10
    return next((step * size for step in (2, 4, 6, 10) if step * size >= value), 10 * size)


def _short(value: float) -> str:
    """A number for an axis: 1.5k, 20M."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:.1f}".removesuffix(".0") + unit
    return f"{value:.0f}" if value >= 1 or not value else f"{value:.1f}"
