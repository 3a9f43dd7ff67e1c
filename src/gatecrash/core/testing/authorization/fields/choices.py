"""Fields that accept one of a few words, and which other words there are: refusals of a made-up word list them, answers
show them.

other_words(field, refusal, answers)     what may stand in the field's place and can be taken back
"""

import re
from collections.abc import Iterable

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.fields.markable import Markable
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaves import leaves

# What is said of a value that does not suit; who may not at all is told so by another status.
_UNFIT = frozenset({400, 409, 422})
_LONGEST = 10_000
_MOST = 2
_WORD = re.compile(r"[A-Za-z][A-Za-z_-]{1,23}")
# "'draft', 'submitted' or 'withdrawn'", "[draft, submitted]", "draft|submitted": what stands between the words of a list.
_BETWEEN = r"[\"'`\\]*\s*(?:,\s*(?:or|and)\b|[,|/]|\bor\b|\band\b)\s*[\"'`\\]*"
_LIST = re.compile(rf"{_WORD.pattern}+(?:{_BETWEEN}{_WORD.pattern}+)+")
# Of most such fields nobody loses anything by the next word. These say that
# something is over, was decided, or goes out to others, and may have no way back.
_FINAL = re.compile(
    r"cancel|clos|delet|remov|archiv|ban|block|reject|refus|approv|accept|paid|pay|refund|sen[dt]|submit|final|complet|done|resolv"
    r"|return|withdr|expir|lock|suspend|disab|inactiv|ship|deliver|confirm|terminat|admin|owner|manager|root"
    r"|publish|releas|dispatch|issue|execut|\bvoid|revok|declin|den(?:y|ied)|dismiss|discard|trash|destroy|purg|\bmerg",
    re.IGNORECASE,
)


def other_words(field: Markable, refused: Response, answers: Iterable[Response]) -> list[str]:
    """Other words for a field whose value is one: of the list in a refusal that has it, then as answers show them by its name.

    refused: the answer to a made-up word; none other than one that says that it does not suit is worth another.
    """
    if not field.is_text or refused.status not in _UNFIT or not _WORD.fullmatch(field.value):
        return []
    told = _listed(text_of(refused)[:_LONGEST], field.value)
    told += [
        leaf.value
        for answer in answers
        for leaf in leaves(answer)
        if leaf.path and leaf.path[-1] == field.name and _WORD.fullmatch(leaf.value)
    ]
    known = (word for word in dict.fromkeys(told) if word.lower() != field.value.lower() and not has_no_way_back(word))
    return list(known)[:_MOST]


def has_no_way_back(word: str) -> bool:
    """Whether a word says that something is over, was decided, or goes out to others."""
    return _FINAL.search(word) is not None


def _listed(text: str, value: str) -> list[str]:
    """The words of the first list in a text that has this one."""
    lists = (_WORD.findall(found[0]) for found in _LIST.finditer(text))
    words = next((words for words in lists if value in words), [])
    return [word for word in words if word not in ("or", "and")]
