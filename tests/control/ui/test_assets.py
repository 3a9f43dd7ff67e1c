"""Scripts and styles: a digest in each address, kept by browsers for ever, and nothing else is served."""

import hashlib
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from gatecrash.control.ui import assets


@pytest.mark.parametrize("name", assets.SERVED)
def test_an_asset_is_served_by_ourselves_and_may_be_kept(name: str) -> None:
    address = assets.address(name)
    answer = Client().get(address)
    content = b"".join(answer.streaming_content)
    assert answer.status_code == 200
    assert address.endswith(f"?v={hashlib.sha256(content).hexdigest()[:12]}")
    assert f"max-age={assets.ONE_YEAR}" in answer["Cache-Control"]


@pytest.mark.parametrize("name", assets.SERVED)
def test_no_asset_asks_another_host(name: str) -> None:
    text = Path(str(finders.find(name))).read_text("utf-8")
    loads = re.findall(r"""(?:@import|url\(|src=|import\s*\()\s*["']?(https?:)?//""", text)
    assert loads == []


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["admin/css/base.css", "gatecrash/nothing.css", "../settings.py", "gatecrash/"])
def test_nothing_else_is_served(name: str) -> None:
    answer = Client().get(f"/static/{name}")
    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/html")


def tokens() -> dict[str, tuple[str, str]]:
    """Every colour of the design tokens, in the light and in the dark."""
    text = (Path(assets.__file__).parent / "static/gatecrash/tokens.css").read_text()
    both = dict(re.findall(r"--([\w-]+): light-dark\((#\w{6}, #\w{6})\);", text))
    one = dict(re.findall(r"--([\w-]+): (#\w{6});", text))
    return {name: (pair[:7], pair[9:]) for name, pair in both.items()} | {name: (v, v) for name, v in one.items()}


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


TONES = ("good", "warn", "bad", "idle", "busy")
WORDS = (
    *((ink, under) for ink in ("ink", "ink-2", "ink-3") for under in ("paper", "surface", "sunk")),
    *((tone, under) for tone in TONES for under in (f"{tone}-soft", "surface")),
    *(("ink", under) for under in ("mark", "added", "removed", "busy-soft")),
    ("rail-ink", "rail"),
    ("rail-quiet", "rail"),
    ("accent", "paper"),
    ("accent", "surface"),
    ("accent-ink", "accent"),
    ("surface", "ink-2"),
    ("paper", "ink"),
)
SHAPES = tuple((name, "surface") for name in ("area-good", "area-warn", "area-bad", "line-strong", "accent", *TONES))


@pytest.mark.parametrize(("pairs", "least"), [(WORDS, 4.5), (SHAPES, 3.0)], ids=["words", "shapes"])
@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_what_is_to_be_read_stands_out(pairs: tuple[tuple[str, str], ...], least: float, scheme: int) -> None:
    """WCAG 2.2, 1.4.3 and 1.4.11: every pair of tokens that the styles put upon each other."""
    known = tokens()
    weak = {
        f"{front} on {back}": round(contrast(known[front][scheme], known[back][scheme]), 2)
        for front, back in pairs
        if contrast(known[front][scheme], known[back][scheme]) < least
    }
    assert weak == {}
