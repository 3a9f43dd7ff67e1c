"""One user as a record shows them, who is surely another than who, and what a run knows of them as an identity.

RecordedUser                  what the record showed of one
told_apart(users)             those who are surely different from each other
apart_by_kind(users)          those of each kind of credentials
know_owners(users)            what the application calls each as the owner of what only he was shown
as_identities(found)          what tests in their names are sent with
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.testing.authorization.callers.oneself import his_alone
from gatecrash.core.testing.profiles.greetings import Greetings
from gatecrash.core.testing.profiles.own_data import OwnData
from gatecrash.core.testing.profiles.own_places import OwnPlaces, each_in_his_own
from gatecrash.core.testing.profiles.profile import CheckAddress, Holder, Placed, ProfileIdentity
from gatecrash.core.testing.profiles.standing import Standing

MOST_IDENTITIES: Final = 5
"""Users of a whole record."""
MOST_KNOWN: Final = 40
"""Names and numbers of one user."""


class RecordedUser(msgspec.Struct):
    """One user as the record shows them. values: by point; first, last: places in the record of their requests.

    kinds: the kind of credentials they come with. known: what the application calls them; told: of that, what it told themselves.
    carried: all that they came with. beside: headers named as credentials that nothing else tells of: a key that an
    answer handed out.
    logins: the names that let them in. shown: what they were shown where nothing is named. standing: what says whether
    they may do more than others.
    places: the words of their addresses. greetings: the names on their pages.
    """

    values: dict[tuple[str, ...], str]
    subject: str
    first: int
    last: int
    kinds: frozenset[AuthType]
    check: CheckAddress | None = None
    known: set[str] = msgspec.field(default_factory=set)
    told: set[str] = msgspec.field(default_factory=set)
    carried: set[tuple[tuple[str, ...], str]] = msgspec.field(default_factory=set)
    beside: dict[tuple[str, ...], str] = msgspec.field(default_factory=dict)
    logins: set[str] = msgspec.field(default_factory=set)
    shown: OwnData = msgspec.field(default_factory=OwnData)
    standing: Standing = msgspec.field(default_factory=Standing)
    places: OwnPlaces = msgspec.field(default_factory=OwnPlaces)
    greetings: Greetings = msgspec.field(default_factory=Greetings)


def told_apart(users: Iterable[RecordedUser]) -> list[RecordedUser]:
    """Those who are surely different from each other; a visit of nobody's before them takes no place from whom a name tells apart."""
    kept: list[RecordedUser] = []
    for user in sorted(users, key=lambda user: not user.subject):
        if len(kept) < MOST_IDENTITIES and all(_differ(user, other) for other in kept):
            kept.append(user)
    return sorted(kept, key=lambda user: user.first)


def _differ(one: RecordedUser, other: RecordedUser) -> bool:
    if one.subject and other.subject:
        return one.subject != other.subject
    if one.first < other.last and other.first < one.last:
        return True
    own, others = his_alone(one.told), his_alone(other.told)
    if own and others:
        return own.isdisjoint(others)
    return one.shown.differs_from(other.shown) or each_in_his_own(one.places, other.places)


def know_owners(users: Sequence[RecordedUser]) -> None:
    """What the application calls each of several users as the owner of what only they were shown, and did, and as who reads its
    pages.
    """
    called = [frozenset(user.known) for user in users]
    for user, own in zip(users, called, strict=True):
        user.known |= user.shown.opened | user.shown.sets | _greeted(user, users)
        for other, others in zip(users, called, strict=True):
            if other is not user:
                user.known |= user.shown.owners_beside(other.shown, own, others) | user.shown.written_as(other.shown)
                user.known |= user.shown.tenants_beside(other.shown)


def _greeted(user: RecordedUser, users: Sequence[RecordedUser]) -> frozenset[str]:
    """How pages call a user, and nobody else."""
    names = [user.greetings.beside(other.greetings) for other in users if other is not user]
    return frozenset.intersection(*names) if names else frozenset()


def apart_by_kind(users: Sequence[RecordedUser], *, known_alone: bool = True) -> Iterator[RecordedUser]:
    """Of one host's users those who are told apart from others who came with credentials of the same kind.

    known_alone: whether the only one of a kind counts, too, where it is known who he is.
    """
    for kinds in dict.fromkeys(user.kinds for user in users):
        apart = told_apart(user for user in users if user.kinds == kinds)
        know_owners(apart)
        if len(apart) > 1 or (known_alone and any(user.told or user.logins for user in apart)):
            yield from apart


def as_identities(
    found: Iterable[tuple[str, RecordedUser]], before: int = 0
) -> tuple[tuple[ProfileIdentity, ...], tuple[Holder, ...]]:
    """What a run sends tests with as each of several users, by their hosts, and what else they came with.

    before: how many identities have a number already.
    """
    identities: list[ProfileIdentity] = []
    holders: list[Holder] = []
    for number, (host, user) in enumerate(found, before + 1):
        identities.append(_identity(user, host, number))
        holders.append(Holder(identities[-1].name, placed((*user.beside.items(), *_earlier(user)))))
    return tuple(identities), tuple(holder for holder in holders if holder.values)


def placed(values: Iterable[tuple[tuple[str, ...], str]]) -> tuple[Placed, ...]:
    """Values at their points, in order."""
    return tuple(Placed(point, value) for point, value in sorted(values))


def _identity(user: RecordedUser, host: str, number: int) -> ProfileIdentity:
    values = tuple(Placed(point, value.replace("${", "$${")) for point, value in user.values.items())
    known = tuple(sorted(user.known))[:MOST_KNOWN]
    return ProfileIdentity(
        name=f"recorded {number}", rank=user.standing.rank, values=values, hosts=host, cookies=False,
        check=user.check, known=known, choices=tuple(sorted(user.standing.choices)),
    )  # fmt: skip


def _earlier(user: RecordedUser) -> list[tuple[tuple[str, ...], str]]:
    """The earlier values of a session whose cookie has another one from time to time."""
    return [(point, value) for point, value in user.carried if user.values.get(point, value) != value]
