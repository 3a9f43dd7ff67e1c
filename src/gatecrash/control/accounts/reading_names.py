"""Who acted, in words: addresses of members, names of tokens."""

from collections.abc import Collection

from gatecrash.control.accounts import queries


def names_of(actors: Collection[str]) -> dict[str, str]:
    """The names of those actors that the current client still knows."""
    known = list(actors)
    users = {member.user_id: member.user.email for member in queries.members().filter(user_id__in=known)}
    return users | dict(queries.tokens().filter(id__in=known).values_list("id", "name"))
