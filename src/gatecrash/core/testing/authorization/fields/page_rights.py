"""Rights that a page shows beside what a form keeps: `Role: member`, `Staff: False`, `Balance: 100`, under names that
forms may set.

rights_on(page, values)    [PageRight("role", "member", ("role",), "admin", ("member",))]
labels_of(page)            what it shows values of
may_show(page, values)     whether it shows some once what the form sends is kept
"""

import re
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from gatecrash.core.testing.authorization.callers.oneself import HIGH
from gatecrash.core.testing.authorization.fields.properties import is_of_people, is_sure, learned
from gatecrash.core.testing.authorization.fields.written_names import manner_of
from gatecrash.core.testing.authorization.objects.answered_objects import Object
from gatecrash.core.testing.oracles.pages.labelled import labelled
from gatecrash.core.words.names import plain

_WHOSE = re.compile(r"(?:(?:your|my|the|current|account|user)\s+)+(?=\w)")
_FLAG = re.compile(r"(?:is[_ -]?)?(?:admin(?:istrator)?|staff|super[_ -]?user|moderator|verified|approved|premium|vip)")
# Such a label means rights whatever the application calls those who have them: `Rights: singer`.
_OF_RIGHTS = re.compile(r"(?:user[ _-]|access[ _-])?(?:rights|privileges?|permissions?)|access[ _-]level")
_OWN_WORD = re.compile(r"(?!all|full|none|any)[a-z][a-z_-]{2,20}", re.IGNORECASE)
_YES, _NO = frozenset({"true", "yes", "1", "on"}), frozenset({"false", "no", "0", "off"})
_LONG_ENOUGH = 4
_NUMBER = re.compile(r"\d{1,9}")


class PageRight(NamedTuple):
    """One of them. label: what the page calls it. names: what a form may call it. new: what to send for another value,
    and the ways to send the old one again, of which an application may know one only (an empty text is no, and `0` a
    text).
    """

    label: str
    shown: str
    names: tuple[str, ...]
    new: str
    back: tuple[str, ...]

    def is_set(self, page: str) -> bool:
        """Whether a page shows the new value now."""
        values = {value.lower() for name, value in _pairs(page) if name == self.label}
        return bool(values & _YES) if self.shown.lower() in _NO else self.new.lower() in values

    def is_back(self, page: str) -> bool:
        """Whether it shows the old value and not the new one; of a flag, that it is not on."""
        values = {value.lower() for name, value in _pairs(page) if name == self.label}
        if self.shown.lower() in _NO:
            return not values & _YES
        return self.shown.lower() in values and self.new.lower() not in values


def rights_on(
    page: str,
    values: Object,
    random: Random,
    low: frozenset[str] = frozenset(),
    besides: frozenset[str] = frozenset(),
) -> list[PageRight]:
    """The rights on a page that shows what a form sent, in its fields or its text; none where the form sets them itself.

    Only what means a right whatever it stands on is one: a page shows much that is chosen elsewhere. A label with
    several values tells of several people. low: roles by the application's own words that manage nobody. besides: what
    else the form sets, by plain names.
    """
    pairs = _pairs(page)
    return _rights(pairs, values, random, low, besides) if _shows(pairs, values) else []


def may_show(
    page: str,
    values: Object,
    random: Random,
    low: frozenset[str] = frozenset(),
    besides: frozenset[str] = frozenset(),
) -> bool:
    """Whether a page shows such rights, and something else under the name of a text that the form sends."""
    pairs = _pairs(page)
    names = {_bare(name) for name, _ in pairs}
    kept = any(plain(name) in names for name, value in values.items() if isinstance(value, str))
    return kept and not _shows(pairs, values) and bool(_rights(pairs, values, random, low, besides))


def _rights(
    pairs: list[tuple[str, str]], values: Object, random: Random, low: frozenset[str], besides: frozenset[str]
) -> list[PageRight]:
    named = {name.replace(" ", "_"): value for name, value in pairs}
    manner = manner_of(named, values)
    people = {name: value for name, value in {**values, **named}.items() if is_of_people([name])}
    sent = {plain(name) for name in values} | besides
    told: dict[str, set[str]] = {}
    for label, shown in pairs:
        told.setdefault(label, set()).add(shown.lower())
    found = (_right(label, shown, random, low, people) for label, shown in dict(pairs).items() if len(told[label]) == 1)
    return [
        right if manner is None else right._replace(names=tuple(dict.fromkeys(map(manner, right.names))))
        for right in found
        if right and sent.isdisjoint(map(plain, right.names))
    ]


def labels_of(page: str) -> list[str]:
    """What a page shows values of, as fields are called."""
    return [name.replace(" ", "_") for name, _ in _pairs(page)]


def _pairs(page: str) -> list[tuple[str, str]]:
    return [(_WHOSE.sub("", each.name), each.value.strip(" .")) for each in labelled(page)]


def _shows(pairs: Iterable[tuple[str, str]], values: Object) -> bool:
    """Whether a text that was sent is shown under its own name."""
    shown = {(_bare(name), value) for name, value in pairs}
    texts = ((name, value) for name, value in values.items() if isinstance(value, str) and len(value) >= _LONG_ENOUGH)
    return any((plain(name), value) in shown for name, value in texts)


def _bare(name: str) -> str:
    """A label, or the innermost name of a field: `full_name` of `member[full_name]`."""
    return plain(name.rpartition("[")[2].rstrip("]"))


def _right(label: str, shown: str, random: Random, low: frozenset[str], people: Object) -> PageRight | None:
    """What a label and its value mean; None where it is no right for sure. people: what else says that somebody is shown."""
    if _FLAG.fullmatch(label) and shown.lower() in _NO:
        bare = re.sub(r"^is[_ -]?|[_ -]", "", label)
        return PageRight(label, shown, (bare, f"is_{bare}", f"is{bare.capitalize()}"), "1", ("0", "", "false"))
    name = label.replace(" ", "_")
    value: int | str = int(shown) if _NUMBER.fullmatch(shown) else shown
    own = people and _OF_RIGHTS.fullmatch(label) and _OWN_WORD.fullmatch(shown) and not HIGH.search(shown)
    for each in learned({**people, name: value}, people, random):
        if own or is_sure(each, low):
            return PageRight(label, shown, (name,), str(each.new), (shown,))
    return None
