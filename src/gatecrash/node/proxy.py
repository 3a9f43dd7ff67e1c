"""The proxy that a node's settings ask for: in the node's own process, or in several that it starts."""

import logging

from gatecrash.core.errors import UserError
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.proxy_messages import Inside
from gatecrash.node.observe.proxy_processes import ProxyProcesses
from gatecrash.node.observe.route import read_upstream
from gatecrash.node.observe.tap import Interception, Tap, TapSettings, check_listening
from gatecrash.node.settings import NodeSettings
from gatecrash.node.tls.authority import CertificateAuthority
from gatecrash.node.upstream_proxy import read_upstream_proxy

log = logging.getLogger(__name__)


def make_proxy(settings: NodeSettings, observations: Observations) -> Tap | ProxyProcesses | None:
    """None where none is wanted. Raises UserError."""
    if not settings.proxy_listen:
        return None
    host, port = split_listen(settings.proxy_listen)
    wanted = TapSettings(
        host=host,
        port=port,
        upstream=read_upstream(settings.upstream) if settings.upstream else None,
        proxy=read_upstream_proxy(settings.upstream_proxy) if settings.upstream_proxy else None,
        credentials=settings.proxy_credentials,
        verify_tls=settings.verify_tls,
    )
    check_listening(wanted)
    allows = AllowedHosts(settings.allowed_hosts).allows
    authority = None
    if wanted.upstream is None and settings.intercept_tls:
        # Made here even for other processes, which then all find the same.
        authority = CertificateAuthority.open(settings.spool_dir)
        log.info("TLS of allowed hosts is opened; let clients trust this CA", extra={"ca": str(authority.path)})
    if settings.processes > 1:
        inside = Inside.at(settings.spool_dir, settings.allowed_hosts) if authority else None
        return ProxyProcesses(wanted, observations, settings.processes, inside)
    return Tap(wanted, observations, Interception(authority, allows) if authority else None)


def split_listen(address: str) -> tuple[str, int]:
    """Host and port of `host:port`, `[address]:port` or a port alone. Raises UserError."""
    host, _, port = address.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise UserError(f"{address!r} is no address to listen on; write host:port, such as 127.0.0.1:8080.")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)
