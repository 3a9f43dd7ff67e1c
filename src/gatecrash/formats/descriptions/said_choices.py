"""One of the choices that words list for a text: "csv or txt", "One of: invoice, photo, other", "Any of `a`, `b`".

Many descriptions say in a sentence what an enumeration would say, and the application takes nothing else. What lists kinds of values
rather than values ("name or number", "e-mail or username") gives none.
"""

import re
from typing import Any

MOST_CHARACTERS = 500
_WORD = r"[A-Za-z0-9](?:[\w.+-]{0,38}[A-Za-z0-9])?"
_QUOTED = rf"(?P<q>[`'\"]){_WORD}(?P=q)"
_OR = r"(?:\s?,\s{0,3}(?:(?:and/or|and|or)\s{1,3})?|\s{1,3}(?:and/or|and|or)\s{1,3}|\s?[|/]\s?)"
_ONE_OF = (
    r"(?:(?:must|should|can|may|has to)\s+be(?:\s+either|\s+one\s+of)?|(?:one|any|some)\s+of(?:\s+the\s+following)?|either"
    r"|(?:allowed|valid|possible|accepted|supported)(?:\s+(?:values?|options?|choices?|formats?))?(?:\s+(?:are|is))?"
    r"|(?:values?|options?|choices?)(?:\s+(?:are|is))?)\W{1,3}"
)
_BARE = rf"({_WORD}(?:{_OR}{_WORD}){{1,19}})"
_IN_QUOTES = re.compile(rf"{_QUOTED}{_OR}[`'\"]{_WORD}[`'\"]")
_TOLD = re.compile(rf"\b{_ONE_OF}{_BARE}(?=\s*(?:$|[.;)\n]))", re.IGNORECASE)
_ALONE = re.compile(rf"(?:^|[:(,]\s*){_BARE}\s*(?:$|[.;)\n])")
_PARTS = re.compile(_OR)
_SAYS_OR = re.compile(r"\sor\s|and/or\s|\|")
# What a value is called, which is none itself.
_KINDS = re.compile(
    r"(?:e-?mail|mail|user-?name|login|name|title|id|ids|number|code|slug|key|phone|mobile|address|date|url|uri|path|file|text|string|word"
    r"|empty|null|none|json|object|array|list|integer|boolean|more|less|later|earlier|higher|lower|greater|smaller|after|before|equal)s?"
)
_IS_FORMAT = re.compile(r"format|fmt|type|kind|output|channel|ext(?:ension)?|as$", re.IGNORECASE)
_ASKS_FREELY = re.compile(
    r"(?:q|query|search|term|keywords?|text|name|filter|id|identifier|login|user(?:name)?)", re.IGNORECASE
)


def choice_said(description: Any, name: str = "") -> str | None:
    """The first of the choices that the words list; None where they list none. name: of the parameter or member."""
    if not isinstance(description, str) or _ASKS_FREELY.fullmatch(name):
        return None
    said = description[:MOST_CHARACTERS].strip()
    quoted = _IN_QUOTES.search(said)
    if quoted is not None:
        return quoted[0].split(quoted["q"])[1]
    told = _TOLD.search(said)
    alone = None if told is not None else _ALONE.search(said)
    listed = told or alone
    if listed is None or (alone is not None and not _SAYS_OR.search(alone[1])):
        return None
    choices = [one for one in _PARTS.split(listed[1]) if one]
    return choices[0] if _are_values(choices, name) else None


def _are_values(choices: list[str], name: str) -> bool:
    """Whether they are values: written alike, and not what a value is called."""
    if len({one[:1].isupper() for one in choices if one[:1].isalpha()}) > 1:
        return False
    return _KINDS.fullmatch(choices[0].lower()) is None or _IS_FORMAT.search(name) is not None
