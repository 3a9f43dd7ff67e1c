"""Cookies that a login was given, and to which hosts they go back.

As far as a login needs it: host and Domain (RFC 6265 sections 5.1.3 and 5.3), deletions; paths are left aside, because
tests want the session's cookies wherever they go.
"""

from collections.abc import Iterator

from gatecrash.core.auth.set_cookie import parse
from gatecrash.core.message import Response
from gatecrash.core.testing.forms.tokens import is_called_token

MOST_COOKIES = 50


class CookieJar:
    """The cookies of one session."""

    def __init__(self) -> None:
        """Empty."""
        self._kept: dict[tuple[str, bytes], bytes] = {}

    def __bool__(self) -> bool:
        """Whether it holds any."""
        return bool(self._kept)

    def take(self, host: str, response: Response) -> None:
        """Keep what the answer of a host sets, and drop what it deletes."""
        for header in response.all(b"Set-Cookie"):
            name = header.partition(b";")[0].partition(b"=")[0].strip()
            cookie = parse(header)
            for place in (host, "." + (_domain(header, host) or host)):
                self._kept.pop((place, name), None)
            if cookie is not None and len(self._kept) < MOST_COOKIES:
                domain = _domain(header, host)
                self._kept[("." + domain if domain else host, name)] = cookie.value

    def take_tokens(self, host: str, response: Response) -> bool:
        """Keep what it sets for its scripts to repeat in each call; whether that was any. The session itself stays."""
        tokens = tuple(
            (b"Set-Cookie", header)
            for header in response.all(b"Set-Cookie")
            if (cookie := parse(header)) is not None
            and not cookie.http_only
            and is_called_token(cookie.name.decode("latin-1"))
        )
        self.take(host, Response(response.status, tokens))
        return bool(tokens)

    def of(self, host: str) -> Iterator[tuple[str, bytes]]:
        """Name and value of each cookie that this host is sent."""
        for (place, name), value in self._kept.items():
            if place == host or (place.startswith(".") and f".{host}".endswith(place)):
                yield name.decode("latin-1"), value

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()


def _domain(header: bytes, host: str) -> str:
    """The Domain attribute where it covers the host; empty where there is none, or one that the host may not set."""
    for attribute in header.split(b";")[1:]:
        key, _, value = attribute.partition(b"=")
        if key.strip().lower() == b"domain":
            domain = value.strip().decode("latin-1").lower().lstrip(".")
            if domain and f".{host}".endswith(f".{domain}"):
                return domain
    return ""
