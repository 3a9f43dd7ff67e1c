"""The probe deserialization, driven against the range's places over a real port, and against an importer with a clock of its own."""

from xml.etree import ElementTree as ET

import pytest
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import AtRange
from tests.range.jvm import CALLS

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.deserialization import PROBE
from gatecrash.core.testing.verdict import Outcome


class TestProbe(AtRange):
    name = "deserialization"
    probe = PROBE


class Importer:
    """Says of each document that it was imported, after the seconds that its calls took. elapsed: of the last answer."""

    def __init__(self, *, carries_out: bool, each: float = 0.0) -> None:
        self.carries_out, self.each, self.elapsed = carries_out, each, 0.05

    def __call__(self, request: Request) -> Response:
        self.elapsed = 0.05
        for call in ET.fromstring(request.body).iter():
            self.elapsed += self.each
            if self.carries_out and (call.get("class"), call.get("method")) == ("java.lang.Thread", "sleep"):
                self.elapsed += int(call[0].text or "") / 1000
        return Response(200, ((b"Content-Type", b"application/json"),), b'{"imported": true}')


@pytest.mark.parametrize(
    ("importer", "outcome"),
    [
        (Importer(carries_out=True), Outcome.VULNERABLE),
        (Importer(carries_out=False), Outcome.SAFE),
        (Importer(carries_out=False, each=0.3), Outcome.SAFE),
    ],
    ids=["carried out", "read as XML", "takes its time for each call"],
)
def test_a_document_of_xmldecoder_is_found_by_a_call_that_waits(importer: Importer, outcome: Outcome):
    request = Request("POST", b"/import", ((b"Content-Type", b"application/xml"),), CALLS)
    checks = plan(record(importer, request), THOROUGH, (), (PROBE,))
    runs = [drive(check, importer, seed) for check in checks for seed in range(3)]
    assert {run.verdict.outcome for run in runs if len(run.check.point) == 1} == {outcome}
