"""The address at which browsers reach the pages, where something stands in front of the service."""

from urllib.parse import urlsplit

from gatecrash.core.errors import UserError


def read(text: str | None) -> str:
    """The address without a slash at its end; empty where none is given. Raises UserError for what is no origin."""
    address = (text or "").strip().rstrip("/")
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        named = parts.hostname is not None and (parts.port is None or parts.port > 0)
    except ValueError:  # brackets that hold no address, a port that is none
        named = False
    if not named or parts.scheme not in ("http", "https") or address != f"{parts.scheme}://{parts.netloc}":
        raise UserError(
            f"GATECRASH_PUBLIC_URL: {address!r} is no address such as https://gatecrash.example.com, without a path"
        )
    return address
