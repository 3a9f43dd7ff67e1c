"""Whether the database refused because there is no room: what to say of it, which no log has to be read for."""

from django.db import DatabaseError

MESSAGE = "The disk of the database is full: nothing can be written. What is stored stays; make room."
# SQLite's words, and PostgreSQL's, which passes on the system's.
_SIGNS = ("disk is full", "no space left")


def is_full(error: BaseException | None) -> bool:
    """Whether this error of the database says so."""
    return isinstance(error, DatabaseError) and any(sign in str(error).lower() for sign in _SIGNS)
