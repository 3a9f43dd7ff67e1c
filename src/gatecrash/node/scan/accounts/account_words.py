"""The word that an application has for its accounts: skipper, where an answer shows whoever is signed in as one.

His name and his number in one object of `/skippers`, of `{"data": {"skippers": […]}}` or of `<Skipper>` say that a
skipper is an account, and that `skipperId` names one. A thing of his shows his name as well, under a number of its own.
"""

from collections.abc import Container, Iterable, Iterator
from typing import Any

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.testing.profiles.entrance import kind_of_name
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import names_a_thing
from gatecrash.node.scan.drafts.path_things import WRAPPING

NUMBERS = ("id", "uid", "uuid", "number")
"""What the number of an account is called by those who tell it, in plain names."""
_DEEPEST, _MOST_ROWS, _LEAST_ALIKE = 5, 200, 4


def named_in(
    told: Any, about: str, called: Container[str], *, alone: bool = False, depth: int = 0
) -> Iterator[tuple[str, str]]:
    """What each object is that holds somebody's name or address, in the singular, and its number.

    about: what the top is. called: his name and his address. alone: only of what names nothing else, as a thing of his may name
    him by his number.
    """
    if depth > _DEEPEST:
        return
    if isinstance(told, list):
        for one in told[:_MOST_ROWS]:
            yield from named_in(one, about, called, alone=alone, depth=depth + 1)
    elif isinstance(told, dict):
        number = _number_of(told, called, alone=alone)
        if about and number:
            yield about, number
        for name, one in told.items():
            if isinstance(one, dict | list):
                inside = about if plain(str(name)) in WRAPPING else _thing(str(name))
                yield from named_in(one, inside, called, alone=alone, depth=depth + 1)


def calls_accounts(name: str, words: Iterable[str]) -> str | None:
    """What a plain name ends with that names an account by its number: `id` of `skipperid`; None for any other name.

    words: for accounts; what an answer is called that shows one ends with the word itself: `myskipper`.
    """
    for end in NUMBERS:
        stem = name.removesuffix(end)
        if stem not in ("", name) and any(
            stem == word or (len(stem) >= _LEAST_ALIKE and word.endswith(stem)) for word in words
        ):
            return end
    return None


def _thing(name: str) -> str:
    """What a member holds, by its name; the answer of a SOAP function by that of the function."""
    return singular(plain(name).removesuffix("result").removesuffix("response"))


def _number_of(told: dict[Any, Any], called: Container[str], *, alone: bool) -> str:
    scalars = {str(name): str(one) for name, one in told.items() if isinstance(one, str | int)}
    members = {plain(name): value for name, value in scalars.items()}
    is_his = any(value in called and _calls_it(name) for name, value in members.items())
    number = next((members[name] for name in NUMBERS if members.get(name)), "") if is_his else ""
    # What names him beside its own number is a thing of his, be it the first one and called 1 like him.
    others = (name for name, value in scalars.items() if (alone or value == number) and plain(name) not in NUMBERS)
    return "" if any(map(names_a_thing, others)) else number


def _calls_it(name: str) -> bool:
    """Whether a member says what the object itself is called: an `author` is another."""
    return name == "name" or kind_of_name(name) in ("user", "mail")
