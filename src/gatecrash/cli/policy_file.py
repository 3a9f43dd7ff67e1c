"""Policies in files: YAML or JSON with the fields of the API."""

from pathlib import Path
from typing import Any

import yaml

from gatecrash.core.errors import InvalidPolicy, UserError
from gatecrash.core.testing.policy import Policy
from gatecrash.core.testing.policy_document import read_policy

MOST_BYTES = 1024 * 1024


def read_document(path: Path) -> dict[str, Any]:
    """The fields that a file holds. Raises UserError where it cannot be read."""
    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    if len(content) > MOST_BYTES:
        raise UserError(f"{path} is over {MOST_BYTES // 1024} KiB, far more than a policy.")
    try:
        # JSON is YAML too, and the safe loader makes plain values only.
        document = yaml.safe_load(content)
    except (yaml.YAMLError, RecursionError) as error:
        raise UserError(f"{path} is neither YAML nor JSON: {error}") from error
    if not isinstance(document, dict):
        raise UserError(f"{path} holds no policy: a policy is a set of fields, such as types: [sqli, auth].")
    return document


def policy_from(path: Path) -> Policy:
    """The policy in a file. Raises UserError with the place of what is wrong."""
    try:
        return read_policy(read_document(path), path.name)
    except InvalidPolicy as error:
        raise UserError(f"{path}: {error}.") from error
