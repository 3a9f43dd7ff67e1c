"""Signing in where only a description is at hand: two accounts of our own, made and signed in as the description says.

Without credentials an API's description leads to refusals alone, and with one account nobody can be asked whether one
user gets what is another's. So two are made by its registration, each once, and signed in by its login. Where it
describes no registration, its login is sent once as it stands: some documents show an account to try. Beside the users
of an auth profile, no two of whom are of one rank, one account more is made, who is asked for what is the lowest one's.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.authorization.callers.oneself import asks_about_oneself, self_values
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.known.identity import ANYBODY
from gatecrash.core.testing.operations.graphql import only_queries, words_of
from gatecrash.core.testing.operations.narrowing import narrowed
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.dressing import put_all
from gatecrash.core.testing.profiles.entrance import (
    Account,
    Entrance,
    as_step,
    enrolling,
    entrance_of,
    fields,
    has_word,
    only_random_text,
    signing_in,
    token_in,
)
from gatecrash.core.testing.profiles.expiry import is_over
from gatecrash.core.testing.profiles.profile import ENROLLED, AuthProfile, Placed, ProfileIdentity, Step, Take
from gatecrash.core.testing.profiles.recorded_steps import steps_behind
from gatecrash.core.testing.profiles.template import fill
from gatecrash.formats.draft import Credential, Draft
from gatecrash.node.scan.accounts.behind_page import asked_behind, has_let_in
from gatecrash.node.scan.accounts.confirming import confirming
from gatecrash.node.scan.accounts.oneself import names, numbers_told
from gatecrash.node.scan.accounts.own_account import about_nobody_met, accounts_of, as_oneself
from gatecrash.node.scan.accounts.own_password import keeping_the_password, setting_the_same
from gatecrash.node.scan.accounts.registering import Registering, host_of, is_good, made_up, told, unanswered
from gatecrash.node.scan.accounts.token_place import AUTHORIZATION, TokenPlace, place_of
from gatecrash.node.scan.accounts.untold_fields import Asked, as_registered, asked_for, told_fields, without_fields

ACCOUNTS = 2
_MOST_TOLD = 20
# Of functions that answer with the caller's own: `myOrders`.
_OWN = frozenset({"my", "mine", "own"})
_BEARER = Credential("bearer", AUTHORIZATION, "Bearer ")

Send = Callable[[Request], Awaitable[Answer]]


class SignedIn(msgspec.Struct, frozen=True, kw_only=True):
    """One account that was let in. login: how; None where the registration itself gave the token. answer: what let it in.

    behind: the login as it was sent behind the page of its form, and that page; None where there was none.
    """

    account: Account
    login: Request | None
    take: Take | None
    token: str = ""
    worded: bool = False
    answer: Response | None = None
    behind: tuple[Exchange, Exchange] | None = None


class Enrolment:
    """Finds registration and login among drafts, and signs in by them.

    enrolment.possible              whether there is a login, and something that wants it
    await enrolment.run(send)       sends; enrolment.profile, .trouble and .doubt say what came of it
    enrolment.foreseen()            the profile as a plan wants it, with nothing sent
    enrolment.filled_in(draft)      the draft of the login itself, with accounts that fit it
    """

    def __init__(self, drafts: Iterable[Draft], *, beside: AuthProfile | None = None) -> None:
        """drafts: of one description, aimed at where they will be sent. beside: whose user signs in himself."""
        self._drafts = list(drafts)
        self._beside = beside
        self.profile: AuthProfile | None = None
        self.trouble = ""
        self.doubt = ""
        self.accounts: list[Account] = []
        self._told: dict[Asked, Request] = {}
        self.entrance = self._entrance()
        whole = self.entrance.login is not None and self.entrance.registration is not None
        self.untold = [] if whole or not self._is_of_one_origin() else without_fields(self._drafts)
        spares = {one.request: one.spare for one in self._drafts if one.spare is not None}
        self._registering = Registering(spares)
        # A place whose word is a guess is asked for as one that nothing tells.
        self._places = tuple(place for place in _places(self._drafts) if not place.guessed)
        self._good: SignedIn | None = None
        self._numbers: dict[Account, dict[str, str]] = {}
        self._sure: dict[Account, tuple[str, ...]] = {}
        self._found_place: TokenPlace | None = None

    def _is_of_one_origin(self) -> bool:
        return len({one.request.origin for one in self._drafts}) == 1

    def _entrance(self) -> Entrance:
        """The two as far as their fields are known."""
        guarded = {self._filled(one.request) for one in self._drafts if one.wants}
        return entrance_of(
            [self._filled(one.request) for one in self._drafts] if self._is_of_one_origin() else [], guarded
        )

    def _filled(self, request: Request) -> Request:
        return self._told.get(asked_for(request), request)

    @property
    def possible(self) -> bool:
        """Whether the description lets somebody in, and wants or leaves open who may do the rest."""
        says_so = any(one.wants or one.request.first(b"Authorization") is not None for one in self._drafts)
        # Pages that are read beside its operations are for everybody, and say nothing of them.
        wanted = says_so or not any(one.public and one.operation for one in self._drafts)
        if self._beside is not None:
            return wanted and (self.entrance.registration is not None or bool(self.untold))
        return wanted and (self.entrance != Entrance(None, None) or bool(self.untold))

    @property
    def wanted(self) -> int:
        """How many are signed in, if all goes well."""
        return ACCOUNTS if self.entrance.registration is not None and self._beside is None else 1

    def foreseen(self) -> AuthProfile:
        """Who tests would be sent as, if all goes well."""
        places = self._places or (_BEARER,)
        values = tuple(Placed(tuple(place.point), place.word) for place in places)
        return self._profile([ProfileIdentity(name=_name(number), values=values) for number in range(self.wanted)])

    async def run(self, send: Send) -> None:
        """Make the accounts and sign in. Nothing is raised: `trouble` says why nobody is signed in, and is empty where what was
        asked for its fields lets nobody in.
        """
        await self._ask_for_fields(send)
        identities: list[ProfileIdentity] = []
        for _ in range(self.wanted):
            found = await self._let_in(send)
            if found is None:
                break
            self._good = self._good or found
            self.accounts.append(found.account)
            identities.append(await self._identity(found, len(identities), send))
        self.profile = self._profile(identities) if identities else self._beside

    async def _ask_for_fields(self, send: Send) -> None:
        """Have what the description tells no fields of say them, until both are known."""
        for draft in self.untold:
            request = await told_fields(draft, send)
            if request is not None:
                self._told[asked_for(draft.request)] = request
                self.entrance = self._entrance()
            if self.entrance.login is not None and self.entrance.registration is not None:
                return
        self._told |= as_registered(self.untold, self.entrance)
        self.entrance = self._entrance()

    def _profile(self, identities: Sequence[ProfileIdentity]) -> AuthProfile:
        if self._beside is None:
            return AuthProfile(id=ENROLLED, name="Accounts made for this scan", identities=tuple(identities))
        own, lowest = self._beside.identities, min(each.rank for each in self._beside.identities)
        if len(own) == 1:  # his rank compares him with nobody: what he may do shows whether he stands above the account
            own, lowest = (msgspec.structs.replace(own[0], rank=0),), 0
        made = (
            msgspec.structs.replace(each, rank=lowest, name=f"{each.name} made for this scan") for each in identities
        )
        joined: AuthProfile = msgspec.structs.replace(self._beside, identities=(*own, *made))
        return joined

    def filled_in(self, exchange: Exchange) -> Exchange:
        """The login as the first account, the registration with an account that nobody made yet; others with the first account's
        name and address, where they ask for any.
        """
        if not isinstance(exchange, Draft):
            return exchange
        exchange = msgspec.structs.replace(exchange, request=self._filled(exchange.request))
        changed: dict[str, Request | None] = {}
        if self._good is not None and self._good.login is not None and exchange.request == self.entrance.login:
            exchange, changed = (
                about_nobody_met(exchange, self.entrance.called),
                {"request": self._good.login, "spare": None},
            )
        elif exchange.request == self.entrance.registration:
            account, making = made_up(), self._registering
            spare = None if exchange.spare is None else making.enrolling(making.allowed(exchange.spare), account)
            changed = {"request": making.enrolling(making.allowed(exchange.request), account), "spare": spare}
            exchange = about_nobody_met(exchange, self.entrance.called)
        elif self.entrance.registration is not None and self.accounts and self._beside is None:
            registration, called = self.entrance.registration, self.entrance.called
            return self._as_own(exchange, enrolling(self._registering.allowed(registration), self.accounts[0], called))
        return msgspec.structs.replace(exchange, **changed)

    def _as_own(self, draft: Draft, registered: Request) -> Draft:
        account = self.accounts[0]
        number = next(iter(self._numbers[account].values()), "")
        kept = keeping_the_password(draft, account, number, accounts_of(registered), self.entrance.called)
        kept = setting_the_same(kept, (("password", account.password),))
        return kept if kept is not draft else as_oneself(draft, registered, self.entrance.called)

    async def _let_in(self, send: Send) -> SignedIn | None:
        if self.entrance.registration is None:
            described = self.entrance.login is not None and self._beside is None
            return await self._as_described(send) if described else None

        async def behind_its_page(request: Request) -> Answer:
            return (await asked_behind(request, send))[0]

        made = await self._registering.account(self.entrance.registration, behind_its_page, self.entrance.called)
        if made is None:
            self.trouble = self._registering.trouble
            return None
        account, answer = made
        self._numbers[account] = numbers_told(answer)
        if names(answer, (account.user, account.mail)):
            self._sure[account] = tuple(self._numbers[account].values())
        if self.entrance.login is None:
            return self._read(account, None, Exchange(self.entrance.registration, answer))
        found = await self._signed_in(self.entrance.login, account, send)
        for request in confirming(self._drafts, account, answer):
            if found is not None:
                break
            if is_good((await send(request)).exchange.response):
                found = await self._signed_in(self.entrance.login, account, send)
        if found is None:
            self.trouble = f"{told(self.entrance.login)} does not let in the account that was made for it"
        return found

    async def _signed_in(self, login: Request, account: Account, send: Send) -> SignedIn | None:
        for request in self._logins(login, account):
            answer, page = await asked_behind(request, send)
            allowed = narrowed(request, answer.exchange.response) if answer.exchange.response is not None else None
            if allowed is not None:
                request, answer = allowed, await send(allowed)
            found = self._read(account, request, answer.exchange, page)
            if found is not None:
                return found
        return None

    async def _as_described(self, send: Send) -> SignedIn | None:
        assert self.entrance.login is not None
        answer, page = await asked_behind(self.entrance.login, send)
        if answer.exchange.response is None:
            self.trouble = unanswered(self.entrance.login, answer)
            return None
        kinds = fields(self.entrance.login)
        shown = {
            kind: (read(self.entrance.login, point) or b"").decode("utf-8", "replace") for point, kind in kinds.items()
        }
        account = Account(user=shown.get("user", ""), mail=shown.get("mail", ""), password=shown.get("password", ""))
        found = self._read(account, self.entrance.login, answer.exchange, page)
        if found is not None:
            return found
        self.trouble = f"{told(self.entrance.login)} lets nobody in as it is described, and no registration is"
        return None

    def _logins(self, login: Request, account: Account) -> Iterator[Request]:
        """The login with the needed fields alone, then with all of them; by name where the account has one, then by address."""
        registration = self.entrance.registration
        named = registration is not None and "user" in fields(registration, self.entrance.called).values()
        ways = ((False, True) if named else (True,)) if "user" in fields(login).values() else (False,)
        for by_mail in ways:
            for request in reversed(self._registering.both(login)):
                yield signing_in(request, account, by_mail=by_mail)

    def _read(
        self, account: Account, login: Request | None, sent: Exchange, page: Exchange | None = None
    ) -> SignedIn | None:
        """What a good answer lets in with: a token, or a cookie. page: of the login's form, which it was sent behind."""
        response = sent.response
        if not is_good(response):
            return None
        found, keeps = token_in(response), has_let_in(sent, page)
        if found is None and login is not None and not keeps and page is None:
            found = only_random_text(Exchange(request=login, response=response))
        if found is not None:
            take, token = found
            return SignedIn(
                account=account,
                login=login,
                take=take,
                token=token,
                worded=has_word(response, take, token),
                answer=response,
            )
        if login is not None and keeps:
            return SignedIn(account=account, login=login, take=None, behind=None if page is None else (sent, page))
        self.trouble = "the login is answered without a token or a cookie"
        return None

    async def _identity(self, found: SignedIn, number: int, send: Send) -> ProfileIdentity:
        """The identity with its token where the description, or else the application, wants it."""
        places = self._places if found.take is not None else ()
        values = [(place.point, "" if found.worded else place.word) for place in places]
        # What has a place for it in the message of some calls says nothing of the others.
        if found.take is not None and all(place.point[0] == "post" for place in places):
            values += [(_BEARER.point, "")] if found.worded else await self._asked_places(found, send)
        told = await self._told_of_itself(found, values, send)
        account = found.account
        variables = [("user", account.user), ("mail", account.mail), ("password", account.password)]
        variables += self._numbers.get(found.account, {}).items()
        if found.login is None:
            variables.append(("token", found.token))
        origin = found.login or self.entrance.registration
        called = (found.account.user, found.account.mail, *self._sure.get(found.account, ()))
        return ProfileIdentity(
            name=_name(number),
            rank=ANYBODY if self.entrance.registration is not None else 0,
            variables=tuple(pair for pair in variables if pair[1]),
            values=tuple(Placed(tuple(point), f"{word}${{token}}") for point, word in values),
            login=_steps(found),
            known=tuple(dict.fromkeys(one for one in (*called, *told) if one)),
            hosts=host_of(origin) if origin is not None else "",
        )

    async def _told_of_itself(self, found: SignedIn, values: Sequence[tuple[Point, str]], send: Send) -> list[str]:
        """What the application calls the account, where the description says where that is asked."""
        asked = next(
            (one.spare or one.request for one in self._drafts if not one.holes and _is_about_oneself(one)), None
        )
        if asked is None or not values:
            return []
        token = {point: fill(f"{word}${{token}}", {"token": found.token}).encode() for point, word in values}
        response = (await send(put_all(asked, token))).exchange.response
        return sorted(self_values(response))[:_MOST_TOLD] if is_good(response) else []

    async def _asked_places(self, found: SignedIn, send: Send) -> list[tuple[Point, str]]:
        """Where the application takes the token, and behind which word; asked once, as it is the same for all accounts. Nothing
        where calls have a place for it in their messages, and nothing else takes it.
        """
        if self._found_place is None:
            assert found.answer is not None
            asked = [one for one in self._drafts if _only_reads(one) and not destroys(one.request) and not one.public]
            asked = sorted(
                (one for one in asked if all(place.guessed for place in one.places)), key=_needs_for_an_answer
            )
            guarded = (one.spare or one.request for one in asked)
            self._found_place, refused = await place_of(found.token, found.answer, guarded, send)
            if refused and not self._found_place.sure and not self._places:
                self.doubt = "the login's token lets in by no header that is known here"
        place = self._found_place
        return [(place.point, place.word)] if place.sure or not self._places else []


def brings_credentials(request: Request, points: Iterable[Point], now: float) -> bool | None:
    """Whether a described request brings what lets it in; False where all of that are tokens whose time is over, None where it
    brings nothing: what it signs in with stands in its body. points: where credentials were recognised.
    """
    placed = [point for point in points if point[0] in ("header", "get")]
    if not placed:
        return None
    return any(not is_over((read(request, point) or b"").decode("latin-1"), now) for point in placed)


def lets_in_whom(drafts: Iterable[Draft], brings: Callable[[Request], bool | None]) -> bool:
    """Whether the description's own login is to be used: where nothing brings what lets it in, or something that wants
    it does not. What brings its own, as an administrator's password beside the token of a login, keeps it. brings: as
    `brings_credentials`.
    """
    told = [(bool(one.wants), brings(one.request)) for one in drafts]
    return not any(own for _, own in told) or any((wants and not own) or own is False for wants, own in told)


def _places(drafts: Sequence[Draft]) -> tuple[Credential, ...]:
    """Where the description puts a token; keys only where it knows nothing else, as they are seldom got by a login."""
    found = tuple(dict.fromkeys(place for one in drafts for place in one.places if place.scheme != "basic"))
    return tuple(one for one in found if one.scheme == "bearer") or found


def _steps(found: SignedIn) -> tuple[Step, ...]:
    if found.behind is not None:
        sent, page = found.behind
        return tuple(steps_behind(page, sent, found.take))
    return (as_step(found.login, found.take),) if found.login is not None else ()


def _name(number: int) -> str:
    return f"account {number + 1}"


def _only_reads(draft: Draft) -> bool:
    return not draft.kept and (is_safe(draft.request) or only_queries(draft.request))


def _needs_for_an_answer(draft: Draft) -> tuple[bool, int, bool, bool]:
    """What sorts first who is surely asked for a token, and is refused for nothing else: no value made up is asked with."""
    request = draft.spare or draft.request
    own = not _OWN.isdisjoint(words_of(request))
    return not _is_about_oneself(draft), len(draft.holes), b'"variables"' in request.body, not own


def _is_about_oneself(draft: Draft) -> bool:
    return asks_about_oneself(draft.request) and _only_reads(draft)
