"""What `gatecrash observe` reads: files folded into endpoints, and what their reader must know of them."""

from collections.abc import Iterable
from typing import BinaryIO

import click

from gatecrash.cli.capture_file import has_credentials
from gatecrash.cli.place import parse_point
from gatecrash.core.auth.parameters import DEFAULTS
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.errors import UserError
from gatecrash.core.inventory.fold import Folder
from gatecrash.core.inventory.observed import Observed, requests_before, settled
from gatecrash.core.inventory.templates import of_a_file
from gatecrash.core.message import Exchange
from gatecrash.core.point import Point
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.opening import Capture, opened

SHOWN = 5


class Observation:
    """What was read of all files: the fold, what was passed over, and whether credentials can have been in there.

    requests: how many. malformed: entries that could not be read; the first few are in `examples`, with their file.
    stripped: a HAR file without any credential was among them. blind: a log whose format shows none.
    expired: requests that are older than the window, once the endpoints were asked for.
    """

    def __init__(self, custom: Iterable[Point]) -> None:
        """custom: further parameters that count."""
        # The names of a user's own file may be shown to its user after one request.
        self._folder = Folder(compile_recogniser(custom), of_a_file())
        self.requests = 0
        self.malformed = 0
        self.examples: list[tuple[str, Malformed]] = []
        self.stripped = False
        self.blind = False
        self.expired = 0

    @property
    def silent(self) -> bool:
        """Whether nothing can be said of authentication."""
        return self.stripped or self.blind

    def read(self, name: str, stream: BinaryIO) -> None:
        """Fold one file; raises UnreadableCapture with the file's name."""
        requests, broken, credentials, answered = self.requests, "", False, False
        try:
            capture = opened(stream)
            _check_traffic(capture)
            self.blind = self.blind or capture.blind
            for item in capture.items:
                if isinstance(item, Malformed):
                    self.pass_over(name, item)
                    broken = item.why
                    continue
                self.requests += 1
                shown = has_credentials(item)
                credentials, answered = credentials or shown, answered or item.response is not None
                if shown or item.response is not None or not (answered and capture.kind == "har"):
                    self.take(
                        item
                    )  # else the browser cancelled it, and wrote down only what it had of its headers by then
        except UnreadableCapture as error:
            raise UnreadableCapture(f"{name}: {error}") from error
        if broken and self.requests == requests:
            raise UnreadableCapture(f"{name}: No entry can be read. The last one: {broken}.")
        self.stripped = self.stripped or (capture.kind == "har" and self.requests > requests and not credentials)

    def take(self, exchange: Exchange) -> None:
        """Count one exchange."""
        self._folder.add(exchange)

    def pass_over(self, name: str, item: Malformed) -> None:
        """Note an entry that could not be read."""
        self.malformed += 1
        if len(self.examples) < SHOWN:
            self.examples.append((name, item))

    def endpoints(self) -> tuple[Observed, ...]:
        """The endpoints of everything that was read."""
        hours = tuple(self._folder.take())
        self.expired = requests_before(hours)
        return settled(hours)


def _check_traffic(capture: Capture) -> None:
    """Raise UnreadableCapture for a description: nobody has sent what it holds."""
    if capture.drafted:
        raise UnreadableCapture(
            "this describes an API and holds no traffic, so nothing can be observed in it; `gatecrash scan` tests by it."
        )


def custom_points(written: Iterable[str]) -> list[Point]:
    """The points of `--param`; raises UserError with the one that is wrong."""
    points = []
    for text in written:
        try:
            point = Point.parse_configured(parse_point(text))
        except click.BadParameter as error:
            raise UserError(f"--param {text}: {error.message}") from error
        except UserError as error:
            raise UserError(
                f'--param {text}: {error}. Write it as \'["header","X-NAME"]\' or header:X-NAME.'
            ) from error
        if point not in DEFAULTS:
            points.append(point)
    return points
