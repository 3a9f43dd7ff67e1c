"""`gatecrash observe --send`: the counts of captured traffic go to the service, as a node would report them.

Only names, places, types and numbers are sent, no value that was observed. The batches are named after the contents of
the files, so that what was sent before counts once.
"""

import asyncio
import hashlib
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from gatecrash import __version__
from gatecrash.cli.observation import Observation
from gatecrash.cli.settings import Settings
from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange
from gatecrash.node.observe.folding import Folding
from gatecrash.node.observe.observations import Observation as Seen
from gatecrash.node.spool import Spool
from gatecrash.node.uplink import COUNTS, HELLO, Rejected, Unreachable, Uplink
from gatecrash.wire.counts import Added, Counts
from gatecrash.wire.session import Hello, Welcome

# As a build of its own it takes no other node's place (wire/session.py).
NAME = "observe"
MOST_BATCHES = 100_000


class NotReached(click.ClickException):
    """The service did not answer."""

    exit_code = 3


class Refused(click.ClickException):
    """The service answered and refused."""

    exit_code = 4


class Sent(msgspec.Struct, frozen=True):
    """What the service took. requests: read. counted: of these, in the counts that were sent; the others wait for names.

    rows: endpoints and hours. late: those that had left its window of 7 days.
    """

    requests: int
    counted: int
    rows: int
    late: int


class Sending(Observation):
    """Reads like an observation, counts like a node: by the service's parameters, names kept until they may leave."""

    def __init__(self, folding: Folding) -> None:
        super().__init__(())
        self._folding = folding
        self._now = time.time()

    def take(self, exchange: Exchange) -> None:
        """Count one exchange as the node does: one that tells no moment as of now."""
        if not exchange.started:
            exchange = msgspec.structs.replace(exchange, started=self._now)
        self._folding.add((Seen(exchange, whole=False),))


class Service:
    """The service, spoken to as a node. Use it as a context."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._folder = tempfile.TemporaryDirectory(prefix="gatecrash-")
        self._spool = Spool(Path(self._folder.name))
        self._runner = asyncio.Runner()
        self._folding = Folding(self._spool)
        self._uplink: Uplink | None = None

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *_: object) -> None:
        if self._uplink is not None:
            self._runner.run(self._uplink.close())
        self._runner.close()
        self._spool.close()
        self._folder.cleanup()

    def begin(self) -> Sending:
        """Says hello; what is read into the answer is counted by the client's configuration.

        Raises NotReached or Refused.
        """
        self._welcome = self._runner.run(self._hello())
        self._folding.configure(self._welcome.config)
        return Sending(self._folding)

    def send(self, read: Sending, digests: Sequence[bytes]) -> Sent:
        """Sends what was read of files with these digests.

        Raises NotReached or Refused, and UserError where the files cannot tell of authentication.
        """
        if read.silent:
            raise UserError("Nothing was sent: without credentials in the file every endpoint would seem to lack them.")
        return self._runner.run(self._send(read.requests, _name(digests)))

    async def _hello(self) -> Welcome:
        self._uplink = Uplink(self._settings.api, self._settings.token, insecure=self._settings.insecure)
        hello = Hello(NAME, "native", __version__, self._spool.name, build_id=NAME)
        try:
            return await self._uplink.call(HELLO, hello, Welcome)
        except Unreachable as error:
            raise NotReached(str(error)) from error
        except Rejected as error:
            raise Refused(str(error)) from error

    async def _send(self, requests: int, name: str) -> Sent:
        assert self._uplink is not None
        await self._folding.write()
        counted = rows = late = 0
        try:
            for batch in self._spool.counts(MOST_BATCHES):
                message: Counts = msgspec.structs.replace(
                    batch, node_id=self._welcome.node_id, session=self._welcome.session, spool=name
                )
                added = await self._uplink.call(COUNTS, message, Added)
                rows += len(batch.endpoints)
                counted += sum(row.requests for row in batch.endpoints)
                late += added.late
        except Unreachable as error:
            raise NotReached(f"{error} Send the same files again: what was taken counts once.") from error
        except Rejected as error:
            raise Refused(str(error)) from error
        return Sent(requests, counted, rows - late, late)


def _name(digests: Sequence[bytes]) -> str:
    return "file_" + hashlib.sha256(b"".join(digests)).hexdigest()[:32]
