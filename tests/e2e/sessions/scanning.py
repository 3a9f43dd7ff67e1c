"""A whole scan of a guarded shop: planned, tested, and what came of it."""

from dataclasses import dataclass
from typing import Any

import msgspec
from tests.e2e.sessions.guarded_shop import GuardedShop

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Headers
from gatecrash.core.testing.policy import DEFAULT, Policy
from gatecrash.core.testing.profiles.profile_document import read_profile
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.scan.engine import Engine
from gatecrash.node.scan.ledger import Facts, Ledger
from gatecrash.node.scan.outgoing import Way
from gatecrash.node.scan.planned import Planner
from gatecrash.wire.session import RunOrder

STALE: Headers = ((b"Authorization", b"Bearer 9c1fe20ab7714e55a0"),)
POLICY: Policy = msgspec.structs.replace(DEFAULT, types=("auth", "xss", "redir"))
# What every guard must let us find: (type, method, path, point).
WEAKNESSES = {
    ("xss", "GET", "/search", ("get", "q")),
    ("redir", "GET", "/go", ("get", "to")),
    ("xss", "POST", "/comment", ("post", "form_urlencoded", "text")),
}


@dataclass(frozen=True)
class Outcome:
    """What came of a scan."""

    run: dict[str, Any]
    baselines: dict[str, dict[str, Any]]
    findings: set[tuple[str, str, str, tuple[str, ...]]]

    @property
    def reasons(self) -> dict[str, str | None]:
        """Why each baseline failed, by `GET /path`."""
        return {name: one["reason"] for name, one in self.baselines.items()}


async def scanned(
    shop: GuardedShop,
    profile: dict[str, Any] | None,
    *,
    headers: Headers = STALE,
    policy: Policy = POLICY,
    **order: Any,
) -> Outcome:
    """Scan what was recorded at the shop, signed in as the profile says."""
    recogniser = compile_recogniser()
    read = read_profile(profile, "profile") if profile else None
    planner = Planner(policy, recogniser, profile=read)
    planned = planner.plan(shop.record(headers))
    facts = Facts(id="tr_1", record_id="rec_1", name="n", policy_id="default", created_at=1, updated_at=1.0)
    ledger = Ledger(facts, planned, 1.0)
    run_order = RunOrder(
        run_id="tr_1", generation=1, record_id="rec_1", recording=False, sending=True, policy=policy,
        marker_key=b"k" * 32, profile=planner.profile, **order,
    )  # fmt: skip
    await Engine(ledger, run_order, recogniser, Way(AllowedHosts()), workers=4).run()
    return _outcome(ledger)


def _outcome(ledger: Ledger) -> Outcome:
    recogniser = compile_recogniser()
    shown = ledger.shown_baselines(recogniser)
    requests = {one.baseline.id: one.baseline.request for one in ledger.tested.values()}
    names = {name: f"{request.method} {request.path.decode()}" for name, request in requests.items()}
    findings = set()
    for one in ledger.findings.values():
        method, path = names[one.baseline.id].split(" ")
        findings.add((one.verdict.type, method, path, tuple(one.verdict.point)))
    return Outcome(
        ledger.shown_run((), 2.0), {names[each["id"]]: each for each in shown if each["id"] in names}, findings
    )
