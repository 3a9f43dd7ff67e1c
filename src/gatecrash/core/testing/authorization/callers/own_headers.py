"""Headers of an application's own: no client sends them by itself, and no proxy adds them, so one of them may let its sender in."""

import re

from gatecrash.core.message import Headers, Request

_ORDINARY = re.compile(
    r"ACCEPT(-.*)?|USER-AGENT|HOST|ORIGIN|REFERER|CONTENT-.*|SEC-.*|X-REQUESTED-WITH|IF-.*|CACHE-CONTROL|PRAGMA|DNT|RANGE|TE|VIA"
    r"|UPGRADE(-.*)?|CONNECTION|KEEP-ALIVE|PRIORITY|TRACE.*|B3|X-B3-.*|X-FORWARDED-.*|FORWARDED|X-REAL-IP|X?-?REQUEST-ID|COOKIE"
    r"|X-CORRELATION-ID|EXPECT|DATE|FROM|SAVE-DATA|TRANSFER-ENCODING|PROXY-.*|PURPOSE|X-(CSRF|XSRF)-?TOKEN|CSRF-?TOKEN"
)


def is_ordinary(name: str) -> bool:
    """Whether clients send this header to everybody, or a proxy adds it. name: in capitals."""
    return _ORDINARY.fullmatch(name) is not None


def own_headers(request: Request) -> Headers:
    """The others, as they were sent."""
    return tuple(pair for pair in request.headers if not is_ordinary(pair[0].decode("latin-1").upper()))
