"""Cases at the places of the range, recorded and tested over a real port of this process."""

import importlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest
import tests.range
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, credentials_of, drive, record, runs
from tests.core.testing.probes.told import told
from tests.range.place import respond
from tests.range.serving import Client, addressed, served

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Probe
from gatecrash.core.testing.verdict import Inconclusive, Outcome

for _path in sorted(Path(next(iter(tests.range.__path__))).glob("*.py")):
    if not _path.stem.startswith(("_", "test_")):
        importlib.import_module(f"tests.range.{_path.stem}")


# A case tells what is found at values; that names are tried as well has a test of its own. Logins are asked for, too.
WITHOUT_NAMES = msgspec.structs.replace(
    THOROUGH, locations=tuple(each for each in THOROUGH.locations if each != "name"), logins=True
)


def run_case(request: Request, probe: Probe, seed: int = 1) -> list[Run]:
    """Every check of one probe at a request, over a real port: what is fetched from must be there."""
    with served(respond) as port:
        client = Client(port)
        try:
            return runs(client, addressed(request, port), (probe,), policy=WITHOUT_NAMES, seed=seed)
        finally:
            client.close()


def told_all(runs_: Iterable[Run]) -> tuple[str, ...]:
    """The verdicts in the words of the case files; of sound points those only where nothing else is told."""
    lines = tuple(told(run).strip() for run in runs_)
    notable = tuple(line for line in lines if not line.startswith("safe"))
    return notable or lines


def cases(type_: str) -> list[Case]:
    """The cases of one probe."""
    return [case for case in cases_of("probes") if case.file == type_]


class AtRange:
    """What must hold of every probe of values and requests at the range. name: of its case file."""

    name: ClassVar[str]
    probe: ClassVar[Probe]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "case" in metafunc.fixturenames:
            metafunc.parametrize("case", cases(self.name), ids=str)

    @property
    def found(self) -> Request:
        """The request of a case in which something is found."""
        return next(case.request for case in cases(self.name) if case.kind == "Found")

    @property
    def title(self) -> str:
        """What is found there."""
        return self.probe.entry.title

    @property
    def check(self) -> Check:
        """The first check there."""
        baseline = record(lambda _: Response(200, (), b"fine"), self.found)
        return plan(baseline, WITHOUT_NAMES, credentials_of(self.found), (self.probe,))[0]

    def test_case(self, case: Case) -> None:
        assert case.expected == told_all(run_case(case.request, self.probe))

    def test_a_finding_shows_its_proof(self) -> None:
        runs_ = run_case(self.found, self.probe)
        verdicts = [run.verdict for run in runs_ if run.verdict.outcome is Outcome.VULNERABLE]
        assert verdicts
        for verdict in verdicts:
            assert (verdict.type, verdict.title) == (self.probe.type, self.title)
            assert set(verdict.cwe) <= set(self.probe.entry.cwe)
            assert 1 <= verdict.threat <= 100
            assert len(verdict.proof.verified_by) > 50
            assert verdict.proof.test.response is not None

    def test_a_limiter_makes_it_inconclusive_at_once(self) -> None:
        run = drive(self.check, lambda _: Response(429))
        assert (run.verdict.reason, len(run.sent)) == (Inconclusive.RATE_LIMITED, 1)

    def test_a_target_that_is_gone_makes_it_inconclusive(self) -> None:
        def gone(_: Request) -> Response:
            raise ConnectionError

        assert drive(self.check, gone).verdict.reason is Inconclusive.CONNECTION


class UploadsAtRange(AtRange):
    """The same of a probe of uploads. A case file has no carriage returns; a body in parts is nothing without them."""

    @property
    def found(self) -> Request:
        return _in_parts(super().found)

    def test_case(self, case: Case) -> None:
        super().test_case(replace(case, request=_in_parts(case.request)))


def _in_parts(request: Request) -> Request:
    return msgspec.structs.replace(request, body=request.body.replace(b"\n", b"\r\n"))
