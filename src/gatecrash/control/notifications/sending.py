"""One POST to a receiver: to the address that was judged and no other, without redirects, within a bounded time.

Our own few lines of HTTP/1.1: the connection goes to one given address while TLS and Host speak of the name, nothing of the
answer but its status is of interest, and a receiver that dribbles must not hold a worker.
"""

import asyncio
import os
import ssl
from collections.abc import Mapping
from typing import NamedTuple

from gatecrash import __version__
from gatecrash.control.notifications.destinations import NotAllowed, Place, Unresolved, resolve

SECONDS = 10.0
_MOST_INTERIM = 5
_MOST_LINES = 200


class Outcome(NamedTuple):
    """How a try ended. status: of the answer; None where none came. error: empty where it was taken (2xx)."""

    status: int | None
    error: str


class _NoAnswer(Exception):
    """What came is no answer of HTTP."""


def send(place: Place, headers: Mapping[str, str], body: bytes, seconds: float = SECONDS) -> Outcome:
    """Send, and say what came of it; nothing that a receiver does raises."""
    try:
        address = resolve(place)
        status = asyncio.run(_ask(place, address, _request(place, headers, body), seconds))
    except (NotAllowed, Unresolved) as error:
        return Outcome(None, str(error))
    except TimeoutError:
        return Outcome(None, f"No answer within {seconds:g} seconds.")
    except ssl.SSLCertVerificationError as error:
        return Outcome(None, f"Its certificate was not accepted: {error.verify_message}.")
    except (OSError, EOFError, ValueError, _NoAnswer) as error:
        return Outcome(None, _said(error))
    if 200 <= status < 300:
        return Outcome(status, "")
    return Outcome(status, "Redirects are not followed." if 300 <= status < 400 else f"It answered {status}.")


def _said(error: Exception) -> str:
    if isinstance(error, _NoAnswer):
        return "What it answered is no HTTP."
    if isinstance(error, EOFError):
        return "It closed the connection without an answer."
    number = getattr(error, "errno", None)
    # What asyncio says of it repeats the address.
    reason = os.strerror(number) if isinstance(number, int) and number > 0 else type(error).__name__
    return f"It was not reached: {reason}."


def _request(place: Place, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = {
        "Host": place.authority,
        "User-Agent": f"Gatecrash/{__version__}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **headers,
    }
    head = f"POST {place.target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return head.encode("ascii") + b"\r\n" + body


async def _ask(place: Place, address: str, request: bytes, seconds: float) -> int:
    """The status of the final answer. Raises TimeoutError, OSError, EOFError, ValueError, _NoAnswer."""
    async with asyncio.timeout(seconds):
        secure = ssl.create_default_context() if place.scheme == "https" else None
        name = place.host if secure else None
        reader, writer = await asyncio.open_connection(address, place.port, ssl=secure, server_hostname=name)
        try:
            writer.write(request)
            for _ in range(_MOST_INTERIM):
                status = await _status(reader)
                if status >= 200:
                    return status
            raise _NoAnswer
        finally:
            # Not closed in order: a receiver that never ends its side of TLS would be waited for.
            writer.transport.abort()


async def _status(reader: asyncio.StreamReader) -> int:
    """The status of the next answer; of one in between (1xx) the head is read to its end."""
    line = await reader.readline()
    if not line:
        raise EOFError
    version, _, rest = line.partition(b" ")
    code = rest[:3]
    if not version.startswith(b"HTTP/1.") or len(code) < 3 or not code.isdigit() or code < b"100":
        raise _NoAnswer
    if code < b"200":
        for _ in range(_MOST_LINES):
            if (await reader.readline()).strip() == b"":
                break
    return int(code)
