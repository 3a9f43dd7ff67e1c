"""The probe graphql, driven against the range's places over a real port."""

from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.testing.probes.graphql import PROBE


class TestProbe(AtRange):
    name = "graphql"
    probe = PROBE
