"""Where an installation lies, by the environment alone: data directory, key directory, database."""

import os
from pathlib import Path
from urllib.parse import quote

from gatecrash.control import chosen_database


def data_dir() -> Path:
    """GATECRASH_DATA_DIR, else below the user's own data."""
    return _folder("GATECRASH_DATA_DIR", "XDG_DATA_HOME", ".local/share")


def key_dir() -> Path:
    """GATECRASH_KEY_DIR, else below the user's own configuration: never in the data directory."""
    return _folder("GATECRASH_KEY_DIR", "XDG_CONFIG_HOME", ".config")


def database_url() -> str:
    """GATECRASH_DATABASE_URL, else SQLite in the data directory. Raises UserError where the data lie on a server."""
    if given := os.environ.get("GATECRASH_DATABASE_URL"):
        return given
    chosen_database.refuse_unnamed(data_dir())
    return sqlite_url(data_dir() / "gatecrash.sqlite3")


def sqlite_url(path: Path) -> str:
    """The address of a file; `#`, `?` and `%` in a folder's name are no marks of an address."""
    return f"sqlite:///{quote(str(path))}"


def _folder(variable: str, xdg: str, fallback: str) -> Path:
    given = os.environ.get(variable)
    base = os.environ.get(xdg) or Path.home() / fallback
    return Path(given).expanduser().absolute() if given else Path(base) / "gatecrash"
