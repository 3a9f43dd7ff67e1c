"""Answers that a capture does not hold: asked for once, before anything is planned, where asking changes nothing.

A browser's cache answers for the server (304, with no body), exporters leave bodies out, and a list of addresses has no
answers at all. Who owns what, where a form is, which user was shown what: all of it stands in answers.
"""

import re
from collections.abc import Awaitable, Callable, Iterator

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_REDIRECT, NOT_MODIFIED
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.selection.replay import replayable, trimmed, why_not

MOST_ASKED = 300
MOST_BYTES = 32 * 1024 * 1024
"""Of all answers together: they are kept until the plan is made."""

# What these files hold is the same for everybody, and browsers keep most of them.
_FILE = re.compile(
    rb"\.(?:css|js|mjs|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|eot|mp[34]|webm)$", re.IGNORECASE
)

Send = Callable[[Request], Awaitable[Answer]]


class MissingAnswers:
    """Sees a capture's exchanges, asks, and fills in.

    missing.see(exchange)       for each exchange
    await missing.ask(send)
    missing.filled(exchange)    with the answer that came, where its own was missing
    """

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._wanted: dict[Request, Exchange] = {}
        self._found: dict[Request, Response] = {}

    def see(self, exchange: Exchange) -> None:
        """One more exchange."""
        if len(self._wanted) < MOST_ASKED and _lacks_answer(exchange):
            self._wanted.setdefault(exchange.request, exchange)

    async def ask(self, send: Send) -> None:
        """Ask for each once. A target that does not answer is asked no more."""
        left = MOST_BYTES
        for request, exchange in self._wanted.items():
            answer = await send(replayable(exchange).request)
            response = answer.exchange.response
            if answer.failure or response is None or left <= 0:
                return
            if is_good(response):
                self._found[request] = trimmed(response)
                left -= len(response.body)

    def answered(self) -> Iterator[Exchange]:
        """What was asked, with the answers that came."""
        return (Exchange(request, response) for request, response in self._found.items())

    def filled(self, exchange: Exchange) -> Exchange:
        """The exchange with its answer, where it had none and one came."""
        response = self._found.get(exchange.request) if self._found and _lacks_answer(exchange) else None
        return exchange if response is None else msgspec.structs.replace(exchange, response=response)


def may_be_asked(exchange: Exchange) -> bool:
    """Whether asking changes nothing, and what is asked for may be another from one user to the next."""
    request = exchange.request
    if exchange.drafted or not is_safe(request) or destroys(request) or why_not(exchange):
        return False
    return request.method.upper() == "GET" and not _FILE.search(request.path)


def _lacks_answer(exchange: Exchange) -> bool:
    """Whether what was answered is not known, and may be asked for again."""
    response = exchange.response
    if not may_be_asked(exchange):
        return False
    if response is None or response.status == NOT_MODIFIED:
        return True
    return response.truncated and not response.body and response.status < FIRST_REDIRECT
