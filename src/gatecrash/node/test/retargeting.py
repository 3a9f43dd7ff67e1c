"""A baseline aimed at another origin than the one it was recorded at.

What it says of where it was sent from goes along: frameworks refuse a form whose Origin or Referer is not their own.
"""

import msgspec

from gatecrash.core.message import Headers, Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.node.observe.route import Origin, read_upstream, with_host

_SAYING_WHERE = (b"origin", b"referer")


def retargeted(baseline: Baseline, target_url: str | None) -> Baseline:
    """The baseline aimed at another origin, Host included; raises UserError where the address is none."""
    if not target_url:
        return baseline
    request = redirected(baseline.request, read_upstream(target_url))
    return Baseline(baseline.id, msgspec.structs.replace(baseline.exchange, request=request))


def redirected(request: Request, origin: Origin) -> Request:
    """The request as a client of this origin sends it."""
    changed: Request = msgspec.structs.replace(
        request,
        scheme=origin.scheme,
        host=origin.host,
        port=origin.port,
        headers=with_host(_sent_from(request, f"{origin.scheme}://".encode() + origin.authority), origin.authority),
        # HTTP/2 was agreed in TLS; another target in the clear cannot agree to it.
        version="1.1" if (request.scheme, origin.scheme) == ("https", "http") else request.version,
    )
    return changed


def _sent_from(request: Request, origin: bytes) -> Headers:
    """The headers, where Origin and Referer named the recorded origin itself with the other one; pages elsewhere stay as they are."""
    return tuple(
        (name, _moved(value, request, origin)) if name.lower() in _SAYING_WHERE else (name, value)
        for name, value in request.headers
    )


def _moved(value: bytes, request: Request, origin: bytes) -> bytes:
    scheme, separator, rest = value.partition(b"://")
    end = min((at for at in (rest.find(sign) for sign in (b"/", b"?", b"#")) if at >= 0), default=len(rest))
    is_own = (scheme + separator + rest[:end]).lower() in _own_origins(request)
    return origin + rest[end:] if is_own else value


def _own_origins(request: Request) -> tuple[bytes, ...]:
    """As browsers write it; and by its Host, where a proxy in front ended TLS or knew it by another name."""
    authority = (request.first(b"Host") or b"").lower()
    return request.origin.lower().encode("latin-1", "replace"), b"http://" + authority, b"https://" + authority
