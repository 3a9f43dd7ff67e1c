"""Where a request that reached the proxy is to go, and what its target and Host become on the way."""

import ipaddress
from functools import lru_cache
from urllib.parse import urlsplit

import msgspec

from gatecrash.core.errors import GatecrashError, UserError
from gatecrash.core.message import DEFAULT_PORTS, Headers, with_header
from gatecrash.node.http1.head import RequestHead


class Refused(GatecrashError):
    """The proxy answers this itself. status: the HTTP status; the text is the answer's sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Origin(msgspec.Struct, frozen=True):
    """A server. host: without brackets, in lower case. server_name: what TLS is to ask for, where it is not the host."""

    scheme: str
    host: str
    port: int
    server_name: str = ""

    @property
    def authority(self) -> bytes:
        """As a Host header writes it: the scheme's own port left out."""
        return _authority(self.scheme, self.host, self.port)

    @property
    def tls_name(self) -> str:
        """What TLS asks for and checks."""
        return self.server_name or self.host

    def __str__(self) -> str:
        """For messages."""
        return f"{self.scheme}://{self.authority.decode()}"


class Route(msgspec.Struct, frozen=True):
    """The origin, the target in origin form, and the headers with the right Host.

    lines: the headers as they go on, each behind its line end, where nothing of this hop is among them; else empty.
    """

    origin: Origin
    target: bytes
    headers: Headers
    lines: bytes = b""


class LastRoute:
    """The way of a connection's last request, for the next one that brings the very same headers.

    Only for targets that name no host, in a tunnel and before a reverse proxy: there the headers alone decide.
    """

    __slots__ = ("_headers", "_route")

    def __init__(self) -> None:
        self._headers: Headers = ()
        self._route: Route | None = None

    def again(self, head: RequestHead) -> Route | None:
        """The route of this request, where it is the last one's but for its target."""
        last = self._route
        if last is None or self._headers is not head.headers or not head.target.startswith(b"/"):
            return None
        return Route(last.origin, head.target, last.headers, last.lines)

    def note(self, head: RequestHead, route: Route, headers: Headers, lines: bytes) -> None:
        """The request went this way. headers, lines: as they went on."""
        if not route.lines and not head.framing.upgrade and head.target.startswith(b"/"):
            self._headers, self._route = head.headers, Route(route.origin, b"", headers, lines)


def read_upstream(url: str, called: str = "--upstream") -> Origin:
    """The origin that `--upstream` names, or another option that wants one. called: for messages. Raises UserError."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UserError(f"{called} {url!r} is no valid address: {error}.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise UserError(f"{called} {url!r} is no address such as http://127.0.0.1:5000 or https://api.example.com.")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise UserError(f"{called} {url!r} may have no path: requests keep their own.")
    return Origin(parts.scheme, parts.hostname, port or DEFAULT_PORTS[parts.scheme])


def forward(head: RequestHead) -> Route:
    """The route of a request in absolute form (RFC 9112 section 3.2.2). Raises Refused."""
    scheme, separator, rest = head.target.partition(b"://")
    if separator and not head.target.startswith(b"/") and scheme.lower() not in (b"http", b"https"):
        raise Refused(400, "This proxy passes on http:// and https:// addresses only.")
    if not separator or head.target.startswith(b"/"):
        raise Refused(
            400,
            "This is a forward proxy. Set it as your client's HTTP proxy (for example `curl -x` or HTTP_PROXY) instead "
            "of calling it directly, or start the node with --upstream for a reverse proxy.",
        )
    end = min((at for at in (rest.find(b"/"), rest.find(b"?")) if at >= 0), default=len(rest))
    origin = read_authority(rest[:end], scheme.decode().lower())
    # An empty path becomes "/" (RFC 9112 section 3.2.1); nothing else of the target changes.
    target = rest[end:] if rest[end : end + 1] == b"/" else (b"*" if head.method == "OPTIONS" else b"/") + rest[end:]
    # The authority of the target wins over Host (RFC 9112 section 3.2.2).
    return Route(origin, target, with_host(head.headers, rest[:end]))


def reverse(head: RequestHead, upstream: Origin) -> Route:
    """The route of a request to the reverse proxy.

    A Host that is an address or localhost means this proxy, so the upstream's own is set; a name is passed on as it
    is, since virtual hosts need it.
    """
    target, headers = head.target, head.headers
    if not target.startswith(b"/") and target != b"*":
        route = forward(head)
        target, headers = route.target, route.headers
    at = -1
    for index, (name, _) in enumerate(headers):
        if len(name) == 4 and name.lower() == b"host":
            if at >= 0:
                raise Refused(400, "The request has more than one Host header.")
            at = index
    if at < 0:
        headers = ((b"Host", upstream.authority), *headers)
    elif _means_this_machine(headers[at][1]):
        headers = (*headers[:at], (headers[at][0], upstream.authority), *headers[at + 1 :])
    return Route(upstream, target, headers)


def inside(head: RequestHead, origin: Origin) -> Route:
    """The route of a request in a tunnel: to where the tunnel leads, whatever its Host says. Raises Refused."""
    if not head.target.startswith(b"/") and head.target != b"*":
        route = forward(head)
        return Route(origin, route.target, route.headers)
    headers = head.headers
    for name, _ in headers:
        if len(name) == 4 and name.lower() == b"host":
            return Route(origin, head.target, headers)
    return Route(origin, head.target, ((b"Host", origin.authority), *headers))


def read_authority(authority: bytes, scheme: str) -> Origin:
    """The origin of `host`, `host:port` or `[address]:port`. Raises Refused."""
    text = authority.decode("latin-1")
    host, _, port = text.rpartition(":") if not text.endswith("]") and ":" in text else (text, "", "")
    host = host.removeprefix("[").removesuffix("]").lower()
    if not host or "@" in text or any(sign in host for sign in " /\\#?"):
        raise Refused(
            400, "The request's address has no readable host (or a user name, which belongs in Authorization)."
        )
    if port and not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise Refused(400, "The request's address has a port that is no number from 1 to 65535.")
    return Origin(scheme, host, int(port) if port else DEFAULT_PORTS[scheme])


def with_host(headers: Headers, authority: bytes) -> Headers:
    """The headers with that Host, in the first one's place or at the head, where RFC 9110 section 7.2 wants it."""
    for name, value in headers:
        if len(name) == 4 and name.lower() == b"host":
            return headers if value == authority else with_header(headers, b"Host", authority)
    return ((b"Host", authority), *headers)


@lru_cache(maxsize=1024)
def _authority(scheme: str, host: str, port: int) -> bytes:
    shown = f"[{host}]" if ":" in host else host
    return (shown if DEFAULT_PORTS[scheme] == port else f"{shown}:{port}").encode()


@lru_cache(maxsize=1024)
def _means_this_machine(host: bytes) -> bool:
    try:
        name = read_authority(host, "http").host
    except Refused:
        return True
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def http2_fields(route: Route, fields: Headers) -> Headers:
    """The client's fields with the scheme and the authority of the route."""
    authority = next(value for name, value in route.headers if name.lower() == b"host")
    changed = {b":scheme": route.origin.scheme.encode(), b":authority": authority, b"host": authority}
    return tuple([(name, changed.get(name, value)) for name, value in fields])
