"""The cookies of one who walks through a site, each for the part of it that it is set for.

cookies.take(request, response)      what an answer sets
cookies.put(request, [header])       what a script of the page sets
cookies.on(request)                  the request as a browser would send it there

A cookie that names a path goes there alone (RFC 6265, 5.1.4): a site with a cookie for each of its pages sends no page all of them.
"""

from collections.abc import Iterable

import msgspec

from gatecrash.core.message import Request, Response, with_header
from gatecrash.core.testing.profiles.cookie_jar import CookieJar

_MOST_PATHS = 2_000
_EVERYWHERE = b"/"


class CrawlCookies:
    """One jar for each path."""

    def __init__(self) -> None:
        """Empty."""
        self._jars: dict[bytes, CookieJar] = {}

    def take(self, request: Request, response: Response) -> None:
        """Keep what an answer sets."""
        self.put(request, response.all(b"Set-Cookie"))

    def put(self, request: Request, headers: Iterable[bytes]) -> None:
        """Keep what these set, each written as in a header Set-Cookie. request: of the page that is given them."""
        for header in headers:
            path = _path_of(header)
            if path not in self._jars and len(self._jars) >= _MOST_PATHS:
                continue
            jar = self._jars.setdefault(path, CookieJar())
            jar.take(request.host, Response(200, ((b"Set-Cookie", header),)))

    def on(self, request: Request) -> Request:
        """The more of a path a cookie names, the further in front it stands; nothing is changed where there is none."""
        found: dict[str, bytes] = {}
        for path in sorted(self._jars, key=len, reverse=True):
            if _is_below(request.path, path):
                found = {
                    **found,
                    **{name: value for name, value in self._jars[path].of(request.host) if name not in found},
                }
        if not found:
            return request
        cookies = b"; ".join(name.encode("latin-1") + b"=" + value for name, value in found.items())
        return msgspec.structs.replace(request, headers=with_header(request.headers, b"Cookie", cookies))


def _path_of(header: bytes) -> bytes:
    """The path that it names. Of one that names none nobody knows how far it is meant to go."""
    for attribute in header.split(b";")[1:]:
        key, _, value = attribute.partition(b"=")
        if key.strip().lower() == b"path" and value.strip().startswith(b"/"):
            return value.strip()
    return _EVERYWHERE


def _is_below(target: bytes, path: bytes) -> bool:
    return target == path or target.startswith(path if path.endswith(b"/") else path + b"/")
