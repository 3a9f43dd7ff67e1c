"""Rights that somebody gives himself as he registers: the new account signs in and has them.

What it finds
    Registrations that say nothing of the account they make, and take privileged properties all the same (`is_admin`, a balance, a
    role), which the new account's own page shows.

Why it matters
    Everybody may register. One more word in that request, and he is an administrator from his first day.

How it decides
    Nothing is sent unless the record holds a login by password and a page on which somebody reads about himself. Where
    the registration's own answer shows such properties, `mass_assignment` looks at it first, and nothing more is asked
    where that proves
    it: an answer that repeats whatever it was sent proves nothing. An account is registered as it was recorded, under a
    fresh name; it signs in by the recorded login, and its page must show its name. The privileged properties there are
    what is tried: a second account is registered with other values of them and a made-up property, signs in, and reads
    its page. What is shown there with the new value, and once more on that of a third account, while a fourth one that
    was registered as recorded does not show it, was taken. Where the made-up property is shown too, only what is a
    right whatever the object is counts, and the role that the first one was given by the application.

Known misses
    Accounts that must be confirmed first, or solve a puzzle. Logins that are not known by their path. Properties that
    the own page does not show. Registrations by GraphQL.

Standards and references
    CWE-915; OWASP Top 10:2021 A08 Software and Data Integrity Failures; OWASP API Security Top 10:2023 API3 Broken Object
    Property Level Authorization.
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Exchange, Request
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import (
    REGISTRATION,
    AccountRequest,
    account_request,
)
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.callers.oneself import asks_about_oneself
from gatecrash.core.testing.authorization.fields import properties as assignable
from gatecrash.core.testing.authorization.fields.sent_objects import View, sending, views_of
from gatecrash.core.testing.authorization.fields.told_values import in_words_of_refusal
from gatecrash.core.testing.authorization.objects.answered_objects import Object, objects_in
from gatecrash.core.testing.authorization.tokens.handed_sessions import Session, ways_of
from gatecrash.core.testing.dialogues.fresh_accounts import FreshAccount, entered
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good, is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "mass_assignment"
CWE = 915
THREAT = 75
_MOST_PAGES, _MOST_ALONE = 2, 4
_REGISTERED, _ACCOUNTS = 3, 2


class _Account(NamedTuple):
    """A new account. shown: what its own page shows of it; None where that is not to be had."""

    exchange: Exchange
    shown: Object | None


_Making = Generator[TestRequest, Answer, _Account]


class _Trial:
    """A registration, sent anew. view: the object that it sends. entrances: the logins of the record."""

    def __init__(self, situation: Situation, view: View) -> None:
        self.situation = situation
        self.request = without_credentials(situation.baseline.request, situation.credentials)
        self.view = view
        # As kept they have no headers but those of their bodies: not even a host, without which many servers answer nothing.
        self.entrances = [asking(self.request, Page(made.request, rendered=False)) for made in situation.makers]
        self.pages = _pages(situation)
        self.made_up = fresh_letters(situation.random, 10)

    def verdict(self) -> Generator[TestRequest, Answer, Verdict]:
        """Plain first, then with the properties, twice, and plain once more."""
        first = yield from self._registered([])
        if first.shown is None:
            return self._safe("what a new account is shown of itself could not be read")
        properties = assignable.learned(first.shown, self.view.inner, self.situation.random)
        taken, exchange = yield from self._taken(properties)
        if not taken:
            return self._safe("no privileged property is taken" if properties else "no privileged property is shown")
        again = yield from self._registered(taken, "confirm")
        plain = yield from self._registered([], "confirm")
        if (
            len(assignable.holds(again.shown, taken)) < len(taken)
            or plain.shown is None
            or assignable.holds(plain.shown, taken)
        ):
            return self._safe("accounts show the same values without the properties")
        told = ", ".join(f"{each.full_name} = {each.new!r} (of others: {each.old!r})" for each in taken)
        return vulnerable(
            ENTRY,
            self.situation.point,
            test=exchange,
            control=first.exchange,
            threat=THREAT,
            detail=told,
            verified_by=(
                f"Accounts were registered under fresh names, signed in, and read what is said of them. With properties added that "
                f"the registration does not set, that was twice {told}; without them it was not. The accounts are still there."
            ),
        )

    def _taken(
        self, properties: list[assignable.Property]
    ) -> Generator[TestRequest, Answer, tuple[list[assignable.Property], Exchange]]:
        """What of it a new account has: all at once beside a made-up one; where that is refused, one by one."""
        exchange, alone = self.situation.baseline.exchange, [[each] for each in properties[:_MOST_ALONE]]
        for asked in [properties, *alone] if properties else []:
            made_up = self.made_up if asked is properties else ""
            tried = in_words_of_refusal(response_of(exchange), asked)
            account = yield from self._registered(tried, made_up=made_up)
            shown, exchange = account.shown, account.exchange
            if shown is not None:
                anything = self.made_up in shown or any(assignable.keeps(shown, each, self.made_up) for each in tried)
                # Whatever role who registers is given is the ordinary one.
                low = frozenset(str(each.old).lower() for each in tried)
                held = assignable.holds(shown, tried)
                taken = [each for each in held if assignable.is_sure(each, low) or not anything]
                if taken or asked is properties:
                    return taken, exchange
        return [], exchange

    def _registered(self, properties: list[assignable.Property], purpose: str = "test", made_up: str = "") -> _Making:
        """An account with these properties, and what it is shown of itself once it has signed in."""
        body = assignable.made_unique(self.view.inner, fresh_letters(self.situation.random, 6))
        body = assignable.with_properties(body, properties, made_up)
        request = sending(self.request, self.view.wrap(body))
        exchange = yield from ask(request, purpose)
        account = account_request(Exchange(request), makes_accounts=True)
        if account is None or not is_taken(response_of(exchange)):
            return _Account(exchange, None)
        for entrance in self.entrances:
            session = yield from entered(entrance, FreshAccount(request, account))
            shown = (yield from self._shown(session, account)) if session is not None else None
            if shown is not None:
                return _Account(exchange, shown)
        return _Account(exchange, None)

    def _shown(self, session: Session, account: AccountRequest) -> Generator[TestRequest, Answer, Object | None]:
        """The object of the account on its own page, known by its name."""
        for page in self.pages:
            bare = asking(self.request, page)
            for way in ways_of(page, session):
                response = response_of((yield from ask_raw(way.on(bare), "control")))
                own = (
                    [each for each in objects_in(response) if account.value in each.values()]
                    if is_good(response)
                    else []
                )
                if own:
                    return own[0]
        return None

    def _safe(self, detail: str) -> Verdict:
        return safe(TYPE, self.situation.point, detail)


def _pages(situation: Situation) -> list[Page]:
    return [page for page in situation.pages if asks_about_oneself(page.request)][:_MOST_PAGES]


def _view_of(request: Request) -> View | None:
    """The object that holds the account: the innermost where it is wrapped."""
    views = views_of(request)
    return views[-1] if views else None


def _dialogue(situation: Situation) -> Dialogue:
    view = _view_of(situation.baseline.request)
    if view is None:
        return safe(TYPE, situation.point, "no object is sent")
    request = situation.baseline.request
    if (TYPE, request.origin, request.path.decode("latin-1")) in situation.memory.told:
        return safe(TYPE, situation.point, "the answer to the registration has told it")
    return (yield from _Trial(situation, view).verdict())


def applies(situation: Situation) -> bool:
    """Registrations by password, beside a login and a page about oneself."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status >= FIRST_ERROR or operation_of(request) is not None:
        return False
    # Whoever posts to all accounts without any credentials makes his own (`POST /accounts`).
    account = account_request(situation.baseline.exchange, makes_accounts=not situation.credentials)
    if account is None or account.kind != REGISTRATION or account.password is None:
        return False
    return _view_of(request) is not None and bool(situation.makers) and bool(_pages(situation))


def forecast(_situation: Situation) -> int:
    """A plain account and one with the properties, each registered, signed in and read."""
    return _REGISTERED * _ACCOUNTS


ENTRY = Entry(
    type=TYPE,
    title="Mass assignment at the registration",
    cwe=(CWE,),
    owasp=("A08:2021",),
    owasp_api=("API3:2023",),
    why=(
        "A registration sets what only the application should: a role, a balance. Everybody may register, so everybody may "
        "be an administrator."
    ),
    remediation=(
        "Take from a registration the few fields that it is for, by name, and set roles, rights and amounts yourself. Never bind the "
        "whole request to an account of the database."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="registration",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
