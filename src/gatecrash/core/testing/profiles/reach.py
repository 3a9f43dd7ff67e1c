"""Ranks of users by which addresses they may read: a user who may read all that another may, and more, has a higher
rank. Only addresses that name nobody count, and no thing of a collection either: who may see the project `secret`
beside `alpha` has it shared with him.

A clerk reads what is any customer's, and that is no flaw. Where each of two reaches something that the other does not,
they are the sides of a market, and neither may read what is the other's.

Some applications refuse nobody who is signed in: they send him to a start page. One such answer may have other reasons
(nothing to show yet, everything done); several pages that all lead to the same start page, and that he never asked for
himself, are kept from him. Others send him to the login, as they do with visitors: that counts where a page that he was
shown beside it has a way out.
"""

import re
from collections.abc import Set as AbstractSet
from urllib.parse import urljoin, urlsplit

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good, refusal, shows_a_way_out
from gatecrash.core.words.named import Words

_MOST = 100
_REFUSED = (401, 403)
_ELSEWHERE = (301, 302, 303, 307)
_FEWEST_TURNED = 2
_START = Words(r"home(?:page)?|dashboard|start|main|overview|portal|index(?:\.\w{2,5})?", re.IGNORECASE)
# Who is done with it, has none yet, or is to do something before, is sent on, too.
_OF_A_WAY = Words(
    r"cart|basket|checkout|pay(?:ment)?\b|setup|install|onboard|wizard|welcome|step|verif|confirm|log|sign|regist|thank|success|complete"
    r"|invit|\bnew$|\bcreate|\bmy\b|order|invoice|booking|reserv|purchase|favou?rite|wish|message|inbox|subscri|history",
    re.IGNORECASE,
)
_NAMES_ONE = re.compile(rb"/(?:\d+|[^/]*\d[^/]{5,})(?=/|$)")
_MOST_SEARCHED = 65536
_OF_A_SITE = 3
# What anybody gets who pays or goes through with something is no matter of rank.
_NOT_YET = re.compile(
    r"\bupgrad|\bpremium\b|\bsubscription|free trial|\b(?:verify|confirm) your\b|\byou have(?: no|n't| not)\b[^.<]{1,40}\byet\b",
    re.IGNORECASE,
)
_MOST_TOLD = 2000
_PAGE = frozenset({b"<html>"})
# What calls a thing by its name in its own answer: `"slug": "secret"`. A kind is none: `"type": "statistics"`.
_CALLED = rb'"((?:[a-z]+_)?(?:id|slug|key|code|name|handle|login|uid))"\s*:\s*"%s"'
# Below these stand sections, which may have the same pages below them.
_SECTIONS = re.compile(
    rb"settings|options|preferences|reports|stat(?:istic)?s|analytics|tools|services|systems|apps|modules|plugins|docs|dashboards"
    rb"|roles|admins|managers|operations|operators|wardens|metrics|logs|views|pages|components|internals|permissions|controls"
)


def names_nobody(path: bytes) -> bool:
    """Whether no part of a path looks like the identifier of one of many."""
    return _NAMES_ONE.search(path) is None


class Reach(msgspec.Struct):
    """Of one user. entered, barred: the paths. later: where he was refused when he was asked for it, beside the record.
    turned: those that sent him to a start page, with that; to_login: those that sent him to the login. is_in: whether a
    page that he was asked for shows that he is signed in. called: by which fields an answer calls what it is about as its
    path does.
    """

    entered: set[bytes] = msgspec.field(default_factory=set)
    barred: set[bytes] = msgspec.field(default_factory=set)
    later: set[bytes] = msgspec.field(default_factory=set)
    turned: dict[bytes, bytes] = msgspec.field(default_factory=dict)
    to_login: set[bytes] = msgspec.field(default_factory=set)
    is_in: bool = False
    called: dict[bytes, frozenset[bytes]] = msgspec.field(default_factory=dict)

    def see(self, exchange: Exchange, *, asked: bool = False) -> None:
        """One more request of his, with its answer. asked: it was not he who asked, in whose pages a link may lead there."""
        request, response = exchange.request, exchange.response
        if response is None or request.method.upper() != "GET" or request.query is not None:
            return
        if not names_nobody(request.path):
            return
        if is_good(response):
            kept = self.entered
            self.is_in = self.is_in or (asked and shows_a_way_out(response))
        elif asked and response.status in _ELSEWHERE and refusal(response) is not None:
            kept = self.to_login
        elif response.status in _REFUSED and _NOT_YET.search(text_of(response)[:_MOST_TOLD]) is None:
            kept = self.later if asked else self.barred
        else:
            start = _start_of(request, response) if asked else b""
            if start and len(self.turned) < _MOST:
                self.turned[request.path] = start
            return
        if len(kept) < _MOST:
            kept.add(request.path)
            if kept is self.entered:
                self.called[request.path] = _called(request.path, response)

    def is_above(self, other: "Reach", names: AbstractSet[str]) -> bool:
        """Whether he is let in where the other is refused, though signed in, and the other nowhere where he is refused.

        names: what he is called; an address with his name in it is his own. Where he was refused himself, with another token of
        his, that address asks for a kind of token that the other may have as well.
        """
        both = self.entered & other.entered
        more = any(
            names.isdisjoint(_words(path)) and not self._is_of_a_collection(path, both)
            for path in (self.entered & other.closed) - self.barred - self.later
        )
        refused = self.barred | self.later | self.turned.keys() | self.to_login
        return more and not self.entered.isdisjoint(other.entered) and refused.isdisjoint(other.entered)

    @property
    def closed(self) -> set[bytes]:
        """What he was kept from: by a refusal, by one start page for several, or by the login though he is signed in.

        Who is refused what he was let in at before has a session that is over: what it is refused by then says nothing of him.
        """
        starts = list(self.turned.values())
        turned = {path for path, start in self.turned.items() if starts.count(start) >= _FEWEST_TURNED}
        barred = self.barred if self.later & self.entered else self.barred | self.later
        return barred | turned | (self.to_login if self.is_in else set())

    def _is_of_a_collection(self, path: bytes, both: AbstractSet[bytes]) -> bool:
        """Whether it is, or stands below, a thing beside one that both reach. both: what they do."""
        words = path.split(b"/")
        heads = [b"/".join(words[:end]) for end in range(_OF_A_SITE, len(words) + 1)]
        return any(self._is_beside(head, other) for head in heads for other in both if other.startswith(_above(head)))

    def _is_beside(self, thing: bytes, other: bytes) -> bool:
        """Whether another path is, or stands below, a thing of the same collection: answers call both by the same field, or both
        have the same page below them.
        """
        above = _above(thing)
        beside = above + other[len(above) :].split(b"/")[0]
        if self.called.get(thing, frozenset()) & self.called.get(beside, frozenset()):
            return True
        return _is_several(above) and other != beside and thing + other[len(beside) :] in self.entered


def _start_of(request: Request, response: Response) -> bytes:
    """The start page that a request for another page leads to; empty where it leads elsewhere, or has other reasons."""
    location = response.first(b"Location") or b""
    if response.status not in _ELSEWHERE or refusal(response) is not None or not location:
        return b""
    try:
        there = urlsplit(urljoin(request.url, location.decode("latin-1")))
    except ValueError:
        return b""
    word, path = there.path.rstrip("/").rpartition("/")[2], request.path.decode("latin-1")
    is_start = not there.path.strip("/") or _START.fullmatch(word) is not None
    is_elsewhere = there.hostname == request.host and not there.path.startswith(path.rstrip("/"))
    if not is_start or not is_elsewhere or _START.fullmatch(path.strip("/")) or _OF_A_WAY.search(path):
        return b""
    return there.path.encode("latin-1", "replace")


def _above(path: bytes) -> bytes:
    return path[: path.rfind(b"/") + 1]


def _is_several(collection: bytes) -> bool:
    """Whether it is called as many things are: `/projects/`."""
    word = collection.rstrip(b"/").rpartition(b"/")[2].lower()
    return word.endswith(b"s") and not word.endswith(b"ss") and _SECTIONS.fullmatch(word) is None


def _called(path: bytes, response: Response) -> frozenset[bytes]:
    """By which fields the answer calls what it is about. A page has none: those of one collection are taken for its things."""
    if media_type(response) == "text/html":
        return _PAGE if _is_several(_above(path)) else frozenset()
    return _fields_calling(path, response.body)


def _fields_calling(path: bytes, body: bytes) -> frozenset[bytes]:
    body = body[:_MOST_SEARCHED].lstrip()
    word = path.rpartition(b"/")[2]
    return frozenset(re.findall(_CALLED % re.escape(word), body)) if word and body.startswith(b"{") else frozenset()


def _words(path: bytes) -> set[str]:
    return {word.lower() for word in path.decode("latin-1").split("/")}
