"""What an answer hands to the requests that follow it: hidden fields of its forms, meta tags, members called as tokens are,
and such parameters of the addresses that its forms and links lead to.

A form's field is taken from the form that sends to the address asked for, where the page has several.
"""

import re
from collections.abc import Iterator
from html import unescape
from itertools import islice
from typing import Final
from urllib.parse import parse_qsl, urljoin, urlsplit

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.forms.tokens import is_called_token, is_form_token
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.remembering import remembered
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.names import plain

MOST_SEARCHED: Final = 512 * 1024
MOST_FIELDS: Final = 200
_TAG: Final = re.compile(r"<(form|/form|input|meta)\b([^<>]{0,4000})>", re.IGNORECASE)
_LINK: Final = re.compile(r"<(?:form|a)\b([^<>]{0,4000})>", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"([a-z-]{1,40})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
# JSON and scripts: `"csrfToken": "…"`, `csrf_token = '…'`.
_MEMBER: Final = re.compile(r"(?<![\w-])([\w-]{3,60}+)[\"']?\s{0,3}[:=]\s{0,3}[\"']([^\"'\s<>]{6,4096})[\"']")
_HINTS: Final = ("csrf", "xsrf", "token", "nonce", "form_key", "form_id")


class Field:
    """One value that an answer hands out. action: what its form or link leads to, as it is written; None outside of both.
    in_address: whether it stands there itself.
    """

    __slots__ = ("action", "in_address", "name", "value")

    def __init__(self, name: str, value: str, action: str | None = None, *, in_address: bool = False) -> None:
        self.name = name
        self.value = value
        self.action = action
        self.in_address = in_address


def addresses_of_forms(text: str) -> frozenset[str]:
    """What the forms of a page that are posted lead to, as it is written there; empty for the page itself."""
    if "<form" not in text and "<FORM" not in text:
        return frozenset()
    found = (_attributes(each[2]) for each in _TAG.finditer(text[:MOST_SEARCHED]) if each[1].lower() == "form")
    posted = (each.get("action", "") for each in found if each.get("method", "").lower() == "post")
    return frozenset(islice(posted, MOST_FIELDS))


@remembered
def handed_out(response: Response) -> tuple[Field, ...]:
    """The values, in the order of the answer; of errors and redirects too, as far as they have a body."""
    text = text_of(response)[:MOST_SEARCHED]
    if "<" in text[:2000]:
        fields = list(_of_markup(text))
    else:
        fields = []
    lowered = text.lower()
    if any(hint in lowered for hint in _HINTS):
        members = ((found[1], found[2]) for found in _MEMBER.finditer(text))
        fields += [Field(name, value) for name, value in members if is_called_token(name) or name.lower() == "token"]
        fields += _of_addresses(text)
    return tuple(fields[:MOST_FIELDS])


def value_for(
    response: Response, names: tuple[str, ...], path: str, page: str, recorded: tuple[str, int] = ("", 0)
) -> str | None:
    """What an answer hands to a request for a path, under the first of these names that it has; None for nothing.

    page: the answer's own path, which a form without an action sends to. recorded: the value that the request had, and which
    of those of the first name that was. One that is still handed out is still good.
    """
    fields = handed_out(response) if response.status < FIRST_ERROR else ()
    was, place = recorded
    for name in names:
        wanted = plain(name)
        same = [field for field in fields if plain(field.name) == wanted]
        fitting = [field for field in same if field.action is not None and sent_to(field.action, page) == path]
        again = [field for field in same if field.value == was]
        placed = same[place : place + 1] if name == names[0] and not fitting else []
        for field in (*again, *placed, *fitting, *same):
            return field.value
    return None


def with_tokens_of(page: Exchange, request: Request) -> Request:
    """A request with what a page hands out now in the place of its form's tokens; as it is where the page has none."""
    answer, own = page.response, page.request.path.decode("latin-1")
    if answer is None:
        return request
    points = [each.point for each in walked(request) if not each.container and is_form_token(each.point)]
    for point in points:
        value = value_for(answer, (point[-1],), request.path.decode("latin-1"), own)
        request = request if value is None else rewrite(request, point, value.encode())
    return request


def _of_markup(text: str) -> Iterator[Field]:
    action: str | None = None
    for found in _TAG.finditer(text):
        kind = found[1].lower()
        attributes = _attributes(found[2])
        if kind == "form":
            action = attributes.get("action", "")
        elif kind == "/form":
            action = None
        elif kind == "input" and attributes.get("type", "").lower() == "hidden":
            if attributes.get("name") and attributes.get("value"):
                yield Field(attributes["name"], attributes["value"], action or "")
        elif kind == "meta" and attributes.get("content") and is_called_token(attributes.get("name", "")):
            yield Field(attributes["name"], attributes["content"])


def _of_addresses(text: str) -> list[Field]:
    """Tokens that a page writes into the addresses themselves: of forms, and of links that act."""
    tags = (found[1] for found in _LINK.finditer(text) if "?" in found[1] and is_called_token(found[1]))
    seen = (_attributes(tag) for tag in tags)
    addresses = dict.fromkeys(each.get("action") or each.get("href", "") for each in seen)
    return [
        Field(name, value, address, in_address=True)
        for address in addresses
        for name, value in parse_qsl(address.partition("#")[0].partition("?")[2])
        if is_called_token(name)
    ]


def _attributes(text: str) -> dict[str, str]:
    return {
        found[1].lower(): unescape(next((part for part in found.groups()[1:] if part is not None), ""))
        for found in _ATTRIBUTE.finditer(text)
    }


def sent_to(action: str, page: str) -> str:
    """The path that a form of a page sends to, by the address that is written there; empty where that is none."""
    try:
        return urlsplit(urljoin(page, action)).path
    except ValueError:  # `http://[`: what a page shows of a test's value
        return ""
