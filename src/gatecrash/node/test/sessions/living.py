"""Living sessions: an identity signed in at the target, renewed before it ends, and signed in again when it is refused.

One session serves all baselines of a run. Whoever needs it first signs in; all others wait for that one login. Every
request of a login is paced, counted and marked as a test request is, and goes to allowed hosts only.
"""

import asyncio
import logging
import secrets
import time
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping

import msgspec

from gatecrash.core.errors import InvalidProfile, TargetError
from gatecrash.core.message import Request, Response, reading
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.callers.credentials import COOKIE, without_credentials
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.cookie_jar import CookieJar
from gatecrash.core.testing.profiles.dressing import put_all
from gatecrash.core.testing.profiles.expiry import ends_at
from gatecrash.core.testing.profiles.locked_out import locked_out
from gatecrash.core.testing.profiles.moment import Challenge, Moment
from gatecrash.core.testing.profiles.profile import ProfileIdentity, Step
from gatecrash.core.testing.profiles.signers.digest import Digest, challenge_of, next_nonce
from gatecrash.core.testing.profiles.signing import sign, with_variables
from gatecrash.core.testing.profiles.step_request import request_of
from gatecrash.core.testing.profiles.taking import renewed, take_all
from gatecrash.core.testing.profiles.template import BUILT_IN, fill, references
from gatecrash.node.test.connections.idempotency import renamed
from gatecrash.node.test.sessions.login_answers import may_pass, refused, unanswered

log = logging.getLogger(__name__)

PAUSES = (0.2, 1.0)
"""Between the tries of a login that nobody refused: a login service that restarts is back after a moment."""

MOST_REFUSALS = 3
"""Logins that the target refuses, in one run: more could lock the account."""

REST_SECONDS = 5.0
"""After a login that failed for other reasons, nobody tries again for this long."""

MOST_QUESTIONS = 5
"""For a Digest challenge: an application that asks nobody for a password needs not be asked for ever."""

DOUBT_SECONDS = 10.0
"""So long after a login a refusal is believed where there is no check address to ask."""


Transmit = Callable[[Request, str], Awaitable[Answer]]


class LoginFailed(TargetError):
    """No session can be had. The text says which step, and holds no secret."""


class LoginRefused(LoginFailed):
    """The target answered and refused, or its answer does not hold what the profile says: trying again helps nothing."""


class SignedIn(msgspec.Struct, frozen=True):
    """What a login gave, for a run to go on with: who is let in by making his account can make it once. generation, ends, at,
    by_refresh, registration: as the session has them.
    """

    login: tuple[Step, ...]
    generation: int
    variables: dict[str, str]
    jar: CookieJar
    ends: float | None
    at: float
    by_refresh: bool
    registration: tuple[Step, ...]


class LiveSession:
    """One identity at one origin. generation: how many logins there were; what was refused under an older one may be
    asked again. deaths: how often it was found dead.

    lock: held around each request by who may not share the session (one-time values, tokens that rotate).
    """

    def __init__(self, identity: ProfileIdentity, origin: str, transmit: Transmit) -> None:
        self.identity = identity
        self.generation = 0
        self.deaths = 0
        self.lock = asyncio.Lock()
        self.one_at_a_time = identity.one_at_a_time or isinstance(identity.sign, Digest)
        self.challenge: Challenge | None = None
        self._count = 0
        self._origin = origin
        self._transmit = transmit
        self._variables = dict(identity.variables)
        self._jar = CookieJar()
        self._ends: float | None = None
        self._signed_in_at = 0.0
        self._died = -1
        self._last_death = -1
        self._by_refresh = False
        # Values by host until something of the session changes; made anew each time where a value is made up.
        self._kept: dict[str, dict[Point, bytes]] = {}
        self._lasting = not any(name in BUILT_IN for placed in identity.values for name in references(placed.value))
        self._asked_for_challenge = 0
        self._refusals = 0
        self._registration = identity.registration
        self._ways = [identity.login, *identity.otherwise]
        self._failed: tuple[float, LoginFailed] | None = None
        self._signing_in: asyncio.Task[None] | None = None

    @property
    def signed_in(self) -> "SignedIn | None":
        """What it was given; None where it has not signed in."""
        given = (self._variables, self._jar, self._ends, self._signed_in_at, self._by_refresh, self._registration)
        return SignedIn(self.identity.login, self.generation, *given) if self.generation else None

    def go_on(self, before: "SignedIn") -> None:
        """Take over the session that an earlier login was given, where it was the same login as this one's."""
        if before.login == self.identity.login:
            self.generation, self._variables, self._jar = before.generation, before.variables, before.jar
            self._ends, self._signed_in_at, self._by_refresh = before.ends, before.at, before.by_refresh
            self._registration = before.registration

    @property
    def fresh(self) -> bool:
        """Whether it is signed in and not about to end."""
        if not self.identity.login:
            return True
        return self.generation > 0 and (self._ends is None or time.time() < self._ends)

    @property
    def doubtful(self) -> bool:
        """Whether a refusal may mean that it died: it is not just signed in."""
        return self.age > DOUBT_SECONDS

    @property
    def can_sign_in(self) -> bool:
        """Whether a new login may still be tried."""
        return bool(self.identity.login) and self._refusals < MOST_REFUSALS

    async def close(self) -> None:
        """Ends a login under way."""
        if self._signing_in is not None:
            self._signing_in.cancel()
            await asyncio.gather(self._signing_in, return_exceptions=True)

    async def ready(self, baseline_id: str) -> None:
        """Signs in where that is needed, on behalf of a baseline. Raises LoginFailed."""
        if not self.fresh:
            await self._sign_in_once(baseline_id)

    async def revive(self, seen: int, baseline_id: str) -> None:
        """A new login, unless there was one since generation `seen`. Raises LoginFailed."""
        if self.generation == seen:
            self._died, self._ends = seen, 0.0
            await self._sign_in_once(baseline_id)

    def found_dead(self, generation: int) -> None:
        """A new login helped, so the session of this generation was dead; told by all who noticed, counted once."""
        if generation > self._last_death:
            self.deaths += 1
            self._last_death = generation

    @property
    def age(self) -> float:
        """Seconds since the last login."""
        return time.monotonic() - self._signed_in_at

    def values(self, host: str) -> dict[Point, bytes]:
        """What a request to this host carries now. Raises LoginFailed where a variable has no value."""
        if (kept := self._kept.get(host)) is not None:
            return kept
        made = _made_up()
        try:
            values = {
                Point(placed.point): fill(placed.value, {**self._variables, **made}).encode("utf-8")
                for placed in self.identity.values
            }
        except InvalidProfile as error:
            raise LoginFailed(f"identity {self.identity.name!r}: {error}") from error
        if self.identity.cookies:
            for name, value in self._jar.of(host):
                values.setdefault(Point((*COOKIE, name)), value)
        if self._lasting:
            self._kept[host] = values
        return values

    def signed(self, request: Request) -> Request:
        """The request under a key of its own, signed now where the identity signs. Raises LoginFailed where a key cannot be used."""
        request = renamed(request)
        if self.identity.sign is None:
            return request
        try:
            signer = with_variables(self.identity.sign, lambda text: fill(text, self._variables))
        except InvalidProfile as error:
            raise LoginFailed(f"identity {self.identity.name!r}, sign: {error}") from error
        self._count += 1
        moment = Moment(now=time.time(), nonce=secrets.token_hex(16), challenge=self.challenge, count=self._count)
        try:
            return sign(signer, request, moment)
        except ValueError as error:
            # A key that a login handed out; the library's own text could quote it.
            raise LoginFailed(f"identity {self.identity.name!r}, sign: the key is not of its algorithm") from error

    async def one_time(self, request: Request, steps: Iterable[Step], baseline_id: str) -> Mapping[str, str]:
        """Variables for one request: made up, and fetched by these steps. Raises LoginFailed."""
        variables = {**self._variables, **_made_up()}
        for place, step in enumerate(steps):
            variables |= await self._step(
                step, variables, f"one-time step {place}", baseline_id, signed_in=request.host
            )
        return variables

    async def challenged(self, request: Request, baseline_id: str) -> None:
        """Learns the server's Digest challenge, by a safe question without credentials where it is not known yet."""
        if self.challenge is not None or not isinstance(self.identity.sign, Digest):
            return
        self._asked_for_challenge += 1
        if self._asked_for_challenge > MOST_QUESTIONS:
            return
        bare = without_credentials(request, (Point.of("header", "AUTHORIZATION"),))
        if not is_safe(bare):
            bare = reading(bare, bare.target)
        answer = await self._transmit(bare, baseline_id)
        if answer.exchange.response is not None:
            self.hear(answer.exchange.response, self.generation)

    def hear(self, response: Response, generation: int, host: str = "") -> bool:
        """Takes what an answer renews; whether it holds a new challenge, so that a refused request is worth repeating.

        generation: of the session that it answers; what an older one gets is no news to this one. host: whose tokens it may renew.
        """
        if host and generation == self.generation and self._jar.take_tokens(host, response):
            self._kept.clear()
        if self.identity.renew and generation == self.generation:
            self._variables = renewed(self.identity.renew, response, self._variables)
            self._kept.clear()
        if not isinstance(self.identity.sign, Digest):
            return False
        challenge = challenge_of(response) if response.status == 401 else None
        nonce = next_nonce(response)
        if challenge is None and nonce is not None and self.challenge is not None:
            challenge = msgspec.structs.replace(self.challenge, nonce=nonce)
        if challenge is None or challenge == self.challenge:
            return False
        self.challenge, self._count = challenge, 0
        return response.status == 401

    async def _sign_in_once(self, baseline_id: str) -> None:
        """One login for all who wait. Shielded: a baseline that is dropped must not end the others' login."""
        if self._signing_in is None:
            self._signing_in = asyncio.ensure_future(self._sign_in(baseline_id))
            self._signing_in.add_done_callback(self._signed_in)
        await asyncio.shield(self._signing_in)

    def _signed_in(self, task: asyncio.Task[None]) -> None:
        self._signing_in = None
        # Read here, so that a failure which everybody who waited was too late for is not reported as forgotten.
        if not task.cancelled():
            task.exception()

    async def _sign_in(self, baseline_id: str) -> None:
        self._check_hope()
        # What was refreshed and is dead all the same needs more than another refresh.
        dead_anew = self._died == self.generation and self._by_refresh
        self._by_refresh = False
        if self.generation and self.identity.refresh and not dead_anew and await self._refreshed(baseline_id):
            self._by_refresh = True
            return
        pauses = iter(PAUSES)
        while True:
            try:
                await self._login(baseline_id)
            except LoginFailed as error:
                pause = next(pauses, None)
                if pause is None or isinstance(error, LoginRefused):
                    self._failed = (time.monotonic(), error)
                    raise
                log.warning(
                    "login failed", extra={"identity": self.identity.name, "why": str(error), "again_in": pause}
                )
                await asyncio.sleep(pause)
            else:
                return

    def _check_hope(self) -> None:
        """Raises the last failure again where another try would be too many or too soon."""
        if self._failed is None:
            return
        when, error = self._failed
        if self._refusals >= MOST_REFUSALS or time.monotonic() - when < REST_SECONDS:
            raise LoginFailed(str(error)) from error

    async def _refreshed(self, baseline_id: str) -> bool:
        """Tries the refreshing steps; a refresh token that is used up or revoked is no failure yet."""
        try:
            await self._walk(self.identity.refresh, dict(self._variables), "refresh", baseline_id)
        except LoginFailed as error:
            log.info("session not refreshed", extra={"identity": self.identity.name, "why": str(error)})
            return False
        return True

    async def _login(self, baseline_id: str) -> None:
        """By what let in last, else by another password of the record, else behind its registration."""
        for way in tuple(self._ways):
            self._jar.clear()
            self._kept.clear()
            try:
                await self._walk(way, dict(self.identity.variables), "login", baseline_id)
                break
            except LoginRefused as error:
                self._refusals, last = self._refusals + 1, error
        else:
            if not await self._registered(baseline_id):
                raise last
            way = self.identity.login
            await self._walk(way, dict(self.identity.variables), "login", baseline_id)
        self._ways.sort(key=lambda one: one != way)
        self._refusals = 0

    async def _registered(self, baseline_id: str) -> bool:
        """Whether the account could be made anew, as it was recorded: an application that was set up again knows nobody. Tried once."""
        steps, self._registration = self._registration, ()
        try:
            for place, step in enumerate(steps):
                await self._step(step, dict(self.identity.variables), f"registration[{place}]", baseline_id)
        except LoginFailed as error:
            log.info("account not made anew", extra={"identity": self.identity.name, "why": str(error)})
            return False
        self._jar.clear()
        return bool(steps)

    async def _walk(self, steps: tuple[Step, ...], variables: dict[str, str], what: str, baseline_id: str) -> None:
        started = time.time()
        for place, step in enumerate(steps):
            variables |= await self._step(step, {**variables, **_made_up()}, f"{what}[{place}]", baseline_id)
        self._check_given(steps, what)
        self._variables = variables
        self._kept.clear()
        self._failed = None
        taken = [take.variable for step in steps for take in step.take]
        self._ends = ends_at(self.identity.expires_in, variables, taken, started)
        self._signed_in_at = time.monotonic()
        self.generation += 1

    def _check_given(self, steps: tuple[Step, ...], what: str) -> None:
        """Raises LoginRefused where nothing would tell whoever is signed in from nobody, whatever the answers say of it."""
        own = self.identity
        by_itself = own.values or own.once or own.sign is not None or not own.cookies
        if not (by_itself or self._jar or any(step.take for step in steps)):
            told = "no answer sets a cookie, so nobody is signed in; see whether the name and the password are right"
            raise LoginRefused(f"identity {own.name!r}, {what}: {told}")

    async def _step(
        self, step: Step, variables: Mapping[str, str], place: str, baseline_id: str, *, signed_in: str = ""
    ) -> dict[str, str]:
        """One step sent, and what its answer gives. signed_in: the host whose session it is a part of; empty for a login."""
        name = self.identity.name
        try:
            request = request_of(step, variables, self._origin, self._jar.of)
        except InvalidProfile as error:
            raise LoginRefused(f"identity {name!r}, {place}: {error}") from error
        if signed_in and request.host == signed_in:
            request = self._in_session(request)
        generation = self.generation
        answer = await self._transmit(request, baseline_id)
        response = answer.exchange.response
        if response is None:
            kind = LoginRefused if answer.failure == "not_allowed" else LoginFailed
            raise kind(f"identity {name!r}, {place}: {unanswered(answer.failure)}")
        self._jar.take(request.host, response)
        self._kept.clear()
        known_good = step.method != "GET" and bool(self.identity.otherwise or self.identity.registration)
        told = refused(response, by_page=known_good and not signed_in)
        if told and not step.visit:
            kind = LoginFailed if may_pass(response) else LoginRefused
            raise kind(f"identity {name!r}, {place}: {told}")
        if signed_in:
            self.hear(response, generation)
        try:
            return take_all(step.take, response)
        except InvalidProfile as error:
            raise LoginRefused(f"identity {name!r}, {place}: {error}{locked_out(response)}") from error

    def _in_session(self, request: Request) -> Request:
        return self.signed(put_all(request, self.values(request.host)))


def _made_up() -> dict[str, str]:
    """The words that every template knows, fresh at each use."""
    now = time.time()
    return {
        "uuid": str(uuid.uuid4()),
        "hex": secrets.token_hex(16),
        "now": str(int(now)),
        "now_ms": str(int(now * 1000)),
    }
