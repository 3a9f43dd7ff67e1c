"""From a baseline and a policy to the checks that will be made: which probe looks at which point, and at what cost."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from random import Random

import msgspec

from gatecrash.core.message import with_header
from gatecrash.core.point import Point, PointPattern
from gatecrash.core.points.formats.graphql import GRAPHQL
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.authorization.identity import Identity
from gatecrash.core.testing.authorization.makers import Made
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.issued_cookies import revisited
from gatecrash.core.testing.dialogues.lockout import is_within, password_of
from gatecrash.core.testing.extensions.engine import probes_of
from gatecrash.core.testing.hidden_parameters import behind
from gatecrash.core.testing.list_values import firsts_of_lists
from gatecrash.core.testing.memory import Memory
from gatecrash.core.testing.ordering import signs_out
from gatecrash.core.testing.out_of_band import OutOfBand
from gatecrash.core.testing.pages import Page
from gatecrash.core.testing.policy import LOCATIONS, PUBLIC_AUTH, Policy, is_thorough
from gatecrash.core.testing.probe import Probe, Situation
from gatecrash.core.testing.records import one_of_each
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.core.testing.walked_points import walked

# What applications write down of who called, and then into statements.
_CALLER = b"127.0.0.1"
# Probes of the whole request (auth, idor) have no point, so the policy's points do not limit them (decisions 9).
_NOWHERE = Point()
# RFC 9110 section 7.6.1 (hop-by-hop), and what tells where the request goes and how its body is to be read.
_NOT_INJECTED = frozenset(
    {
        "CONNECTION",
        "EXPECT",
        "HOST",
        "HTTP2-SETTINGS",
        "KEEP-ALIVE",
        "PROXY-AUTHENTICATE",
        "PROXY-AUTHORIZATION",
        "PROXY-CONNECTION",
        "TE",
        "TRAILER",
        "TRANSFER-ENCODING",
        "UPGRADE",
        "X-GATECRASH-MARKER",
    }
)


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One probe at one point of one baseline. forecast: test requests that it costs where nothing is wrong."""

    probe: Probe
    baseline: Baseline
    point: Point
    value: bytes
    credentials: tuple[Point, ...]
    policy: Policy
    forecast: int
    identities: tuple[Identity, ...] = ()
    pages: tuple[Page, ...] = ()
    makers: tuple[Made, ...] = ()
    visited: bool = False
    memory: Memory = msgspec.field(default_factory=Memory)

    def situation(self, random: Random, oob: OutOfBand | None = None) -> Situation:
        """What the probe is told; the same seed gives the same dialogue. oob: addresses that the target can reach."""
        return Situation(
            baseline=self.baseline,
            point=self.point,
            value=self.value,
            credentials=self.credentials,
            policy=self.policy,
            random=random,
            identities=self.identities,
            oob=oob,
            pages=self.pages,
            makers=self.makers,
            visited=self.visited,
            memory=self.memory,
        )


def plan(
    baseline: Baseline,
    policy: Policy,
    credentials: Iterable[Point] = (),
    probes: Iterable[Probe] = REGISTRY,
    *,
    identities: tuple[Identity, ...] = (),
    pages: tuple[Page, ...] = (),
    makers: tuple[Made, ...] = (),
    visited: bool = False,
    told: set[tuple[str, ...]] | None = None,
) -> list[Check]:
    """The checks of a baseline, in the policy's order of types, those of a login's password last; none where the policy leaves
    its method out.

    credentials: the points at which detection found some; nothing is inserted there or inside them.
    identities: who tests may be sent as, the baseline's own first. pages: those beside the baseline.
    makers: what made the object that it names, or one of its kind.
    visited: whether visitors were answered well at its address. told: what the run found that it would find again elsewhere.
    Raises InvalidPattern where a point pattern of the policy cannot be read, InvalidPolicy where an extension cannot.
    """
    if baseline.request.method.upper() in {method.upper() for method in policy.methods_excluded}:
        return []
    known = tuple(dict.fromkeys(credentials))
    random = Random(0)  # noqa: S311 -- payloads need variety, not secrecy
    places = injectable(baseline, policy, known)
    memory = Memory(tuple(places), told)

    def situated(places: Iterable[tuple[Point, bytes]], baseline: Baseline = baseline) -> list[Situation]:
        return [
            Situation(
                baseline=baseline,
                point=point,
                value=value,
                credentials=known,
                policy=policy,
                random=random,
                identities=identities,
                pages=pages,
                makers=makers,
                visited=visited,
                memory=memory,
            )
            for point, value in places
        ]

    # Every probe is told the same of a place, until its dialogue begins.
    everywhere, nowhere = situated(places), situated([(_NOWHERE, b"")])
    again = revisited(baseline) if "header" in policy.locations else None
    if again is not None:
        inside = [found for found in injectable(again[0], policy, known) if _within(found[0], again[1])]
        everywhere += situated(inside, again[0])
    checks: list[Check] = []
    # Each test of who may sign out would only end the session that the others are sent in.
    ending = signs_out(baseline.request)
    kept = [probe for probe in probes if not ending or probe.type != "auth" or probe.of_logouts]
    wanted = [] if policy.only_custom else [probe for probe in kept if _named_for(probe, policy) in policy.types]
    ordered = sorted(wanted, key=lambda probe: policy.types.index(_named_for(probe, policy)))
    own = probes_of(policy.extensions)
    for probe in (*ordered, *own):
        situations = nowhere if probe.whole else everywhere
        if probe.names_points:
            everything = msgspec.structs.replace(policy, locations=LOCATIONS)
            situations = situated(injectable(baseline, everything, known))
        if probe.forwarded and "header" in policy.locations:
            situations = [*situations, *situated(*_forwarded(baseline))]
        checks += [_check(probe, situation) for situation in situations if probe.applies(situation)]
    hidden = behind(ordered)
    if hidden is not None:
        checks += [_check(hidden, situation) for situation in nowhere if hidden.applies(situation)]
    password = password_of(baseline)
    checks.sort(key=lambda check: is_within(check.point, password))  # what may lock the account goes last
    return _one_of_each(checks, own) if policy.one_family else checks


def _named_for(probe: Probe, policy: Policy) -> str:
    """The type by which the policy asks for the probe."""
    return PUBLIC_AUTH if probe.of_answers and PUBLIC_AUTH in policy.types else probe.type


def _check(probe: Probe, situation: Situation) -> Check:
    return Check(
        probe=probe,
        baseline=situation.baseline,
        point=situation.point,
        value=situation.value,
        credentials=situation.credentials,
        policy=situation.policy,
        forecast=probe.forecast(situation),
        identities=situation.identities,
        pages=situation.pages,
        makers=situation.makers,
        visited=situation.visited,
        memory=situation.memory,
    )


def _one_of_each(checks: list[Check], own: Sequence[Probe]) -> list[Check]:
    """The first check of each type at each point, and all of the user's own."""
    first: dict[tuple[str, Point], Check] = {}
    for check in checks:
        if check.probe not in own:
            first.setdefault((check.probe.type, check.point), check)
    return [check for check in checks if check.probe in own or first[check.probe.type, check.point] is check]


def as_others(checks: Iterable[Check]) -> list[Check]:
    """Those that are made as another identity: what is left of a baseline that was tested before anybody else was known."""
    return [check for check in checks if check.probe.as_others and len(check.identities) > 1]


def forecast(checks: Iterable[Check]) -> int:
    """How many test requests the checks cost where nothing is wrong."""
    return sum(check.forecast for check in checks)


def within_budget(checks: Iterable[Check], budget: int | None) -> tuple[list[Check], list[Check]]:
    """The checks that the budget (test requests for this baseline) pays for, in order, and those it does not."""
    if budget is None:
        return list(checks), []
    kept: list[Check] = []
    left: list[Check] = []
    spent = 0
    for check in checks:
        spent += check.forecast
        (kept if spent <= budget and not left else left).append(check)
    return kept, left


def injectable(baseline: Baseline, policy: Policy, credentials: Iterable[Point]) -> list[tuple[Point, bytes]]:
    """The points at which this policy lets probes insert, each once, with the value there; of many records' points one's."""
    kept: dict[Point, bytes] = {}
    taken = tuple(credentials)
    include = [PointPattern.parse(pattern) for pattern in policy.include]
    exclude = [PointPattern.parse(pattern) for pattern in policy.exclude]
    named = "name" in policy.locations
    policy = _with_documents(baseline, policy)
    for found in walk(baseline.request, names=True).points if named else walked(baseline.request):
        point = found.point
        if point in kept or not may_inject(point, policy, taken) or GRAPHQL.looks(found.value):
            continue  # the text of a query is code and no value; what it holds are values
        # A point that is named stands for what is decoded inside its value, too.
        if include and not any(pattern.covers(point) for pattern in include):
            continue
        if not any(pattern.covers(point) for pattern in exclude):
            kept[point] = found.value
    kept = one_of_each(kept)
    return [*kept.items(), *(firsts_of_lists(kept).items() if is_thorough(policy) and not include else ())]


def _with_documents(baseline: Baseline, policy: Policy) -> Policy:
    """The policy; where it looks at paths, a document's name before its extension is a part of one (`/invoices/7.pdf`)."""
    has_extension = b"." in baseline.request.path.rpartition(b"/")[2][1:]
    if not has_extension or "path" not in policy.locations or "action_name" in policy.locations:
        return policy
    return msgspec.structs.replace(policy, locations=(*policy.locations, "action_name"))


def _forwarded(baseline: Baseline) -> tuple[list[tuple[Point, bytes]], Baseline]:
    """The baseline as if a proxy had passed it on, and the one point of it that is new; none where a proxy did."""
    request = baseline.request
    if request.first(b"X-Forwarded-For") is not None:
        return [], baseline
    headers = with_header(request.headers, b"X-Forwarded-For", _CALLER)
    exchange = msgspec.structs.replace(baseline.exchange, request=msgspec.structs.replace(request, headers=headers))
    return [(Point.of("header", "X-FORWARDED-FOR"), _CALLER)], Baseline(baseline.id, exchange)


def _within(point: Point, places: Iterable[Point]) -> bool:
    """Whether it is one of the places, or decoded inside one."""
    return any(place == point[: len(place)] for place in places)


def may_inject(point: Point, policy: Policy, credentials: Iterable[Point]) -> bool:
    """Whether the policy's locations hold the point, and neither the protocol nor a login depends on it."""
    if point[0] not in policy.locations:
        return False
    if point[0] == "header" and (point[1] in _NOT_INJECTED or point[1].startswith("CONTENT-")):
        return False
    if _declares_namespace(point):
        return False
    # The Cookie header as a whole would carry the credentials in it away.
    if any(point == login[: len(point)] or login == point[: len(login)] for login in credentials):
        return point[0] in ("post", "uri") and len(point) == 1
    return True


def _declares_namespace(point: Point) -> bool:
    """Whether it is an XML namespace's declaration, by which parsers read the document: no application sees it as a value.

    They refuse what is no address (Namespaces in XML 1.0, section 2.2), which looks like a flaw in whatever it is put to.
    """
    return any(
        step == "xml_attr" and (argument == "xmlns" or argument.startswith("xmlns:"))
        for step, argument in pairwise(point)
    )
