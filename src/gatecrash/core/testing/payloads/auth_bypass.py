"""Other spellings of a path that name the same place to somebody, and headers that some guards believe."""

import re
from collections.abc import Callable
from functools import partial

Spell = Callable[[bytes], bytes]

_VERSION = re.compile(rb"/v(\d{1,2})(?=/.)")
_LETTER = re.compile(rb"[a-z]")
ADDRESSES = (
    b"X-Forwarded-For", b"X-Real-IP", b"X-Custom-IP-Authorization", b"X-Client-IP", b"X-Originating-IP", b"X-Remote-IP",
    b"X-Remote-Addr", b"True-Client-IP", b"X-Cluster-Client-IP", b"Client-IP",
)  # fmt: skip
"""Headers in which proxies tell the caller's address, and which some applications believe from anybody."""
METHODS = (b"X-HTTP-Method-Override", b"X-HTTP-Method", b"X-Method-Override")
"""Headers in which a method other than the request's own is asked for."""

CALLERS = {
    b"X-Forwarded-User": "name", b"X-Remote-User": "name", b"Remote-User": "name", b"X-User": "name", b"X-Username": "name",
    b"X-Authenticated-User": "name", b"X-Auth-Request-User": "name", b"X-WebAuth-User": "name", b"X-User-Id": "id",
    b"X-Forwarded-Email": "email", b"X-User-Email": "email", b"X-Auth-Request-Email": "email",
}  # fmt: skip
"""Headers in which gateways tell the application behind them who has signed in, and whether by name, number or address."""


# The framework's own names of its middleware, as often as its guard against endless loops counts (CVE-2025-29927).
_BEEN_THERE = b":".join((*((b"middleware", b"src/middleware") * 5), b"pages/_middleware"))
INSIDE = {
    b"X-Middleware-Subrequest": _BEEN_THERE, b"X-Request-From": b"internal", b"X-Internal": b"true",
    b"X-Internal-Request": b"true",
}  # fmt: skip
"""Headers by which a request says that it comes from the application itself, and the guard need not look at it."""


def spellings(path: bytes, *, thorough: bool) -> dict[str, Spell]:
    """Other spellings of a path that name the same place to somebody, by what they are called."""
    few: dict[str, Spell] = {
        "with an encoded letter": _encoded,
        "with a slash behind it": lambda path: path.rstrip(b"/") + (b"" if path.endswith(b"/") else b"/"),
        "with two slashes in front": lambda path: b"/" + path,
        "with `;a` behind it": lambda path: path.rstrip(b"/") + b";a",
        "in other case": _other_case,
    }
    more: dict[str, Spell] = {
        "with `/.` in front": lambda path: b"/." + path,
        "with `/%2e` in front": lambda path: b"/%2e" + path,
        "with `.json` behind it": lambda path: path.rstrip(b"/") + b".json",
        "with `/x/..;` in front": lambda path: b"/x/..;" + path,
        "with `/;a` in front": lambda path: b"/;a" + path,
        "with `/.` behind it": lambda path: path.rstrip(b"/") + b"/.",
        "with `%20` behind it": lambda path: path.rstrip(b"/") + b"%20",
        "with `..;/` behind it": lambda path: path.rstrip(b"/") + b"/..;/" + path.rstrip(b"/").rpartition(b"/")[2],
    }
    chosen = {**few, **more} if thorough else few
    return {told: spell for told, spell in chosen.items() if spell(path) != path and path != b"/"}


def older_versions(path: bytes) -> dict[str, Spell]:
    """The same below an older version of the interface, by what it is called: `/v2/` and `/v1/` of `/api/v3/users`."""
    found = _VERSION.search(path)
    if found is None:
        return {}
    older = dict.fromkeys(each for each in (int(found[1]) - 1, 1) if 0 < each < int(found[1]))
    return {f"below `v{each}`": partial(_below, each) for each in older}


def _below(version: int, path: bytes) -> bytes:
    return _VERSION.sub(b"/v%d" % version, path, count=1)


def _encoded(path: bytes) -> bytes:
    """The first letter of the path percent-encoded, which is equivalent (RFC 3986 section 6.2.2.2)."""
    found = _LETTER.search(path)
    return path if found is None else path[: found.start()] + b"%%%02x" % found[0][0] + path[found.end() :]


def _other_case(path: bytes) -> bytes:
    """The first segment's letters in capitals; without case where they are capitals already."""
    start, slash, rest = path[1:].partition(b"/")
    return b"/" + start.swapcase() + slash + rest
