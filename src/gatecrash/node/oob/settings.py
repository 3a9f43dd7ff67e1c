"""What the out-of-band listener is told at its start."""

import ipaddress
import re

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.testing.selection.hosts import is_loopback_name

GRACE_SECONDS = 30.0
"""So long a run stays for targets that fetch later: from a queue, or through a slow resolver."""

LOCAL_GRACE_SECONDS = 2.0
"""The same for a listener that only this machine reaches and nobody asked for: what runs here comes at once."""

_ANY = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared, not bound
_ZONE = re.compile(r"(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})+")
_DNS_PORT = 53


class OobSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Where it listens, port 0 for any free one. address: `host[:port]` by which targets reach it, "" for where it listens.

    zone: a DNS zone whose name server is the listener; dns_host, dns_port: where it answers for the zone.
    grace: seconds for which a run stays for its unanswered payloads.
    """

    host: str = "127.0.0.1"
    port: int = 0
    address: str = ""
    zone: str = ""
    dns_host: str = ""
    dns_port: int = _DNS_PORT
    grace: float = GRACE_SECONDS


def settings_of(
    listen: str,
    address: str | None = None,
    zone: str | None = None,
    dns_listen: str | None = None,
    grace: float | None = None,
) -> OobSettings | None:
    """The settings out of the words of a command; None where `listen` is empty. Raises UserError with the word that is wrong."""
    if not listen:
        if address or zone or dns_listen:
            raise UserError(
                "--oob-address, --oob-zone and --oob-dns-listen say how a listener is reached; give --oob-listen."
            )
        return None
    host, port = _place("--oob-listen", listen)
    if host in _ANY and not address:
        raise UserError(
            f"--oob-listen {listen} is every address of this machine; say by --oob-address which one targets reach."
        )
    if zone is not None and not _ZONE.fullmatch(zone.lower()):
        raise UserError(f"--oob-zone {zone} is no name of a zone; write one such as oob.example.com.")
    if dns_listen and not zone:
        raise UserError("--oob-dns-listen is where the zone's names are answered; give --oob-zone too.")
    dns_host, dns_port = _place("--oob-dns-listen", dns_listen) if dns_listen else (host, _DNS_PORT)
    known = OobSettings(
        host=host, port=port, address=address or "", zone=(zone or "").lower(), dns_host=dns_host, dns_port=dns_port
    )
    reached, _ = reached_at(known, 1)
    is_local = is_loopback_name(reached) and not zone
    return msgspec.structs.replace(
        known, grace=grace if grace is not None else LOCAL_GRACE_SECONDS if is_local and port == 0 else GRACE_SECONDS
    )


def reached_at(settings: OobSettings, port: int) -> tuple[str, int]:
    """Host and port by which targets reach a listener that is bound to this port. Raises UserError."""
    if not settings.address:
        return settings.host, port
    if _is_address(settings.address):
        return settings.address, port
    host, colon, given = settings.address.rpartition(":")
    if not colon:
        return settings.address, port
    if not given.isdigit() or not 0 < int(given) < 65536 or not host:
        raise UserError(f"--oob-address {settings.address} is no host[:port].")
    return host.removeprefix("[").removesuffix("]"), int(given)


def _place(option: str, text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise UserError(f"{option} {text} is no address to listen on; write host:port, such as 127.0.0.1:0.")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
