"""A document's fields read one by one: the kind of each checked, the place of every mistake told, no value ever shown."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

from gatecrash.core.errors import InvalidProfile

MOST_TEXT: Final = 64 * 1024
MOST_ITEMS: Final = 100
Read = TypeVar("Read")
_MISSING: Final = object()


def wrong(place: str, why: str) -> InvalidProfile:
    """The error for a place of the document."""
    return InvalidProfile(f"{place}: {why}" if place else why)


class Fields:
    """One set of fields. place: where it stands, as `identities[0].login[1]`; empty for the document itself."""

    def __init__(self, document: object, place: str, what: str, known: Iterable[str]) -> None:
        """Raises InvalidProfile where it is no set of fields, or holds an unknown one."""
        if not isinstance(document, Mapping):
            raise wrong(place, f"{what} is a set of fields, not {_kind(document)}")
        known = tuple(known)
        unknown = [name for name in document if name not in known]
        if unknown:
            raise wrong(place, f"{str(unknown[0])[:60]!r} is no field of {what}; the fields are {', '.join(known)}")
        self.place = place
        self._document = document

    def __contains__(self, name: str) -> bool:
        """Whether the field is given, and not null."""
        return self._document.get(name) is not None

    def at(self, name: str) -> str:
        """The place of one field."""
        return f"{self.place}.{name}" if self.place else name

    def raw(self, name: str) -> object:
        """A field as it is; None where it is absent."""
        return self._document.get(name)

    def text(self, name: str, default: str | None = None, *, most: int = MOST_TEXT) -> str:
        """A text; a number is taken for its digits. Without a default the field must be there and not empty."""
        value = self._document.get(name)
        if value is None:
            if default is None:
                raise wrong(self.at(name), "is required")
            return default
        read = text_of(value, self.at(name), most)
        if not read and default is None:
            raise wrong(self.at(name), "is empty")
        return read

    def one_of(self, name: str, choices: Iterable[str], default: str | None = None) -> str:
        """A text out of some."""
        choices = tuple(choices)
        value = self.text(name, default)
        if value not in choices:
            raise wrong(self.at(name), f"is none of {', '.join(choices)}")
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        """True or false."""
        value = self._document.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise wrong(self.at(name), f"is true or false, not {_kind(value)}")
        return value

    def whole(self, name: str, least: int, most: int, default: int | None = None) -> int | None:
        """A whole number within bounds."""
        value = self._document.get(name)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise wrong(self.at(name), f"is a whole number from {least} to {most}")
        return value

    def pairs(self, name: str) -> tuple[tuple[str, str], ...]:
        """A set of names and texts, or a list of [name, text]."""
        value = self._document.get(name)
        if value is None:
            return ()
        items = list(value.items()) if isinstance(value, Mapping) else value
        if not isinstance(items, list) or len(items) > MOST_ITEMS:
            raise wrong(self.at(name), f"is a set of at most {MOST_ITEMS} names and texts")
        read: list[tuple[str, str]] = []
        for place, item in enumerate(items):
            if not isinstance(item, list | tuple) or len(item) != 2 or not isinstance(item[0], str) or not item[0]:
                raise wrong(f"{self.at(name)}[{place}]", "is a name and a text")
            read.append((item[0], text_of(item[1], f"{self.at(name)}.{item[0][:60]}")))
        return tuple(read)

    def each(self, name: str, read: Callable[[object, str], Read]) -> tuple[Read, ...]:
        """A list, each item read with its place."""
        value = self._document.get(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or len(value) > MOST_ITEMS:
            raise wrong(self.at(name), f"is a list of at most {MOST_ITEMS}, not {_kind(value)}")
        return tuple(read(item, f"{self.at(name)}[{place}]") for place, item in enumerate(value))


def text_of(value: object, place: str, most: int = MOST_TEXT) -> str:
    """A text within bounds; a number is taken for its digits, as YAML reads passwords of digits as numbers."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise wrong(place, f"is a text, not {_kind(value)}")
    if len(value) > most:
        raise wrong(place, f"is longer than {most} characters")
    return value


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    names = {"str": "a text", "int": "a number", "float": "a number", "list": "a list", "dict": "a set of fields"}
    return names.get(type(value).__name__, "nothing" if value is None else type(value).__name__)
