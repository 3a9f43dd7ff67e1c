"""Who is who in a capture that does not say: each is asked, with his own credentials, what only another of them asked.

Two tokens are two users where each was told something else about himself, and one stands above the other where he is let in and
the other is refused. Who records in a hurry asks for his profile once, as one user; the page is in the capture, and so are
the others' credentials. Pages for people tell only who is let in where: of each sender's, those that nobody else asked for.
"""

from collections.abc import Iterator
from itertools import islice, zip_longest

import msgspec

from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.inventory.endpoint import host_of
from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.callers.oneself import asks_about_oneself, self_values
from gatecrash.core.testing.effects.destruction import destroys, names_a_change
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.profiles.dressing import put_all
from gatecrash.core.testing.profiles.reach import names_nobody
from gatecrash.core.testing.selection.replay import replayable

MOST_SENDERS = 6
MOST_PAGES = 10
"""That programs read and somebody did not ask for; of each sender as many as of another, where he asked for so many."""
MOST_VIEWS = 5
"""Pages for people that one sender alone asked for."""
MOST_KEPT = 100
"""Of each of these."""
_LASTING = frozenset({AuthType.API_KEY, AuthType.BEARER, AuthType.BASIC, AuthType.COOKIE})

Values = tuple[tuple[Point, bytes], ...]


class _Sender(msgspec.Struct):
    """Whoever sent these credentials. asked: pages that name nobody and that he asked for himself, by path."""

    values: Values
    asked: set[bytes] = msgspec.field(default_factory=set)


class _Host(msgspec.Struct):
    """senders: by what they sent. oneself, pages: that tell who somebody is, and others that name nobody, by
    path; views: those for people.
    """

    senders: dict[Values, _Sender] = msgspec.field(default_factory=dict)
    oneself: dict[bytes, Request] = msgspec.field(default_factory=dict)
    pages: dict[bytes, Request] = msgspec.field(default_factory=dict)
    views: dict[bytes, Request] = msgspec.field(default_factory=dict)

    def wanted(self) -> dict[bytes, Request]:
        """What those are asked who did not ask for it themselves."""
        paths = [path for each in self.senders.values() for path in self._own_views(each)]
        pages = {path: self.pages[path] for path in self._in_turns()}
        return {**self.oneself, **pages, **{path: self.views[path] for path in paths}}

    def _in_turns(self) -> list[bytes]:
        """Pages in turns, one of each sender's after the other's: what one alone has, and the other is refused, would
        else make him stand above one of whose own pages none was asked for.
        """
        senders = [each.asked for each in self.senders.values()]
        untold = [
            [path for path in self.pages if path in asked and not all(path in own for own in senders)]
            for asked in senders
        ]
        turns = (path for turn in zip_longest(*untold) for path in turn if path is not None)
        return list(islice(dict.fromkeys(turns), MOST_PAGES))

    def _own_views(self, sender: _Sender) -> list[bytes]:
        others = {path for each in self.senders.values() if each is not sender for path in each.asked}
        return [path for path in self.views if path in sender.asked - others][:MOST_VIEWS]


class Strangers:
    """Sees a capture's exchanges, and says what to ask.

    strangers.see(exchange)     for each exchange
    strangers.questions()       pages of one sender in the credentials of the others
    """

    def __init__(self, recogniser: Recognises) -> None:
        """Nothing was seen yet."""
        self._recogniser = recogniser
        self._hosts: dict[str, _Host] = {}

    def see(self, exchange: Exchange) -> None:
        """One more exchange."""
        request, response = exchange.request, exchange.response
        if exchange.drafted or response is None or response.status >= FIRST_REDIRECT:
            return
        found = [one for one in self._recogniser.recognise(request) if one.valid]
        if not found or any(one.type not in _LASTING for one in found) or refusal(response) is not None:
            return
        values = tuple(sorted((one.point, read(request, one.point) or b"") for one in found))
        host = self._hosts.setdefault(host_of(request), _Host())
        if values not in host.senders and len(host.senders) == MOST_SENDERS:
            return
        sender = host.senders.setdefault(values, _Sender(values))
        if request.method.upper() != "GET" or request.query is not None or not is_safe(request) or destroys(request):
            return
        if names_a_change(request) and not _lists_changes(request):
            return
        is_view = media_type(response) == "text/html"
        if not (is_view or "json" in media_type(response)) or not names_nobody(request.path):
            return
        sender.asked.add(request.path)
        pages = host.oneself if asks_about_oneself(request) and self_values(response) else host.pages
        pages = host.views if is_view else pages
        if len(pages) < (MOST_PAGES if pages is host.oneself else MOST_KEPT):
            pages.setdefault(request.path, replayable(exchange).request)

    def questions(self) -> Iterator[Request]:
        """For each sender what others asked and he did not."""
        for host in self._hosts.values():
            if len(host.senders) < 2:
                continue
            points = [point for each in host.senders for point, _ in each]
            wanted = host.wanted()
            for sender in host.senders.values():
                for path, page in wanted.items():
                    if path not in sender.asked:
                        yield put_all(without_credentials(page, points), dict(sender.values))


def _lists_changes(request: Request) -> bool:
    """Whether an address is called as a list is, by one word: `/cancellations` are shown, where `/deactivate-account`
    closes another's, too, and `/cancel-orders` and `/cancel/orders` all that he has.
    """
    above, _, last = request.path.rstrip(b"/").rpartition(b"/")
    word = last.decode("latin-1")
    is_of_several = word.isalpha() and word.islower() and singular(word) != word
    upper: Request = msgspec.structs.replace(request, target=above or b"/")
    return is_of_several and not names_a_change(upper)
