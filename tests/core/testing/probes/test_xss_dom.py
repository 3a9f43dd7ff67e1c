"""The probe for scripts that write the address into the page, driven against the range's places over a real port."""

from tests.core.testing.driving import record
from tests.core.testing.probes.at_range import WITHOUT_NAMES, AtRange

from gatecrash.core.message import Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.probes.xss_dom import PROBE

FLOW = b"document.write(decodeURIComponent(location.hash.slice(1)))"


class TestProbe(AtRange):
    name = "xss_dom"
    probe = PROBE

    @property
    def check(self) -> Check:
        page = Response(200, ((b"Content-Type", b"text/html"),), b"<script>" + FLOW + b"</script>")
        return plan(record(lambda _: page, self.found), WITHOUT_NAMES, (), (self.probe,))[0]
