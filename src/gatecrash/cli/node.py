"""`gatecrash node`: a node on a machine of its own; `gatecrash up` has one already."""

import os
from pathlib import Path

import click

from gatecrash.cli.options import settings_from
from gatecrash.cli.secret import read_secret
from gatecrash.cli.settings import data_dir as default_data_dir
from gatecrash.cli.shape import Command


@click.command(
    cls=Command,
    epilog="""
    gatecrash node --api https://gatecrash.example.com --token-file edge-1.token
    gatecrash node --upstream http://127.0.0.1:3000 --proxy-listen 127.0.0.1:8080 --allowed-hosts '127.0.0.1:3000'
    """,
)
@click.option("--api", metavar="URL", help="Address of the service. [env: GATECRASH_API]")
@click.option(
    "--token", metavar="TOKEN", help="Token of role node or ci; others here can see it. [env: GATECRASH_TOKEN]"
)
@click.option("--token-file", type=click.Path(path_type=Path), metavar="FILE", help="File with the token.")
@click.option("--insecure", is_flag=True, help="Speak plain HTTP to a service on another machine.")
@click.option("--name", default="node", show_default=True, help="Name shown in the service.")
@click.option(
    "--proxy-listen",
    default="127.0.0.1:8080",
    show_default=True,
    metavar="HOST:PORT",
    help="Where the proxy listens (port 0: any free).",
)
@click.option(
    "--proxy-credentials-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File with user:password that clients of the proxy must show; needed off loopback. [env: GATECRASH_PROXY_CREDENTIALS]",
)
@click.option("--upstream", metavar="URL", help="Be a reverse proxy before this origin.")
@click.option(
    "--allowed-hosts",
    metavar="PATTERN",
    help="Hosts that may be tested; unset: this machine only. [env: ALLOWED_HOSTS]",
)
@click.option("--workers", type=click.IntRange(1, 1000), help="Baseline requests tested at once (10). [env: WORKERS]")
@click.option("--no-verify-tls", is_flag=True, help="Do not check the certificates of applications.")
@click.option(
    "--data-dir", type=click.Path(path_type=Path), metavar="DIR", help="Where it keeps what is not delivered yet."
)
def command(
    api: str | None,
    token: str | None,
    token_file: Path | None,
    insecure: bool,
    name: str,
    proxy_listen: str,
    proxy_credentials_file: Path | None,
    upstream: str | None,
    allowed_hosts: str | None,
    workers: int | None,
    no_verify_tls: bool,
    data_dir: Path | None,
) -> None:
    """Run a node: a proxy that observes and records what goes through it, and a tester that the service steers.

    Only hosts that were recorded and are allowed are ever tested.
    """
    from gatecrash.node.__main__ import run_process
    from gatecrash.node.settings import NodeSettings

    service = settings_from(api, token, token_file, None, insecure)
    credentials = os.environ.get("GATECRASH_PROXY_CREDENTIALS") or None
    if proxy_credentials_file is not None:
        credentials = read_secret(proxy_credentials_file, "proxy credentials")
    run_process(
        NodeSettings(
            api=service.api,
            token=service.token,
            spool_dir=(data_dir or default_data_dir() / "node").expanduser().absolute(),
            name=name,
            build_id=os.environ.get("BUILD_ID", ""),
            proxy_listen=proxy_listen,
            upstream=upstream,
            proxy_credentials=credentials,
            workers=workers or workers_from(os.environ.get("WORKERS")),
            allowed_hosts=allowed_hosts if allowed_hosts is not None else os.environ.get("ALLOWED_HOSTS", ""),
            insecure=insecure,
            verify_tls=not no_verify_tls,
        )
    )


def workers_from(given: str | None) -> int:
    """The number in WORKERS, 10 where it is not set. Raises UsageError where it is no number of workers."""
    if not given:
        return 10
    if not given.isdigit() or not 1 <= int(given) <= 1000:
        raise click.UsageError(f"WORKERS={given} is no number from 1 to 1000.")
    return int(given)
