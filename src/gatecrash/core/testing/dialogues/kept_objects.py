"""The object that a changing request keeps, as it is shown afterwards.

reader = ObjectReader(request, creates=True)
kept = yield from reader.kept(exchange, body)    read back wherever that can be done, else as the answer tells
stays = yield from reader.kept(exchange, body, LATER)
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Exchange, Request, reading
from gatecrash.core.testing.asking import put, response_of
from gatecrash.core.testing.authorization.objects.answered_objects import Object, address_of, kept_as
from gatecrash.core.testing.authorization.objects.shown_objects import is_older, named_by
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, TestRequest

LATER = 4.0
"""Seconds after which an application shows what it kept, and no longer what it was asked for."""
_ACCEPTED = 202


class Kept(NamedTuple):
    """An object as it is shown after it was kept. read: by a request of its own, and not in the answer that kept it."""

    shown: Object | None
    read: bool


class ObjectReader:
    """asked: what reads the object, where that is known already. creates: whether the request makes a new one."""

    def __init__(self, request: Request, *, creates: bool) -> None:
        self._request = request
        self._creates = creates
        self.asked: Request | None = None

    def kept(self, exchange: Exchange, body: Object, pause: float = 0.0) -> Generator[TestRequest, Answer, Kept]:
        """The object as it is kept behind a pause. An answer that promises to look at it (202) tells nothing by itself."""
        response = response_of(exchange)
        told = kept_as(response, body)
        target = landing_of(self._request, response) or address_of(self._request, response, told)
        asked = self.asked or (None if target is None else reading(self._request, target))
        read = None if asked is None else (yield from self.read(asked, body, pause))
        if read is not None or self.asked is not None:
            return Kept(read, True)
        return Kept(None if response.status == _ACCEPTED else told, False)

    def read(self, asked: Request, body: Object, pause: float = 0.0) -> Generator[TestRequest, Answer, Object | None]:
        """The object as a page shows it; None where it does not."""
        response = response_of((yield from put(TestRequest(asked, "control", pause=pause))))
        if not is_taken(response):
            return None
        kept = kept_as(response, body)
        if self._creates and asked is self.asked and kept is not None and is_older(kept, body):
            return None
        return named_by(self._request, response, body) if kept is None and not self._creates else kept
