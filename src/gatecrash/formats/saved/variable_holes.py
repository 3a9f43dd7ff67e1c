"""Variables of a saved body that have no value: one that is a whole value may name something that answers teach.

`{"order": {{orderId}}, "note": "for {{name}}"}`: the first is such a one, be it quoted or not. So is a whole segment of a path,
also where it has a value: what it named when the requests were saved may be gone.
"""

import json
import re
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any
from urllib.parse import unquote_plus

from gatecrash.core.point import Point
from gatecrash.formats.draft import Hole, names_a_thing

_MARK = "81917"
_DEEPEST = 20
# Behind a host, and not in the place of one.
_SEGMENT = re.compile(r"(?<=[^/]/)\{\{\s*+([A-Za-z_][\w-]*+)\s*+\}\}(?=/|$)")


def by_name(address: str, known: Container[str]) -> str:
    """An address whose segments that name a thing by a variable with a value have its name (`/orders/:order_id`). known: those
    that have one.
    """
    return _SEGMENT.sub(
        lambda found: f":{found[1]}" if found[1] in known and names_a_thing(found[1]) else found[0], address
    )


def json_holes(text: str, variable: re.Pattern[str]) -> Iterator[Hole]:
    """Those of a JSON text. variable: its first group is the name."""
    names: list[str] = []

    def marked(found: re.Match[str]) -> str:
        names.append(found[1])
        return f"{_MARK}{len(names)}"  # is a value with quotes around it and without

    written = variable.sub(marked, text)
    if not names:
        return
    try:
        document = json.loads(written)
    except (ValueError, RecursionError):
        return
    by_mark = {f"{_MARK}{place}": name for place, name in enumerate(names, 1)}
    yield from _within(document, ("post", "json_doc"), by_mark)


def form_holes(body: str, variable: re.Pattern[str]) -> Iterator[Hole]:
    """Those of a form as it is sent, its variables left in."""
    for name, _, value in (pair.partition("=") for pair in body.split("&")):
        found = variable.fullmatch(unquote_plus(value))
        if found:
            yield _hole(found[1], ("post", "form_urlencoded", unquote_plus(name)))


def as_listed(address: str) -> list[dict[str, str | None]]:
    """The query of an address that is written as one text, as collections list it."""
    pairs = (part.partition("=") for part in address.partition("#")[0].partition("?")[2].split("&") if part)
    return [{"key": name, "value": value if equals else None} for name, equals, value in pairs]


def query_holes(
    listed: Iterator[Mapping[str, Any]], variable: re.Pattern[str], resolved: Callable[[str], str], *, reads: bool
) -> Iterator[Hole]:
    """Those of a query, by its list; what only reads may be asked by what was saved without a value, too (`?owner=`), and need
    not be, and by what named a thing then. resolved: a value with the variables that have one. reads: whether the request
    only reads.
    """
    for one in listed:
        name, value = str(one.get("key")), str(one.get("value") or "")
        if one.get("disabled") is True:
            continue
        if variable.fullmatch(resolved(value)):
            yield Hole(name, Point(("get", name)))
        elif reads and not value and one.get("value") is not None:
            yield Hole(name, Point(("get", name)), loose=True)
        elif reads and value and names_a_thing(name) and not variable.search(resolved(value)):
            yield Hole(name, Point(("get", name)), given=True)


def _within(value: Any, at: tuple[str, ...], by_mark: dict[str, str]) -> Iterator[Hole]:
    if len(at) > 2 * _DEEPEST:
        return
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _within(one, (*at, "json_obj", name), by_mark)
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from _within(one, (*at, "json_array", str(place)), by_mark)
    elif str(value) in by_mark and len(at) > 2:
        yield _hole(by_mark[str(value)], at)


def _hole(variable: str, at: tuple[str, ...]) -> Hole:
    """The hole by the variable's name, which says more than the field's (`"id": {{petId}}`) but where it is a bare `id`."""
    bare = variable.lower() in ("id", "uuid") and not at[-1].isdigit()
    return Hole(at[-1] if bare else variable, Point(at))
