"""Where the address of the service, the token and the client come from.

Options come first, then the environment, then `config.toml`, then the file that `gatecrash up` writes in its data
directory for whoever started it. A file's token goes to the address in that file only: a mistyped `--api` must not
send it elsewhere.
"""

import json
import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gatecrash.core.errors import UserError, plain_reason
from gatecrash.core.testing.selection.hosts import is_loopback_name

DEFAULT_API = "http://127.0.0.1:8000"
CREDENTIALS = "credentials.json"


class Unusable(UserError):
    """The settings cannot be used; the text says which, and the way out."""


@dataclass(frozen=True)
class Settings:
    """How to reach the service. client: None where it must be asked for. notes: what the user should be told."""

    api: str
    token: str
    client: str | None = None
    insecure: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Found:
    api: str | None
    token: str | None
    client: str | None


def resolve(
    api: str | None = None,
    token: str | None = None,
    client: str | None = None,
    *,
    insecure: bool = False,
    environ: Mapping[str, str] = os.environ,
) -> Settings:
    """Put the settings together.

    Raises Unusable where there is no token, an address is no address, or a token would travel unencrypted.
    """
    given = _Found(api, token, client)
    env = _Found(*(environ.get(f"GATECRASH_{name}") or None for name in ("API", "TOKEN", "CLIENT")))
    config_path = config_file(environ)
    files = [_from_config(config_path), _from_credentials(data_dir(environ) / CREDENTIALS)]
    address = normalise(next((one.api for one in (given, env, *files) if one.api), DEFAULT_API))
    # Compared as written after normalising: localhost and 127.0.0.1 may well be two services.
    fitting = [one for one in files if one.api is None or normalise(one.api) == address]
    source = next((one for one in (given, env, *fitting) if one.token), None)
    if source is None or source.token is None:
        raise Unusable(
            f"No API token for {address}. Give --token-file FILE, set GATECRASH_TOKEN, or put it into {config_path} "
            '(token = "…"). On the machine of `gatecrash up`, run this as the same user, with GATECRASH_DATA_DIR if '
            "that service has a data directory of its own."
        )
    if not (source.token.isascii() and source.token.isprintable()) or " " in source.token:
        raise Unusable(
            "The API token holds characters that no token has: white space, quotes or accents that came with it?"
        )
    # A client belongs to its token: where the token comes from a file, that file's client goes with it.
    chosen = given.client or env.client or source.client
    settings = Settings(address, source.token, chosen, insecure, _notes(config_path, source in files[:1]))
    refuse_plain(settings)
    return settings


def normalise(api: str) -> str:
    """The address without a slash at its end. Raises Unusable where it is no HTTP address."""
    parts = urlsplit(api.strip())
    try:
        sound = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        sound = False
    if not sound or parts.query or parts.fragment or parts.username:
        raise Unusable(
            f"{api!r} is no address of a service; write it like {DEFAULT_API} or https://gatecrash.example.com."
        )
    return api.strip().rstrip("/")


def refuse_plain(settings: Settings) -> None:
    """Refuse to send a token unencrypted to another machine unless told to (decisions 2)."""
    parts = urlsplit(settings.api)
    if parts.scheme == "http" and not is_loopback_name(parts.hostname or "") and not settings.insecure:
        raise Unusable(
            f"{settings.api} is another machine, and plain HTTP would show the token to the network between. "
            "Use https://, or say --insecure if that network is trusted."
        )


def config_file(environ: Mapping[str, str] = os.environ) -> Path:
    """Where config.toml is looked for."""
    base = environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "gatecrash" / "config.toml"


def data_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """The data directory of `gatecrash up`: GATECRASH_DATA_DIR, else below the user's own data."""
    if environ.get("GATECRASH_DATA_DIR"):
        return Path(environ["GATECRASH_DATA_DIR"])
    base = environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "gatecrash"


def _from_config(path: Path) -> _Found:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return _Found(None, None, None)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Unusable(f"{path} cannot be read: {plain_reason(error)}.") from error
    unknown = sorted(set(table) - {"api", "token", "client"})
    if unknown:
        raise Unusable(f"{path} has the unknown key {unknown[0]!r}; the keys are api, token and client.")
    return _found(table, path)


def _from_credentials(path: Path) -> _Found:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        # Another user's service: its file is not for us, and that is no error.
        return _Found(None, None, None)
    if not isinstance(table, dict):
        return _Found(None, None, None)
    names = {"api": table.get("api"), "token": table.get("token"), "client": table.get("client_id")}
    return _found(names, path)


def _found(table: Mapping[str, Any], path: Path) -> _Found:
    for name, value in table.items():
        if value is not None and not isinstance(value, str):
            raise Unusable(f"{path}: {name} must be a text in quotes.")
    return _Found(table.get("api"), table.get("token"), table.get("client"))


def _notes(config_path: Path, used: bool) -> tuple[str, ...]:
    if used and stat.S_IMODE(config_path.stat().st_mode) & 0o077:
        return (f"{config_path} holds a token and others may read it; run: chmod 600 {config_path}",)
    return ()
