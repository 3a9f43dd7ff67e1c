"""What was asked of `gatecrash up`, and the children that follow from it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gatecrash.cli.tree import credentials
from gatecrash.cli.tree.child import Child
from gatecrash.cli.tree.lock import DataLock
from gatecrash.control.web_threads import WEB_THREADS
from gatecrash.core.testing.selection.hosts import is_loopback_name, plain

# First-start settings are for the preparation alone; whoever serves requests does not need them.
FIRST_START = ("GATECRASH_API_TOKEN", "GATECRASH_OWNER_PASSWORD", "GATECRASH_CLIENT_ID")


@dataclass(frozen=True)
class Plan:
    """What was asked for, ports found."""

    data_dir: Path
    host: str
    port: int
    proxy_host: str
    proxy_port: int
    with_node: bool
    upstream: str | None
    allowed_hosts: str | None
    environment: Mapping[str, str]
    collector_host: str = "127.0.0.1"
    collector_port: int = 8081
    follow_logs: tuple[str, ...] = ()
    oob: tuple[str, ...] = ()
    node_flags: tuple[str, ...] = ()

    @property
    def api(self) -> str:
        """The address at which this machine reaches the service."""
        return f"http://{reachable(self.host)}:{self.port}"

    @property
    def web(self) -> str:
        """The address at which browsers reach the pages, where something stands in front of the service."""
        return self.environment.get("GATECRASH_PUBLIC_URL", "").strip().rstrip("/") or self.api

    @property
    def proxy(self) -> str | None:
        """The address of the node's proxy."""
        return f"http://{reachable(self.proxy_host)}:{self.proxy_port}" if self.with_node else None

    @property
    def collector(self) -> str | None:
        """The address of the node's collector."""
        return f"http://{reachable(self.collector_host)}:{self.collector_port}" if self.with_node else None


def children_of(plan: Plan, lock: DataLock) -> list[Child]:
    """The tree, the node first: it is stopped first, so that it can still deliver."""
    environment = {name: value for name, value in plan.environment.items() if name not in FIRST_START}
    environment.setdefault("GATECRASH_OWN_ADDRESSES", ",".join(filter(None, (plan.api, plan.proxy, plan.collector))))
    keep = (lock.fileno(),)
    web = Child(
        "web server",
        "granian",
        (
            *("--interface", "wsgi", "--host", plan.host, "--port", str(plan.port)),
            *("--workers", "1", "--blocking-threads", str(WEB_THREADS), "--no-ws"),
            *("--log-level", "warning", "--workers-kill-timeout", "2"),
            "gatecrash.control.wsgi:application",
        ),
        environment,
        keep,
    )
    worker = Child("worker", "gatecrash.control", ("worker",), environment, keep)
    if not plan.with_node:
        return [worker, web]
    arguments = ["node", "--api", plan.api, "--token-file", str(plan.data_dir / credentials.NODE_TOKEN)]
    arguments += [
        "--proxy-listen",
        f"{bracketed(plan.proxy_host)}:{plan.proxy_port}",
        "--collector-listen",
        f"{bracketed(plan.collector_host)}:{plan.collector_port}",
        "--data-dir",
        str(plan.data_dir / "node"),
    ]
    arguments += ["--upstream", plan.upstream] if plan.upstream else []
    arguments += ["--allowed-hosts", plan.allowed_hosts] if plan.allowed_hosts else []
    arguments += [*plan.oob, *plan.node_flags]
    arguments += [word for log in plan.follow_logs for word in ("--follow-log", log)]
    return [Child("node", "gatecrash", arguments, environment, keep), worker, web]


def guarded(host: str, upstream: str | None) -> bool:
    """Whether the proxy may listen there: a forward proxy off loopback would open this network to others."""
    return is_loopback_name(plain(host)) or bool(upstream or os.environ.get("GATECRASH_PROXY_CREDENTIALS"))


def reachable(host: str) -> str:
    """The host by which this machine reaches what listens on `host`, as it is written in an address."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, bracketed(host))  # noqa: S104 - compared, not bound


def bracketed(host: str) -> str:
    """An IPv6 address in its brackets (RFC 3986 section 3.2.2)."""
    return f"[{host}]" if ":" in host else host
