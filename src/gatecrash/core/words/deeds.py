"""The words by which addresses, functions and fields say what is done to something, in English and in small letters."""

from typing import Final

MAKES: Final = frozenset({"create", "add", "new", "make"})
OVERWRITES: Final = frozenset({"update", "edit", "set", "change", "modify", "patch"})
DELETES: Final = frozenset({"delete", "remove", "destroy", "discard", "del", "erase"})
