"""Auth profiles in files: YAML or JSON with the fields that docs/auth-profiles.md describes."""

from pathlib import Path
from typing import Any

from gatecrash.cli.policy_file import read_document
from gatecrash.core.errors import InvalidProfile, UserError
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.profile_document import read_profile


def profile_document(path: Path) -> dict[str, Any]:
    """The fields of a profile's file, its name taken from the file's where it has none. Raises UserError."""
    document = read_document(path, "auth profile", "identities: […]")
    return {"name": path.stem, **document}


def profile_from(path: Path) -> AuthProfile:
    """The auth profile in a file. Raises UserError with the place of what is wrong, and never with its value."""
    try:
        return read_profile(profile_document(path), path.name)
    except InvalidProfile as error:
        raise UserError(f"{path}: {error}.") from error
