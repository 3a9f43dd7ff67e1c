"""The files with which `gatecrash up` lets others in: 0600, written whole or not at all."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gatecrash.cli.settings import CREDENTIALS

NODE_TOKEN = "node.token"  # noqa: S105 - the file's name


def write_private(path: Path, content: str) -> None:
    """Write a file that only its owner may read, in one step."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def read_owner(data_dir: Path) -> dict[str, Any]:
    """What is known of the owner's access: api, token, client_id; empty where nothing is."""
    try:
        known = json.loads((data_dir / CREDENTIALS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def write_owner(data_dir: Path, known: Mapping[str, Any]) -> None:
    """Keep the owner's access for the other commands of this user."""
    write_private(data_dir / CREDENTIALS, json.dumps(dict(known)) + "\n")
