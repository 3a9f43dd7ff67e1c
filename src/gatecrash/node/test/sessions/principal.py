"""Who one baseline's tests are sent as: the baseline dressed in a session, and every request brought up to date with it."""

from collections.abc import Awaitable, Iterable
from urllib.parse import urlsplit

import msgspec

from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.authorization.callers.credentials import (
    COOKIE,
    counting_cookies,
    without_credentials,
    worth_testing,
)
from gatecrash.core.testing.authorization.ranks.claimed_rights import with_written
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.forms.tokens import cookies_of, doubled
from gatecrash.core.testing.policy import Policy
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.profiles.dressing import (
    PENDING,
    as_other,
    as_recorded,
    by_the_browser,
    pending,
    put,
    put_all,
    up_to_date,
    without_choices,
)
from gatecrash.core.testing.profiles.planning import is_of_a_visitor, is_public, limited, made_anew
from gatecrash.core.testing.profiles.profile import RECORDED, AuthProfile
from gatecrash.core.testing.profiles.recorded_guards import is_guard
from gatecrash.core.testing.profiles.signing import proof_points
from gatecrash.formats.draft import sender_of
from gatecrash.node.test.connections.idempotency import renamed
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.form_state import FormState
from gatecrash.node.test.sessions.gate import SessionGate
from gatecrash.node.test.sessions.living import LiveSession, LoginFailed
from gatecrash.node.test.sessions.request import Errand, OneTime

SIGNED_OUT = "signed_out"
"""The failure of a request as an identity that cannot be signed in."""


class Principal:
    """The sender of one baseline's tests. credentials: the points at which its requests carry some.

    session: its own; None where the baseline keeps what was recorded, as the session's own login does where cookies are all:
    many an application ends the session that it comes in, and gives another; so does what a visitor changed. kept_out:
    points that the session fills anew for each request, where nothing a probe inserts would arrive.
    """

    def __init__(self, baseline: Baseline, traffic: Traffic, recogniser: Recognises) -> None:
        self.baseline = baseline
        self._recorded = baseline.request
        sender = sender_of(baseline.exchange)
        session = traffic.sessions.own(baseline.request, sender)
        self.identities = traffic.sessions.identities(baseline.request, sender)
        self.credentials = worth_testing(recogniser.recognise(baseline.request), baseline.request)
        self.kept_out: tuple[Point, ...] = ()
        profile = traffic.sessions.profile
        keeps = session is None or _begins(session, baseline.exchange) or self._is_changed_by_a_visitor(profile)
        self.session = None if keeps else session
        self._public = (
            self.session is not None and profile is not None and is_public(profile, baseline.exchange, self.credentials)
        )
        self._traffic = traffic
        self._errand = Errand(traffic, baseline.id)
        self._recogniser = recogniser
        self._before: dict[Point, bytes] = {}
        self._proof: tuple[Point, bytes | None] | None = None
        self._tokens = {one.point: one.value for one in traffic.forms.sources.tokens(baseline.request)}
        self._form: FormState | None = None

    def _is_changed_by_a_visitor(self, profile: AuthProfile | None) -> bool:
        """Whether a visitor changed something, who had no token of anybody's session for it."""
        exchange = self.baseline.exchange
        return (
            profile is not None
            and not is_safe(exchange.request)
            and is_of_a_visitor(profile, exchange, self.credentials)
        )

    @property
    def forms(self) -> bool:
        """Whether requests need something made anew, or wait for those that do."""
        forms = self._traffic.forms
        return self._form is not None or (forms.gated and forms.gate(self._shared) is not None)

    @property
    def guarded(self) -> bool:
        """Whether its request holds a token against forged ones, which is of one session."""
        return bool(self._tokens)

    @property
    def generation(self) -> int:
        """Of its session; always the same without one."""
        return 0 if self.session is None else self.session.generation

    @property
    def deaths(self) -> int:
        """How often its session was found dead."""
        return 0 if self.session is None else self.session.deaths

    async def dress(self) -> Baseline:
        """The baseline in the credentials of a living session. Raises LoginFailed."""
        session = self.session
        if session is None:
            self._note_form()
            return self.baseline
        await session.ready(self.baseline.id)
        await session.challenged(self.baseline.request, self.baseline.id)
        self._before = self._put_on(session)
        request = pending(session.identity.once, put_all(self.baseline.request, self._before))
        request = session.signed(request)
        self.baseline = Baseline(self.baseline.id, msgspec.structs.replace(self.baseline.exchange, request=request))
        self._note_points(session)
        self._note_form()
        return self.baseline

    def send(self, asked: TestRequest) -> Awaitable[Answer]:
        """One test request as who it asks for. Raises LoginFailed where the own session cannot be had."""
        if asked.raw:
            return self._raw(asked.request)
        if asked.identity is None and self._form is not None:
            return self._form.send(asked)
        gate = self._traffic.forms.gate(self._shared) if asked.identity is None else None
        if gate is not None:
            return self._in_turn(gate, asked.request)
        return self._as_asked(asked)

    def _raw(self, request: Request) -> Awaitable[Answer]:
        """As it is. Where its credentials are all there, something else is the question, and a stale token would be the answer."""
        if self._form is None or not self.intact(request):
            return self._traffic.send(request, self.baseline.id)
        return self._form.send_raw(request, lambda fresh: self._traffic.send(fresh, self.baseline.id))

    def _as_asked(self, asked: TestRequest) -> Awaitable[Answer]:
        session = self.session
        if session is None and asked.identity is None:
            return self._traffic.send(asked.request, self.baseline.id)
        if asked.identity == "":
            return self._traffic.send(without_credentials(asked.request, self.credentials), self.baseline.id)
        if asked.identity is not None or session is None:
            return self._send_as(asked)
        return self._errand.run(session, asked.request, lambda values: self._own(session, asked.request, values))

    @property
    def _shared(self) -> object:
        """Whose tokens the baseline's are: its session's, or those of who was recorded at its origin."""
        return self.session or self.baseline.request.origin

    def _note_form(self) -> None:
        forms = self._traffic.forms
        state = FormState(self.baseline, forms, self._shared, self._plain_own, lambda: self.generation)
        self._form = state if state.needed else None

    async def _plain_own(self, request: Request) -> Answer:
        return await self._as_asked(TestRequest(request))

    async def _in_turn(self, gate: SessionGate, request: Request) -> Answer:
        async with gate.together():
            return await self._plain_own(request)

    def send_bare(self, request: Request, credentials: Iterable[Point]) -> Awaitable[Answer]:
        """A request as nobody, without what lets somebody in there, and without what the session sets."""
        own = self.session.identity.points if self.session is not None else ()
        bare = without_credentials(request, tuple(dict.fromkeys((*credentials, *own))))
        return self._traffic.send(bare, self.baseline.id)

    async def send_plain(self, session: LiveSession, request: Request) -> Answer:
        """A request that carries no credentials yet, in a session. Raises LoginFailed."""
        return await self._errand.plain(session, request)

    def limited(self, policy: Policy) -> Policy:
        """The policy without what would not arrive, and without what this baseline's own clients know."""
        return limited(policy, self.kept_out, public=self._public)

    def intact(self, request: Request) -> bool:
        """Whether the request still carries all credentials that the baseline was dressed in."""
        dressed = self.baseline.request
        # Most tests change the target or the body alone, and most credentials stand in headers.
        headers = request.headers is dressed.headers
        for point in self.credentials:
            if not (headers and point[0] == "header") and read(request, point) != read(dressed, point):
                return False
        return True

    def _put_on(self, session: LiveSession) -> dict[Point, bytes]:
        """What the baseline is dressed in: all that the session sets but the choices that the recorded user had made since;
        of who signs in again as he did what the request came with, and of recorded credentials what it carries already.
        """
        request, values = self.baseline.request, session.values(self.baseline.request.host)
        values = without_choices(request, values, session.identity.points)
        values |= doubled(request, self._tokens, values)
        if not self._traffic.sessions.recorded:
            profile = self._traffic.sessions.profile
            return as_recorded(request, values) if profile is not None and profile.id == RECORDED else values
        return {point: value for point, value in values.items() if read(request, point) == value}

    def _note_points(self, session: LiveSession) -> None:
        request = self.baseline.request
        found = worth_testing(self._recogniser.recognise(request), request)
        signed = proof_points(session.identity.sign, request) if session.identity.sign else ()
        # A number that a login hands out beside its session says what is asked for, and lets nobody in; alone it is the session.
        counting = {point for point in counting_cookies(request) if point not in session.identity.points}
        held = [point for point in (*self._before, *signed[:1]) if read(request, point) is not None]
        set_here = [point for point in held if point not in counting]
        # What guards against forged requests comes with a session, and lets nobody in by itself.
        letting_in = (*found, *(point for point in set_here if not _guards(point)))
        self.credentials = tuple(dict.fromkeys(letting_in or set_here or held))
        self.kept_out = made_anew(session.identity, request)
        self._proof = (signed[0], read(request, signed[0])) if signed else None

    async def _send_as(self, asked: TestRequest) -> Answer:
        """As another identity; where it cannot be signed in the answer says so: its trouble is not the baseline's."""
        session = self._traffic.sessions.named(asked.identity or "", self.baseline.request)
        why = ""
        if session is not None:
            try:
                await session.challenged(asked.request, self.baseline.id)
                fresh = await self._form.fresh(lambda page: self.send_plain(session, page)) if self._form else {}
                return await self._errand.run(
                    session, asked.request, lambda values: self._as(session, asked, {**fresh, **values})
                )
            except LoginFailed as error:
                why = str(error) if session.identity.login else ""
        return Answer(Exchange(asked.request), SIGNED_OUT, detail=why)

    def _as(self, session: LiveSession, asked: TestRequest, once: OneTime) -> Request:
        kept = self._traffic.sessions.beside(asked.identity or "", self._recorded)
        values = session.values(asked.request.host)
        values = {**kept, **values, **doubled(self._recorded, self._tokens, values), **once}
        request = as_other(asked.request, self.credentials, values, session.identity.choices)
        request = with_written(request, asked.written)
        return session.signed(by_the_browser(request, session.identity, self._recorded))

    def _now(self, session: LiveSession, host: str) -> dict[Point, bytes]:
        values = session.values(host)
        return {**values, **doubled(self._recorded, self._tokens, values)} if self._tokens else values

    def _own(self, session: LiveSession, request: Request, once: OneTime) -> Request:
        """Up to date wherever a probe left the session's values alone; signed again where the proof is still there."""
        sent = up_to_date(renamed(request), self._before, self._now(session, request.host))
        for point, value in once.items():
            if read(request, point) == PENDING:
                sent = put(sent, point, value)
        if self._proof is not None and read(request, self._proof[0]) == self._proof[1]:
            sent = session.signed(sent)
        return sent


def _guards(point: Point) -> bool:
    return point[0] == "header" and len(point) == 2 and is_guard(point[-1])


def _begins(session: LiveSession, exchange: Exchange) -> bool:
    """Whether an exchange is the login that such a session's cookies come from: the profile's, or one that gives another cookie.

    Others, behind the first (a login to a part of the site), are for who is signed in already.
    """
    identity = session.identity
    if not signs_in(exchange.request) or identity.sign is not None or identity.once:
        return False
    path = exchange.request.path.decode("latin-1")
    is_a_step = any(urlsplit(step.url).path == path for step in identity.login)
    given = (
        {cookie.name.decode("latin-1") for cookie in issued(exchange.response)}
        if exchange.response is not None
        else set()
    )
    if not all(point[: len(COOKIE)] == COOKIE for point in identity.points):
        return is_a_step and bool(given)  # a token beside makes no difference to the cookies
    own = {*cookies_of(exchange.request), *(point[-1] for point in identity.points)}
    return is_a_step or not own.isdisjoint(given)
