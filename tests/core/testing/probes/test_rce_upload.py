"""The probe rce_upload, driven against the range's places over a real port."""

from tests.core.testing.driving import record
from tests.core.testing.probes.at_range import UploadsAtRange
from tests.range.uploads import uploading

from gatecrash.core.message import Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import DEFAULT, QUICK
from gatecrash.core.testing.probes.rce_upload import PROBE

PHP = (b"X-Powered-By", b"PHP/8.2")


class TestProbe(UploadsAtRange):
    name = "rce_upload"
    probe = PROBE

    @property
    def check(self) -> Check:
        """At an application that says what it is written in."""
        baseline = record(lambda _: Response(201, (PHP,), b"fine"), self.found)
        return plan(baseline, DEFAULT, (), (PROBE,))[0]


def asked(policy, *headers: tuple[bytes, bytes]) -> bool:
    baseline = record(lambda _: Response(201, headers), uploading("/upload"))
    return bool(plan(baseline, policy, (), (PROBE,)))


def test_only_where_the_application_says_what_it_is_written_in():
    assert asked(DEFAULT, PHP)
    assert asked(DEFAULT, (b"Set-Cookie", b"JSESSIONID=9A0B"))
    assert not asked(DEFAULT, (b"Server", b"nginx"))
    assert not asked(QUICK, PHP)
