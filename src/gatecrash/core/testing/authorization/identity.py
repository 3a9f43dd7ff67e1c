"""Who a test request is sent as: what a probe may know of an identity, which is never its credentials."""

import msgspec

ANYBODY = -1
"""The rank of an account that anybody can make for himself."""


class Identity(msgspec.Struct, frozen=True):
    """One identity of the application under test.

    name: unique within a run; a TestRequest names it. rank: higher is more privileged; equal ranks are peers.
    known: what it is called by the application, in lower case, as far as a record told; its tenant (`tenant=acme`) and what only
    its role does (`role=warden/pitches`), too.
    """

    name: str
    rank: int = 0
    known: tuple[str, ...] = ()


MOST_PEERS = 2
"""A colleague of the first may have what is his; whoever comes after may belong elsewhere."""


def peer_of(identities: tuple[Identity, ...]) -> Identity | None:
    """Another identity that may see no more than the first: of the same rank, else the highest below it; None without one."""
    return next(iter(peers_of(identities)), None)


def peers_of(identities: tuple[Identity, ...]) -> tuple[Identity, ...]:
    """The first few of such identities, all of one rank."""
    if not identities:
        return ()
    own, *others = identities
    below = [each for each in others if each.rank <= own.rank]
    highest = max((each.rank for each in below), default=0)
    return tuple(each for each in below if each.rank == highest)[:MOST_PEERS]


def lower_of(identities: tuple[Identity, ...]) -> Identity | None:
    """The highest of the identities below the first; None without one."""
    below = [each for each in identities[1:] if each.rank < identities[0].rank]
    return max(below, key=lambda each: each.rank) if below else None
