"""What a page's scripts ask the server for, read out of their text: nothing is run.

called_in(code)        the calls, in order: Called("POST", "/api/notes", '{"text":"example"}', "application/json")
paths_in(code)         texts that are nothing but paths of the site, as the addresses in a page's own data are

Known are `fetch` and what applications call after it (`apiFetch`), `XMLHttpRequest.open`, methods named as HTTP's are
(`axios.get('/x')`, `$.post('/x', {…})`), calls with an object (`$.ajax({url: …})`, `request({path: …})`), and places that a
browser is led to; and functions and classes of the application's own around these, by what they are given. An address counts where its
beginning is written out, or where a path stands behind a variable, which holds the beginning of all of them.
"""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote, urlencode

from gatecrash.formats.descriptions.media import EXAMPLE_FILE, EXAMPLE_NAME, Part, multipart_body, type_of
from gatecrash.formats.descriptions.sample_text import text_for
from gatecrash.formats.scripts.filled import folded
from gatecrash.formats.scripts.instances import made_anew
from gatecrash.formats.scripts.literals import Script, Value, script_of
from gatecrash.formats.scripts.own_functions import called_anew
from gatecrash.formats.scripts.own_methods import methods_called_anew

Place = tuple[int, int]

JSON, FORM, XML = "application/json", "application/x-www-form-urlencoded", "application/xml"
_MOST, _BEHIND, _LONGEST = 300, 2_000, 4_000
_CALL = re.compile(
    r"(?<![\w$])(?:(?P<fetch>\$?fetch(?:[A-Z]\w*+)?|[a-z]\w*?Fetch)|(?P<ajax>ajax|axios|request)|(?P<open>open)|(?P<led>location\s*+\.\s*+(?:assign|replace))"
    r"|(?P<client>[\w$]++)\s*+\.\s*+[_$]?(?P<method>get|getJSON|post|put|patch|load))\s*+\("
)
_ASSIGNED = re.compile(r"(?<![\w$])location(?:\s*+\.\s*+href)?\s*+=(?!=)\s*+")
_SEND = re.compile(r"\.\s*+send\s*+\(")
_HEADER = re.compile(r"\.\s*+setRequestHeader\s*+\(")
# Clients whose methods take any address; another object's `get('name')` asks no server.
_CLIENTS = frozenset({"axios", "$", "jQuery", "ky", "superagent", "http", "$http"})
_FORMS = frozenset({"$", "jQuery"})
# What clients are told beside an address, and no query (axios, ky, Angular, frameworks' own); of these the ones that hold the query.
_TOLD = frozenset(
    {"auth", "baseURL", "body", "cache", "context", "credentials", "data", "headers", "method", "mode"}
).union(
    ("maxRedirects", "next", "observe", "onDownloadProgress", "params", "paramsSerializer", "query", "reportProgress"),
    ("responseType", "retry", "searchParams", "signal", "timeout", "transformResponse", "url", "validateStatus"),
    ("withCredentials", "xsrfCookieName", "xsrfHeaderName"),
)
_QUERIES = ("params", "searchParams", "query")
# RFC 9110, 5.6.2.
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH"})
# RFC 9110, 9.1: Angular's `request` is given the method first, as `XMLHttpRequest.open` is.
_SPOKEN = _METHODS | {"DELETE", "HEAD", "OPTIONS"}
_STEPS = r"[\w.~%-]++(?:/[\w.~%-]++)*+/?"
_ASKED = r"\?(?:[\w.~%=&+-][\w.~%=&+:/-]*+)?"
# Seen from the page (`href:"./go?to=https://other.example/"`) only with a query: bundlers name files so.
_PATH = re.compile(rf"/{_STEPS}(?:{_ASKED})?|\./{_STEPS}{_ASKED}")
_FILE = re.compile(r"(?:files?|upload|image|photo|picture|avatar|attachment|document)$", re.IGNORECASE)
_BODIES = re.compile(
    r"\s*+(?:(?P<json>JSON\s*+\.\s*+stringify)|new\s++(?P<form>URLSearchParams)|new\s++(?P<parts>FormData))\s*+\("
)


class Called(NamedTuple):
    """One call. address: as a browser would join it to the page's own. kind: the body's media type; empty for no body."""

    method: str
    address: str
    body: str = ""
    kind: str = ""
    headers: tuple[tuple[str, str], ...] = ()


def called_in(code: str) -> list[Called]:
    """The calls that GET and what changes something would be; none that deletes."""
    script = script_of(folded(code))
    found = _called_in(script)
    for helped in (*called_anew(script), *methods_called_anew(script), *made_anew(script)):
        found += _called_in(Script(helped))
    # What a function sends that it is given is known where it is called.
    told = {(each.method, each.address) for each in found if each.body}
    known = (each for each in found if each.body or each.method == "GET" or (each.method, each.address) not in told)
    return list(dict.fromkeys(known))[:_MOST]


def _called_in(script: Script) -> list[Called]:
    found: list[Called] = []
    for call in _CALL.finditer(script.code):
        one = _called(script, call)
        if one is not None and one.method in _METHODS and one.address:
            found.append(one)
        if len(found) >= _MOST:
            break
    for led in _ASSIGNED.finditer(script.code):
        address = script.text(led.end(), script.expression(led.end()))
        found += [Called("GET", address)] if address else []
    return found


def paths_in(code: str) -> list[str]:
    """Paths alone; a bounded number."""
    return list(dict.fromkeys(each for each in script_of(code).written if _PATH.fullmatch(each)))[:_MOST]


def _called(script: Script, call: re.Match[str]) -> Called | None:
    begin = call.end()
    given = script.parts(begin, script.matching(begin - 1, min(len(script.code), begin + _LONGEST)))
    if not given:
        return None
    if call["open"]:
        return _opened(script, call, given)
    options = script.members(*given[0])
    if options:
        # jQuery alone sends an object as a form by itself.
        return _with_options(script, options, form=call["ajax"] == "ajax" or call["client"] in _FORMS)
    address = script.address(*given[0]) or ""
    if call["ajax"] and given[1:] and address in _SPOKEN:
        return _opened(script, call, given)
    # A socket's `request('update')` names what it wants, and no address.
    if call["ajax"] == "request" and "/" not in address:
        return None
    if call["method"]:
        if call["client"] not in _CLIENTS and not address.startswith(("/", "http")):
            return None
        return _by_method(script, call, address, given[1:])
    return _fetched(script, address, script.members(*given[1]) if given[1:] else {})


def _opened(script: Script, call: re.Match[str], given: list[Place]) -> Called | None:
    """`open('POST', '/x')`, and what is sent behind it; a window's `open('/x')` is a link."""
    first = script.text(*given[0]) or ""
    if not given[1:] or first.upper() not in _METHODS:
        return Called("GET", first) if first.startswith(("/", "http")) else None
    sent = _SEND.search(script.code, call.end(), call.end() + _BEHIND)
    called = Called(first.upper(), script.address(*given[1]) or "")
    called = called._replace(headers=tuple(_set_between(script, call.end(), sent.start() if sent else call.end())))
    parts = script.parts(sent.end(), script.matching(sent.end() - 1)) if sent else []
    return _with_body(script, called, parts[0], "") if parts and called.method != "GET" else called


def _set_between(script: Script, begin: int, end: int) -> Iterator[tuple[str, str]]:
    """The headers that a request is given one by one, or all those of an object in a loop: `setRequestHeader(k, all[k])`."""
    for one in _HEADER.finditer(script.code, begin, end):
        parts = script.parts(one.end(), script.matching(one.end() - 1))
        if not parts[1:]:
            continue
        of_all = re.fullmatch(
            r"\s*+([A-Za-z_$][\w$]*+)\s*+\[\s*+([A-Za-z_$][\w$]*+)\s*+\]\s*+", script.source[slice(*parts[1])]
        )
        if of_all is not None and of_all[2] == script.source[slice(*parts[0])].strip():
            name = script.source.index(of_all[1], parts[1][0])
            yield from _headers_of(script, (name, name + len(of_all[1])))
        elif (named := script.text(*parts[0])) and (value := _header(script, parts[1])) and _is_sent(named):
            yield named, value


def _headers_of(script: Script, place: Place) -> Iterator[tuple[str, str]]:
    """The headers of an object that are written out, but those that the caller's own session puts there."""
    for name, inside in script.members(*place).items():
        value = _header(script, inside)
        if value and _is_sent(name):
            yield name, value


def _header(script: Script, place: Place) -> str | None:
    value = script.text(*place) if len(script.parts(*place, "+")) == 1 else None
    return None if "${" in script.source[slice(*place)] else value


def _is_sent(name: str) -> bool:
    return name.lower() not in ("authorization", "cookie") and _TOKEN.fullmatch(name) is not None


def _with_options(script: Script, options: dict[str, Place], *, form: bool) -> Called:
    """`$.ajax({url, type, data})`, `axios({url, method, data})`, and `request({path, method, body})` of generated clients.

    form: whether an object is sent as a form by itself.
    """
    address = next((script.address(*options[name]) for name in ("url", "path") if name in options), None)
    method = next((script.text(*options[name]) for name in ("method", "type") if name in options), None) or "GET"
    called = _headed(script, Called(method.upper(), address or ""), options)
    data = options.get("data", options.get("body"))
    kind = script.text(*options["contentType"]) if "contentType" in options else None
    if data is None:
        return called
    if called.method == "GET":
        return called._replace(address=_asked_with(called.address, script.value(*data, "data")))
    return _with_body(script, called, data, kind or (FORM if form and "url" in options else JSON))


def _by_method(script: Script, call: re.Match[str], address: str, further: list[Place]) -> Called:
    method = {"getJSON": "GET", "load": "GET"}.get(call["method"], call["method"].upper())
    called = Called(method, address)
    if not further:
        return called
    if method == "GET":
        given = further[0] if call["client"] in _FORMS else _query_given(script, call["client"], further[0])
        return called if given is None else called._replace(address=_asked_with(address, script.value(*given, "data")))
    return _with_body(script, called, further[0], FORM if call["client"] in _FORMS else JSON)


def _query_given(script: Script, client: str, beside: Place) -> Place | None:
    """What an address is asked with: a client is told it among other things, and an application's own may be given it alone.

    Known clients are told what they are to do, whatever it is called; and an object within is what somebody is told, be it a password.
    """
    options = script.members(*beside)
    is_alone = client not in _CLIENTS and not _TOLD & options.keys()
    if options and is_alone and not any(script.members(*place) for place in options.values()):
        return beside
    return next((options[name] for name in _QUERIES if name in options), None)


def _fetched(script: Script, address: str, options: dict[str, Place]) -> Called:
    method = (script.text(*options["method"]) if "method" in options else None) or "GET"
    called = _headed(script, Called(method.upper(), address), options)
    if "body" not in options or called.method == "GET":
        return called
    # An application's own `fetchJson` is given the object itself.
    return _with_body(script, called, options["body"], JSON if script.members(*options["body"]) else "")


def _headed(script: Script, called: Called, options: dict[str, Place]) -> Called:
    headers = _headers_of(script, options["headers"]) if "headers" in options else ()
    return called._replace(headers=tuple(headers))


def _with_body(script: Script, called: Called, place: Place, kind: str) -> Called:
    """With what is sent, where that is written out. kind: what an object is sent as; empty where the headers say it."""
    said = next((value for name, value in called.headers if name.lower() == "content-type"), "")
    headers = tuple(each for each in called.headers if each[0].lower() != "content-type")
    made = _BODIES.match(script.source, *script.meant(*place))
    if made is not None:
        inside = script.parts(made.end(), script.matching(made.end() - 1))
        if inside and script.is_nothing(*inside[0]):
            return called._replace(headers=headers)
        value = script.value(*inside[0], "data") if inside else {}
        body, kind = _in_parts(value) if made["parts"] else _written(value, JSON if made["json"] else FORM)
    elif kind and script.members(*place):
        body, kind = _written(script.value(*place, "data"), kind)
    else:
        body = script.text(*place) or ""
        kind = kind if kind and not said else _kind_of(body)
    return called._replace(body=body, kind=said or kind, headers=headers) if body else called._replace(headers=headers)


def _written(value: Value, kind: str) -> tuple[str, str]:
    if kind.startswith(FORM) and isinstance(value, dict):
        return _asked_with("", value).lstrip("?"), kind
    return json.dumps(value, separators=(",", ":")), kind


def _in_parts(value: Value) -> tuple[str, str]:
    """A form's data; nothing where it is not known which form is meant."""
    pairs = value.items() if isinstance(value, dict) else ()
    if not pairs:
        return "", ""
    written = multipart_body([_part(name, each) for name, each in pairs])
    return written.data.decode("utf-8", "surrogateescape"), written.content_type


def _part(name: str, value: Value) -> Part:
    """What a person chooses is a file, where it is called so."""
    if value == text_for({}, name) and _FILE.search(name) is not None:
        return Part(name, EXAMPLE_FILE, EXAMPLE_NAME, type_of(EXAMPLE_NAME))
    return Part(name, value if isinstance(value, str) else json.dumps(value))


def _kind_of(body: str) -> str:
    if body[:1] in ("{", "["):
        return JSON
    return XML if body.startswith("<") else FORM


def _asked_with(address: str, value: Value) -> str:
    pairs: Iterator[tuple[str, str]] = iter(())
    if isinstance(value, dict):
        pairs = ((name, each if isinstance(each, str) else json.dumps(each)) for name, each in value.items())
    elif isinstance(value, str) and "=" in value:
        return f"{address}{'&' if '?' in address else '?'}{value}"
    query = urlencode(list(pairs), quote_via=quote)
    return f"{address}{'&' if '?' in address else '?'}{query}" if query else address
