"""What is said in the language that a name is written in: whoever calls a role `ruolo` calls an administrator `amministratore`."""

from gatecrash.core.words.english import plain
from gatecrash.core.words.languages import LANGUAGES


def said_beside(name: str, meaning: str, wanted: str) -> tuple[str, ...]:
    """Single words for what is wanted, in small letters without marks, in the languages that give a name this meaning.

    name: as it is written. meaning, wanted: English words that the languages have, as `role` and `admin`.
    """
    found: dict[str, None] = {}
    for language in LANGUAGES:
        if name and plain(name) in map(plain, language.get(meaning, "").split("|")):
            found |= dict.fromkeys(
                plain(each) for each in language.get(wanted, "").split("|") if each and " " not in each
            )
    return tuple(found)
