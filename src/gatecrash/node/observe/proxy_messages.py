"""What a node and its proxying processes say to each other."""

from pathlib import Path

import msgspec

from gatecrash.node.observe.observations import Observation
from gatecrash.node.observe.tap import TapSettings


class Inside(msgspec.Struct, frozen=True, array_like=True):
    """Into which TLS to look. folder: of the CA. hosts: as ALLOWED_HOSTS has them."""

    folder: str
    hosts: str

    @classmethod
    def at(cls, folder: Path, hosts: str) -> "Inside":
        """With the CA of that folder."""
        return cls(str(folder), hosts)


class Begin(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """The first letter. name: what the names of its clients' connections begin with, never the same twice."""

    name: str
    settings: TapSettings
    inside: Inside | None


class End(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Take no more, tell the rest, and go."""


class Listening(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Clients are served from now on."""


class Seen(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """What passed. dropped: how much of all that passed so far found no room there."""

    observations: tuple[Observation, ...]
    dropped: int


orders: "msgspec.msgpack.Decoder[Begin | End]" = msgspec.msgpack.Decoder(Begin | End)
"""Reads what a process is told."""

reports: "msgspec.msgpack.Decoder[Listening | Seen]" = msgspec.msgpack.Decoder(Listening | Seen)
"""Reads what it tells."""
