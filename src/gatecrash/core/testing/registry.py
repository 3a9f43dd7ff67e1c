"""The probes, in the order in which they are tried: adding one is its file, its line here, its case file, the changelog."""

from gatecrash.core.testing.probe import Probe
from gatecrash.core.testing.probes import (
    auth,
    cors,
    crlf,
    csrf,
    deserialization,
    graphql,
    info,
    ldapi,
    nosqli,
    ptrav,
    rce,
    redir,
    sqli,
    ssrf,
    ssti,
    xpathi,
    xss,
    xxe,
)

REGISTRY: tuple[Probe, ...] = (
    auth.PROBE,
    sqli.PROBE,
    nosqli.PROBE,
    rce.PROBE,
    ssti.PROBE,
    ptrav.PROBE,
    xxe.PROBE,
    xss.PROBE,
    ssrf.PROBE,
    redir.PROBE,
    ldapi.PROBE,
    xpathi.PROBE,
    crlf.PROBE,
    cors.PROBE,
    csrf.PROBE,
    deserialization.PROBE,
    graphql.PROBE,
    info.PROBE,
)
