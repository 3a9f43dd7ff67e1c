"""The probe xpathi, driven against the range's places over a real port."""

from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.testing.probes.xpathi import PROBE


class TestProbe(AtRange):
    name = "xpathi"
    probe = PROBE
