"""Within what a node tests, whatever its orders say."""

import msgspec

from gatecrash.node.upstream_proxy import UpstreamProxy


class Bounds(msgspec.Struct, frozen=True, array_like=True):
    """What the node's owner set.

    workers: baselines tested at once per run. allowed_hosts: the owner's own list; empty leaves it to the orders.
    own_addresses: where the service itself listens, which is never tested. rps_per_host: test requests a second to any one
    host, over all runs; None sets no limit. proxy: through which targets are reached; None connects to them directly.
    browser: the program that runs the scripts of sites; None for none.
    """

    workers: int = 10
    allowed_hosts: str = ""
    own_addresses: tuple[tuple[str, int], ...] = ()
    verify_tls: bool = True
    rps_per_host: int | None = None
    proxy: UpstreamProxy | None = None
    browser: str | None = None


DEFAULT_BOUNDS = Bounds()
