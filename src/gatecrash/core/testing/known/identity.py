"""Who a test request is sent as: what a probe may know of an identity, which is never its credentials."""

import msgspec

ANYBODY = -1
"""The rank of an account that anybody can make for himself."""


class Identity(msgspec.Struct, frozen=True):
    """One identity of the application under test.

    name: unique within a run; a TestRequest names it. rank: higher is more privileged; equal ranks are peers.
    known: what it is called by the application, in lower case, as far as a record told; its tenant (`tenant=acme`), what only
    its role does (`role=warden/pitches`) and what lists of its choice led it to (`told of /mail/9`), too.
    """

    name: str
    rank: int = 0
    known: tuple[str, ...] = ()


def peer_of(identities: tuple[Identity, ...]) -> Identity | None:
    """Another identity that may see no more than the first: of the same rank, else the highest below it; None without one."""
    below = [each for each in identities[1:] if each.rank <= identities[0].rank]
    return max(below, key=lambda each: each.rank) if below else None


def lower_of(identities: tuple[Identity, ...]) -> Identity | None:
    """The highest of the identities below the first; None without one."""
    below = [each for each in identities[1:] if each.rank < identities[0].rank]
    return max(below, key=lambda each: each.rank) if below else None
