"""What the links of a page call things, now and when it was recorded: where pages are all that tells, an identifier
stands in them alone.

links_of(request, response)                    the links to things, with what their row or entry says otherwise
names_told(request, response)                  the names in them
names_anew(request, told, now, left_out)       each name that is another now, and the new one
fields_anew(request, new)                      where a request's query and body name these by numbers, and the new ones
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from gatecrash.core.inventory.identifiers import look_in_path
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.dialogues.following import own_target
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.pages.markup import END, START, TEXT, tokens
from gatecrash.formats.draft import names_a_thing
from gatecrash.node.scan.captures.places_told import told_anew
from gatecrash.node.scan.drafts.known_values import segments

MOST_LINKS = 300
_LONGEST = 200_000
_MOST_SAID = 300
# `id` is what everything is called.
_SHORT = 4
_APART = frozenset({"tr", "li", "article", "section", "p", "dt", "dd", "option", "h1", "h2", "h3"})

Name = tuple[tuple[str, ...], str]
"""An identifier, behind the path that it is used at, and behind `?` and the parameter's name in a query."""


class Link(NamedTuple):
    """One of them, for each thing that it names. said: by its row, without the identifier."""

    name: Name
    said: str


def names_at(request: Request) -> Iterator[Name]:
    """The identifiers that a request's address names, and where."""
    path = segments(request)
    for end, segment in enumerate(path):
        if look_in_path(segment) == "id":
            yield path[:end], segment
    for found in walk(request).points if request.query else ():
        name, value = found.point[-1], found.value.decode("utf-8", "replace")
        if found.point[0] == "get" and len(found.point) == 2 and names_a_thing(name) and look_in_path(value) == "id":
            yield (*path, f"?{name}"), value


def links_of(request: Request, response: Response) -> Iterator[Link]:
    """In their order. request: what the page was asked for by."""
    if "html" not in media_type(response):
        return
    for count, (names, said) in enumerate(_rows(request, text_of(response)[:_LONGEST])):
        if count >= MOST_LINKS:
            return
        for name in names:
            yield Link(name, " ".join(said.replace(name[1], " ").split())[:_MOST_SAID])


def names_told(request: Request, response: Response) -> set[Name]:
    """By any of the links."""
    return {link.name for link in links_of(request, response)}


def names_anew(
    request: Request, told: Response, now: Response, left_out: Collection[str] = ()
) -> Iterator[tuple[Name, str]]:
    """Links that lead to one place are compared with each other. left_out: identifiers of what is none of them."""
    old, new = _by_place(request, told), _by_place(request, now)
    for place, entries in old.items():
        for one in told_anew(entries, new.get(place, []), left_out):
            if one.place == ("id",):
                yield (place, one.old), one.new


def fields_anew(request: Request, new: Mapping[Name, str]) -> Iterator[tuple[Point, str]]:
    """A number is known by its parameter (`?id=7` of the same page), and by a field that is called as the thing is (`order_id`)."""
    path = segments(request)
    for found in walk(request).points if new else ():
        if found.point[0] not in ("get", "post") or found.container or not found.value.isdigit():
            continue
        field = found.point[-1]
        for (place, old), value in new.items():
            if old.encode() == found.value and (place == (*path, f"?{field}") or _calls_it(place, field)):
                yield found.point, value
                break


def _calls_it(place: tuple[str, ...], field: str) -> bool:
    """Whether a field is called as what stands at a place: `order_id` and `orderId` of `/orders/7`, and of `?order_id=7`."""
    if place[-1].startswith("?"):
        return len(field) > _SHORT and place[-1] == f"?{field}"
    word = re.sub(r"(?:ies|s|y)$", "", place[-1].lower())
    plain = re.sub(r"[-_]", "", field.lower())
    return bool(word) and plain.endswith("id") and re.sub(r"(?:ies|s|y)$", "", plain[:-2]) == word


def _by_place(request: Request, response: Response) -> dict[tuple[str, ...], list[dict[str, str]]]:
    """What links say of each thing, the first of them; a thing has several, to show, to change and to delete it."""
    found: dict[tuple[str, ...], dict[str, dict[str, str]]] = {}
    for link in links_of(request, response):
        place, value = link.name
        found.setdefault(place, {}).setdefault(value, {"id": value, "said": link.said})
    return {place: list(entries.values()) for place, entries in found.items()}


def _rows(request: Request, text: str) -> Iterator[tuple[list[Name], str]]:
    """The names in each link, with what its row says; where a row has links to several things, with what the link says."""
    links: list[tuple[list[Name], list[str]]] = []
    row: list[str] = []
    within = False
    for token in tokens(text):
        if token.name in _APART and token.kind in (START, END):
            yield from _told_by(links, row)
            links, row, within = [], [], False
        elif token.kind == START and token.name == "a":
            names = list(_names_in(request, next((each.value for each in token.attributes if each.name == "href"), "")))
            links.append((names, []))
            within = True
        elif token.kind == END and token.name == "a":
            within = False
        elif token.kind == TEXT:
            row.append(text[token.begin : token.end])
            if within:
                links[-1][1].append(row[-1])
    yield from _told_by(links, row)


def _told_by(links: list[tuple[list[Name], list[str]]], row: list[str]) -> Iterator[tuple[list[Name], str]]:
    several = len({name[1] for names, _ in links for name in names[-1:]}) > 1
    for names, own in links:
        if names:
            yield names, " ".join(own if several else row)


def _names_in(request: Request, address: str) -> list[Name]:
    target = own_target(request, address)
    return [] if target is None else list(names_at(Request("GET", target, host=request.host)))
