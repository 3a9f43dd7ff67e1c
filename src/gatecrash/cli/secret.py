"""Secrets from files and standard input, so that none stands in a command line that others can list."""

import sys
from pathlib import Path

from gatecrash.cli.settings import Unusable
from gatecrash.core.errors import plain_reason


def read_secret(path: Path, what: str) -> str:
    """The first line of a file, or of standard input for `-`. what: what it is, for messages.

    Raises Unusable where it cannot be read or is empty.
    """
    try:
        source = sys.stdin.readline() if str(path) == "-" else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"The {what} file {path} cannot be read: {plain_reason(error)}.") from error
    if not source.strip():
        raise Unusable(f"The {what} file {path} is empty.")
    return source.strip().splitlines()[0].strip()
