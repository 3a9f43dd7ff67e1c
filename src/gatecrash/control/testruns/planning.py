"""What a run makes of a baseline: whether it is tested, when, and how many test requests that is forecast to cost."""

import hmac
from collections.abc import Iterable, Sequence

import msgspec
from django.conf import settings

from gatecrash.control.findings.recognising import current_recogniser
from gatecrash.control.inventory.queries import learned_sessions
from gatecrash.control.profiles.queries import identities, masked_points
from gatecrash.control.testruns import surveying
from gatecrash.control.testruns.check_rows import CheckRow
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.auth.sessions import LearnedCookie, Sessions
from gatecrash.core.errors import InvalidPattern, InvalidPolicy
from gatecrash.core.inventory.endpoint import host_of
from gatecrash.core.inventory.learned import Learned
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.reports.masking import mask_request
from gatecrash.core.testing.authorization.callers.credentials import worth_testing
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check, forecast, plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.ordering import DESTRUCTIVE, rank_of
from gatecrash.core.testing.pacing.parts import EVERYTHING, Todo, to_make
from gatecrash.core.testing.pacing.passes import Sort, sort_of
from gatecrash.core.testing.policy import BUILT_IN, DEFAULT, Policy
from gatecrash.core.testing.profiles.belonging import own_first
from gatecrash.core.testing.run_events import Status
from gatecrash.core.testing.selection.alike import kind_of
from gatecrash.core.testing.selection.duplicates import identity
from gatecrash.core.testing.selection.extensions_filter import ExtensionsFilter

MOST_LEARNED = 100


class Plan(msgspec.Struct, frozen=True):
    """What is known of a baseline before it has a row.

    skip: why it is never tested; empty where it is. url: as it may be shown, credentials masked.
    whose: a keyed digest of the credentials that it came with; empty without any.
    kind: a keyed digest that requests share which differ in numbers alone; empty where it can destroy, which is tested
    as recorded. sort: how it goes through the turns of the run.
    """

    baseline: Baseline
    duplicate: str
    rank: int
    skip: str
    forecast: int
    url: str
    whose: str = ""
    kind: str = ""
    sort: Sort = Sort.READ


class Planner:
    """Plans baselines of the current client for one run, or for a record that is made without one.

    A session's cookie is known by the login that issued it, as the node knows it: without that two users who ask for the
    same would be one baseline, and nothing would be planned for their sessions.
    """

    def __init__(self, row: TestRun | None) -> None:
        """Compile the run's settings and the client's authentication parameters."""
        self._row = row
        self._policy = policy_of(row) if row else DEFAULT
        self._filter = ExtensionsFilter(row.file_extensions_to_exclude if row else "")
        self._configured = current_recogniser()
        self._sessions = Sessions()
        self._hosts: set[str] = set()
        self._told: set[tuple[str, ...]] = set()
        self._collected: set[tuple[str, ...]] = set()
        self._recogniser = Learned(self._configured, self._sessions)
        # What tests take for credentials. Which baselines are identical was said before a node had found any of these headers.
        headers = [Point(("header", name)) for name in row.credential_headers] if row else []
        self._tested = Learned(current_recogniser(headers), self._sessions)
        self._masked = masked_points()
        self._identities = identities(row.auth_profile_id) if row else ()
        self._users = surveying.users(row) if row else None
        self._key = hmac.digest(settings.SECRET_KEY.encode(), b"gatecrash duplicates", "sha256")

    def plan(self, baselines: Iterable[Baseline]) -> list[Plan]:
        """Look at each baseline by itself; whether it is a duplicate is known only beside the others."""
        return [self._plan(baseline) for baseline in baselines]

    def learned(self) -> tuple[LearnedCookie, ...]:
        """Session cookies that logins among the planned baselines issued and that nobody had told of."""
        return self._sessions.news(MOST_LEARNED)

    def _plan(self, baseline: Baseline) -> Plan:
        request = baseline.request
        self._follow(baseline)
        found = self._recogniser.recognise(request)
        credentials = tuple(item.point for item in found)
        skip = self._skip(baseline)
        url = mask_request(request, self._configured, self._masked).url
        cost = 0 if skip or self._row is None else self._cost(baseline)
        digest = identity(request, credentials, self._key).hex()
        place, whose = rank_of(baseline), self._whose(request, credentials)
        kind = self._kind(request) if place < DESTRUCTIVE else ""
        return Plan(baseline, digest, place, skip, cost, url, whose, kind, sort_of(baseline, place))

    def left(self, baseline: Baseline, todo: Todo, spent: int) -> tuple[int, int]:
        """How many of its checks are still to be made, and their forecast within what the budget leaves."""
        self._follow(baseline)
        kept, left = to_make(self._checks(baseline), todo, self._collected, self._policy.budget, spent)
        return len(kept) + len(left), forecast(kept)

    def cost(self, baseline: Baseline) -> int:
        """The test requests that it is forecast to take, with all that is known of the record's users by now."""
        self._follow(baseline)
        return self._cost(baseline)

    def _follow(self, baseline: Baseline) -> None:
        """Learn what its answer issues, with what is known of its host already."""
        host = host_of(baseline.request)
        if host not in self._hosts:
            self._hosts.add(host)
            self._sessions.adopt(learned_sessions(host))
        self._sessions.follow(host, baseline.exchange, self._configured.recognise(baseline.request))

    def _cost(self, baseline: Baseline) -> int:
        kept, _ = to_make(self._checks(baseline), EVERYTHING, self._collected, self._policy.budget, 0)
        return forecast(kept)

    def _checks(self, baseline: Baseline) -> list[Check]:
        """Its checks; none by a policy that cannot be applied, of which the node says why."""
        credentials = worth_testing(self._tested.recognise(baseline.request), baseline.request)
        try:
            return plan(baseline, self._policy, credentials, identities=self._who(baseline.request), told=self._told)
        except (InvalidPattern, InvalidPolicy):
            return []

    def _whose(self, request: Request, credentials: Iterable[Point]) -> str:
        """Whoever it is; any cookie may be a session, which is known only by the login that issued it."""
        values = [read(request, point) or b"" for point in credentials]
        values += [value for name, value in request.headers if name.lower() == b"cookie"]
        return hmac.digest(self._key, b"\0".join(values), "sha256").hex()[:32] if any(values) else ""

    def _kind(self, request: Request) -> str:
        return hmac.digest(self._key, repr(kind_of(request)).encode(), "sha256").hex()[:32]

    def _who(self, request: Request) -> tuple[Identity, ...]:
        """Who its tests may be sent as: the users of the record, where no profile was given."""
        if self._users is None:
            return self._identities
        return tuple(each.identity for each in own_first(self._users, request))

    def _skip(self, baseline: Baseline) -> str:
        if baseline.request.method.upper() in {method.upper() for method in self._policy.methods_excluded}:
            return "method"
        return "extension" if self._filter.excludes(baseline.request.path) else ""


def policy_of(row: TestRun) -> Policy:
    """The run's policy, as it was when the run began."""
    return BUILT_IN[row.policy_id] if row.policy is None else msgspec.convert(row.policy, Policy)


def checks(row: TestRun, first: int, plans: Sequence[tuple[Plan, bool]], open_as: Status) -> list[CheckRow]:
    """The rows of plans under sequence numbers from `first` on. The flag says that an identical baseline came before."""
    return [
        _check(first + place, plan, _why_skipped(row, plan, is_repeated), open_as)
        for place, (plan, is_repeated) in enumerate(plans)
    ]


def _why_skipped(row: TestRun, plan: Plan, is_repeated: bool) -> str:
    return plan.skip or ("duplicate" if is_repeated and row.skip_duplicated_baselines else "")


def _check(sequence: int, plan: Plan, skip: str, open_as: Status) -> CheckRow:
    row = CheckRow(sequence, plan.rank, plan.baseline.id, open_as, sort=plan.sort, turn=int(plan.sort))
    if skip:
        return msgspec.structs.replace(row, status=Status.SKIPPED, detail=skip)
    remaining = plan.forecast if open_as is Status.WAITING else 0
    return msgspec.structs.replace(row, forecast=plan.forecast, remaining=remaining, kind=plan.kind)
