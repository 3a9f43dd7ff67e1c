"""Where test requests may go: names are checked, resolved once per run, and pinned.

A name that is resolved again could lead elsewhere after the check (DNS rebinding), so the first allowed address stays.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence

from gatecrash.core.errors import TargetError
from gatecrash.core.testing.selection.hosts import AllowedHosts

Check = Callable[[str, int], str | None]
"""Whether a host and port may be tested: None for yes, else the reason for a person."""

AddressCheck = Callable[[str, str, int], str | None]
"""The same for a name, the address it leads to, and the port (link-local, metadata and our own are refused)."""

Lookup = Callable[[str, int], Awaitable[list[str]]]


class NotAllowed(TargetError):
    """The host, or the address behind it, may not be tested; the text says why."""


class Unresolved(TargetError):
    """The name leads to no address."""


async def look_up(host: str, port: int) -> list[str]:
    """The addresses of a name in the system's order. Raises OSError."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


class Destinations:
    """The pinned addresses of one run's hosts."""

    def __init__(
        self,
        check: Check,
        check_address: AddressCheck,
        lookup: Lookup = look_up,
        check_unresolved: Check | None = None,
    ) -> None:
        """check_unresolved: whether a name that leads to no address here may be sent to through an upstream proxy, which
        resolves it; None where there is none.
        """
        self._check_unresolved = check_unresolved
        self._check = check
        self._check_address = check_address
        self._lookup = lookup
        self._pinned: dict[tuple[str, int], str] = {}
        self._looking: dict[tuple[str, int], asyncio.Future[str]] = {}

    def pinned(self, host: str, port: int) -> str | None:
        """The address that was found before."""
        return self._pinned.get((host, port))

    def excludes(self, host: str, port: int) -> bool:
        """Whether nothing may be sent to this name, wherever it leads."""
        return (host, port) not in self._pinned and self._check(host, port) is not None

    async def find(self, host: str, port: int) -> str:
        """The address to connect to, the same for the whole run.

        Raises NotAllowed, or Unresolved (which is tried again the next time: name servers have bad moments).
        """
        place = (host, port)
        if place in self._pinned:
            return self._pinned[place]
        looking = self._looking.get(place)
        if looking is None:
            looking = self._looking[place] = asyncio.ensure_future(self._resolve(host, port))
            looking.add_done_callback(lambda _: self._looking.pop(place, None))
        # Shielded: who asks and is cancelled must not cancel it for the others.
        self._pinned[place] = await asyncio.shield(looking)
        return self._pinned[place]

    async def _resolve(self, host: str, port: int) -> str:
        refusal = self._check(host, port)
        if refusal is not None:
            raise NotAllowed(refusal)
        try:
            addresses = await self._lookup(host, port)
        except OSError as error:
            if self._check_unresolved is None:
                raise Unresolved(f"The name {host} cannot be resolved: {error}.") from error
            refusal = self._check_unresolved(host, port)
            if refusal is not None:
                raise NotAllowed(refusal) from error
            return host
        if not addresses:
            raise Unresolved(f"The name {host} leads to no address.")
        # One refused address refuses the name: a mixed answer is what an attack by DNS looks like.
        for address in addresses:
            refusal = self._check_address(host, address, port)
            if refusal is not None:
                raise NotAllowed(refusal)
        return addresses[0]


def allowed_by(lists: Sequence[AllowedHosts], *, resolved_elsewhere: bool = False) -> Destinations:
    """Destinations that every one of these lists allows, by their name and by the address that it leads to.

    resolved_elsewhere: an upstream proxy resolves names. One whose address cannot be looked at here, so that it could be any,
    has to be named.
    """

    def check(host: str, port: int) -> str | None:
        if all(each.allows(host, port) for each in lists):
            return None
        return f"{host}:{port} may not be tested; name it in ALLOWED_HOSTS to allow it"

    def check_address(host: str, address: str, port: int) -> str | None:
        return next(filter(None, (each.refusal(host, port, address) for each in lists)), None)

    def check_unresolved(host: str, port: int) -> str | None:
        if all(each.names(host, port) for each in lists):
            return None
        return f"{host} cannot be resolved here; name it in ALLOWED_HOSTS to reach it through the upstream proxy"

    return Destinations(check, check_address, check_unresolved=check_unresolved if resolved_elsewhere else None)
