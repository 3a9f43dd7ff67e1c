"""The fuzzer's settings as fields of a form: boxes, sizes, and a condition a line."""

from collections.abc import Mapping
from typing import Any

import msgspec

from gatecrash.control.ui.forms import Field
from gatecrash.core.testing.fuzzer import LARGEST, PLACES

PREFIX = "fuzzer_"
CONDITIONS = ("anomaly", "no_anomaly", "stop")
_HINT = 'One condition a line, such as {"status": ["5xx"], "status_difference": true} or {"body": "Traceback"}.'
_WORDS = {
    "beginning": "before the value",
    "end": "after the value",
    "random": "somewhere within it",
    "replace": "instead of a part of it",
}
FIELDS = (
    Field(
        f"{PREFIX}places",
        "Where the bytes are put",
        "checks",
        choices=[(name, _WORDS.get(name, name)) for name in PLACES],
        advanced=True,
    ),
    Field(
        f"{PREFIX}sizes",
        "Sizes of a payload",
        "tags",
        hint=f"Bytes, separated by commas; each from 1 to {LARGEST}.",
        advanced=True,
    ),
    Field(f"{PREFIX}anomaly", "An answer is an anomaly where", "long", hint=_HINT, nullable=False, advanced=True),
    Field(
        f"{PREFIX}no_anomaly", "And none of these holds", "long", hint="Written alike.", nullable=False, advanced=True
    ),
    Field(
        f"{PREFIX}stop",
        "A point is given up where",
        "long",
        hint="Written alike; empty for never.",
        nullable=False,
        advanced=True,
    ),
)


def document(found: dict[str, Any]) -> dict[str, Any]:
    """Take the fuzzer's fields out of what was sent; its settings as the API takes them, empty where all of them are."""
    settings = {
        "places": found.pop(f"{PREFIX}places", []),
        "sizes": [_number(text) for text in found.pop(f"{PREFIX}sizes", [])],
        **{name: _conditions(found.pop(f"{PREFIX}{name}", "")) for name in CONDITIONS},
    }
    return settings if any(settings.values()) else {}


def initial(fuzzer: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields show of settings as the API shows them."""
    return {
        f"{PREFIX}places": fuzzer["places"],
        f"{PREFIX}sizes": [str(size) for size in fuzzer["sizes"]],
        **{f"{PREFIX}{name}": "\n".join(map(_line, fuzzer[name])) for name in CONDITIONS},
    }


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _conditions(text: str) -> list[Any]:
    return [_condition(line) for line in text.splitlines() if line.strip()]


def _condition(line: str) -> Any:
    """A line as JSON; what is none goes on as it is, and is refused with its place."""
    try:
        return msgspec.json.decode(line)
    except msgspec.DecodeError:
        return line


def _line(condition: Mapping[str, Any]) -> str:
    return msgspec.json.encode(_named(condition)).decode()


def _named(value: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is not named in it."""
    kept = {name: _named(one) if isinstance(one, Mapping) else one for name, one in value.items()}
    return {name: one for name, one in kept.items() if one is not None and one not in ([], ())}
