"""What a scan will do with each exchange of a capture: the baselines, and why the others are none."""

import secrets
from collections import Counter
from collections.abc import Callable, Collection, Iterable

import msgspec

from gatecrash.core.errors import InternalError
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.inventory.protocols.grpc import is_grpc
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.authorization.callers.credentials import worth_testing
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check, forecast, plan, within_budget
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.sockets import opens_socket
from gatecrash.core.testing.pacing.collecting import collect
from gatecrash.core.testing.policy import Policy
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.planning import foreseen, is_public, limited, made_anew
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.recorded import RecordedIdentities
from gatecrash.core.testing.profiles.recorded_session import LoginAddress
from gatecrash.core.testing.selection.duplicates import identity, says_more
from gatecrash.core.testing.selection.extensions_filter import ExtensionsFilter
from gatecrash.core.testing.selection.replay import replayable, why_not
from gatecrash.node.scan.captures.liveness import Sending, ended_logins
from gatecrash.node.scan.captures.strangers import Strangers
from gatecrash.node.test.recorder import new_id
from gatecrash.node.test.sessions.of_run import Sessions

DUPLICATE = "duplicate"
_MOST_TOLD, _LARGEST = 5, 200_000
# A flag and four bytes of length (gRPC over HTTP2, Length-Prefixed-Message): a message without a value has no more.
_HEAD_OF_FRAME = 5


class Planned(msgspec.Struct, frozen=True):
    """One baseline and its checks. skip: why it is not tested; empty where it is.

    The baseline's answer is kept only where it tells the run something.
    """

    baseline: Baseline
    skip: str
    checks: tuple[Check, ...] = ()

    @property
    def forecast(self) -> int:
        """Test requests that it costs where nothing is wrong."""
        return forecast(self.checks)


class Planner:
    """Makes baselines of exchanges. passed_over: how many were none, by reason. framed, opens: whether some are
    gRPC that cannot be read, and open WebSockets.

    profile: how tests will be signed in; without one given, what the exchanges show of several users, or of one who signed
    out, once they are planned. signs_in_again: whether it is the latter.
    """

    def __init__(
        self,
        policy: Policy,
        recogniser: Recognises,
        *,
        exclude_extensions: str = "",
        skip_duplicates: bool = True,
        profile: AuthProfile | None = None,
        dead: Collection[LoginAddress] = (),
        ask: Callable[[Iterable[Request]], Iterable[Exchange]] = lambda _requests: (),
    ) -> None:
        """Plan by this policy. dead: logins whose recorded sessions are over at the target. ask: sends what may tell
        who is who. Raises InvalidPattern where the extensions cannot be read.
        """
        self.passed_over: Counter[str] = Counter()
        self.framed = self.opens = False
        self.profile = profile
        self.signs_in_again = False
        self._sessions = Sessions(profile, _nothing)
        self._dead = dead
        self._ask = ask
        self._policy = policy
        self._recogniser = recogniser
        self._filter = ExtensionsFilter(exclude_extensions)
        self._skip_duplicates = skip_duplicates
        self._key = secrets.token_bytes(32)
        self._seen: dict[bytes, int] = {}
        self._answers: dict[bytes, set[int]] = {}
        self._told: set[tuple[str, ...]] = set()
        self._collected: set[tuple[str, ...]] = set()
        self._users = RecordedIdentities(recogniser, dead)
        self._is_given = profile is not None

    def plan(self, exchanges: Iterable[Exchange]) -> list[Planned]:
        """The baselines in their order. Raises InvalidPattern where a point of the policy cannot be read."""
        planned: list[Planned] = []
        users = self._users
        strangers = Strangers(self._recogniser)
        for exchange in exchanges:
            why = why_not(exchange)
            if why:
                self.passed_over[why] += 1
            else:
                self.framed |= _is_unreadable(exchange.request)
                self.opens |= opens_socket(exchange.request)
                users.see(exchange)
                strangers.see(exchange)
                planned.append(self._begun(Baseline(new_id(), replayable(exchange)), planned))
        if self.profile is None and not self._dead and not _signed_out(users):
            for answered in self._ask(strangers.questions()):
                users.tell(answered)
        self.profile = users.complete(self.profile)
        self.signs_in_again = not self._is_given and self.profile is not None and not self.profile.recorded
        if self.profile is not None:
            self._sessions = Sessions(self.profile, _nothing)
        return [one if one.skip else self._checked(one) for one in planned]

    async def signed_in_again(self, send: Sending, refused: Exchange) -> AuthProfile | None:
        """How the users sign in whose sessions have ended since; None where a profile was given, or no session is found over.

        refused: what was let in when it was recorded. That alone tells of a session that read nothing which could be asked for.
        """
        dead = frozenset() if self._is_given else await ended_logins(self._users.open(), send)
        if not dead and (self._is_given or not self._users.over(refused, only_untold=True)):
            return None
        self._users.end(dead)
        return self._users.complete(None)

    def _begun(self, baseline: Baseline, planned: list[Planned]) -> Planned:
        """planned: what was seen before, in which a later visit with more cookies takes the place of the first."""
        found = self._recogniser.recognise(baseline.request)
        same = identity(baseline.request, [one.point for one in found], self._key)
        skip = self._skip(baseline, same, len(planned))
        if skip == DUPLICATE and says_more(baseline.exchange, planned[self._seen[same]].baseline.exchange):
            planned[self._seen[same]] = _passed_over(planned[self._seen[same]].baseline, DUPLICATE)
            self._seen[same] = len(planned)
            return Planned(baseline, "")
        if not skip or (skip == DUPLICATE and self._tells_more(baseline, same, planned)):
            return Planned(baseline, skip)
        return _passed_over(baseline, skip)

    def _tells_more(self, baseline: Baseline, same: bytes, planned: list[Planned]) -> bool:
        """Whether a page is one of the first few of its address that say something else: a list that was read again
        shows what was made in between.
        """
        response = baseline.response
        if not is_safe(baseline.request) or response is None or response.status >= FIRST_ERROR:
            return False
        first = planned[self._seen[same]].baseline.response
        told = self._answers.setdefault(same, {hash(first.body)} if first is not None else set())
        is_new = hash(response.body) not in told and len(told) < _MOST_TOLD and len(response.body) <= _LARGEST
        if is_new:
            told.add(hash(response.body))
        return is_new

    def _checked(self, one: Planned) -> Planned:
        """With its checks, as the run will make them when it is signed in."""
        baseline, policy = one.baseline, self._policy
        own = self._sessions.own(baseline.request)
        points: tuple[Point, ...] = ()
        if own is not None and not self._sessions.recorded:
            request, points = foreseen(baseline.request, own.identity)
            baseline = Baseline(baseline.id, msgspec.structs.replace(baseline.exchange, request=request))
            assert self.profile is not None
            recorded = worth_testing(self._recogniser.recognise(one.baseline.request), one.baseline.request)
            public = is_public(self.profile, one.baseline.exchange, recorded)
            policy = limited(policy, made_anew(own.identity, request), public=public)
        found = self._recogniser.recognise(baseline.request)
        credentials = dict.fromkeys((*worth_testing(found, baseline.request), *points))
        identities = self._sessions.identities(baseline.request)
        checks = plan(baseline, policy, credentials, identities=identities, told=self._told)
        kept, _ = within_budget(collect(checks, self._collected), policy.budget)
        return Planned(one.baseline, "", tuple(kept))

    def _skip(self, baseline: Baseline, same: bytes, place: int) -> str:
        if baseline.request.method.upper() in {method.upper() for method in self._policy.methods_excluded}:
            return "method"
        if self._filter.excludes(baseline.request.path):
            return "extension"
        if same in self._seen and self._skip_duplicates:
            return DUPLICATE
        self._seen[same] = place
        return ""


def _is_unreadable(request: Request) -> bool:
    """Whether a call of gRPC has a message of which nothing is read."""
    if not is_grpc((request.first(b"Content-Type") or b"").lower()) or len(request.body) <= _HEAD_OF_FRAME:
        return False
    return not any(tuple(found.point[:2]) == ("post", "grpc") for found in walk(request).points)


def _passed_over(baseline: Baseline, why: str) -> Planned:
    """Only its head is shown again; keeping the bodies of a capture's thousand copies would cost its size."""
    request = msgspec.structs.replace(baseline.request, body=b"")
    return Planned(Baseline(baseline.id, Exchange(request)), why)


async def _nothing(_request: Request, _baseline_id: str) -> Answer:
    """A plan sends nothing."""
    raise InternalError("a plan was to send a request")


def _signed_out(users: RecordedIdentities) -> bool:
    """Whether users of the record signed out: they are asked once they have signed in again, for what their recorded
    sessions are refused by now says nothing of them.
    """
    shown = users.profile()
    return shown is not None and not shown.recorded
