"""What a node is told at its start."""

from pathlib import Path

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.node.browser.finding import OFF
from gatecrash.node.oob.settings import OobSettings


class NodeSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a node needs to know before it hears its control plane.

    api: the control plane's address. token: of role `node`, `ci` or above. build_id: the pipeline's build, if any.
    proxy_listen: `host:port`, port 0 for any free one, "" for no proxy. upstream: makes the proxy a reverse one.
    collector_listen: `host:port` for mirrored requests and the exchange call, "" for none. collector_key: what its senders
    must show, required off loopback. follow_logs: access logs, `FILE` or `FORMAT=FILE`.
    proxy_credentials: `user:password`, required of a forward proxy off loopback. workers: baselines tested at once.
    processes: in which they are tested, under limits that hold for all of them, and as many that proxy; 1 is the node's own.
    upstream_proxy: URL of a proxy through which applications are reached, by the proxy and by tests; its password is secret.
    rps_per_host: test requests a second to any one host, over all runs; None is unlimited.
    allowed_hosts: ALLOWED_HOSTS of decisions 11; empty means loopback only. insecure: plain HTTP to a control plane on
    another machine is accepted. verify_tls: check the certificates of applications. browser: which one runs
    the scripts of sites, as `browser_at` reads it. intercept_tls: look into TLS towards
    allowed hosts.
    oob: where it listens for targets that payloads make come; None for not at all.
    end_with_parent: end when the process that started it is gone, so that a killed service leaves no node behind.
    address_file: where the bound proxy address is written once it listens, for who started the node.
    """

    api: str
    token: str
    spool_dir: Path
    name: str = "node"
    build_id: str = ""
    kind: str = "native"
    proxy_listen: str = "127.0.0.1:8080"
    upstream: str | None = None
    upstream_proxy: str | None = None
    proxy_credentials: str | None = None
    collector_listen: str = ""
    collector_key: str | None = None
    follow_logs: tuple[str, ...] = ()
    workers: int = 10
    processes: int = 1
    rps_per_host: int | None = None
    allowed_hosts: str = ""
    insecure: bool = False
    verify_tls: bool = True
    browser: str = OFF
    intercept_tls: bool = True
    oob: OobSettings | None = None
    end_with_parent: bool = False
    address_file: Path | None = None

    def __repr__(self) -> str:
        """Without the secrets: settings end up in logs and tracebacks."""
        return f"NodeSettings(api={self.api!r}, name={self.name!r}, proxy_listen={self.proxy_listen!r})"


def encode(settings: NodeSettings) -> bytes:
    """The settings as JSON, secrets included: for the standard input of a node's process."""
    return msgspec.json.encode(settings, enc_hook=str)


def decode(data: bytes) -> NodeSettings:
    """The settings out of JSON. Raises UserError."""
    try:
        return msgspec.json.decode(data, type=NodeSettings, dec_hook=lambda kind, value: kind(value))
    except msgspec.MsgspecError as error:
        raise UserError(f"The node's settings are not understood: {error}") from error
