"""A baseline aimed at another origin than the one it was recorded at."""

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.node.observe.route import read_upstream, with_host


def retargeted(baseline: Baseline, target_url: str | None) -> Baseline:
    """The baseline aimed at another origin, Host included; raises UserError where the address is none."""
    if not target_url:
        return baseline
    origin = read_upstream(target_url)
    request: Request = msgspec.structs.replace(
        baseline.request,
        scheme=origin.scheme,
        host=origin.host,
        port=origin.port,
        headers=with_host(baseline.request.headers, origin.authority),
        # HTTP/2 was agreed in TLS; another target in the clear cannot agree to it.
        version="1.1" if (baseline.request.scheme, origin.scheme) == ("https", "http") else baseline.request.version,
    )
    return Baseline(baseline.id, msgspec.structs.replace(baseline.exchange, request=request))
