"""The probe xxe_upload, driven against the range's places over a real port."""

import msgspec
from tests.core.testing.driving import record
from tests.core.testing.probes.at_range import UploadsAtRange
from tests.range.uploads import uploading

from gatecrash.core.message import Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, QUICK
from gatecrash.core.testing.probes.xxe_upload import PROBE


class TestProbe(UploadsAtRange):
    name = "xxe_upload"
    probe = PROBE


def test_a_file_that_is_xml_is_left_to_the_values_own_probe():
    """So is whatever only the shortest of policies asks for."""
    upload = uploading("/upload")
    document = msgspec.structs.replace(upload, body=upload.body.replace(b"green tea", b"<tea>green</tea>"))
    for request, policy, asked in ((upload, DEFAULT, True), (upload, QUICK, False), (document, DEFAULT, False)):
        assert bool(plan(record(lambda _: Response(201), request), policy, (), (PROBE,))) is asked
