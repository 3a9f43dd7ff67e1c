"""Texts that an answer holds in base64: a document within JSON, a picture within a page (RFC 4648; RFC 2397, `data:`)."""

import base64
import binascii
import re
from typing import Final

# Pictures of a page may be many; a file that was asked for is among the longest.
_MOST: Final = 4
# Encoders for mail write lines of 76 (RFC 2045 section 6.8), whose ends are escaped within JSON.
_PACKED = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/](?:[A-Za-z0-9+/]|\\?/|\\r|\\n|[\r\n]){62,}={0,2}")
_LINE_ENDS = re.compile(r"\\r|\\n|\\|\s")


def packed_texts(text: str) -> list[str]:
    """What the longest of them say, read as UTF-8; nothing for what is no base64."""
    longest = sorted(_PACKED.findall(text), key=len, reverse=True)[:_MOST]
    return [found for each in longest if (found := _unpacked(_LINE_ENDS.sub("", each)))]


def _unpacked(packed: str) -> str:
    bare = packed.rstrip("=")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4)).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""
