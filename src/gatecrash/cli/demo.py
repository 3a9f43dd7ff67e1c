"""`gatecrash demo`: both halves on a small vulnerable target, over the real service."""

import os
import shlex
import shutil
import signal
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType

import click

from gatecrash.cli.shape import Command

PREFIX = "gatecrash-demo-"


class Unfinished(click.ClickException):
    """The demo could not be told to its end."""

    exit_code = 3


@click.command(cls=Command, epilog="gatecrash demo --exit")
@click.option(
    "--exit", "leave", is_flag=True, help="End afterwards: 0 when all was as planted, 1 when anything deviated."
)
@click.option("--keep", is_flag=True, help="Leave the scratch directory, with its logs, behind.")
def command(leave: bool, keep: bool) -> None:
    """Start everything on a scratch directory, with a small vulnerable API of ours as target; send traffic, find what
    it shows, test it, and sum up.

    Nothing outside the scratch directory is touched, and nothing listens beyond this machine.
    """
    from gatecrash.core.errors import GatecrashError

    signal.signal(signal.SIGTERM, _interrupt)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        code = tell(folder, leave)
    except GatecrashError as error:
        keep = True
        raise Unfinished(f"{error}\nThe scratch directory is kept: {folder}") from error
    finally:
        if not keep:
            _remove(folder)
    sys.exit(code)


def tell(folder: Path, leave: bool) -> int:
    """Tell the story in the folder; the exit code. Without `leave`, go on until interrupted."""
    from rich.console import Console

    from gatecrash.cli.api import Api
    from gatecrash.cli.settings import Settings
    from gatecrash.cli.watch import watch
    from gatecrash.demo import launch, summary
    from gatecrash.demo.story import Story

    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print("Starting a vulnerable tea shop, and Gatecrash with its node in front of it …", highlight=False)
    # The demo is a world of its own: settings of another installation must not leak into it.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GATECRASH_")}
    with launch.target() as target, launch.service(folder, environment) as service:
        console.print(f"API {service.api}, proxy {service.proxy}, target {target}", highlight=False)
        with Api(Settings(service.api, service.token, service.client_id)) as api:
            run, deviating = Story(console, api, service, target, lambda run_id: watch(api, run_id)).tell()
            if not leave:
                summary.look_next(console, service, run, target, folder, _program())
                _until_interrupted()
    return 1 if deviating else 0


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _program() -> str:
    """How to call this command again: it need not be on the search path."""
    called = Path(sys.argv[0])
    if called.name != "gatecrash":
        return f"{shlex.quote(sys.executable)} -m gatecrash"
    return "gatecrash" if shutil.which("gatecrash") == str(called) else shlex.quote(str(called))


def _until_interrupted() -> None:
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        click.echo("Stopping.", err=True)


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
