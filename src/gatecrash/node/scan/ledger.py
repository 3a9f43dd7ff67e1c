"""The memory of one run without a database: the state machine, each baseline's check, what was found.

It does for a scan what the control plane's rows do for a run, by the same machine and the same rules.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from gatecrash.core.auth.recogniser import Recogniser
from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.reports.body_secrets import words_without
from gatecrash.core.reports.finding import evidence, vulnerability
from gatecrash.core.reports.masking import mask_request
from gatecrash.core.reports.run_object import run_object
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.fingerprint import code_of, endpoint_name, endpoint_of, fingerprint
from gatecrash.core.testing.run import advance, created
from gatecrash.core.testing.run_events import (
    OPEN,
    Check,
    Checked,
    Claimed,
    Drained,
    Event,
    Found,
    Interrupt,
    Listened,
    Listens,
    Progress,
    Status,
    StopRecording,
    Stored,
    effective_status,
)
from gatecrash.core.testing.verdict import Outcome, Verdict, is_untested
from gatecrash.node.scan.planned import Planned
from gatecrash.node.test.recorder import new_id
from gatecrash.wire.work import Result


class Settings(msgspec.Struct, kw_only=True):
    """What the scan was started with (`RunSettings` in core/reports/run_object.py)."""

    policy_id: str
    node_id: str = "local"
    auth_profile_id: str | None = None
    target_url: str | None = None
    tags: list[str] = []
    file_extensions_to_exclude: str = ""
    skip_duplicated_baselines: bool = True
    stop_on_first_fail: bool = False
    rps: int | None = None
    rps_per_baseline: int | None = None
    inactivity_timeout: int = 1800


class Facts(Settings, kw_only=True):
    """What is known of the scan besides its state machine (`RunFacts` in core/reports/run_object.py). Nobody else shares it."""

    id: str
    record_id: str
    name: str
    created_at: int
    updated_at: float
    desc: str = ""
    vulns: list[dict[str, Any]] = []
    client_id: str = "local"
    domains: list[str] = []
    test_record_name: str = ""
    confirmed: bool = False
    inconclusive_count: int = 0
    baseline_untested_count: int = 0
    authenticated_good: int = 0
    authenticated_all: int = 0
    types_left_out: list[str] = []
    user_count: int | None = None
    notes: list[str] = []


class Tested(msgspec.Struct):
    """One baseline and how far its check is."""

    planned: Planned
    status: Status
    found: bool = False
    remaining: int = 0
    reason: str | None = None
    detail: str = ""
    sent: int = 0
    inconclusive: int = 0

    @property
    def baseline(self) -> Baseline:
        """What is tested."""
        return self.planned.baseline


class Finding(msgspec.Struct, frozen=True):
    """One vulnerable verdict on one baseline. place: the baseline's in the capture; request: the one whose endpoint it is of."""

    id: str
    place: int
    baseline: Baseline
    verdict: Verdict
    found_at: int
    request: Request
    endpoint: EndpointKey
    fingerprint: str

    @property
    def threat(self) -> int:
        """As reports show it."""
        return max(1, min(100, self.verdict.threat))


class Shown(msgspec.Struct, kw_only=True):
    """A finding with its code, as reports want it (core/reports/finding.py)."""

    id: str
    code: str
    type: str
    threat: int
    title: str
    cwe: Sequence[int]
    method: str
    url: str
    endpoint: str
    point: Sequence[str]
    verified_by: str
    run_id: str
    baseline_id: str
    found_at: int


class Ledger:
    """One run, from its plan to its end. Times are UNIX seconds, passed in."""

    def __init__(self, facts: Facts, planned: Sequence[Planned], now: float, masked: Collection[Point] = ()) -> None:
        """Begin: everything is recorded already, so the recording is over at once. masked: points that are never shown."""
        self.facts = facts
        self._masked = masked
        self.tested = {
            one.baseline.id: Tested(one, Status.SKIPPED if one.skip else Status.WAITING, detail=one.skip)
            for one in planned
        }
        self.findings: dict[tuple[str, str, tuple[str, ...]], Finding] = {}
        self._places = {name: place for place, name in enumerate(self.tested)}
        facts.domains = list(dict.fromkeys(one.baseline.request.host for one in planned))
        self.run, _ = created(now, stop_on_first_fail=facts.stop_on_first_fail)
        skipped = sum(bool(one.skip) for one in planned)
        self._apply(Stored(len(planned) - skipped, skipped, sum(one.forecast for one in planned)), now)
        self._apply(StopRecording(), now)
        self._apply(Drained(), now)

    def begin(self, baseline_id: str, now: float) -> None:
        """The baseline's check begins."""
        one = self.tested[baseline_id]
        one.status, one.remaining = Status.IN_PROGRESS, one.planned.forecast
        self._apply(Claimed(1, int(one.found), one.planned.forecast), now)

    def progress(self, sent: int, remaining: Iterable[tuple[str, int]], now: float) -> None:
        """So many test requests were sent in all, and so many are expected of each running check."""
        change = 0
        for name, left in remaining:
            one = self.tested[name]
            if one.status is Status.IN_PROGRESS:
                change += left - one.remaining
                one.remaining = left
        self._apply(Progress(sent=sent, remaining=change), now)

    def take(self, result: Result, now: float) -> None:
        """A finding, or the end of a check."""
        one = self.tested[result.baseline_id]
        for verdict in result.verdicts:
            if verdict.outcome is Outcome.VULNERABLE:
                self._find(one, verdict, now)
        one.sent = max(one.sent, result.sent)
        if result.final:
            if result.listen > 0:
                self._apply(Listens(now + result.listen), now)
            self._close(one, result, now)

    def wait(self, baseline_id: str, words: str) -> None:
        """The rest of a baseline's check is put off. words: what is missing, shown if the run ends before it was made."""
        self.tested[baseline_id].detail = words

    def listened(self, now: float) -> None:
        """Nobody is listened for any more: where nothing else is open, the run is over."""
        self._apply(Listened(early=True), now)

    def interrupt(self, now: float) -> None:
        """The user ended it."""
        if not self.run.ended:
            self._apply(Interrupt(), now)

    def shown_run(self, recent: Iterable[tuple[float, int]], now: float) -> dict[str, Any]:
        """The run object of the contract. It is asked for several times a second, and findings only ever come to be more."""
        if len(self.facts.vulns) != len(self.findings):
            self.facts.vulns = [
                {"id": one.id, "threat": one.threat, "code": code, "type": one.verdict.type}
                for _, one, code in self._coded()
            ]
        return run_object(self.facts, self.run, recent, now)

    def shown_vulnerabilities(self, recogniser: Recogniser) -> list[dict[str, Any]]:
        """Every finding with its proof, credentials masked, in the order of their codes."""
        shown = self._shown(recogniser)
        listed = []
        for name, one in shown.items():
            finding = self.findings[name]
            proof = finding.verdict.proof
            test, control = (proof.test, proof.control) if proof else (None, None)
            listed.append(
                {
                    **vulnerability(one),
                    **evidence(test, finding.baseline.exchange, control, recogniser, self._masked),
                }
            )
        return listed

    def shown_baselines(self, recogniser: Recogniser) -> list[dict[str, Any]]:
        """Every baseline with what became of it (contract 2.10), in the order of the capture."""
        found: dict[str, list[str]] = {}
        for finding in self.findings.values():
            found.setdefault(finding.baseline.id, []).append(finding.id)
        return [self._shown_baseline(one, found, recogniser) for one in self.tested.values()]

    def _shown_baseline(self, one: Tested, found: dict[str, list[str]], recogniser: Recogniser) -> dict[str, Any]:
        status = effective_status(one.status, found=one.found, run_ended=self.run.ended)
        return {
            "id": one.baseline.id,
            "method": one.baseline.request.method,
            "url": mask_request(one.baseline.request, recogniser, self._masked).url,
            "operation": endpoint_of(one.baseline.request).operation,
            "status": status.value,
            "reason": one.reason if status is Status.ERROR else None,
            "detail": one.detail,
            "sent": one.sent,
            "inconclusive": one.inconclusive,
            "vulnerabilities": found.get(one.baseline.id, []),
        }

    def _coded(self) -> Iterator[tuple[tuple[str, str, tuple[str, ...]], Finding, str]]:
        """The findings by their places in the capture, so that the same capture gives the same codes every time."""
        numbers: dict[str, int] = {}
        for name, finding in sorted(self.findings.items(), key=lambda item: (item[1].place, item[0][1:])):
            yield name, finding, code_of(numbers.setdefault(finding.fingerprint, len(numbers) + 1))

    def _shown(self, recogniser: Recogniser) -> dict[tuple[str, str, tuple[str, ...]], Shown]:
        """The findings with their codes. recogniser: masks their addresses."""
        shown = {}
        for name, finding, code in self._coded():
            verdict, sent = finding.verdict, finding.baseline.request
            shown[name] = Shown(
                id=finding.id,
                code=code,
                type=verdict.type,
                threat=finding.threat,
                title=verdict.title,
                cwe=verdict.cwe,
                method=finding.request.method,
                url=mask_request(finding.request, recogniser, self._masked).url,
                endpoint=endpoint_name(finding.endpoint),
                point=verdict.point,
                verified_by=words_without(verdict.proof.verified_by if verdict.proof else verdict.detail, sent),
                run_id=self.facts.id,
                baseline_id=finding.baseline.id,
                found_at=finding.found_at,
            )
        return shown

    def _find(self, one: Tested, verdict: Verdict, now: float) -> None:
        """Keep a finding once; its baseline is failed from then on."""
        name = (one.baseline.id, verdict.type, verdict.place)
        if name in self.findings:
            return
        place = self._places[one.baseline.id]
        request = verdict.broken(one.baseline.request)
        key = endpoint_of(request)
        mark = fingerprint(verdict.type, key, verdict.point)
        self.findings[name] = Finding(
            id=new_id("vuln_"),
            place=place,
            baseline=one.baseline,
            verdict=verdict,
            found_at=int(now),
            request=request,
            endpoint=key,
            fingerprint=mark,
        )
        self._apply(Found(self._check(one)), now)
        one.found = True
        if one.status not in OPEN:
            one.status = Status.FAILED

    def _close(self, one: Tested, result: Result, now: float) -> None:
        """End an open check, once."""
        check = self._check(one)
        if check.status not in OPEN:
            return
        undecided = sum(verdict.outcome is Outcome.INCONCLUSIVE for verdict in result.verdicts)
        good, asked = result.authenticated
        self.facts.inconclusive_count += undecided
        self.facts.baseline_untested_count += is_untested(result.status, result.detail)
        self.facts.authenticated_good += good
        self.facts.authenticated_all += asked
        self._apply(Checked(check, Status(result.status)), now)
        one.status = Status.FAILED if one.found else Status(result.status)
        one.reason, one.detail, one.inconclusive, one.remaining = result.reason, result.detail, undecided, 0

    def _check(self, one: Tested) -> Check:
        status = effective_status(one.status, found=one.found, run_ended=self.run.ended)
        return Check(status, one.found, one.planned.forecast, one.remaining)

    def _apply(self, event: Event, now: float) -> None:
        self.run, _ = advance(self.run, event, now)
        self.facts.updated_at = now
