"""How long a target wants to be left in peace."""

import email.utils
import time


def retry_after(value: bytes | None) -> float | None:
    """Seconds out of a Retry-After header: a number, or a date (RFC 9110 section 10.2.3). None where it is neither."""
    if value is None:
        return None
    text = value.decode("latin-1").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
