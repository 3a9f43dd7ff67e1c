"""What the main process of a node and its testing processes tell each other, over a socket pair.

Length, then msgpack. Both ends are of one installation, so there is no version.
"""

import msgspec

from gatecrash.core.auth.sessions import LearnedCookie
from gatecrash.core.message import Exchange
from gatecrash.core.testing.out_of_band import Hit, Listening, Lure
from gatecrash.node import children
from gatecrash.node.test.bounds import Bounds
from gatecrash.wire.session import RunOrder, RunProgress


class Begin(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """The first word to a testing process. folder: of the board. listening: where targets come to, if anywhere.

    processes: how many there are.
    """

    lane: int
    folder: str
    bounds: Bounds
    listening: Listening | None
    grace: float
    processes: int = 1


class Told(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """The control plane was heard, and these are the orders. rps_per_host: the limit of now."""

    orders: tuple[RunOrder, ...]
    rps_per_host: int | None


class Taught(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """What detection knows: the client's parameters, and what was learned of session cookies."""

    parameters: tuple[tuple[str, ...], ...]
    sessions: tuple[LearnedCookie, ...]


class Wake(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """There may be work for the run."""

    run_id: str


class Reply(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """The answer to a call, as it came over the wire; error: why there is none."""

    number: int
    body: bytes
    error: str = ""
    retry_after: float | None = None


class Heard(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Somebody came to the listener for what this process planted."""

    hit: Hit


class End(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Stop all runs, hand over what was found, and end."""


class Call(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A testing process would say this to the control plane."""

    number: int
    path: str
    message: bytes


class Far(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """How far a testing process is with its runs."""

    runs: tuple[RunProgress, ...]


class Met(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A page that a run knows now: told by who met it, and then to all others. visited: by somebody without credentials."""

    run_id: str
    generation: int
    exchange: Exchange
    visited: bool = False


class Planted(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A lure is about to be sent."""

    lure: Lure
    run_id: str
    generation: int
    baseline_id: str
    exchange: Exchange


class LureAnswered(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """The request that a lure stood in was answered."""

    name: str
    exchange: Exchange


class LureClosed(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """The dialogue of a lure is over. decided: whoever comes now says nothing new."""

    name: str
    decided: bool


Letter = Begin | Told | Taught | Wake | Reply | Heard | End | Call | Far | Met | Planted | LureAnswered | LureClosed

decoder: msgspec.msgpack.Decoder[Letter] = msgspec.msgpack.Decoder(Letter)
"""Reads both ends' letters."""

Channel = children.Channel[Letter]
"""One end of the socket pair."""
