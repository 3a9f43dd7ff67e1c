"""From a token to its caller: one indexed read, remembered for less than a second."""

import threading
import time

from django.db import OperationalError
from django.db.models import Q

from gatecrash.control import wall
from gatecrash.control.accounts import tokens
from gatecrash.control.accounts.models import ApiToken
from gatecrash.control.api.caller import Caller
from gatecrash.control.api.errors import ApiError
from gatecrash.control.api.roles import Role

# A revoked token works for at most this long in another process; in the process that revokes it `forget` ends it at once.
REMEMBERED_SECONDS = 0.5
REMEMBERED_TOKENS = 4096
USE_RECORDED_SECONDS = 60

_remembered: dict[str, tuple[float, Caller]] = {}
_lock = threading.Lock()


def authenticate(token: str) -> Caller:
    """The caller of a valid token. Raises ApiError (401), with the same words for every reason but absence."""
    if not token:
        raise ApiError("unauthorized", "The header X-Service-API-Token is missing.")
    digest = tokens.digest(token[: tokens.MAX_LENGTH + 1])
    caller = _recall(digest) or _look_up(digest)
    if caller is None or (caller.expires_at is not None and caller.expires_at <= time.time()):
        raise ApiError("unauthorized", "The API token is not valid.")
    return caller


def forget() -> None:
    """Let a change of tokens take effect in this process at once."""
    with _lock:
        _remembered.clear()


def _recall(digest: str) -> Caller | None:
    known = _remembered.get(digest)
    return known[1] if known is not None and known[0] > time.monotonic() else None


def _look_up(digest: str) -> Caller | None:
    with wall.system("find the client of a token"):
        row = (
            ApiToken.objects.filter(digest=digest, revoked_at=None)
            .values_list("id", "client_id", "role", "deployment", "node_id", "expires_at", "last_used_at")
            .first()
        )
        if row is None:
            return None
        _record_use(row[0], row[6])
    caller = Caller(row[0], row[1], Role(row[2]), row[3], row[4], row[5])
    with _lock:
        if len(_remembered) >= REMEMBERED_TOKENS:
            _remembered.clear()
        _remembered[digest] = (time.monotonic() + REMEMBERED_SECONDS, caller)
    return caller


def _record_use(token_id: str, last_used_at: int | None) -> None:
    """Note the use, at most once a minute. A busy database must not fail a request for the sake of this note."""
    now = int(time.time())
    if last_used_at is not None and now - last_used_at < USE_RECORDED_SECONDS:
        return
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_RECORDED_SECONDS)
    try:
        ApiToken.objects.filter(stale, id=token_id).update(last_used_at=now)
    except OperationalError:
        return
