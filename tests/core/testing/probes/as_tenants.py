"""Drives a probe that may ask as other identities, over a real port, each dressed in its token as a node would."""

from random import Random
from typing import ClassVar

import msgspec
import pytest
from tests.cases.case import Case
from tests.core.testing.driving import MOST_REQUESTS, Application, Run, answer_of, credentials_of, record
from tests.core.testing.probes import at_range
from tests.range.place import respond
from tests.range.serving import Client, addressed, served
from tests.range.tenants_store import OPAQUE, ROLES, SIGNED, called

from gatecrash.core.message import Request, with_header
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.objects.makers import Makers
from gatecrash.core.testing.authorization.objects.renewals import Renewals
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import UNKNOWN, Renewal
from gatecrash.core.testing.policy import THOROUGH, Policy
from gatecrash.core.testing.probe import Probe, TestRequest
from gatecrash.core.testing.profiles.dressing import as_other
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

AUTHORIZATION = Point.of("header", "AUTHORIZATION")

cases = at_range.cases
RANKS = {"ann": 0, "ben": 0, "ida": 10}


def identities(request: Request) -> tuple[Identity, ...]:
    """Who tests of the request may be sent as, its own sender first."""
    own = sender(request)
    names = [own, *(name for name in RANKS if name != own)]
    is_signed = (request.first(b"Authorization") or b"").decode() in SIGNED.values()
    known = {name: called(name) if is_signed else ROLES.get(name, ()) for name in names}
    return tuple(Identity(name, RANKS[name], known[name]) for name in names)


def sender(request: Request) -> str:
    value = (request.first(b"Authorization") or b"").decode()
    return next(name for table in (OPAQUE, SIGNED) for name, token in table.items() if token == value)


def dressed(asked: TestRequest, own: Request) -> Request:
    """The request in the credentials of the identity that it is asked as, of the kind that the baseline has."""
    request = asked.request
    if asked.identity is None:
        return request
    credentials = credentials_of(request)
    table = OPAQUE if (own.first(b"Authorization") or b"").decode() in OPAQUE.values() else SIGNED
    if not asked.identity:
        return without_credentials(request, credentials)
    token = table.get(asked.identity, "Bearer 0000000000000000").encode()
    return as_other(request, credentials, {AUTHORIZATION: token})


def drive_as(check: Check, application: Application, seed: int = 1) -> Run:
    """Play one dialogue to its end."""
    dialogue = check.probe.run(check.situation(Random(seed)))
    sent: list[TestRequest] = []
    try:
        asked = next(dialogue)
        while True:
            sent.append(asked)
            assert len(sent) <= MOST_REQUESTS, "the dialogue does not end"
            asked = dialogue.send(answer_of(application, dressed(asked, check.baseline.request)))
    except StopIteration as end:
        return Run(check, end.value, sent)


def runs_as(
    request: Request, probe: Probe, *, policy: Policy = THOROUGH, seed: int = 1, alone: bool = False
) -> list[Run]:
    """Every check of one probe at a request of the range. alone: no other identity is known."""
    with served(respond) as port:
        client = Client(port)
        try:
            ready = addressed(request, port)
            known = () if alone else identities(ready)
            checks = plan(record(client, ready), policy, credentials_of(ready), (probe,), identities=known)
            return [drive_as(check, client, seed) for check in checks]
        finally:
            client.close()


def signed_in(request: Request) -> Request:
    """A case's request with the token of the caller that it names: `ann` or `ann, signed`."""
    name, _, kind = request.first(b"Authorization").decode().partition(", ")
    token = (SIGNED if kind else OPAQUE)[name].encode()
    return msgspec.structs.replace(request, headers=with_header(request.headers, b"Authorization", token))


def told(run: Run) -> str:
    """The outcome, and where."""
    verdict = run.verdict
    more = verdict.reason.value if verdict.reason else "/".join(verdict.point)
    return f"{verdict.outcome.value} {more}".strip()


def check_of(
    request: Request,
    application: Application = respond,
    *,
    probe: Probe,
    alone: bool = False,
    beside: Pages | None = None,
) -> Check | None:
    """The one check of a probe at a request; None where it does not apply. alone: no other identity is known."""
    known = () if alone else identities(request)
    shown, renewal = ((), UNKNOWN) if beside is None else (beside.beside(request), beside.renewal_of(request))
    found = credentials_of(request)
    checks = plan(
        record(application, request), THOROUGH, found, (probe,), identities=known, pages=shown, renewal=renewal
    )
    return checks[0] if checks else None


def changes_of(application: Application, request: Request, makers: Makers) -> Renewal:
    """What a record knows that holds another change, by PUT, of what the request deletes, where the application takes that."""
    renewals = Renewals(makers)
    headers = with_header(request.headers, b"Content-Type", b"application/json")
    change = msgspec.structs.replace(request, method="PUT", headers=headers, body=b'{"text": "call back"}')
    renewals.see(record(application, change).exchange)
    return renewals.of(request)


class AsTenants:
    """What must hold of every probe that asks as several identities. name: of its case file."""

    name: ClassVar[str]
    probe: ClassVar[Probe]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "case" in metafunc.fixturenames:
            metafunc.parametrize("case", cases(self.name), ids=str)
        if "twin" in metafunc.fixturenames:
            metafunc.parametrize("twin", [case for case in cases(self.name) if case.kind == "Not found"], ids=str)

    def test_case(self, case: Case) -> None:
        (run,) = runs_as(signed_in(case.request), self.probe)
        assert case.expected == (told(run),)

    @pytest.mark.parametrize("seed", range(3))
    def test_no_twin_is_claimed_with_other_random_values(self, twin: Case, seed: int) -> None:
        run = drive_as(check_of(signed_in(twin.request), probe=self.probe), respond, seed + 10)
        assert run.verdict.outcome is Outcome.SAFE
