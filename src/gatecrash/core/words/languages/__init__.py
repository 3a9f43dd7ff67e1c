"""The languages whose words are known, one a file: English words, and what they are called there.

To add one, write its file and name it here. Left out is what means something else in an English name (`pass`, `note`, `sale`).
Phrases are parted by `|`, their words by blanks; letters with marks may be written with or without them.
"""

from typing import Final

from gatecrash.core.words.languages.czech import CZECH
from gatecrash.core.words.languages.dutch import DUTCH
from gatecrash.core.words.languages.french import FRENCH
from gatecrash.core.words.languages.german import GERMAN
from gatecrash.core.words.languages.hungarian import HUNGARIAN
from gatecrash.core.words.languages.italian import ITALIAN
from gatecrash.core.words.languages.nordic import NORDIC
from gatecrash.core.words.languages.polish import POLISH
from gatecrash.core.words.languages.portuguese import PORTUGUESE
from gatecrash.core.words.languages.russian import RUSSIAN
from gatecrash.core.words.languages.spanish import SPANISH
from gatecrash.core.words.languages.turkish import TURKISH

LANGUAGES: Final[tuple[dict[str, str], ...]] = (
    GERMAN,
    FRENCH,
    SPANISH,
    PORTUGUESE,
    ITALIAN,
    DUTCH,
    POLISH,
    NORDIC,
    TURKISH,
    RUSSIAN,
    CZECH,
    HUNGARIAN,
)

# Said of something else beside a word that no phrase has: `clave` is a password, `clave_producto` a product's code.
ALONE: Final = frozenset({"clave"})
