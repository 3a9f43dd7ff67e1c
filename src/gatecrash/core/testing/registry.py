"""The probes, in the order in which they are tried: adding one is its file, its line here, its case file, the changelog."""

from gatecrash.core.testing.probe import Probe
from gatecrash.core.testing.probes import auth, ptrav, rce, sqli, xss

REGISTRY: tuple[Probe, ...] = (
    auth.PROBE,
    sqli.PROBE,
    rce.PROBE,
    ptrav.PROBE,
    xss.PROBE,
)
