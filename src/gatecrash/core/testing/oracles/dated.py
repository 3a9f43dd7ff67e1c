"""When an answer says that it was made (RFC 9110 section 6.6.1)."""

from email.utils import parsedate_to_datetime

from gatecrash.core.message import Response


def dated(response: Response) -> float | None:
    """The moment of its Date, in UNIX seconds; None where it has none that can be read."""
    date = response.first(b"Date")
    try:
        return parsedate_to_datetime(date.decode("latin-1")).timestamp() if date else None
    except ValueError:
        return None
