"""From a baseline and a policy to the checks that will be made: which probe looks at which point, and at what cost."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Unpack

import msgspec

from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.behind_guard import is_asked_where_looked_at
from gatecrash.core.testing.dialogues.hidden_parameters import behind
from gatecrash.core.testing.dialogues.lockout import is_within, password_of
from gatecrash.core.testing.economy import asked_beside, asks_at, is_guarded
from gatecrash.core.testing.effects.destruction import resets_all
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.extensions.engine import probes_of
from gatecrash.core.testing.injectable import credentials_as_values, forwarded, handed_out, injectable
from gatecrash.core.testing.memory import Memory
from gatecrash.core.testing.out_of_band import OutOfBand
from gatecrash.core.testing.places.left_out import LeftOut, with_left_out
from gatecrash.core.testing.places.unset_variables import with_unset
from gatecrash.core.testing.policy import LOCATIONS, PUBLIC_AUTH, Policy, is_thorough
from gatecrash.core.testing.probe import Known, Probe, Situation

# Probes of the whole request (auth, idor) have no point, so the policy's points do not limit them (decisions 9).
_NOWHERE = Point()


class Check(msgspec.Struct, frozen=True):
    """One probe at one point of one baseline. forecast: test requests that it costs where nothing is wrong."""

    probe: Probe
    planned: Situation
    forecast: int

    @property
    def baseline(self) -> Baseline:
        """What it varies."""
        return self.planned.baseline

    @property
    def point(self) -> Point:
        """Where it inserts; empty for probes of the whole request."""
        return self.planned.point

    @property
    def memory(self) -> Memory:
        """What the dialogues about the baseline share."""
        return self.planned.memory

    @property
    def can_wait(self) -> bool:
        """Whether it asks at a header or cookie that the policy looks at beside all else, and that lets nobody in."""
        policy = self.planned.policy
        beside = is_thorough(policy) and not policy.include
        return beside and self.point[:1] == ("header",) and self.point not in self.planned.credentials

    def situation(self, random: Random, oob: OutOfBand | None = None) -> Situation:
        """What the probe is told; the same seed gives the same dialogue. oob: addresses that the target can reach."""
        return msgspec.structs.replace(self.planned, random=random, oob=oob)


def plan(
    baseline: Baseline,
    policy: Policy,
    credentials: Iterable[Point] = (),
    probes: Iterable[Probe] | None = None,
    *,
    left_out: Iterable[LeftOut] = (),
    told: set[tuple[str, ...]] | None = None,
    asked: set[tuple[str, ...]] | None = None,
    **known: Unpack[Known],
) -> list[Check]:
    """The checks of a baseline, in the policy's order of types, what can wait behind the rest, those of a login's password last;
    none where the policy leaves its method out.

    credentials: the points at which detection found some; nothing is inserted there or inside them.
    probes: all that are registered, unless told. left_out: what it calls optional and is refused. told: what the run
    found that it would find again elsewhere. asked: what it asks at a few pages alone, where told does not hold that.
    known: what the run knows around the baseline, as a situation has it.
    Raises InvalidPattern where a point pattern of the policy cannot be read, InvalidPolicy where an extension cannot.
    """
    if baseline.request.method.upper() in {method.upper() for method in policy.methods_excluded}:
        return []
    if probes is None:
        from gatecrash.core.testing.registry import REGISTRY  # a service that starts no run needs none of them

        probes = REGISTRY
    held, seen = tuple(dict.fromkeys(credentials)), next((one for one in (asked, told) if one is not None), set())
    places = injectable(baseline, policy, held)
    nowhere = Situation(
        baseline=baseline,
        point=_NOWHERE,
        value=b"",
        credentials=held,
        policy=policy,
        random=Random(0),  # noqa: S311 -- payloads need variety, not secrecy
        memory=Memory(
            tuple(places),
            told,
            guarded=is_guarded(baseline, policy, seen),
            asked_beside=asked_beside(baseline, policy, seen, (point for point, _ in places)),
        ),
        **known,
    )
    # Every probe is told the same of a place, until its dialogue begins.
    situations = [*_at(nowhere, places), *_at(nowhere, *handed_out(baseline, policy, held))]
    for fuller in (*with_left_out(baseline, left_out), *with_unset(baseline)):
        new = [found for found in injectable(fuller, policy, held) if found[0] not in dict(places)]
        # Its answer is another, and so is whatever dialogues learn of it.
        apart = msgspec.structs.replace(nowhere, memory=Memory(tuple(new), told))
        situations += _at(apart, new, fuller)
    asks = asks_at(baseline, policy, seen)
    ordered, own = _wanted(probes, baseline, policy), probes_of(policy.extensions)
    checks = [
        _check(probe, situation)
        for probe in (*ordered, *own)
        for situation in _situations(probe, nowhere, situations)
        if probe.applies(situation) and (probe in own or asks(probe.type, situation.point))
    ]
    hidden = behind(ordered)
    if hidden is not None and hidden.applies(nowhere):
        checks.append(_check(hidden, nowhere))
    password = password_of(baseline)
    # What may lock the account goes last. Where a budget or the time ends, parameters were asked.
    checks.sort(key=lambda check: (is_within(check.point, password), check.can_wait))
    return _one_of_each(checks, own) if policy.one_family else checks


def _at(nowhere: Situation, places: Iterable[tuple[Point, bytes]], baseline: Baseline | None = None) -> list[Situation]:
    """The same situation at each of the places, of this baseline or another form of it."""
    replace = msgspec.structs.replace
    told = nowhere if baseline is None else replace(nowhere, baseline=baseline)
    return [replace(told, point=point, value=value) for point, value in places]


def _wanted(probes: Iterable[Probe], baseline: Baseline, policy: Policy) -> list[Probe]:
    """The probes that the policy asks for, in its order."""
    if policy.only_custom:
        return []
    # Each test of who may sign out would only end the session that the others are sent in.
    ending = signs_out(baseline.request)
    kept = [probe for probe in probes if not ending or probe.type != "auth" or probe.of_logouts]
    if resets_all(baseline.request):  # each test that is answered well would do it once more
        kept = [probe for probe in kept if probe.type == "auth" and probe.whole]
    places = {type_: place for place, type_ in reversed([*enumerate(policy.types)])}
    public = PUBLIC_AUTH in places  # by which it asks for all that look at what is answered, whoever asked
    named = ((PUBLIC_AUTH if public and probe.of_answers else probe.type, probe) for probe in kept)
    wanted = [(places[type_], probe) for type_, probe in named if type_ in places]
    return [probe for _, probe in sorted(wanted, key=lambda each: each[0])]


def _situations(probe: Probe, nowhere: Situation, everywhere: list[Situation]) -> list[Situation]:
    """Where the probe may look: at the whole, or at all places, and those that the policy leaves out for others."""
    baseline, policy = nowhere.baseline, nowhere.policy
    situations = [nowhere] if probe.whole else everywhere
    if probe.names_points:
        everything = msgspec.structs.replace(policy, locations=LOCATIONS)
        situations = _at(nowhere, injectable(baseline, everything, nowhere.credentials))
    if probe.in_credentials:
        situations = [*situations, *_at(nowhere, credentials_as_values(baseline, policy, nowhere.credentials))]
    if probe.forwarded:
        situations = [*situations, *_at(nowhere, *forwarded(baseline, policy))]
    return situations


def _check(probe: Probe, situation: Situation) -> Check:
    cost = probe.forecast(situation)
    # Its types share the two requests that look whether it is looked at.
    return Check(probe, situation, min(cost, 1) if is_asked_where_looked_at(probe.type, situation) else cost)


def _one_of_each(checks: list[Check], own: Sequence[Probe]) -> list[Check]:
    """The first check of each type at each point, and all of the user's own."""
    first: dict[tuple[str, Point], Check] = {}
    for check in checks:
        if check.probe not in own:
            first.setdefault((check.probe.type, check.point), check)
    return [check for check in checks if check.probe in own or first[check.probe.type, check.point] is check]


def as_others(checks: Iterable[Check]) -> list[Check]:
    """Those that ask who may have what: what is left of a baseline that was tested before anybody was known, were it only who
    sent it.
    """
    return [check for check in checks if check.probe.as_others and check.planned.identities]


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
