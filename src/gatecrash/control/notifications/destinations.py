"""Where notifications may be sent: judged when an address is registered, and again at every try on what its name leads to.

https goes to any public address. Loopback is open, over plain HTTP too, unless GATECRASH_WEBHOOK_HOSTS names hosts: then
those alone may be private, on loopback, or asked over plain HTTP. Link-local and metadata addresses have to be named
outright; the service itself is never called (CWE-918).
"""

import ipaddress
import socket
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from gatecrash.core.errors import InvalidPattern, UserError
from gatecrash.core.testing.selection.hosts import AllowedHosts, is_loopback_name

Lookup = Callable[[str, int], list[str]]
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

MAX_URL = 2048
_PORTS = {"http": 80, "https": 443}
_NOWHERE = AllowedHosts("*")  # knows metadata addresses and those of no one machine
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052: the last four bytes are an IPv4 address


class NotAllowed(UserError):
    """Nothing may be sent to the address; the text says why."""


class Unresolved(UserError):
    """The name leads to no address now."""


class Place(NamedTuple):
    """A readable address. target: path and query."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """Host and port as the Host header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """What may be shown of it."""
        return f"{self.scheme}://{self.authority}"


def read_hosts(text: str | None) -> str:
    """The operator's setting, which is written as ALLOWED_HOSTS is. Raises UserError where an entry cannot be read."""
    try:
        AllowedHosts(text or "")
    except InvalidPattern as error:
        raise UserError(f"GATECRASH_WEBHOOK_HOSTS: {str(error).removeprefix('ALLOWED_HOSTS: ')}") from error
    return text or ""


def read(url: str) -> Place:
    """The parts of an address. Raises NotAllowed for what is none that can be called."""
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise NotAllowed("An address has no blanks, and signs beyond ASCII are written as xn-- or in percent codes.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise NotAllowed(f"This is no address: {error}.") from error
    if parts.scheme not in _PORTS or not parts.hostname or port == 0:
        raise NotAllowed("An address is needed, as https://host/path.")
    if "@" in parts.netloc:
        raise NotAllowed("User and password in an address are not sent; the signature proves who calls.")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Place(parts.scheme, parts.hostname.removesuffix("."), port or _PORTS[parts.scheme], target)


def look_up(host: str, port: int) -> list[str]:
    """The addresses of a name in the system's order. Raises OSError."""
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def resolve(place: Place, lookup: Lookup | None = None) -> str:
    """The address to connect to. Raises Unresolved, and NotAllowed where any that the name leads to may not be called."""
    try:
        found = (lookup or look_up)(place.host, place.port)
    except (OSError, UnicodeError) as error:
        raise Unresolved(f"The name {place.host} leads to no address.") from error
    if not found:
        raise Unresolved(f"The name {place.host} leads to no address.")
    for address in found:
        _refuse(place, ipaddress.ip_address(address.partition("%")[0]))
    return found[0]


def _refuse(place: Place, address: _Address) -> None:
    """Raise NotAllowed unless the place may be called at this address."""
    real = _inner(address)
    if place.origin == settings.PUBLIC_URL.lower() or (place.port in own_ports() and _is_here(real)):
        raise NotAllowed(f"{place.host} leads to the service itself.")
    allowed = AllowedHosts(settings.WEBHOOK_HOSTS)
    named = allowed.names(place.host, place.port) or allowed.names(str(real), place.port)
    if not named and _NOWHERE.refusal(place.host, place.port, str(real)):
        raise NotAllowed(f"{_leads(place, real)} a link-local or metadata address, or none of one machine.")
    if real.is_global and place.scheme == "https":
        return
    if allowed.default and real.is_loopback and is_loopback_name(place.host):
        return
    open_to = (place.host, str(real))
    if allowed.default or not (named or any(allowed.allows(host, place.port) for host in open_to)):
        reason = "Plain HTTP may be read on its way" if real.is_global else f"{_leads(place, real)} a private address"
        raise NotAllowed(
            f"{reason}: use https to a public address, or have the operator name the host in GATECRASH_WEBHOOK_HOSTS."
        )


def _leads(place: Place, real: _Address) -> str:
    """The beginning of a sentence about where the place leads."""
    return f"{place.host} is" if place.host == str(real) else f"{place.host} leads to {real},"


def own_ports() -> set[int]:
    """The ports at which the service listens on its machine."""
    return {port for address in settings.OWN_ADDRESSES if (port := urlsplit(address).port) is not None}


def _inner(address: _Address) -> _Address:
    """The IPv4 address that an IPv6 one stands for (mapped, 6to4, NAT64); else the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def _is_here(address: _Address) -> bool:
    """Whether the address is one of this machine: only those can be bound."""
    if address.is_loopback or address.is_unspecified:
        return True
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True
