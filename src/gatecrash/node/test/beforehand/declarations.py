"""Which operations of a run's descriptions need credentials, and which of them were refused when they were sent.

They are sent once each before any is tested, so all answers are known by then.
"""

from collections.abc import Iterable

from gatecrash.core.message import Exchange
from gatecrash.core.testing.addresses.sections import section_of
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.known.declared import Declared, is_before_sign_in
from gatecrash.formats.draft import SECURED_ITSELF, Draft

_MOST = 3
# So many operations that need no credentials show that somebody told them apart.
_TOLD_APART = 2
_UNAUTHORIZED = (401, 403)


class Declarations:
    """One run's.

    declarations.see(exchanges)    the answered requests of its descriptions
    declarations.of(exchange)      what is said of one of them
    declarations.of_all(exchange)  whether it is sent with credentials only because all of them are
    """

    def __init__(self) -> None:
        self._refused: list[Draft] = []
        self._free: set[tuple[str, bytes]] = set()

    def see(self, exchanges: Iterable[Exchange]) -> None:
        """Keep what reads, needs credentials and was refused. A change, such as a login, may be refused for what it says."""
        for one in exchanges:
            if isinstance(one, Draft) and not one.secured and not is_before_sign_in(one.request.path):
                self._free.add((one.request.method, one.request.path))
            if isinstance(one, Draft) and one.secured and one.response is not None and is_safe(one.request):
                self._refused += [one] if one.response.status in _UNAUTHORIZED else []

    def of(self, exchange: Exchange) -> Declared | None:
        """What the description says of it, and what else was refused; None where it neither asks for credentials nor
        says whom it is for.
        """
        if not isinstance(exchange, Draft):
            return None
        if not exchange.secured:
            told = not exchange.public and exchange.meant is not None
            return Declared(False, meant=exchange.meant, asks=False) if told else None
        request = exchange.request
        alike = [
            one.request for one in self._refused if one.wants == exchange.wants and one.request.origin == request.origin
        ]
        section = section_of(request.path)
        alike.sort(key=lambda other: section_of(other.path) != section)
        return Declared(
            exchange.secured == SECURED_ITSELF,
            tuple(alike[:_MOST]),
            len(self._free) < _TOLD_APART,
            exchange.meant,
        )

    @staticmethod
    def of_all(exchange: Exchange) -> bool:
        """Whether credentials are sent with it because its document names some above all requests, as a
        collection does: that says nothing of what one of them needs.
        """
        return isinstance(exchange, Draft) and bool(exchange.wants) and not exchange.secured
