"""Charts as numbers for SVG: computed here, drawn by a template, so that no script has to run."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

WIDTH, HEIGHT = 840, 190
LEFT, RIGHT, TOP, BOTTOM = 46, 40, 10, 22


@dataclass(frozen=True, slots=True)
class Bar:
    """One hour: its requests and, in front, the authenticated ones."""

    x: float
    width: float
    y: float
    height: float
    proven_y: float
    proven_height: float
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of hours. share: the points of the line, broken where there was no traffic. grid: (y, left, right words)."""

    bars: list[Bar]
    share: list[str]
    days: list[tuple[float, str]]
    grid: list[tuple[int, str, str]]
    summary: str
    width: int = WIDTH
    height: int = HEIGHT


def hours(series: Sequence[dict[str, Any]]) -> Chart:
    """Requests by hour as bars and the authenticated share as a line over them."""
    highest = _nice(max((hour["requests"] for hour in series), default=0))
    step = (WIDTH - LEFT - RIGHT) / max(1, len(series))
    bars = [_bar(hour, LEFT + place * step, step, highest) for place, hour in enumerate(series) if hour["requests"]]
    total = sum(hour["requests"] for hour in series)
    proven = sum(hour["authenticated"] for hour in series)
    grid = [(round(_y(part)), _short(highest * part), f"{part:.0%}") for part in (0, 0.5, 1)]
    return Chart(
        bars,
        _lines(series, step),
        [
            (LEFT + place * step, datetime.fromtimestamp(hour["hour"], UTC).strftime("%a %d %b"))
            for place, hour in enumerate(series)
            if hour["hour"] % 86400 == 0
        ],
        grid,
        f"{total} requests in 7 days, {proven} of them authenticated.",
    )


def _bar(hour: dict[str, Any], x: float, step: float, highest: int) -> Bar:
    top, proven = _y(hour["requests"] / highest), _y(hour["authenticated"] / highest)
    at = datetime.fromtimestamp(hour["hour"], UTC).strftime("%a %d %b %H:00 UTC")
    words = f"{at}: {hour['requests']} requests, {hour['authenticated']} authenticated, {hour['refused']} refused"
    return Bar(
        round(x, 2),
        round(step * 0.82, 2),
        round(top, 2),
        round(_y(0) - top, 2),
        round(proven, 2),
        round(_y(0) - proven, 2),
        words,
    )


def _lines(series: Sequence[dict[str, Any]], step: float) -> list[str]:
    lines: list[list[str]] = [[]]
    for place, hour in enumerate(series):
        if hour["requests"]:
            x = LEFT + (place + 0.41) * step
            lines[-1].append(f"{x:.1f},{_y(hour['authenticated'] / hour['requests']):.1f}")
        elif lines[-1]:
            lines.append([])
    return [" ".join(line * 2 if len(line) == 1 else line) for line in lines if line]  # a lone hour is a dot


def _y(part: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - part)


def _nice(value: int) -> int:
    """The next round number that is not below."""
    size = 1
    while size * 10 < value:
        size *= 10
    return next((step * size for step in (1, 2, 5, 10) if step * size >= value), 10 * size)


def _short(value: float) -> str:
    """A number for an axis: 1.5k, 20M."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:.1f}".removesuffix(".0") + unit
    return f"{value:.0f}" if value >= 1 or not value else f"{value:.1f}"
