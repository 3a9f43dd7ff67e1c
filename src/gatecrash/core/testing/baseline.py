"""A baseline request: a real exchange, recorded, from which test requests are derived."""

import msgspec

from gatecrash.core.message import Exchange, Request, Response


class Baseline(msgspec.Struct, frozen=True, array_like=True):
    """One recorded exchange and its identifier (`bl_…`) in the test record."""

    id: str
    exchange: Exchange

    @property
    def request(self) -> Request:
        """What was sent."""
        return self.exchange.request

    @property
    def response(self) -> Response | None:
        """What was answered when it was recorded; None where no answer was seen."""
        return self.exchange.response
