"""OpenAPI 3.0 and 3.1, in JSON or YAML: every operation becomes a request that the document calls valid.

Values come from examples, defaults and enumerations before they are made up by the schemas; `$ref` is followed within
the document. The request goes to the first of `servers`, whose address may be a path only; the user's target is then needed.
Webhooks are no operations of the API.
"""

from collections.abc import Iterator
from typing import BinaryIO

from gatecrash.core.message import Exchange
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions.document import load
from gatecrash.formats.descriptions.operations import drafts

WHAT = "OpenAPI document"


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The document's operations as drafts. Raises UnreadableCapture where it is none, with the place."""
    document = load(stream, WHAT)
    version = str(document.get("openapi") or "")
    if not version.startswith("3."):
        raise UnreadableCapture(f"The {WHAT} says `openapi: {version or 'nothing'}`; 3.0 and 3.1 can be read.")
    if not isinstance(document.get("paths"), dict) or not document["paths"]:
        raise UnreadableCapture(f"The {WHAT} has no `paths`, so it describes no operation.")
    yield from drafts(document)
