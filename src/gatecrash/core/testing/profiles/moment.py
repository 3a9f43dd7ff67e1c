"""What a signer may not find out by itself: the time, fresh nonces, and the server's challenge."""

import msgspec


class Challenge(msgspec.Struct, frozen=True, kw_only=True):
    """A Digest challenge (RFC 7616 section 3.3), as the server gave it."""

    realm: str
    nonce: str
    opaque: str = ""
    algorithm: str = "MD5"
    qop: str = ""
    userhash: bool = False


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """The circumstances of one signature.

    now: UNIX seconds. nonce: letters and digits never used before. challenge: the server's, for Digest; None where none
    was seen. count: how often its nonce has been used, this request included.
    """

    now: float
    nonce: str
    challenge: Challenge | None = None
    count: int = 1
