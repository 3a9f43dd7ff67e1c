"""The documented HTTP call for gateways and SDKs: `POST /gatecrash/v1/exchanges`, a body of JSON lines, an exchange each.

The lines are those of formats/traffic/jsonl.py. The answer says how many were taken and what was wrong with the others:

    200 {"taken": 2, "dropped": 0, "malformed": [{"line": 3, "why": "…"}]}

400 where no line could be read, 401 without the key, 403 from a browser's page, 405 for another method, 413 for a body
over 8 MiB (64 MiB unzipped), 415 for a coding other than gzip, 503 with Retry-After where too much waits already.
"""

import asyncio
import hmac
import time
import zlib
from typing import Any

import msgspec

from gatecrash.core.message import Exchange
from gatecrash.formats.capture import Malformed
from gatecrash.formats.traffic import jsonl
from gatecrash.node.http1.head import RequestHead
from gatecrash.node.observe.mirrored import KEY_HEADER
from gatecrash.node.observe.observations import Observation, Observations
from gatecrash.node.observe.sound import Unsound, sound

CALL_PATH = b"/gatecrash/v1/exchanges"
MAX_BODY = 8 * 1024 * 1024
MAX_UNZIPPED = 64 * 1024 * 1024
MOST_TOLD = 20
# Lines read before others get their turn: about 5 ms.
SLICE = 200


class Refusal(msgspec.Struct, frozen=True):
    """An answer other than 200."""

    status: int
    error: str
    message: str

    def body(self) -> bytes:
        """As the caller reads it."""
        return msgspec.json.encode({"error": self.error, "message": self.message})


class Outcome(msgspec.Struct):
    """What became of the lines. malformed: the first 20 in words; unread: all that could not be read."""

    taken: int = 0
    dropped: int = 0
    unread: int = 0
    malformed: list[dict[str, Any]] = []

    def note(self, line: int, why: str) -> None:
        """One line that could not be read."""
        self.unread += 1
        if len(self.malformed) < MOST_TOLD:
            self.malformed.append({"line": line, "why": why})

    def answer(self) -> tuple[int, bytes]:
        """Status and body."""
        if self.dropped and not self.taken:
            return 503, Refusal(503, "overloaded", "Too much waits here already. Send these again later.").body()
        body = {"taken": self.taken, "dropped": self.dropped, "malformed": self.malformed}
        if self.unread and not self.taken:
            return 400, msgspec.json.encode({"error": "malformed", "message": "No line could be read.", **body})
        return 200, msgspec.json.encode(body)


def refusal_of(head: RequestHead, key: bytes | None) -> Refusal | None:
    """Why the call is not taken, judged by its head; None where its body may come."""
    fields = {name.lower(): value for name, value in head.headers}
    if head.method != "POST":
        return Refusal(405, "method_not_allowed", "Send exchanges with POST.")
    if key is not None and not hmac.compare_digest(fields.get(KEY_HEADER, b""), key):
        return Refusal(401, "unauthorized", "Give the collector's key in the header X-Gatecrash-Key.")
    if key is None and (b"origin" in fields or b"sec-fetch-site" in fields):
        # Any page that a user looks at could post to loopback without being asked (Fetch standard, simple requests).
        return Refusal(403, "forbidden", "A browser's page may not send exchanges.")
    if (head.framing.length or 0) > MAX_BODY:
        return Refusal(413, "payload_too_large", f"A body may have {MAX_BODY} bytes; send fewer lines at once.")
    if fields.get(b"content-encoding", b"identity").strip().lower() not in (b"identity", b"gzip"):
        return Refusal(415, "unsupported_media_type", "The body's coding may be gzip, or none.")
    return None


def unzipped(head: RequestHead, body: bytes) -> bytes | Refusal:
    """The body's lines, whatever their coding."""
    if not any(
        name.lower() == b"content-encoding" and value.strip().lower() == b"gzip" for name, value in head.headers
    ):
        return body
    reader = zlib.decompressobj(wbits=31)
    try:
        plain = reader.decompress(body, MAX_UNZIPPED)
    except zlib.error:
        return Refusal(400, "malformed", "The body is not the gzip that its header promises.")
    if reader.unconsumed_tail:
        return Refusal(413, "payload_too_large", f"The body has over {MAX_UNZIPPED} bytes when it is unzipped.")
    return plain if reader.eof else Refusal(400, "malformed", "The gzipped body breaks off.")


async def take(lines: bytes, observations: Observations) -> Outcome:
    """Reads the lines, a few at a time, and lets them be counted."""
    outcome = Outcome()
    now = time.time()
    for place, line in enumerate(lines.split(b"\n"), 1):
        if place % SLICE == 0:
            await asyncio.sleep(0)
        if not line.strip():
            continue
        found = _sound(place, line, now)
        if isinstance(found, Malformed):
            outcome.note(place, found.why)
        elif observations.reserve(len(line)):
            before = observations.dropped
            observations.put(Observation(found, whole=False, size=len(line)))
            dropped = observations.dropped - before
            outcome.dropped += dropped
            outcome.taken += 1 - dropped
        else:
            outcome.dropped += 1
    return outcome


def _sound(place: int, line: bytes, now: float) -> Exchange | Malformed:
    found = jsonl.exchange(place, line)
    if isinstance(found, Malformed):
        return found
    try:
        return sound(found, now)
    except Unsound as error:
        return Malformed(place, str(error))
