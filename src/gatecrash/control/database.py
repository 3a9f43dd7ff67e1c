"""From a database address to Django's settings, and the guard on every connection."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from gatecrash.control.web_threads import WEB_THREADS
from gatecrash.core.errors import UserError

# WAL lets readers go on beside the one writer. FULL syncs each commit: what was acknowledged survives a power cut.
# The file is not mapped: each thread has a connection of its own, and five of them held a file of 50 MiB five times in
# memory once a report had read it, for half a microsecond less a row.
SQLITE_PRAGMAS = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY; PRAGMA mmap_size=0"
SQLITE_BUSY_SECONDS = 20
# What a caller waits for a connection. Where there are more than threads, only a server that is away, or one that is long
# in letting somebody in, keeps him waiting; where there are fewer, others do, and soon give theirs back.
AWAY_SECONDS = 5
BUSY_SECONDS = 20
# For how long the pool tries to connect by itself, at intervals that double; whoever asks for a connection then begins
# anew. Else a server that was away for minutes would be back for minutes before anybody noticed.
RECONNECT_SECONDS = 5


class InvalidDatabaseAddress(UserError):
    """A database address is neither sqlite:/// nor postgresql://."""


def parse_url(url: str, *, pool_size: int = 20) -> dict[str, Any]:
    """Django's settings for a database address. Raises InvalidDatabaseAddress, never showing a password."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite" and not parts.netloc and len(parts.path) > 1:
        return _sqlite(unquote(parts.path[1:]))
    if parts.scheme in ("postgresql", "postgres") and len(parts.path) > 1:
        return _postgresql(url, pool_size)
    raise InvalidDatabaseAddress(
        f"the database address begins with {parts.scheme!r}: use sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME"
    )


def _sqlite(path: str) -> dict[str, Any]:
    """A file. IMMEDIATE transactions: a deferred one that turns writer late fails at once instead of waiting."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": SQLITE_BUSY_SECONDS,
            "init_command": SQLITE_PRAGMAS,
        },
        "TEST": {},
    }


def _postgresql(url: str, pool_size: int) -> dict[str, Any]:
    """A server, through psycopg's pool; what stands behind `?` goes to libpq as it is (sslmode and the like)."""
    parts = urlsplit(url)
    # A pool tries again and again where nobody answers; one connection says at once why.
    patience = AWAY_SECONDS if pool_size > WEB_THREADS else BUSY_SECONDS
    kept = (
        {"pool": {"min_size": 1, "max_size": pool_size, "timeout": patience, "reconnect_timeout": RECONNECT_SECONDS}}
        if pool_size
        else {"connect_timeout": 10}
    )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "OPTIONS": {**kept, **dict(parse_qsl(parts.query))},
        "TEST": {},
    }
