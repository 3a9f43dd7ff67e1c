"""Identities that a record shows by itself: requests to one host with the credentials of two different users.

Two sets of credentials are two users where a token, a user name (in Basic, or beside a password in an envelope's header),
the login that issued them or what each was told about himself says so, what both were shown at addresses that name
nobody, a list that shows each only the tenant at whose addresses he was recorded, or where they are used in turns: one
that only follows the other may be the same user, signed in anew. Nor are two of different kinds told apart: a user may
have a key and a password. An application's own key, which both carry, tells nobody apart. Signatures and handshakes
are not taken: they fit the one request they came with.

Who manages, by the role that a token, a login's answer or what somebody is told about himself names, or by the name in
the login or in Basic, has a higher rank than the others; `standing` tells who else has, by a role's name that is the application's own.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Final

import msgspec

from gatecrash.core.auth.recogniser import Recognised
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.inventory.called_credentials import name_in_a_call
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points.walk import read
from gatecrash.core.testing.authorization.callers.credentials import COOKIE, named_alike, worth_testing
from gatecrash.core.testing.authorization.callers.oneself import PLACE, self_values, tells_of_oneself
from gatecrash.core.testing.authorization.callers.own_key import shows_own_key
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE, ORDINARY
from gatecrash.core.testing.authorization.ranks.roles import claims, fields
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.profiles.entrance import opaque_texts
from gatecrash.core.testing.profiles.identity_names import LEAST_NAME, login_names, written_names
from gatecrash.core.testing.profiles.own_places import own_places
from gatecrash.core.testing.profiles.profile import RECORDED, AuthProfile, CheckAddress, Holder, Placed, ProfileIdentity
from gatecrash.core.testing.profiles.recorded_logins import RecordedLogins
from gatecrash.core.testing.profiles.recorded_session import LoginAddress
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns, origin_host
from gatecrash.core.testing.profiles.recorded_users import (
    MOST_IDENTITIES,
    MOST_KNOWN,
    RecordedUser,
    apart_by_kind,
    as_identities,
    know_owners,
    placed,
)
from gatecrash.core.testing.profiles.registrations import Registrations
from gatecrash.core.testing.profiles.standing import role_cookies, standings
from gatecrash.core.testing.profiles.subjects import called_by, names_in, subject_of
from gatecrash.core.testing.profiles.token_renewals import renews

# Some frameworks set the cookie of a session anew with each answer.
_MOST_CARRIED: Final = 200
_LASTING: Final = frozenset({AuthType.API_KEY, AuthType.BEARER, AuthType.BASIC, AuthType.COOKIE})
_OWN: Final = frozenset({AuthType.API_KEY, AuthType.BEARER, AuthType.BASIC})
_MOST_HANDED_OUT, _MOST_TEXTS = 2_000, 20
_PERSONAL: Final = frozenset({AuthType.BEARER, AuthType.BASIC, AuthType.COOKIE})


class RecordedIdentities:
    """Sees the record's exchanges in order, and says how a run over it signs in.

    identities = RecordedIdentities(recogniser)
    identities.see(exchange)              for each exchange of the record
    identities.profile()                  the users found
    identities.bare                       whether there were no credentials at all
    identities.complete(profile)          the profile that a user gave, else the users found
    identities.tell(exchange)             asked for beside it
    identities.over(exchange)             its session is over at the target
    """

    def __init__(self, recogniser: Recognises, dead: Collection[LoginAddress] = ()) -> None:
        """Nothing was seen yet. dead: logins whose recorded sessions are over at the target."""
        self._recogniser = recogniser
        self._credentials = False
        self._place = 0
        self._hosts: dict[str, list[RecordedUser]] = {}
        self._logins = RecordedLogins()
        # What came with logins, before anybody was let in.
        self._of_logins: set[tuple[tuple[str, ...], str]] = set()
        self._sign_ins = SignIns(dead)
        self._registrations = Registrations()
        self._handed_out: set[str] = set()

    def see(self, exchange: Exchange) -> None:
        """One more exchange of the record."""
        self._place += 1
        request = exchange.request
        self._logins.see(exchange)
        self._sign_ins.see(exchange)
        self._note_handed_out(exchange)
        found = [one for one in self._recogniser.recognise(request) if one.valid]
        self._credentials = self._credentials or bool(found)
        if not found:
            self._registrations.see(exchange)
        if not found or any(one.type not in _LASTING for one in found):
            return
        personal = [one for one in found if one.type in _PERSONAL] or found
        values = _values(request, personal)
        host = origin_host(request)
        if not values or (exchange.response is not None and refusal(exchange.response) is not None):
            for user in _holding(self._hosts.get(host, []), values):
                user.standing.keep_out(exchange)
            return
        self._of_logins |= set(values.items()) if self._logins.signed_in(request) else set()
        login = self._logins.name_of(values.values()) or name_in_a_call(values)
        subject = subject_of(values) or login
        if renews(request) and not self._likely(host, values, subject):
            return  # a token that is good for a fresh one alone lets nobody in
        user = self._user(host, values, subject, frozenset(one.type for one in personal))
        # A session that began before its login is somebody's from then on.
        user.subject = user.subject or subject
        came_with = _values(request, found)
        # What is given for a fresh token is good for nothing else.
        user.values = came_with | user.values if renews(request) else user.values | came_with
        user.known |= called_by(value for _, value in values.items() - user.carried)
        if len(user.carried) < _MOST_CARRIED:
            user.carried |= set(values.items())
            user.beside |= named_alike(request, worth_testing(found, request))
        user.last = self._place
        user.shown.see(exchange)
        user.greetings.see(exchange)
        user.places.see(request, exchange.response)
        user.standing.see(exchange)
        user.logins |= {login} if login else set()
        user.known |= user.logins
        user.standing.hear([*claims(request, [one.point for one in found]), *role_cookies(request)])
        user.standing.let_in(self._logins.role_of(login), self._logins.raising(login or subject.removeprefix("basic ")))
        _note_oneself(user, exchange)
        lasting = is_safe(request) and not destroys(request) and not self._logins.signed_in(request)
        if user.check is None and lasting and exchange.response is not None:
            user.check = CheckAddress(url=request.url, method=request.method.upper())

    def _note_handed_out(self, exchange: Exchange) -> None:
        """What an answer to a changing request gives that may be a credential, and did not come with it."""
        request = exchange.request
        if exchange.response is None or is_safe(request) or len(self._handed_out) >= _MOST_HANDED_OUT:
            return
        came = b"\n".join(value for _, value in request.headers).decode("latin-1")
        texts = (text for _, text in islice(opaque_texts(exchange), _MOST_TEXTS))
        self._handed_out |= {text for text in texts if text not in came}

    def tell(self, exchange: Exchange) -> None:
        """What was asked for beside the record tells of its sender, and nothing of who came first and who last."""
        found = [one for one in self._recogniser.recognise(exchange.request) if one.valid]
        values = _values(exchange.request, [one for one in found if one.type in _PERSONAL] or found)
        users = self._hosts.get(origin_host(exchange.request), [])
        for user in _holding(users, values) or _sharing(users, values):
            user.standing.see(exchange, asked=True)
            if exchange.response is not None and refusal(exchange.response) is None:
                user.shown.see(exchange)
                _note_oneself(user, exchange)

    def over(self, exchange: Exchange, *, only_untold: bool = False) -> bool:
        """One that was seen, in a session that is over at the target. Whether that is news."""
        return self._sign_ins.over(exchange, only_untold=only_untold)

    def open(self) -> list[tuple[LoginAddress, list[Exchange]]]:
        """The recorded sessions that nobody ended: the login at which each began, and what was read in it."""
        return self._sign_ins.open()

    def end(self, dead: Collection[LoginAddress]) -> None:
        """The sessions of these logins are over at the target."""
        self._sign_ins.end(dead)

    @property
    def bare(self) -> bool:
        """Whether nothing seen carried a credential; browsers leave them out of what they save."""
        return not self._credentials

    def profile(self) -> AuthProfile | None:
        """How those sign in again who signed out; else the identities of all hosts with more than one, or whose one is
        known by name; None where there is neither.
        """
        again = self._sign_ins.profile()
        if again is not None:
            return self._completed(again)
        found: list[tuple[str, RecordedUser]] = []
        for host, users in self._hosts.items():
            self._compare(users)
            found += ((host, user) for user in apart_by_kind(users))
        identities, holders = as_identities(found)
        if not identities:
            return None
        return AuthProfile(
            id=RECORDED, name="Recorded identities", identities=identities, recorded=True, holders=holders,
        )  # fmt: skip

    def complete(self, given: AuthProfile | None) -> AuthProfile | None:
        """How a run over the record signs in: as a user said, with what the record tells beside; else as its users did.

        Whose credentials were recorded is told by names in logins, tokens and answers, or by the credentials themselves.
        """
        if given is None:
            return self.profile()
        known = {each.name: {*each.known, *written_names(each), *login_names(each)} for each in given.identities}
        ranks: dict[str, int] = {}
        choices: dict[str, set[tuple[str, str]]] = {}
        keys: dict[str, dict[tuple[str, ...], str]] = {}
        holders: list[Holder] = []
        again = given.id == RECORDED
        # Ranks that somebody wrote down are his to say.
        by_record = again or given.leaves_ranks_open
        for users in self._hosts.values():
            self._compare(users)
            know_owners(users)
        for host, user in ((host, user) for host, users in self._hosts.items() for user in users):
            # What was recorded of who signs in again is of his hosts alone.
            possible = [
                each for each in given.identities if not again or not each.hosts or host in each.hosts.split(",")
            ]
            name = _identity_of(user, possible, again=again)
            if name:
                holders.append(Holder(name, placed(user.carried)))
                known[name] |= user.known
                keys[name] = keys.get(name, {}) | self._keys_of(user, self._hosts[host])
                ranks[name] = max(ranks.get(name, 0), user.standing.rank)
                choices[name] = choices.get(name, set()) | user.standing.choices
        identities = tuple(
            msgspec.structs.replace(
                each,
                known=tuple(sorted(known[each.name]))[:MOST_KNOWN],
                rank=ranks.get(each.name, each.rank) if by_record else each.rank,
                values=_with_keys(each.values, keys.get(each.name, {})) if again else each.values,
                choices=tuple(sorted(choices.get(each.name, ()))),
            )
            for each in given.identities
        )
        completed: AuthProfile = msgspec.structs.replace(
            given, bare=self.bare, identities=identities, holders=tuple(holders)
        )
        return completed

    def _keys_of(self, user: RecordedUser, users: Sequence[RecordedUser]) -> dict[tuple[str, ...], str]:
        """The application's own keys that he sends beside what let him in, as a tenant's that others send, too: who is
        asked as in his place needs them as well.
        """
        of_others = {pair for each in users if each is not user for pair in each.beside.items()}
        pairs = (pair for pair in {**user.beside, **user.values}.items() if pair in self._of_logins | of_others)
        return {point: value for point, value in pairs if point[:3] != COOKIE and point[-1] != "AUTHORIZATION"}

    def _completed(self, again: AuthProfile) -> AuthProfile:
        """With what the record tells of them beside. Session cookies of visitors are nobody's credentials, and a request
        with one is no sign that its endpoint is public.
        """
        told = self.complete(again)
        assert told is not None
        bare = told.bare or any(not identity.values for identity in told.identities)
        apart = self._with_keys_of_their_own(told)
        beside, _ = as_identities(apart, len(told.identities))
        # Whose requests are whose is told by what they carry: nobody else's are sent as recorded.
        holders = tuple(
            Holder(one.name, placed({*user.carried, *user.beside.items()}))
            for one, (_, user) in zip(beside, apart, strict=True)
        )
        whole: AuthProfile = msgspec.structs.replace(
            told,
            bare=bare,
            identities=(*told.identities, *beside),
            holders=(*again.holders, *told.holders, *holders),
        )
        return whole

    def _with_keys_of_their_own(self, told: AuthProfile) -> list[tuple[str, RecordedUser]]:
        """Several users beside those who sign in again: each came with a credential that no answer of the record handed
        out, which is none of a session's or a key that somebody was given there.
        """
        found: list[tuple[str, RecordedUser]] = []
        for host, users in self._hosts.items():
            own = [
                user
                for user in users
                if user.kinds <= _OWN
                and self._handed_out.isdisjoint(value.rpartition(" ")[2] for _, value in user.carried)
                and not _identity_of(user, told.identities, again=True)
            ]
            found += ((host, user) for user in apart_by_kind(own, known_alone=False))
        return found[: MOST_IDENTITIES - len(told.identities)] if len(told.identities) < MOST_IDENTITIES else []

    def _compare(self, users: Sequence[RecordedUser]) -> None:
        """Who of them may do more than others, and what is meant for his role alone."""
        ordinary = self._registrations.ordinary((each.known, each.standing.word) for each in users)
        compared = standings(((each.standing, each.known) for each in users), ordinary)
        for user, above in zip(users, compared, strict=True):
            user.known |= above | user.standing.led | {ORDINARY + role for role in ordinary}
            user.known |= {HAS_ROLE + user.standing.word} if user.standing.word else set()
        placed = [user for user in users if user.places.words]
        for user, word in zip(placed, own_places([each.places for each in placed]), strict=True):
            user.known |= {PLACE + word} if word else set()

    def _user(
        self, host: str, values: dict[tuple[str, ...], str], subject: str, kinds: frozenset[AuthType]
    ) -> RecordedUser:
        """The user who sent one of these values before, or whom they name; else a new one."""
        likely = self._likely(host, values, subject)
        if likely:
            return likely[0]
        user = RecordedUser(dict(values), subject, self._place, self._place, kinds)
        self._hosts.setdefault(host, []).append(user)
        return user

    def _likely(self, host: str, values: dict[tuple[str, ...], str], subject: str) -> Sequence[RecordedUser]:
        """Those who sent one of these values before, or whom they name; the likeliest first."""
        users = self._hosts.get(host, [])
        named = [user for user in users if subject and user.subject == subject]
        # A key that came with logins is the application's own: who has another token beside it is somebody else.
        sharing = _sharing(users, dict(values.items() - self._of_logins))
        return (*_holding(users, values), *named, *sharing)


def _sharing(users: Sequence[RecordedUser], values: dict[tuple[str, ...], str]) -> list[RecordedUser]:
    """Those who came with one of these values; within a message, which has a place of its own for each call, wherever it stood."""
    within = {value for point, value in values.items() if point[0] == "post"}
    return [user for user in users if values.items() & user.values.items() or within.intersection(user.values.values())]


def _holding(users: Sequence[RecordedUser], values: dict[tuple[str, ...], str]) -> list[RecordedUser]:
    """Those of them who came with no other value in the place of any: two users may sign in to a part of the site as one."""
    return [
        user
        for user in _sharing(users, values)
        if all(user.values.get(point, value) == value for point, value in values.items())
    ]


def _note_oneself(user: RecordedUser, exchange: Exchange) -> None:
    """What an answer told the user about himself, where he asked for that, or it shows him the key that he came with."""
    response = exchange.response
    if response is None or len(user.known) >= MOST_KNOWN:
        return
    if not tells_of_oneself(exchange.request) and not shows_own_key(exchange, user.values.values()):
        return
    told = self_values(response)
    user.known |= told
    user.standing.hear(fields(response))
    # A session has a number of its own each time that it begins.
    user.told |= told if b"session" not in exchange.request.path.lower() else set()


def _identity_of(user: RecordedUser, identities: Sequence[ProfileIdentity], *, again: bool) -> str:
    """The one identity that a user of the record is: by what let him in, else, of those that somebody wrote down, by what he was
    told about himself, which a broken application may say of others; empty where none or several may be meant.

    again: the identities are known by the names that they sign in with again.
    """
    written = {
        each.name: {value.strip().lower() for _, value in each.variables if len(value) >= LEAST_NAME}
        | (set(each.known) if again else login_names(each))
        for each in identities
    }
    own = [each.name for each in identities if any((one.point, one.value) in user.carried for one in each.values)]
    for names in (user.logins | {name.lower() for name in _claimed(user)}, *(() if again else (user.known,))):
        own = own or [name for name, values in written.items() if values & names]
    return own[0] if len(own) == 1 else ""


def _claimed(user: RecordedUser) -> frozenset[str]:
    """What the user's own credentials say who he is; a number tells nobody apart from a setting."""
    names = (name for _, value in user.carried for name in names_in(value))
    return frozenset(name for name in names if len(name) >= LEAST_NAME and not name.isdigit())


def _with_keys(values: tuple[Placed, ...], keys: dict[tuple[str, ...], str]) -> tuple[Placed, ...]:
    taken = {each.point for each in values}
    new = (Placed(point, value.replace("${", "$${")) for point, value in keys.items() if point not in taken)
    return (*values, *new)


def _values(request: Request, found: Iterable[Recognised]) -> dict[tuple[str, ...], str]:
    values = {tuple(point): read(request, point) for point in worth_testing(found, request)}
    return {point: value.decode("ascii") for point, value in values.items() if value is not None and value.isascii()}
