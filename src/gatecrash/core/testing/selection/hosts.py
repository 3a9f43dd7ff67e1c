"""Which hosts tests may be sent to: ALLOWED_HOSTS, checked on names and again on the addresses they resolve to.

Entries are separated by commas or blanks: `host` or `host:port`; `.suffix` for a domain and all below it; `*` for any;
`(a|b)` for alternatives, alone or within a name; `~expression`, a regular expression for the whole of `host` or
`host:port`. Without any entry only loopback is allowed. Link-local and metadata addresses, and the service's own, are
refused unless an entry names them outright.
"""

import ipaddress
import re
from collections.abc import Callable, Iterable, Iterator

from gatecrash.core.errors import InvalidPattern

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_MOST_ALTERNATIVES = 1000
_NAME = re.compile(r"[A-Za-z0-9_.-]+|\[?[0-9A-Fa-f.]*+:[0-9A-Fa-f:.]*+\]?")
_GROUP = re.compile(r"\(([^()]*)\)")
# Addresses at which clouds hand credentials to whoever asks, besides 169.254.0.0/16 and fe80::/10 (link-local).
_METADATA = frozenset(map(ipaddress.ip_address, ("100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254")))
_METADATA_NAMES = frozenset({"metadata", "metadata.google.internal", "instance-data", "metadata.goog"})


class AllowedHosts:
    """The compiled list. `default` says that nothing was given, so that only loopback is allowed."""

    def __init__(self, text: str = "", own: Iterable[tuple[str, int]] = ()) -> None:
        """Compile the list; own are addresses and ports at which the service itself listens.

        Raises InvalidPattern with the entry that cannot be read.
        """
        self._own = {(ipaddress.ip_address(address), port) for address, port in own}
        self._named: set[tuple[str, int | None]] = set()
        self._patterns: list[Callable[[str, int], bool]] = []
        entries = list(split(text))
        self.default = not entries
        for entry in entries:
            self._add(entry)

    def allows(self, host: str, port: int) -> bool:
        """Whether tests may go to this name (or address written as a name) and port."""
        host = plain(host)
        if self.names(host, port):
            return True
        if host in _METADATA_NAMES or ((address := _address(host)) is not None and _is_metadata(address)):
            return False
        if self.default:
            return is_loopback_name(host)
        return any(pattern(host, port) for pattern in self._patterns)

    def refusal(self, host: str, port: int, address: str) -> str | None:
        """Why an allowed name may not be sent to at the address it resolved to; None where it may."""
        host = plain(host)
        resolved = ipaddress.ip_address(address.partition("%")[0])
        mapped = getattr(resolved, "ipv4_mapped", None) or resolved
        if self.names(host, port) or self.names(str(mapped), port):
            return None
        if self.default and not mapped.is_loopback:
            return f"{host} resolves to {mapped}, and without ALLOWED_HOSTS only loopback may be tested"
        if _is_metadata(mapped):
            return (
                f"{host} resolves to {mapped}, a link-local or metadata address; name it in ALLOWED_HOSTS to allow it"
            )
        if mapped.is_unspecified or mapped.is_multicast:
            return f"{host} resolves to {mapped}, which is not the address of one machine"
        if (mapped, port) in self._own:
            return f"{host} resolves to {mapped}, where the service itself listens on port {port}"
        return None

    def names(self, host: str, port: int) -> bool:
        """Whether an entry names this very host, with this port or without one."""
        return (host, None) in self._named or (host, port) in self._named

    def _add(self, entry: str) -> None:
        if entry.startswith("~"):
            self._patterns.append(_expression(entry[1:]))
            return
        for name in _alternatives(entry):
            self._add_name(name.lower(), entry)

    def _add_name(self, name: str, entry: str) -> None:
        host, port = _split_port(name, entry)
        if host == "*":
            self._patterns.append(_suffix("", port))
        elif host.startswith("."):
            self._patterns.append(_suffix(host, port))
        elif _NAME.fullmatch(host):
            self._named.add((plain(host), port))
        else:
            raise InvalidPattern(f"ALLOWED_HOSTS: `{entry}` is no host, .suffix, *, (a|b) or ~expression")


def split(text: str) -> Iterator[str]:
    """The entries of a list: separated by commas and blanks, not inside round brackets."""
    depth, entry = 0, ""
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth <= 0 and (character == "," or character.isspace()):
            if entry:
                yield entry
            entry = ""
        else:
            entry += character
    if entry:
        yield entry


def plain(host: str) -> str:
    """A host in lower case without the brackets of an IPv6 address and the dot of an absolute name."""
    return host.lower().removeprefix("[").removesuffix("]").removesuffix(".")


def is_loopback_name(host: str) -> bool:
    """Whether a name is loopback by itself: `localhost` and below (RFC 6761 section 6.3), or a loopback address."""
    address = _address(host)
    if address is not None:
        return address.is_loopback
    return host == "localhost" or host.endswith(".localhost")


def _address(host: str) -> _Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_metadata(address: _Address) -> bool:
    mapped = getattr(address, "ipv4_mapped", None) or address
    return bool(mapped.is_link_local) or mapped in _METADATA


def _suffix(suffix: str, port: int | None) -> Callable[[str, int], bool]:
    """Match a domain and all below it; the empty suffix matches any host."""

    def match(host: str, seen: int) -> bool:
        return (host == suffix[1:] or host.endswith(suffix)) and port in (None, seen)

    return match


def _expression(text: str) -> Callable[[str, int], bool]:
    try:
        compiled = re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise InvalidPattern(f"ALLOWED_HOSTS: `~{text}` is no regular expression: {error}") from error

    def match(host: str, port: int) -> bool:
        return compiled.fullmatch(host) is not None or compiled.fullmatch(f"{host}:{port}") is not None

    return match


def _alternatives(entry: str) -> list[str]:
    """The entry once for each way through its brackets."""
    done: list[str] = []
    todo = [entry]
    while todo:
        name = todo.pop()
        group = _GROUP.search(name)
        if group is None:
            done.append(name)
        else:
            todo += [name[: group.start()] + part + name[group.end() :] for part in group[1].split("|")]
        if len(done) + len(todo) > _MOST_ALTERNATIVES:
            raise InvalidPattern(f"ALLOWED_HOSTS: `{entry}` stands for more than {_MOST_ALTERNATIVES} names")
    return done


def _split_port(name: str, entry: str) -> tuple[str, int | None]:
    bracketed = re.fullmatch(r"(\[[0-9a-f:.]+\])(?::(\d+))?", name)
    parts = bracketed or re.fullmatch(r"([^:]*)(?::(\d+))?", name)
    if parts is None:  # an IPv6 address without brackets has no room for a port
        return name, None
    port = int(parts[2]) if parts[2] else None
    if port is not None and not 0 < port < 65536:
        raise InvalidPattern(f"ALLOWED_HOSTS: the port of `{entry}` is not between 1 and 65535")
    return parts[1], port
