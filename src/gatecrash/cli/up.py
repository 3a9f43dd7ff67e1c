"""`gatecrash up`: the whole service on one machine, as one process tree."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from gatecrash.cli.oob_options import oob_arguments, oob_options, oob_settings, with_a_services_grace
from gatecrash.cli.output import say, warn
from gatecrash.cli.settings import data_dir as default_data_dir
from gatecrash.cli.shape import Command
from gatecrash.cli.traffic_options import traffic_options
from gatecrash.cli.tree import credentials, ports
from gatecrash.cli.tree.child import Child
from gatecrash.cli.tree.lock import DataLock
from gatecrash.cli.tree.plan import Plan, children_of, guarded, reachable
from gatecrash.cli.tree.prepare import USER_ERROR
from gatecrash.cli.tree.readiness import accepts, answers_ready
from gatecrash.cli.tree.supervisor import Stopped, Supervisor
from gatecrash.cli.written import refuse_unwritable
from gatecrash.core.errors import UserError
from gatecrash.core.testing.selection.hosts import AllowedHosts, is_loopback_name, plain
from gatecrash.node.browser.finding import browser_at

START_SECONDS = 60.0


class NotStarted(click.ClickException):
    """A part of the tree did not come up."""

    exit_code = 3


@click.command(
    cls=Command,
    epilog="""
    gatecrash up
    gatecrash up --upstream http://127.0.0.1:3000
    gatecrash up --port 0 --proxy-port 0 --data-dir /tmp/try --ready-file /tmp/try.json
    """,
)
@click.option(
    "--data-dir", type=click.Path(path_type=Path), metavar="DIR", help="Data directory. [env: GATECRASH_DATA_DIR]"
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port of the API (0: any free)."
)
@click.option(
    "--proxy-port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="Port of the proxy (0: any free).",
)
@click.option(
    "--collector-port",
    type=click.IntRange(0, 65535),
    default=8081,
    show_default=True,
    help="Port of the collector of mirrored traffic (0: any free).",
)
@traffic_options
@click.option("--database-url", metavar="URL", help="PostgreSQL instead of SQLite. [env: GATECRASH_DATABASE_URL]")
@click.option("--no-node", is_flag=True, help="Leave out the embedded node.")
@oob_options
@click.option(
    "--ready-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write addresses and token there as JSON when all is up.",
)
@click.option("--until-eof", is_flag=True, help="Stop when standard input closes: for programs that start this one.")
def command(
    data_dir: Path | None,
    host: str,
    port: int,
    proxy_port: int,
    collector_port: int,
    follow_logs: tuple[str, ...],
    database_url: str | None,
    no_node: bool,
    upstream: str | None,
    allowed_hosts: str | None,
    upstream_insecure: bool,
    browser: str,
    no_interception: bool,
    ready_file: Path | None,
    until_eof: bool,
    **oob: Any,
) -> None:
    """Run the whole service on this machine: API, background worker and node, with SQLite in a data directory.

    At the first start a client, an owner and an API token are made and their credentials printed once. Other commands
    of the same user find the token by themselves. Ends with Ctrl-C or SIGTERM.
    """
    oob = with_a_services_grace(oob)
    # Their own words for a mistake come before anything is started.
    oob_settings(dict(oob))
    refuse_mistakes(upstream, allowed_hosts, follow_logs, ready_file)
    browser_at(browser)
    folder = prepare_folder(data_dir or default_data_dir())
    stand_in(folder)
    lock = DataLock(folder)
    lock.acquire()
    try:
        proxy_host = host if guarded(host, upstream) else "127.0.0.1"
        collector_host = host if os.environ.get("GATECRASH_COLLECTOR_KEY") else "127.0.0.1"
        wanted = [("--port", host, port)]
        if not no_node:
            wanted += [
                ("--proxy-port", proxy_host, proxy_port),
                ("--collector-port", collector_host, collector_port),
            ]
        chosen = [*ports.choose(wanted), 0, 0]
        environment = environment_for(folder, database_url)
        if not is_loopback_name(plain(host)):
            warn(f"listening on {host}: other machines can reach this service, unencrypted. Put TLS before it.")
        if not no_node and proxy_host != host:
            warn("the proxy listens on 127.0.0.1 only; set GATECRASH_PROXY_CREDENTIALS=user:password to open it too.")
        plan = Plan(
            data_dir=folder,
            host=host,
            port=chosen[0],
            proxy_host=proxy_host,
            proxy_port=chosen[1],
            with_node=not no_node,
            upstream=upstream,
            allowed_hosts=allowed_hosts,
            environment=environment,
            collector_host=collector_host,
            collector_port=chosen[2],
            follow_logs=follow_logs,
            oob=tuple(oob_arguments(oob)),
            node_flags=(
                *("--upstream-insecure",) * upstream_insecure,
                *("--no-interception",) * no_interception,
                "--browser",
                browser,
            ),
        )
        serve(plan, lock, ready_file, until_eof)
    finally:
        lock.release()


def refuse_mistakes(
    upstream: str | None, allowed_hosts: str | None, follow_logs: Iterable[str], ready_file: Path | None
) -> None:
    """Read what only the node will use: it would fail again and again where it cannot be read. Raises UserError."""
    # Each is imported where it is asked for: the readers of logs know all formats, half of what this process would load.
    if upstream is not None:
        from gatecrash.node.observe.route import read_upstream

        read_upstream(upstream)
    AllowedHosts(allowed_hosts if allowed_hosts is not None else os.environ.get("ALLOWED_HOSTS", ""))
    if follow_logs:
        from gatecrash.node.observe.log_follower import read_log_option

        for log in follow_logs:
            read_log_option(log)
    if ready_file is not None:
        refuse_unwritable(ready_file)


def serve(plan: Plan, lock: DataLock, ready_file: Path | None, until_eof: bool) -> None:
    """Prepare, start everything, say where it is, and look after it until told to stop."""
    prepared = prepare(plan)
    owner = remember_owner(plan, prepared)
    children = children_of(plan, lock)
    with Supervisor(children) as supervisor:
        if until_eof:
            supervisor.stop_at_eof()
        try:
            start(plan, supervisor, children)
            if ready_file is not None:
                credentials.write_private(
                    ready_file,
                    json.dumps({**owner, "proxy": plan.proxy, "collector": plan.collector, "pid": os.getpid()}) + "\n",
                )
            introduce(plan, prepared)
            supervisor.run()
        except Stopped:
            pass
        finally:
            if ready_file is not None:
                ready_file.unlink(missing_ok=True)
        say("Stopping.")


def start(plan: Plan, supervisor: Supervisor, children: list[Child]) -> None:
    """Start the children: the service first, and when it is ready the node, which would else knock in vain.

    Raises NotStarted where they do not come up, Stopped where a signal comes first.
    """
    *nodes, worker, web = children
    supervisor.start(web, worker)
    await_ready(supervisor, lambda: answers_ready(plan.api))
    supervisor.start(*nodes)
    if nodes:
        await_ready(supervisor, lambda: accepts(reachable(plan.proxy_host), plan.proxy_port))


def await_ready(supervisor: Supervisor, is_ready: Callable[[], bool]) -> None:
    """Wait for a part. Raises NotStarted with the culprit's name where it does not come."""
    if supervisor.until(is_ready, START_SECONDS):
        return
    culprit = supervisor.exhausted
    raise NotStarted(
        f"The {culprit.name} ends again and again; the lines above say why."
        if culprit
        else f"The service was not ready within {START_SECONDS:g} s; the lines above may say why."
    )


def prepare_folder(folder: Path) -> Path:
    """The data directory, made where it is missing. Raises UserError where it cannot be used."""
    folder = folder.expanduser()
    try:
        folder = folder.absolute()
    except FileNotFoundError as error:
        raise UserError(
            f"The folder in which this was started was deleted, so {folder} is nowhere. Start it in another folder."
        ) from error
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise UserError(
            f"The data directory {folder} cannot be made: {error.strerror}. Choose another --data-dir."
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UserError(f"The data directory {folder} cannot be written to. Choose another --data-dir.")
    return folder


def stand_in(folder: Path) -> None:
    """Go to the data directory where the folder in which this was started was deleted: the web server needs to be somewhere."""
    try:
        Path.cwd()
    except FileNotFoundError:
        os.chdir(folder)
        warn(f"the folder in which this was started was deleted; relative paths are taken from {folder}.")


def environment_for(folder: Path, database_url: str | None) -> dict[str, str]:
    """The environment that every process of the tree has."""
    environment = {**os.environ, "GATECRASH_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1"}
    if database_url is not None:
        environment["GATECRASH_DATABASE_URL"] = database_url
    return environment


def prepare(plan: Plan) -> dict[str, Any]:
    """Migrate and make what a first start makes.

    Raises NotStarted or, where a setting is wrong, UserError: with the reason already on standard error.
    """
    done = subprocess.run(
        [sys.executable, "-m", "gatecrash.cli.tree.prepare"],
        # One connection says at once that the database is not there; a pool tries for half a minute.
        env={**plan.environment, "GATECRASH_POOL_SIZE": "0"},
        stdout=subprocess.PIPE,
        check=False,
    )
    if done.returncode == USER_ERROR:
        raise UserError(
            "A setting is not right, or the data directory or database is not; the line above says which and why."
        )
    if done.returncode != 0:
        raise NotStarted("The data directory or database could not be prepared; the lines above say why.")
    prepared = json.loads(done.stdout)
    assert isinstance(prepared, dict)
    return prepared


def remember_owner(plan: Plan, prepared: Mapping[str, Any]) -> dict[str, Any]:
    """What lets the owner's other commands in; the token of the first start is kept, only the address may move."""
    token = prepared["token"] or (plan.environment.get("GATECRASH_API_TOKEN") if prepared["first"] else None)
    known = credentials.read_owner(plan.data_dir)
    owner = {"api": plan.api, "token": token or known.get("token"), "client_id": prepared["client_id"]}
    if owner["token"]:
        credentials.write_owner(plan.data_dir, owner)
    return owner


def introduce(plan: Plan, prepared: Mapping[str, Any]) -> None:
    """Say where everything is and, once, how to get in."""
    lines = [
        f"Gatecrash is up. Data: {plan.data_dir}",
        f"  Web          {plan.web}/   sign in with the owner's account",
        f"  API          {plan.api}/v1   (document: {plan.api}/v1/openapi.json)",
    ]
    if plan.proxy:
        forward = f"  Proxy        {plan.proxy}   send your traffic through it: http_proxy={plan.proxy}"
        lines.append(f"  Proxy        {plan.proxy} before {plan.upstream}" if plan.upstream else forward)
    if plan.collector:
        lines.append(f"  Collector    {plan.collector}   mirror traffic to it, or send it exchanges: docs/sources.md")
    if prepared["first"]:
        lines += ["", "First start. These are shown once; keep them:", f"  Client       {prepared['client_id']}"]
        lines += [f"  API token    {prepared['token'] or 'as given in GATECRASH_API_TOKEN'}"]
        lines += [
            f"  Owner        {prepared['owner']}   password {prepared['password'] or 'as given in GATECRASH_OWNER_PASSWORD'}"
        ]
    # Other commands look for the owner's token in the usual place, unless told of another.
    elsewhere = (
        ""
        if plan.data_dir.resolve() == default_data_dir().resolve()
        else f"GATECRASH_DATA_DIR={shlex.quote(str(plan.data_dir))} "
    )
    lines += ["", f"Try: {elsewhere}gatecrash run create first. Stop with Ctrl-C."]
    click.echo("\n".join(lines))
    with suppress(OSError, ValueError):
        sys.stdout.flush()
