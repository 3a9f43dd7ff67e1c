"""`gatecrash node`: a node on a machine of its own; `gatecrash up` has one already. Beside it what concerns all nodes."""

import os
from pathlib import Path
from typing import Any

import click

from gatecrash.cli.node_list import list_nodes, remove
from gatecrash.cli.oob_options import oob_options, oob_settings, with_a_services_grace
from gatecrash.cli.options import settings_from
from gatecrash.cli.secret import read_secret
from gatecrash.cli.settings import data_dir as default_data_dir
from gatecrash.cli.shape import Command, Group
from gatecrash.cli.traffic_options import traffic_options
from gatecrash.cli.upstream_proxy_option import upstream_proxy_option
from gatecrash.cli.written import save


@click.group(
    cls=Group,
    invoke_without_command=True,
    epilog="""
    gatecrash node --api https://gatecrash.example.com --token-file edge-1.token
    gatecrash node --upstream http://127.0.0.1:3000 --proxy-listen 127.0.0.1:8080 --allowed-hosts '127.0.0.1:3000'
    gatecrash node --proxy-listen "" --collector-listen 127.0.0.1:8081 --follow-log nginx=/var/log/nginx/gatecrash.log
    gatecrash node ca --out gatecrash-ca.pem
    gatecrash node list
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
@click.option(
    "--collector-listen",
    default="",
    metavar="HOST:PORT",
    help="Where the collector of mirrored traffic listens (port 0: any free); none by default.",
)
@click.option(
    "--collector-key-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File with the key that senders must show; needed off loopback. [env: GATECRASH_COLLECTOR_KEY]",
)
@traffic_options
@upstream_proxy_option
@click.option("--workers", type=click.IntRange(1, 1000), help="Baseline requests tested at once (10). [env: WORKERS]")
@click.option("--processes", type=click.IntRange(1, 64), help="Processes that test, under shared limits, and as many that proxy: for several cores (1). [env: PROCESSES]")  # fmt: skip
@click.option("--rps-per-host", type=click.IntRange(1, 1000), envvar="RPS_PER_HOST", metavar="N", help="Test requests a second to any one host, over all runs. [env: RPS_PER_HOST]")  # fmt: skip
@oob_options
@click.option(
    "--data-dir", type=click.Path(path_type=Path), metavar="DIR", help="Where it keeps what is not delivered yet."
)
@click.pass_context
def command(
    context: click.Context,
    /,
    api: str | None,
    token: str | None,
    token_file: Path | None,
    insecure: bool,
    name: str,
    proxy_listen: str,
    proxy_credentials_file: Path | None,
    collector_listen: str,
    collector_key_file: Path | None,
    follow_logs: tuple[str, ...],
    upstream: str | None,
    allowed_hosts: str | None,
    workers: int | None,
    processes: int | None,
    rps_per_host: int | None,
    upstream_insecure: bool,
    browser: str,
    no_interception: bool,
    upstream_proxy: str | None,
    data_dir: Path | None,
    **oob: Any,
) -> None:
    """Run a node: a proxy that observes and records what goes through it, and a tester that the service steers.

    Only hosts that were recorded and are allowed are ever tested. TLS to allowed hosts is opened with certificates of
    the node's own CA, which `gatecrash node ca` prints; all other TLS is passed on blindly.
    """
    if context.invoked_subcommand is not None:
        return
    from gatecrash.node.__main__ import run_process
    from gatecrash.node.settings import NodeSettings

    service = settings_from(api, token, token_file, None, insecure)
    credentials = os.environ.get("GATECRASH_PROXY_CREDENTIALS") or None
    if proxy_credentials_file is not None:
        credentials = read_secret(proxy_credentials_file, "proxy credentials")
    collector_key = os.environ.get("GATECRASH_COLLECTOR_KEY") or None
    if collector_key_file is not None:
        collector_key = read_secret(collector_key_file, "collector key")
    run_process(
        NodeSettings(
            api=service.api,
            token=service.token,
            spool_dir=state_dir(data_dir),
            name=name,
            build_id=os.environ.get("BUILD_ID", ""),
            proxy_listen=proxy_listen,
            upstream=upstream,
            upstream_proxy=upstream_proxy or None,
            proxy_credentials=credentials,
            collector_listen=collector_listen,
            collector_key=collector_key,
            follow_logs=follow_logs,
            workers=workers or number_from("WORKERS", 10, 1000),
            processes=processes or number_from("PROCESSES", 1, 64),
            rps_per_host=rps_per_host,
            allowed_hosts=allowed_hosts if allowed_hosts is not None else os.environ.get("ALLOWED_HOSTS", ""),
            insecure=insecure,
            verify_tls=not upstream_insecure,
            browser=browser,
            intercept_tls=not no_interception,
            oob=oob_settings(with_a_services_grace(oob)),
        )
    )


@command.command(
    "ca",
    cls=Command,
    epilog="""
    gatecrash node ca --out gatecrash-ca.pem
    curl -x http://127.0.0.1:8080 --cacert gatecrash-ca.pem https://localhost:8443/
    """,
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write there instead of printing."
)
@click.option("--data-dir", type=click.Path(path_type=Path), metavar="DIR", help="The node's own, if it has another.")
def ca(out: Path | None, data_dir: Path | None) -> None:
    """Print the certificate of the node's CA in PEM, which clients must trust so that their TLS can be observed.

    It is made if there is none yet, and ends after a year. Its key stays in the node's data directory.
    """
    from gatecrash.node.tls.authority import CertificateAuthority

    authority = CertificateAuthority.open(state_dir(data_dir))
    if out is None:
        click.echo(authority.pem.decode(), nl=False)
        return
    save(out, authority.pem)


command.add_command(list_nodes)
command.add_command(remove)


def state_dir(given: Path | None) -> Path:
    """Where a node keeps its spool and its CA."""
    return (given or default_data_dir() / "node").expanduser().absolute()


def number_from(variable: str, usual: int, most: int) -> int:
    """The number in an environment variable, the usual one where it is not set. Raises UsageError where it is none from 1 to most."""
    given = os.environ.get(variable)
    if not given:
        return usual
    if not given.isdigit() or not 1 <= int(given) <= most:
        raise click.UsageError(f"{variable}={given} is no number from 1 to {most}.")
    return int(given)
