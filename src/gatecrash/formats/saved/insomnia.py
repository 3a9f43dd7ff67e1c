"""Insomnia exports: format 4 (JSON, a flat list of resources) and 5 (YAML, a tree), each saved request once.

A request is written down as Postman would, whose reader has the rest: variables of folders and of the base environment, the
authorization, bodies. Tags of templates (`{% uuid %}`) have no value outside of Insomnia, and are made up.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO
from urllib.parse import parse_qsl

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Exchange
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions.document import as_list, as_object, load
from gatecrash.formats.saved.postman import DEEPEST, Scope, saved

WHAT = "Insomnia export"
# Taken to the end where nothing closes it, so that none of many such beginnings is read twice.
_TAG = re.compile(r"\{%.*?(%\}|\Z)", re.DOTALL)
_UNDERSCORED = re.compile(r"\{\{\s*_\.")
_PLACES = {"queryParams": "query", "header": "header"}

Saved = tuple[Mapping[str, Any], Scope, tuple[str, ...]]


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The export's requests as drafts, in its order. Raises UnreadableCapture where it is none."""
    document = load(stream, WHAT)
    if isinstance(document.get("resources"), list):
        requests = _listed(document["resources"])
    elif isinstance(document.get("collection"), list):
        requests = _nested(document["collection"], _flat(as_object(document.get("environments")).get("data")), ())
    else:
        raise UnreadableCapture(
            f"The {WHAT} has neither `resources` nor a `collection`. Export it as Insomnia v4 or v5."
        )
    for place, (request, scope, names) in enumerate(requests, 1):
        try:
            yield saved(_as_postman(request), scope, None)
        except (ValueError, TypeError, AttributeError, GatecrashError) as error:
            yield Malformed(place, f"{' / '.join(names)}: {error}")


def _listed(resources: list[Any]) -> Iterator[Saved]:
    """Format 4: all that is there names what it stands in."""
    known = {str(one.get("_id")): one for one in map(as_object, resources)}
    base = {
        str(one.get("parentId")): _flat(one.get("data"))
        for one in known.values()
        if one.get("_type") == "environment"
        and as_object(known.get(str(one.get("parentId")))).get("_type") == "workspace"
    }
    for one in known.values():
        if one.get("_type") != "request":
            continue
        above: list[Mapping[str, Any]] = []
        parent = known.get(str(one.get("parentId")))
        while parent is not None and len(above) < DEEPEST:
            above.append(parent)
            parent = known.get(str(parent.get("parentId")))
        scope: dict[str, str] = {}
        for folder in reversed(above):
            scope |= base.get(str(folder.get("_id")), {}) | _flat(folder.get("environment"))
        folders = [
            str(each.get("name") or "folder") for each in reversed(above) if each.get("_type") == "request_group"
        ]
        yield one, scope, (*folders, str(one.get("name") or "request"))


def _nested(items: list[Any], scope: Scope, names: tuple[str, ...]) -> Iterator[Saved]:
    """Format 5: folders hold their children."""
    if len(names) > DEEPEST:
        raise UnreadableCapture(f"The {WHAT} has folders more than {DEEPEST} deep.")
    for one in map(as_object, items):
        named = (*names, str(one.get("name") or "request"))
        if isinstance(one.get("children"), list):
            yield from _nested(one["children"], {**scope, **_flat(one.get("environment"))}, named)
        elif "url" in one and "method" in one:
            yield one, scope, named


def _flat(data: object, before: str = "") -> dict[str, str]:
    """The variables of an environment; members of objects by their path, as templates name them."""
    found: dict[str, str] = {}
    for name, value in as_object(data).items():
        if isinstance(value, dict):
            found |= _flat(value, f"{before}{name}.")
        elif value not in (None, "") and not isinstance(value, list):
            found[f"{before}{name}"] = _plain(str(value).lower() if isinstance(value, bool) else str(value))
    return found


def _plain(text: object) -> str:
    """A template as Postman writes it: `{{ _.name }}` is `{{name}}`."""
    return _UNDERSCORED.sub("{{", _TAG.sub(lambda tag: "{{tag}}" if tag[1] else tag[0], str(text or "")))


def _as_postman(request: Mapping[str, Any]) -> dict[str, Any]:
    url, _, asked = _plain(request.get("url")).partition("#")[0].partition("?")
    query = [{"key": name, "value": value} for name, value in parse_qsl(asked, keep_blank_values=True)]
    query += [one | {"disabled": off} for off in (False, True) for one in _pairs(request.get("parameters"), off=off)]
    body = _body(as_object(request.get("body")))
    address = {"raw": url, "variable": _pairs(request.get("pathParameters"))} | ({"query": query} if query else {})
    headers = _pairs(request.get("headers"))
    kind = as_object(request.get("body")).get("mimeType")
    if body.get("mode") == "raw" and kind and not any(each["key"].lower() == "content-type" for each in headers):
        headers.append({"key": "Content-Type", "value": str(kind)})
    method = str(request.get("method") or "GET")
    auth = _auth(as_object(request.get("authentication")))
    return {"request": {"method": method, "url": address, "header": headers, "body": body, "auth": auth}}


def _pairs(listed: object, *, off: bool = False) -> list[dict[str, Any]]:
    """A list of names and values: those that are on, or those that are off."""
    named = (one for one in map(as_object, as_list(listed)) if one.get("name"))
    meant = (one for one in named if (one.get("disabled") is True) is off)
    return [{"key": _plain(one["name"]), "value": _plain(one.get("value"))} for one in meant]


def _body(body: Mapping[str, Any]) -> dict[str, Any]:
    kind = str(body.get("mimeType") or "")
    if body.get("fileName"):
        return {"mode": "file"}
    if kind == "application/x-www-form-urlencoded":
        return {"mode": "urlencoded", "urlencoded": _pairs(body.get("params"))}
    if kind == "multipart/form-data":
        on = [one for one in map(as_object, as_list(body.get("params"))) if one.get("disabled") is not True]
        parts = [
            {"key": _plain(one.get("name")), "value": _plain(one.get("value")), "type": str(one.get("type") or "text")}
            | {"src": one.get("fileName")}
            for one in on
        ]
        return {"mode": "formdata", "formdata": parts}
    text = _plain(body.get("text"))
    return {"mode": "raw", "raw": text} if text else {}


def _auth(told: Mapping[str, Any]) -> dict[str, Any]:
    kind = str(told.get("type") or "none")
    if kind == "none" or told.get("disabled") is True:
        return {"type": "noauth"}
    facts = {name: _plain(value) for name, value in told.items() if isinstance(value, str)}
    if kind == "bearer" and facts.get("prefix", "").strip().lower() not in ("", "bearer"):
        word = f"{facts['prefix'].strip()} {facts.get('token', '')}"
        return {"type": "apikey", "apikey": {"key": "Authorization", "value": word}}
    if kind == "apikey":
        facts["in"] = _PLACES.get(facts.get("addTo", ""), "header")
    return {"type": kind, kind: facts}
