"""A node as a process of its own: `python -m gatecrash.node`, its settings as one JSON document on standard input.

On standard input, since a token in the arguments or the environment is seen by every process of the machine's user.
"""

import asyncio
import logging
import sys

import uvloop

from gatecrash.core.errors import UserError
from gatecrash.node import journal
from gatecrash.node.agent import run_node
from gatecrash.node.garbage import collect_seldom
from gatecrash.node.settings import NodeSettings, decode

log = logging.getLogger(__name__)


def main() -> None:
    """Reads the settings from standard input and runs the node; exits 2 where they cannot work."""
    journal.set_up()
    try:
        settings = decode(sys.stdin.buffer.read())
    except UserError as error:
        log.error("node cannot start", extra={"why": str(error)})  # noqa: TRY400 - the text says it
        sys.exit(2)
    run_process(settings)


def run_process(settings: NodeSettings) -> None:
    """Runs a node in this process until SIGTERM; exits 2 where the settings cannot work."""
    journal.set_up()
    collect_seldom()
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(run_node(settings))
    except UserError as error:
        log.error("node cannot start", extra={"why": str(error)})  # noqa: TRY400 - the text says it
        sys.exit(2)


if __name__ == "__main__":
    main()
