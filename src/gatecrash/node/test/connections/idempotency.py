"""A request that names itself, so that its repetition does nothing: `Idempotency-Key`
(draft-ietf-httpapi-idempotency-key-header).

Whoever is sent a key again gives the answer of the first time, or refuses another body under it, and nothing was tested. So each
request is sent with a key of its own, in the look of the recorded one.
"""

import re
import secrets
import uuid

import msgspec

from gatecrash.core.message import Request, with_header
from gatecrash.core.testing.effects.methods import is_safe

_NAMES = (b"Idempotency-Key", b"X-Idempotency-Key")
# What a probe wrote there is no key any more.
_KEY = re.compile(rb'"?[\w.:-]{1,200}"?')
_UUID = re.compile(rb"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_TAIL = re.compile(rb"[0-9A-Za-z]{12}(?=\"?$)")
_TAIL_BYTES = 6


def renamed(request: Request) -> Request:
    """The request under a key of its own, where it has one."""
    if is_safe(request):
        return request
    for name in _NAMES:
        key = request.first(name)
        if key is not None and _KEY.fullmatch(key):
            headers = with_header(request.headers, name, _like(key))
            renewed: Request = msgspec.structs.replace(request, headers=headers)
            return renewed
    return request


def _like(key: bytes) -> bytes:
    """Another key: a UUID for one, a long key with another end, a short one with an end."""
    if _UUID.search(key):
        return _UUID.sub(str(uuid.uuid4()).encode(), key)
    end = secrets.token_hex(_TAIL_BYTES).encode()
    if _TAIL.search(key):
        return _TAIL.sub(end.upper() if key.isupper() else end, key)
    return key[:-1] + b"-" + end + b'"' if key.endswith(b'"') else key + b"-" + end
