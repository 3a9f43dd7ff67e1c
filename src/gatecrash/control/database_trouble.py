"""What to say where the database refuses or does not answer, which no log has to be read for."""

from django.db import DatabaseError, OperationalError

FULL = "The disk of the database is full: nothing can be written. What is stored stays; make room."
AWAY = "The database does not answer. Wait a moment and try again."
# SQLite's words, and PostgreSQL's, which passes on the system's.
_SIGNS = ("disk is full", "no space left")


def is_full(error: BaseException | None) -> bool:
    """Whether this error of the database says that there is no room."""
    return isinstance(error, DatabaseError) and any(sign in str(error).lower() for sign in _SIGNS)


def said(error: BaseException | None) -> str | None:
    """What is told of this error; None where it is none of the database's, or a fault of ours."""
    if is_full(error):
        return FULL
    return AWAY if isinstance(error, OperationalError) else None
