"""A form: application/x-www-form-urlencoded, as a body or inside another value."""

import re
from typing import Final

from gatecrash.core.points.codec import Codec, Limits, Part
from gatecrash.core.points.pairs import encode_pair, insert_pair, name_of_pair, pair_parts, without_pair

# Two pairs or more, with names as programs write them: `a=b` alone is too often no form at all.
_FORM: Final = re.compile(
    rb"[A-Za-z_][\w.\-\[\]%]*+=[\w.\-~%+*]*+(?:&[A-Za-z_][\w.\-\[\]%]*+=[\w.\-~%+*]*+)++", re.ASCII
)


class Form(Codec):
    """Reads pairs; every byte string is a form, so nothing is unreadable."""

    step = "form_urlencoded"
    between = b"&"
    first_bytes = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

    def looks(self, data: bytes, /) -> bool:
        """Whether a value is a form beyond doubt."""
        return b"&" in data and _FORM.fullmatch(data) is not None

    def parts(self, data: bytes, limits: Limits, _levels: int, /) -> list[Part]:
        """The fields of the form."""
        return pair_parts(data, 0, (), limits)

    def encode(self, _data: bytes, part: Part, value: bytes, /) -> bytes:
        """Percent codes; a space is `+`."""
        return encode_pair(part, value, b"+")

    def insert(self, _data: bytes, part: Part, value: bytes, /) -> bytes:
        """The value as it is, behind an equals sign."""
        return insert_pair(part, value)

    def name(self, data: bytes, part: Part, /) -> Part | None:
        """The field's name."""
        return name_of_pair(data, part)

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The form without the field; empty where it was the only one."""
        return without_pair(data, part)


FORM = Form()
