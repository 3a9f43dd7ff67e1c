"""Where a redirect leads, and whether it ever ends.

A redirect is an answer: probes judge it as it is, and nothing is followed for them. But a baseline that only leads back to
itself has nothing behind it to test, and "passed" would be a lie. So the first redirect that a repeated baseline is
answered with is followed: on the same origin, with safe methods, over at most MOST_HOPS, each paced and counted as a test
request. Cookies that the way sets are carried along, since a page that tests for cookies leads to itself exactly once.
An end, another origin or a failure on the way says nothing; only a circle, or a way without an end, is a redirect loop.
A target that sends a request on to the same path of another origin has moved there: nothing behind it was reached.
"""

from urllib.parse import SplitResult, urljoin, urlsplit

import msgspec

from gatecrash.core.errors import TargetError
from gatecrash.core.message import DEFAULT_PORTS, Request, Response, with_header
from gatecrash.core.points.percent import for_request_line
from gatecrash.core.testing.effects.methods import is_safe

MOST_HOPS = 10
"""Browsers stop after 20, and sound applications need two or three."""

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_MOST_COOKIES = 50


class RedirectLoop(TargetError):
    """The way leads back to where it was, or never ends; the text shows it."""


def location_of(request: Request, response: Response) -> bytes | None:
    """The target that a redirect names on the request's own origin (RFC 9110 section 10.2.2); None for all else."""
    parts = _parts_of(request, response)
    if parts is None or _place(parts) != (request.scheme, request.host, request.port):
        return None
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return for_request_line(target.encode("latin-1"))


def moved_to(request: Request, response: Response) -> str | None:
    """The other origin that a redirect sends the same request on to: to HTTPS, to the host's proper name; None for all else."""
    parts = _parts_of(request, response)
    if parts is None or not parts.hostname or (parts.path or "/") != (request.path.decode("latin-1") or "/"):
        return None
    return None if _place(parts) == (request.scheme, request.host, request.port) else f"{parts.scheme}://{parts.netloc}"


def brings(request: Request, recorded: Request, origin: str) -> bool:
    """Whether a test names an origin's host itself, as the recorded request does not: who is led there then is led by the test."""
    host = (urlsplit(origin).hostname or "").encode("latin-1", "replace")
    return host in _said(request) and host not in _said(recorded)


def _said(request: Request) -> bytes:
    return b"\n".join((request.target, *(value for _, value in request.headers), request.body)).lower()


def _parts_of(request: Request, response: Response) -> SplitResult | None:
    """Where a redirect leads, in parts."""
    location = response.first(b"Location") if response.status in _REDIRECTS else None
    if location is None:
        return None
    try:
        parts = urlsplit(urljoin(request.origin + request.target.decode("latin-1"), location.decode("latin-1").strip()))
        _place(parts)
    except ValueError:
        return None
    return parts


def _place(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or DEFAULT_PORTS.get(parts.scheme)


class Trail:
    """The way that begins with a baseline's request."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._cookies: dict[bytes, bytes] = {}
        self._way: list[bytes] = [request.target]
        self._seen = {self._state()}

    def next(self, response: Response) -> Request | None:
        """The request that follows the redirect; None where the way ends. Raises RedirectLoop."""
        target = location_of(self._request, response) if is_safe(self._request) else None
        if target is None:
            return None
        self._take_cookies(response)
        self._request = _with_cookies(msgspec.structs.replace(self._request, target=target), self._cookies)
        self._way.append(target)
        if self._state() in self._seen or len(self._way) > MOST_HOPS:
            raise RedirectLoop(f"the target redirects without end: {self._shown()}")
        self._seen.add(self._state())
        return self._request

    def _state(self) -> tuple[bytes, frozenset[tuple[bytes, bytes]]]:
        return self._way[-1], frozenset(self._cookies.items())

    def _take_cookies(self, response: Response) -> None:
        for value in response.all(b"Set-Cookie"):
            name, equals, rest = value.partition(b";")[0].partition(b"=")
            if equals and (name in self._cookies or len(self._cookies) < _MOST_COOKIES):
                self._cookies[name.strip()] = rest.strip()

    def _shown(self) -> str:
        """Paths alone: a query may carry what is nobody's business."""
        paths = [target.partition(b"?")[0].decode("ascii", "backslashreplace")[:80] for target in self._way]
        shown = [*paths[:3], "…", paths[-1]] if len(paths) > 5 else paths
        return " to ".join(shown)


def _with_cookies(request: Request, cookies: dict[bytes, bytes]) -> Request:
    """The request with these cookies in place of those of the same names."""
    if not cookies:
        return request
    own = [each.strip() for each in (request.first(b"Cookie") or b"").split(b";")]
    kept = [each for each in own if each and each.partition(b"=")[0] not in cookies]
    crumbs = b"; ".join([*kept, *(name + b"=" + value for name, value in cookies.items())])
    changed: Request = msgspec.structs.replace(request, headers=with_header(request.headers, b"Cookie", crumbs))
    return changed
