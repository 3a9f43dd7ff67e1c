"""Lists of who takes part in something, by name: the guests of an evening, the shifts of helpers.

Whoever opens to the public tells what happens, not who comes. People who are shown to it have a portrait, a page or a
few words about themselves beside their name, or are the guests of a show.
"""

import re
from typing import Final

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.leaves import leaves

_LISTED_AT: Final = re.compile(
    r"(?:^|[/._-])(?:guests|guest[-_]?lists?|shifts|rosters?|rotas?|sign[-_]?ups|rsvps|wait(?:ing)?[-_]?lists?|helpers)/?$",
    re.IGNORECASE,
)
# Who comes to what is broadcast or staged is announced.
_ANNOUNCED: Final = re.compile(
    r"(?:^|/)(?:podcasts?|episodes?|shows?|broadcasts?|streams?|programmes?|series|seasons?|talks?|panels?|concerts?|conferences?)(?=/)",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"(?:(?:full|guest|helper|person|display)_?)?name|guest|helper|person|who", re.IGNORECASE)
_OF_A_PERSON: Final = re.compile(r"[^\W\d_][\w'\u2019-]+(?: [^\W\d_]\.?)?(?: [^\W\d_][\w'\u2019-]+){1,2}")
_SHOWN_WITH: Final = re.compile(
    r"bio(?:graphy)?|about|photo|portrait|avatar|picture|image|(?:photo|image|avatar)_?url|url|link|website|homepage|slug|twitter|handle|company"
    r"|title|job_?title|description|episode|talk|topic|role|character|party|team|number|position",
    re.IGNORECASE,
)
_LEAST: Final = 2


def names_who_comes(path: str, good: Response) -> bool:
    """Whether an address is that of such a list, and its answer names two people at least and nothing that shows them to the public."""
    if not _LISTED_AT.search(path) or _ANNOUNCED.search(path):
        return False
    told = [leaf for leaf in leaves(good) if leaf.path]
    if any(_SHOWN_WITH.fullmatch(leaf.path[-1]) for leaf in told):
        return False
    names = (leaf.value for leaf in told if _NAME.fullmatch(leaf.path[-1]))
    return len({name for name in names if name.istitle() and _OF_A_PERSON.fullmatch(name)}) >= _LEAST
