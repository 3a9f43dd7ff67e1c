"""JSON Web Tokens in compact form (RFC 7519): signed with three parts (RFC 7515), encrypted with five (RFC 7516).

Rewriting the header or the payload leaves the signature as it was: whether the application notices is the question.
"""

import binascii
import re
from typing import Final

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import CONTAINER, OPAQUE, Codec, Limits, Part, Unreadable

_COMPACT: Final = re.compile(rb"[A-Za-z0-9_\-]*+(?:\.[A-Za-z0-9_\-]*+)++")
_PART: Final = re.compile(rb"[A-Za-z0-9_\-]*+")
_TO_STANDARD: Final = bytes.maketrans(b"-_", b"+/")
_TO_URLSAFE: Final = bytes.maketrans(b"+/", b"-_")
_SIGNATURE: Final = 10


class Jwt(Codec):
    """Reads the parts of a token, each decoded; the signature is given as it is written."""

    step = "jwt"
    first_bytes = b"e"
    telling = True

    def looks(self, data: bytes, /) -> bool:
        """Whether it begins as every token does whose header is a JSON object without blanks."""
        return data.startswith(b"eyJ") and data.count(b".") in (2, 4) and _COMPACT.fullmatch(data) is not None

    def parts(self, data: bytes, _limits: Limits, _levels: int, /) -> list[Part]:
        """The whole token, its header, its payload where it is not encrypted, and its signature."""
        dots = data.count(b".")
        if dots not in (2, 4) or _COMPACT.fullmatch(data) is None:
            raise Unreadable("not the three or five parts of a token")
        first = data.find(b".")
        parts = [
            Part((), 0, len(data), b"", 0, len(data), CONTAINER),
            Part(("jwt_header",), 0, first, _decode(data[:first]), 0, first),
        ]
        if dots == 2:
            second = data.find(b".", first + 1)
            payload = _decode(data[first + 1 : second])
            parts += [
                Part(("jwt_payload",), first + 1, second, payload, first + 1, second),
                Part(
                    ("jwt_signature",),
                    second + 1,
                    len(data),
                    data[second + 1 :],
                    second + 1,
                    len(data),
                    _SIGNATURE,
                    OPAQUE,
                ),
            ]
        return parts

    def encode(self, _data: bytes, part: Part, value: bytes, /) -> bytes:
        """Base64 in the alphabet for addresses, without padding; the token and its signature as they are."""
        if part.kind == CONTAINER:
            if _COMPACT.fullmatch(value) is None or value.count(b".") not in (2, 4):
                raise UnwritableValue("a token has three or five parts; to put something else there, write its holder")
            return value
        if part.kind == _SIGNATURE:
            if _PART.fullmatch(value) is None:
                raise UnwritableValue("a token's signature is written in base64 for addresses, without padding")
            return value
        return binascii.b2a_base64(value, newline=False).rstrip(b"=").translate(_TO_URLSAFE)

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The token with that part empty, its dots in place; without the token its holder goes."""
        return None if part.kind == CONTAINER else data[: part.start] + data[part.end :]


def _decode(data: bytes) -> bytes:
    standard = data.translate(_TO_STANDARD)
    try:
        return binascii.a2b_base64(standard + b"=" * (-len(standard) % 4), strict_mode=True)
    except binascii.Error as error:
        raise Unreadable("a token's part is not base64") from error


JWT = Jwt()
