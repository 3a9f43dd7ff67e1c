"""Who uses a profile: told by the apps that do, for a profile knows nothing of runs.

usage.register(look)      look(profile_id) → identifiers of what uses it now, in the current client
"""

from collections.abc import Callable

from gatecrash.control.ids import Prefix

Look = Callable[[str], list[str]]

_looks: list[Look] = []


def register(look: Look) -> None:
    """Ask this too, from now on."""
    if look not in _looks:
        _looks.append(look)


def users_of(profile_id: str) -> list[str]:
    """The identifiers of everything that uses the profile now."""
    return [found for look in _looks for found in look(profile_id)]


def runs_and_records(profile_id: str) -> tuple[list[str], list[str]]:
    """The runs that sign in by the profile now, and the records that are read as whom it signs in."""
    users = users_of(profile_id)
    records = [one for one in users if one.startswith(f"{Prefix.TEST_RECORD}_")]
    return [one for one in users if one not in records], records
