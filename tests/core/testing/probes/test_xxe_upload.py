"""The probe xxe_upload, driven against the range's places over a real port."""

from dataclasses import replace

import msgspec
from tests.cases.case import Case
from tests.core.testing.driving import record
from tests.core.testing.probes.at_range import AtRange
from tests.range.uploads import uploading

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, QUICK
from gatecrash.core.testing.probes.xxe_upload import PROBE


class TestProbe(AtRange):
    name = "xxe_upload"
    probe = PROBE

    @property
    def found(self) -> Request:
        return as_sent(super().found)

    def test_case(self, case: Case) -> None:
        super().test_case(replace(case, request=as_sent(case.request)))


def as_sent(request: Request) -> Request:
    """A case file has no carriage returns; a body in parts is nothing without them."""
    return msgspec.structs.replace(request, body=request.body.replace(b"\n", b"\r\n"))


def test_a_file_that_is_xml_is_left_to_the_values_own_probe():
    """So is whatever only the shortest of policies asks for."""
    upload = uploading("/upload")
    document = msgspec.structs.replace(upload, body=upload.body.replace(b"green tea", b"<tea>green</tea>"))
    for request, policy, asked in ((upload, DEFAULT, True), (upload, QUICK, False), (document, DEFAULT, False)):
        assert bool(plan(record(lambda _: Response(201), request), policy, (), (PROBE,))) is asked
