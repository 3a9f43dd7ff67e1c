"""A database in memory that is closed with whatever held it: Python 3.13 warns of each that is only dropped."""

import sqlite3


class InMemory(sqlite3.Connection):
    """For what has no end of its own: a module, a thread, an application that a test lets go."""

    def __init__(self, name: str = ":memory:", **settings: object) -> None:
        # Whichever thread lets go of it last closes it.
        super().__init__(name, **{"check_same_thread": False, **settings})

    # No code of Python's own: a collection within the parser that runs some makes CPython 3.11 end with a SystemError.
    __del__ = sqlite3.Connection.close
