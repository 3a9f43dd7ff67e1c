"""The query of the request target: `["get", NAME]`, with `array` and `hash` for brackets and repeated names."""

from gatecrash.core.points.codec import Codec, Limits, Part
from gatecrash.core.points.pairs import encode_pair, insert_pair, name_of_pair, pair_parts, without_pair


class Query(Codec):
    """Reads the raw target from its first question mark on."""

    step = "get"
    between = b"&"

    def looks(self, data: bytes, /) -> bool:
        """Whether the target has a query."""
        return b"?" in data

    def parts(self, data: bytes, limits: Limits, _levels: int, /) -> list[Part]:
        """The fields of the query."""
        mark = data.find(b"?")
        return pair_parts(data, mark + 1, ("get",), limits) if mark >= 0 else []

    def encode(self, _data: bytes, part: Part, value: bytes, /) -> bytes:
        """Percent codes; a space is `%20`, which every reader of a query understands."""
        return encode_pair(part, value, b"%20")

    def insert(self, _data: bytes, part: Part, value: bytes, /) -> bytes:
        """The value as it is, behind an equals sign."""
        return insert_pair(part, value)

    def name(self, data: bytes, part: Part, /) -> Part | None:
        """The field's name."""
        return name_of_pair(data, part)

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The target without the field, and without its question mark where it was the only one."""
        left = without_pair(data, part)
        return left[:-1] if left.endswith(b"?") and left.find(b"?") == len(left) - 1 else left


QUERY = Query()
