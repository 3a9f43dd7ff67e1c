"""Addresses on the host that a refusal says they must be on: `url must point to hooks.shop.example`.

What keeps to a list of hosts refuses every address that a description or its reader makes up. The refusal often names one
that is let through, and only behind it can be seen how well the list is kept.
"""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from gatecrash.core.point import Point
from gatecrash.core.points.found import Found

_SPEAKS_OF_IT = re.compile(r"host|domain|allow|permit|white-?list|trusted|must|only|should", re.IGNORECASE)
_HOST = re.compile(
    # Behind a colon stands the code of a fault: `soap:Client.Auth`.
    r"(?<![\w@.:-])(?:\*?\.)?((?:[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?\.){1,4}[a-z]{2,15})(?![\w-]|\.\w)",
    re.IGNORECASE,
)
# By which an answer is read, and which say nothing in it.
_DECLARATION = re.compile(r"\bxmlns(?::[\w.-]{1,40})?+=(?:\"[^\"]{0,300}\"|'[^']{0,300}')")
# What a stack trace names.
_FILES = (
    "py",
    "rb",
    "php",
    "js",
    "mjs",
    "cjs",
    "ts",
    "java",
    "go",
    "cs",
    "pl",
    "jsp",
    "html",
    "json",
    "xml",
    "yaml",
    "log",
    "txt",
)
_ADDRESS = re.compile(rb"https?://[^/?#\s]{1,253}", re.IGNORECASE)


def hosts_told(found: Iterable[Found], message: str) -> dict[Point, bytes]:
    """The addresses that the request names, on a host that the message tells; none where it tells none, or they are there."""
    if _SPEAKS_OF_IT.search(message) is None:
        return {}
    addresses = [one for one in found if one.point[0] in ("get", "post") and _ADDRESS.match(one.value)]
    named = [one for one in addresses if re.search(rf"(?<!\w){re.escape(one.point[-1])}(?!\w)", message)] or addresses
    asked = {(urlsplit(one.value.decode("latin-1")).hostname or "").lower() for one in named}
    hosts = (each[1].lower() for each in _HOST.finditer(_DECLARATION.sub("", message)))
    told = next((host for host in hosts if host not in asked and host.rpartition(".")[2] not in _FILES), "")
    # A call that comes in the clear is heard by who listens for it.
    origin = f"{'https' if 'https' in message.lower() else 'http'}://{told}".encode()
    return {one.point: _ADDRESS.sub(origin, one.value, count=1) for one in named} if told else {}
