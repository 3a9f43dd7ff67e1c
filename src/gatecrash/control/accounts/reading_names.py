"""Who acted, in words: addresses of members, names of tokens; and whom such words name."""

from collections.abc import Collection
from typing import Any

from gatecrash.control.accounts import queries
from gatecrash.control.accounts.actor import SYSTEM


def names_of(actors: Collection[str]) -> dict[str, str]:
    """The names of those actors that the current client still knows."""
    known = [one for one in actors if one not in ("", SYSTEM)]
    if not known:
        return {}
    users = {member.user_id: member.user.email for member in queries.members().filter(user_id__in=known)}
    return users | dict(queries.tokens().filter(id__in=known).values_list("id", "name"))


def named(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries, each with `actor_name` beside its actor: null for the service itself and for whom nobody knows any more."""
    names = names_of({entry["actor"] for entry in entries})
    return [entry | {"actor_name": names.get(entry["actor"])} for entry in entries]


def actors_named(text: str) -> set[str]:
    """The identifiers of the members and tokens of this address or name, and the text itself: it may be one already."""
    users = queries.members().filter(user__email__iexact=text).values_list("user_id", flat=True)
    return {text, *users, *queries.tokens().filter(name=text).values_list("id", flat=True)}
