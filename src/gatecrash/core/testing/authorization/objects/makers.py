"""Requests of a run that create objects, to be repeated: a test deletes only what it has created itself.

makers = Makers()
makers.see(exchange)            for each exchange of the run
makers.of(request)              those that made the object which a request names, or one of its kind
made.identifier(response)       which object another answer to the same says that it made
makers.logins(request)          of what registers an account, those that let its owner in
makers.entrances(request)       of what sets a password by a name, or exchanges a token, those that let somebody in
makers.confirmed(request)       of what confirms something, those that made it
makers.acted_on(request)        of what is done to an object (`/orders/7/cancel`), those that made it
makers.below_oneself(request)   of what is read below `/me`, what made it there
makers.setting_off(request)     of what keeps something, those below its address that set something off with it
"""

import re
from collections import OrderedDict
from functools import lru_cache
from typing import NamedTuple

import msgspec

from gatecrash.core.message import Exchange, Request, Response, unsigned
from gatecrash.core.point import Point
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.addresses.kinship import lists_its_kind
from gatecrash.core.testing.addresses.page_paths import steps_in_common
from gatecrash.core.testing.authorization.callers.account_endpoints import LOGIN, REGISTRATION, account_request
from gatecrash.core.testing.authorization.callers.named_alone import set_by_name
from gatecrash.core.testing.authorization.objects.acts import acted_on, calls_act
from gatecrash.core.testing.authorization.objects.made import (
    MOST_KEPT,
    TO_MAKE,
    called_in_its_body,
    identified,
    is_called_for,
    may_be_its_number,
    naming,
    standing_above,
    told_by,
)
from gatecrash.core.testing.authorization.objects.made_by_forms import is_form_answer, makes_what_is_deleted
from gatecrash.core.testing.authorization.objects.named import (
    kind_of,
    list_above,
    named_fields,
    named_objects,
    only_reads,
)
from gatecrash.core.testing.authorization.objects.own_places import stands_below_oneself
from gatecrash.core.testing.authorization.tokens.exchanged import refresh_point
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.operations.graphql import words_of
from gatecrash.core.testing.operations.questions import called
from gatecrash.core.testing.oracles.leaves import Leaf
from gatecrash.core.testing.oracles.outcomes.refused import is_good, refusal
from gatecrash.core.words.deeds import MAKES

MOST_OF_ONE = 200
# Those that make something say what in a few words.
_LARGEST, _LARGEST_SENT = 8_000, 64_000
# What set off a call that did not come through: the recorded address was not there, as those of webhooks are in a test's surroundings.
_NOT_THROUGH = frozenset({424, 500, 502, 503, 504})
_MOST_LOGINS, _MOST_ACCOUNTS = 2, 20
# Of the answers to one request that was sent several times.
_MOST_TOLD = 500
_TO_DO = re.compile(rb"/(?:delete|remove|destroy|discard|del|rm)(?=/|$)", re.IGNORECASE)
# What an application does at once with what was kept.
_SETS_OFF = re.compile(
    r"(?:test|run|check|refresh|sync(?:hroni[sz]e)?|re-?sync|fetch|ping|import|send|re-?send|trigger|deliver|re-?deliver|poll|pull|preview"
    r"|re-?load|execute|fire|probe|validate|verify|crawl|scan|retry|invoke|notify|dispatch|start|launch|build|convert|generate"
    r"|render|print|export|back-?up)(?:[-_]?now|[-_]?all)?",
    re.IGNORECASE,
)
# What is asked for at such an address is that something made before be confirmed.
_CONFIRMS = re.compile(
    rb"verif|confirm|validat|check(?!.?out)|approv|authori|complete|activat|unlock|finish", re.IGNORECASE
)


class _Known(NamedTuple):
    """One that was answered well, without what says who sent it. told: what its answers tell by names; held: its values;
    is_login: whether it let in who brought a name and a password, whatever its address says.
    """

    request: Request
    told: tuple[Leaf, ...]
    held: frozenset[str]
    is_login: bool


class Makers:
    """The requests of one run that made something, newest last, a bounded number."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: OrderedDict[tuple[str, int, bytes, bytes], _Known] = OrderedDict()
        self._forms: OrderedDict[tuple[str, int, bytes, bytes], Request] = OrderedDict()
        self._not_through: OrderedDict[tuple[str, int, bytes, bytes], Request] = OrderedDict()
        self._accounts: dict[tuple[str, int, bytes], Request] = {}

    def see(self, exchange: Exchange) -> bool:
        """Keep a POST that was answered well and shortly, and destroys nothing; a form also where it was answered by a
        redirect or a page, and what sets something off also where that did not come through. Whether it was not known
        before.
        """
        request, response = exchange.request, exchange.response
        if response is None or request.method.upper() != "POST" or only_reads(request):
            return False
        if destroys(request) or (response.status >= FIRST_REDIRECT and _brings_a_password(request, REGISTRATION)):
            return self._see_account(request, response)
        if refusal(response) is not None or len(request.body) > _LARGEST_SENT:
            return False
        place = (request.host, request.port, request.target, request.body)
        bare = [self._forms] * is_form_answer(request, response)
        bare += [self._not_through] * (response.status in _NOT_THROUGH and _sets_off(request))
        is_new = not any(place in kept for kept in (self._known, self._forms, self._not_through))
        for kept in bare:
            kept[place] = unsigned(request)
            if len(kept) > MOST_KEPT:
                kept.popitem(last=False)
        if response.status >= FIRST_REDIRECT or len(response.body) > _LARGEST:
            return is_new and bool(bare)
        told = told_by(response)
        if (before := self._known.get(place)) is not None:
            # The same request may have made several, and any of them is deleted by what names it.
            told = (*told, *(leaf for leaf in before.told if leaf not in told))[:_MOST_TOLD]
        account = account_request(exchange)
        is_login = account is not None and account.kind == LOGIN
        self._known[place] = _Known(unsigned(request), told, frozenset(leaf.value for leaf in told), is_login)
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        return is_new

    def _see_account(self, request: Request, response: Response) -> bool:
        """Keep what made an account, whose like a test may make for itself: who has one now is often sent on to the login."""
        place = (request.host, request.port, request.path)
        is_full = place in self._accounts or len(self._accounts) >= _MOST_ACCOUNTS
        is_made = FIRST_REDIRECT <= response.status < FIRST_ERROR or is_good(response)
        if is_full or not is_made or not _brings_a_password(request, REGISTRATION):
            return False
        self._accounts[place] = unsigned(request)
        return True

    def of(self, request: Request) -> tuple[Made, ...]:
        """Those whose answer holds an identifier that the request names, first; then those at the list that it stands
        in, and forms.

        What a test deletes was made by one of these: a number of another kind of object may be that of an object that
        was there before.
        """
        every = [*named_objects(request), *named_fields(request)]
        # What stands above another in the path is not what is deleted.
        named = [each for each in every if each.point[0] != "path"]
        in_path = [each for each in every if each.point[0] == "path"]
        # Of `/notes/5/delete` the last word says what is done.
        named += ([each for each in in_path if each.sure] or in_path)[-1:]
        kinds = {kind for each in named for kind in (_kind(request, each),) if kind}
        values = {each.value for each in named}
        lists = {list_ for each in named if (list_ := each.collection or _list_above(request, each))}
        same: list[Made] = []
        alike: list[Made] = []
        words = _words_called(request)
        for (host, port, *_), (asked, told, held, _) in reversed(self._known.items()):
            if (host, port) != (request.host, request.port):
                continue
            exact = None
            if not values.isdisjoint(held):  # of a large record hardly any is named
                likely = [leaf for leaf in told if may_be_its_number(leaf, asked, kinds)]
                exact = naming(likely, values - standing_above(asked))
            if exact is not None and is_called_for(asked, exact.value, kinds):
                continue  # it was there before
            if exact is not None:
                same.append(Made(asked, exact.path, exact.value))
            elif (asked.path.rstrip(b"/") or b"/") in lists or (len(words) > 1 and _is_contrary(asked, words)):
                alike += identified(asked, told) or called_in_its_body(asked, values - standing_above(asked))
        # Below another tenant the sender may make nothing.
        same.sort(key=lambda made: not request.path.startswith(made.request.path.rstrip(b"/") + b"/"))
        return (*same[:MOST_OF_ONE], *alike[:MOST_OF_ONE], *self._by_form(request)[:MOST_OF_ONE])

    def _by_form(self, request: Request) -> list[Made]:
        own = [asked for place, asked in reversed(self._forms.items()) if place[:2] == (request.host, request.port)]
        return [Made(asked, ()) for asked in own if makes_what_is_deleted(asked, request)]

    def logins(self, request: Request) -> tuple[Made, ...]:
        """For a request that registers somebody: those by which whoever has an account signs in, the nearest by path first."""
        is_open = request.first(b"Authorization") is None and request.first(b"Cookie") is None
        registered = account_request(Exchange(request), makes_accounts=is_open)
        if registered is None or registered.kind != REGISTRATION:
            return ()
        return self._near(request, LOGIN)

    def entrances(self, request: Request) -> tuple[Made, ...]:
        """For what sets a password by a name, those that register and let somebody in; for what exchanges a token, the latter."""
        if refresh_point(request) is not None and not signs_out(request):
            return self._near(request, LOGIN)
        if set_by_name(request) is None:
            return ()
        all_ = [Made(made, ()) for place, made in self._accounts.items() if place[:2] == (request.host, request.port)]
        return (*(self._near(request, REGISTRATION) or all_[:_MOST_LOGINS]), *self._near(request, LOGIN))

    def _near(self, request: Request, kind: str) -> tuple[Made, ...]:
        """Those of a kind that bring a password, the nearest by path first."""
        kept = [(place, each.request, each.is_login and kind == LOGIN) for place, each in self._known.items()]
        kept += [(place, form, False) for place, form in self._forms.items()]
        own = [(asked, fits) for place, asked, fits in kept if place[:2] == (request.host, request.port)]
        near = sorted(own, key=lambda each: -steps_in_common(each[0].path, request.path))
        return tuple(Made(asked, ()) for asked, fits in near if fits or _brings_a_password(asked, kind))[:_MOST_LOGINS]

    def confirmed(self, request: Request) -> tuple[Made, ...]:
        """For a request that confirms something: those that made it, by what its address names before the last word, or by its body."""
        if not confirms(request):
            return ()
        asked: Request = msgspec.structs.replace(request, target=request.path.rstrip(b"/").rpartition(b"/")[0] or b"/")
        return self.of(asked)

    def below_oneself(self, request: Request) -> tuple[Made, ...]:
        """For a request that reads one thing below its caller's own address: what made that very thing at the list right above it."""
        above, _, name = request.path.decode("latin-1").rstrip("/").rpartition("/")
        if not is_safe(request) or not stands_below_oneself(above):
            return ()
        return tuple(
            each for each in self.of(request) if each.was == name and each.request.path == above.encode("latin-1")
        )

    def acted_on(self, request: Request) -> tuple[Made, ...]:
        """For a request that does something to an object, as its last word says: those that made it."""
        if calls_act(request):
            return tuple(each for each in self.of(request) if not calls_act(each.request))
        target = acted_on(request)
        if not target:
            return ()
        query = b"?" + request.query if request.query else b""
        asked: Request = msgspec.structs.replace(request, target=target + query)
        in_path = any(each.point[0] == "path" and each.sure for each in named_objects(asked))
        made = self.of(asked)
        found = tuple(each for each in made if not _is_done_to(each.request, asked, in_path=in_path))
        return found if found or in_path else self._listing(asked)

    def _listing(self, asked: Request) -> tuple[Made, ...]:
        """Those at the list of what a request's body or query names one of: `/proposals` of `/proposal` with `id=7`."""
        own = (both for place, both in reversed(self._known.items()) if place[:2] == (asked.host, asked.port))
        found: list[Made] = []
        for maker, told, *_ in own:
            is_list = maker.path == asked.path or lists_its_kind(maker, asked)
            if is_list and not _is_done_to(maker, asked, in_path=False):
                found += identified(maker, told)
        return tuple(found)

    def setting_off(self, request: Request) -> tuple[Made, ...]:
        """For a request that keeps something: those below its address whose last word says that they do something at once."""
        below = request.path.rstrip(b"/") + b"/"
        if request.method.upper() not in ("POST", "PUT", "PATCH") or account_request(Exchange(request)) is not None:
            return ()
        known = {place: asked for place, (asked, *_) in reversed(self._known.items())}
        every = {**known, **dict(reversed(self._not_through.items()))}
        own = (asked for place, asked in every.items() if place[:2] == (request.host, request.port))
        return tuple(Made(asked, ()) for asked in own if asked.path.startswith(below) and _sets_off(asked))


def confirms(request: Request) -> bool:
    """Whether the address of a changing request says that something is confirmed: `/payments/7/confirm`, `/phone/verify`."""
    ends = request.path.rstrip(b"/").split(b"/")[-2:]
    return request.method.upper() in ("POST", "PUT", "PATCH") and any(map(_CONFIRMS.search, ends))


def _sets_off(request: Request) -> bool:
    return _SETS_OFF.fullmatch(request.path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1")) is not None


def _brings_a_password(request: Request, kind: str) -> bool:
    account = account_request(Exchange(request), makes_accounts=True)
    return account is not None and account.kind == kind and account.password is not None


def _list_above(request: Request, named: Named) -> bytes:
    """The list that an object of the path stands in, below a tenant as well; empty for any other place."""
    is_within = named.point[0] == "path" and len(named.point) > 1 and named.point[1].isdigit()
    return list_above(request, named.point) if is_within else b""


def _kind(request: Request, named: Named) -> str:
    """What a request names, where its address says more than what is to be done: `note` of `/notes/delete/5`."""
    path = _TO_DO.sub(b"/", request.path) if named.point[0] != "path" else request.path
    if named.point[0] == "path":
        path = _TO_DO.sub(b"/", list_above(request, named.point) + b"/")
        named = named._replace(point=Point.of("path", str(len([each for each in path.split(b"/") if each]))))
    asked: Request = msgspec.structs.replace(request, target=path)
    return kind_of(asked, named)


def _is_done_to(maker: Request, asked: Request, *, in_path: bool) -> bool:
    """Whether a request does something to the object that another names, whose answer names it as well.

    in_path: whether the path names it. What names one in the same way, be it another, was given it, and made nothing.
    """
    below = asked.path.rstrip(b"/") + b"/"
    is_below = maker.path.startswith(below) and (in_path or not _says_new(maker))
    if acted_on(maker) or is_below or (in_path and maker.path == asked.path):
        return True
    # The last word of `/api/v1/orders` is no name.
    ones, others = ([one for one in (*named_objects(each), *named_fields(each)) if one.sure] for each in (asked, maker))
    # The number of a segment is no name.
    values, names = {each.value for each in ones}, {each.point[-1] for each in ones if each.point[0] != "path"}
    alike = (each.value in values or (each.point[0] != "path" and each.point[-1] in names) for each in others)
    return not in_path and any(alike)


def _says_new(maker: Request) -> bool:
    """Whether the last word of a path says that something is made there, beside the list: `/orders/new`."""
    last = maker.path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1").lower()
    return not last.isdigit() and TO_MAKE.fullmatch(last) is not None


@lru_cache(2 * MOST_KEPT)
def _words_called(request: Request) -> tuple[str, ...]:
    return called(request) or words_of(request)


def _is_contrary(asked: Request, gone: tuple[str, ...]) -> bool:
    """Whether a mutation or a function makes what another deletes, called by these words: `createCard` and `deleteCard`,
    `card.create` and `card.delete`.
    """
    made = _words_called(asked)
    return len(made) > 1 and made[1:] == gone[1:] and made[0] in MAKES
