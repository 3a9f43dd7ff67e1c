"""Auth profiles in files: YAML or JSON with the fields that docs/auth-profiles.md describes, secrets from the environment."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gatecrash.cli.policy_file import read_document
from gatecrash.core.errors import InvalidProfile, UserError
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.profile_document import read_profile

_FROM_ENVIRONMENT = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}")
_MOST_NESTED = 50


def profile_document(path: Path, environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """The fields of a profile's file, its name taken from the file's where it has none.

    `${env:NAME}` in any text is replaced by that environment variable. Raises UserError, also where one is not set.
    """
    document = read_document(path, "auth profile", "identities: […]")
    filled = {name: _with_environment(value, environment, path) for name, value in document.items()}
    return {"name": path.stem, **filled}


def profile_from(path: Path, environment: Mapping[str, str] = os.environ) -> AuthProfile:
    """The auth profile in a file. Raises UserError with the place of what is wrong, and never with its value."""
    try:
        return read_profile(profile_document(path, environment), path.name)
    except InvalidProfile as error:
        raise UserError(f"{path}: {error}.") from error


def _with_environment(value: object, environment: Mapping[str, str], path: Path, depth: int = 0) -> object:
    if depth > _MOST_NESTED:
        raise UserError(f"{path} is nested over {_MOST_NESTED} levels, far more than an auth profile.")
    if isinstance(value, str):
        return _FROM_ENVIRONMENT.sub(lambda found: _variable(found[1], environment, path), value)
    if isinstance(value, list):
        return [_with_environment(item, environment, path, depth + 1) for item in value]
    if isinstance(value, dict):
        return {name: _with_environment(item, environment, path, depth + 1) for name, item in value.items()}
    return value


def _variable(name: str, environment: Mapping[str, str], path: Path) -> str:
    value = environment.get(name)
    if not value:
        raise UserError(f"{path} refers to the environment variable {name}, which is not set or empty.")
    return value
