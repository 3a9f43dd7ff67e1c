"""What a record makes, uses and deletes again, as scripts and test suites do: behind `/loads/10` nothing is there to be tested.

Such objects are made anew by the recorded requests before anything is planned, once, and what names the old ones is
tested with the new ones in their place. The recorded deletions, which are tested last, may take them away again.
"""

import secrets
from collections.abc import Awaitable, Callable, Iterable

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.reports.notes import of_made
from gatecrash.core.statuses import CREATED
from gatecrash.core.testing.authorization.fields.properties import made_unique
from gatecrash.core.testing.authorization.fields.sent_objects import body_of, sending
from gatecrash.core.testing.authorization.objects.creations import Place, is_long, may_be_made_again
from gatecrash.core.testing.authorization.objects.lifetimes import Lifetimes, Thing, Use
from gatecrash.core.testing.authorization.objects.made_anew import is_shown
from gatecrash.core.testing.authorization.objects.renamed_answers import renamed
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.oracles.outcomes.told_changes import names_change
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.selection.replay import replayable, trimmed
from gatecrash.node.test.sessions.principal import SIGNED_OUT

MOST_MADE = 20
MOST_ASKED = 100
"""Requests of one run for it, those that ask whether something is still there among them."""
_EMPTY = frozenset({"", "0", "0.0", "0.00", "False"})
# Of what is there already, or does not suit.
_UNFIT = frozenset({400, 409, 422, 500})

Send = Callable[[Request], Awaitable[Answer]]


class DeletedThings:
    """Sees a record's exchanges in their order, makes anew, and tells what is to be tested.

    deleted.see(exchange)           for each exchange
    await deleted.make(send)        how many were made
    deleted.in_place_of(exchange)   the same with what is there; None where nothing was made for it
    deleted.notes                   what was made, for the reader of the run
    """

    def __init__(self, methods_excluded: Iterable[str]) -> None:
        """methods_excluded: of requests that are not tested, nor sent here."""
        self._excluded = frozenset(method.upper() for method in methods_excluded)
        self._lifetimes = Lifetimes()
        self._tried: set[int] = set()
        self._made: dict[Request, Response] = {}
        self._answers: dict[Request, Response | None] = {}
        self._left = MOST_ASKED
        self.notes: tuple[str, ...] = ()

    def see(self, exchange: Exchange) -> None:
        """One more exchange."""
        self._lifetimes.see(exchange)

    async def make(self, send: Send) -> int:
        """Make anew what the record deleted and what was deleted along with it; how many. A target that does not answer
        is asked no more.
        """
        made: list[tuple[str, bool]] = []
        for number, thing in enumerate(self._lifetimes.things):
            if number not in self._tried and len(self._made) < MOST_MADE and self._is_wanted(thing):
                self._tried.add(number)
                made += await self._make(thing, send)
        if made:
            self.notes += (of_made(made),)
            await self._ask_again(send)
        return len(made)

    def in_place_of(self, exchange: Exchange) -> Exchange | None:
        """The same with what was made, for an exchange that was answered well."""
        request, response = exchange.request, exchange.response
        if not self._made or response is None or not is_taken(response):
            return None
        changed, made = self._renamed(request), self._made.get(request)
        if made is None and changed is request:
            return None
        told = made
        if told is None:
            told = self._answers.get(request) if _only_asks(request) else self._answer_renamed(request, response)
        return None if told is None else msgspec.structs.replace(exchange, request=changed, response=told)

    def _is_wanted(self, thing: Thing) -> bool:
        """Whether it is gone, by itself or with what it was made in, something else names it, and it may be made once more."""
        if not thing.uses or not (thing.deleted or self._is_changed(thing.exchange.request)):
            return False
        if thing.exchange.request.method.upper() in self._excluded or not may_be_made_again(thing.exchange):
            return False
        return not all(self._names_new(request) for request in thing.uses)

    def _names_new(self, request: Request) -> bool:
        """Whether the innermost of what a request names was made anew: a record often makes and deletes the same several times."""
        return any(use.thing.new and not use.is_within for use in self._of(request))

    async def _make(self, thing: Thing, send: Send) -> list[tuple[str, bool]]:
        """Its address, and whether nothing deletes it; empty where it was not made."""
        if await self._is_there(thing, send):
            return []
        request = self._renamed(thing.exchange.request, replayable(thing.exchange).request)
        response = await self._send(request, send)
        body = body_of(request)
        if response is not None and response.status in _UNFIT and body is not None:
            mark = fresh_letters(secrets.SystemRandom(), 6)
            response = await self._send(sending(request, made_unique(body, mark)), send)
        new = thing.made_by(response) if response is not None else {}
        if (
            response is None
            or not new
            or (not _is_told_made(thing, response) and await self._is_same(thing, request, send, new))
        ):
            return []
        thing.new = new
        self._made[thing.exchange.request] = trimmed(response)
        address = request.path.decode("latin-1").rstrip("/")
        return [(f"{address}/{next(iter(thing.new.values()))}", thing.deleted in self._excluded)]

    async def _is_same(self, thing: Thing, request: Request, send: Send, new: dict[Place, str]) -> bool:
        """Whether the same is told once more: whoever is shown the cart that he has filled meanwhile has made none."""
        again = await self._send(request, send)
        return again is not None and not set(new.values()).isdisjoint(thing.made_by(again).values())

    async def _is_there(self, thing: Thing, send: Send) -> bool:
        """Whether it can still be read as it was: a deletion may only hide it from lists, and targets are set up anew."""
        uses = [(request, next(use for use in self._of(request) if use.thing is thing)) for request in thing.uses]
        # A target that was set up anew counts from one on again: a code is nobody else's, where a number is.
        for request, use in sorted(uses, key=lambda each: not is_long(each[1].value)):
            if any(use.value in other.new.values() for other in self._lifetimes.things):
                return False  # what has its number now was made here, for somebody else perhaps
            if use.is_last and _only_asks(request):
                asked = self._renamed(request, replayable(Exchange(request)).request)
                response = await self._send(asked, send)
                return response is not None and is_shown(response, use.value)
        return False

    async def _ask_again(self, send: Send) -> None:
        """What is answered about the new ones, where asking changes nothing."""
        for request in self._lifetimes.uses:
            if request in self._answers or not _only_asks(request) or not self._is_changed(request):
                continue
            response = await self._send(self._renamed(request, replayable(Exchange(request)).request), send)
            self._answers[request] = trimmed(response) if response is not None and is_taken(response) else None

    def _of(self, request: Request) -> list[Use]:
        return self._lifetimes.uses.get(request, [])

    def _is_changed(self, request: Request) -> bool:
        return any(use.thing.new for use in self._of(request))

    def _renamed(self, request: Request, sent: Request | None = None) -> Request:
        """With the new identifiers in the place of the old ones. sent: the same request in the form in which it is sent."""
        sent = sent or request
        values = {use.point: use.new.encode() for use in self._of(request) if use.new not in ("", use.value)}
        try:
            return rewrite_many(sent, values)
        except UserError:
            return sent

    def _answer_renamed(self, request: Request, response: Response) -> Response:
        for use in self._of(request):
            response = renamed(response, use.place, use.value, use.new) if use.new else response
        return response

    async def _send(self, request: Request, send: Send) -> Response | None:
        if self._left <= 0:
            return None
        self._left -= 1
        answer = await send(request)
        if answer.failure == SIGNED_OUT:  # one identity's trouble, and not the others'
            return None
        if answer.failure or answer.exchange.response is None:
            self._left = 0
            return None
        return answer.exchange.response


def _is_told_made(thing: Thing, response: Response) -> bool:
    """Whether an answer says by its status that something was made, and holds no more than what was made when it
    was recorded: many answer so whatever they did, and who has filled his cart meanwhile finds that in it.
    """
    recorded = thing.exchange.response
    if response.status != CREATED or recorded is None:
        return False
    sent = thing.exchange.request.body.decode("utf-8", "replace")
    before, now = ([leaf for leaf in leaves(each) if leaf.value not in _EMPTY] for each in (recorded, response))
    more = [leaf for leaf in now if leaf.value not in sent]
    return len(more) <= len(before) and {leaf.path for leaf in more} <= {leaf.path for leaf in before}


def _only_asks(request: Request) -> bool:
    """Whether a request changes nothing, nor says by its address that it does: a link may delete as well."""
    as_sent: Request = msgspec.structs.replace(request, method="POST")
    return is_safe(request) and destroys(as_sent) is None and not names_change(request.path.decode("latin-1"))
