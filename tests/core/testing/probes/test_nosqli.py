"""The probe nosqli, driven against the range's places over a real port."""

from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.testing.probes.nosqli import PROBE


class TestProbe(AtRange):
    name = "nosqli"
    probe = PROBE
