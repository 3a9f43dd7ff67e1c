"""How a notification is signed: as Standard Webhooks 1.0 has it, so that libraries of many languages can check it.

    webhook-id: evt_…                          the same at every try
    webhook-timestamp: 1764460800              UNIX seconds of the try
    webhook-signature: v1,<base64> v1,<base64>  HMAC-SHA256 over `id.timestamp.body`, one for each secret that holds

A secret is `whsec_` and the base64 of 32 random bytes; the bytes are the key.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable

_PREFIX = "whsec_"
_BYTES = 32


def new_secret() -> str:
    """A fresh secret, as its receiver is given it."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def headers(event_id: str, at: int, body: bytes, keys: Iterable[str]) -> dict[str, str]:
    """The three headers. at: UNIX seconds. keys: the secrets that hold; two while one is being replaced."""
    signed = b".".join((event_id.encode(), str(at).encode(), body))
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(at),
        "webhook-signature": " ".join(_signature(key, signed) for key in keys),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
