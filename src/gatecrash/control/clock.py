"""The server's clock, for rows: UNIX seconds."""

import time


def now() -> int:
    """The present second."""
    return int(time.time())
