"""The probe ssti, driven against the range's places over a real port."""

from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.testing.probes.ssti import PROBE


class TestProbe(AtRange):
    name = "ssti"
    probe = PROBE
