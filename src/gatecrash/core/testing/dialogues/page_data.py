"""Data that a page may hand its engine as a whole: the query of a GET request, the fields of a form, the members of an object.

Frameworks of Node render with one object for what a page shows and for how it is made (`res.render("card", req.query)`), so what
stands beside the values that the page asks for may be taken for options of the framework and of the engine.

hands_data(situation)                        whether something of the baseline may be such data
beside(request, {"layout": "../x"})          the same request with more of it
"""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote, urlencode

import msgspec
import orjson

from gatecrash.core.message import Request, kind_of_content, with_body
from gatecrash.core.statuses import OK
from gatecrash.core.testing.probe import Situation, once_an_address

Members = Mapping[str, "str | Members"]
_FORM, _JSON = "application/x-www-form-urlencoded", "application/json"
_OBJECT = re.compile(rb"\s*\{(?=\s*[^\s}])")


def hands_data(situation: Situation) -> bool:
    """Whether a page was the answer to a GET request with a query, or to another one with a form or an object."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status != OK or situation.policy.one_family:
        return False
    by_query = request.method.upper() == "GET"
    sends = bool(request.query) if by_query else _kind(request) is not None
    page = (response.first(b"Content-Type") or b"").lower().startswith(b"text/html")
    return sends and page and ("get" if by_query else "post") in situation.policy.locations


def data_of(request: Request) -> bytes:
    """What the request hands over, as it is written: its body, else its query."""
    return (request.query or b"") if _kind(request) is None else request.body


def beside(request: Request, members: Members) -> Request:
    """The same request with these members beside its own: with brackets where they lie within each other, in a query or a form."""
    kind = _kind(request)
    if kind == _JSON:
        begin = request.body.index(b"{") + 1
        return with_body(request, request.body[:begin] + orjson.dumps(members)[1:-1] + b"," + request.body[begin:])
    written = b"&" + urlencode(list(_flat(members)), quote_via=quote, safe="/").encode()
    if kind == _FORM:
        return with_body(request, request.body + written)
    asked: Request = msgspec.structs.replace(request, target=request.target + written)
    return asked


def once_a_method(request: Request) -> tuple[str, ...]:
    """For `collected`: one baseline stands for all of its address that are sent by its method, and as its kind of body."""
    return (*once_an_address(request), request.method.upper(), _kind(request) or "")


def _flat(members: Members, above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in members.items():
        path = f"{above}[{name}]" if above else name
        if isinstance(value, str):
            yield path, value
        else:
            yield from _flat(value, path)


def _kind(request: Request) -> str | None:
    """The media type of a body with data; None where there is none."""
    if request.method.upper() == "GET" or not request.body:
        return None
    said = kind_of_content(request)
    if said == _FORM.encode():
        return _FORM
    return _JSON if said == _JSON.encode() and _OBJECT.match(request.body) else None
