"""Values that a refusal lists for a property (`tier: one of basic, business, admin`): what was made up for it gives way to one of them.

in_words_of_refusal(response, properties)
"""

import re
from collections.abc import Iterable
from typing import Any

from gatecrash.core.message import Response
from gatecrash.core.statuses import FIRST_ERROR, FIRST_SERVER_ERROR
from gatecrash.core.testing.authorization.callers.oneself import HIGH, HIGHEST
from gatecrash.core.testing.authorization.fields.properties import Property
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.words.names import plain

_LONGEST = 4000
# Words as a sentence or a list of JSON lists them: with commas, bars, slashes, a last `or`, and quotes around each.
_QUOTE = r"[\"'\\`]{0,2}"
_BETWEEN = rf"{_QUOTE}(?:\s?[,|/]\s?(?:(?:or|and)\s)?|\s(?:or|and)\s){_QUOTE}"
_LIST = re.compile(rf"(?<![\w-])[\w-]{{1,40}}(?:{_BETWEEN}[\w-]{{1,40}}){{1,20}}")
_WORD = re.compile(rf"{_BETWEEN}")


def in_words_of_refusal(response: Response, properties: Iterable[Property]) -> list[Property]:
    """The properties, with a value of the list that a refusal gives for one of them, where that has the present value, too: one
    that rules others, else the last. A list that has it not is of something else.
    """
    if not FIRST_ERROR <= response.status < FIRST_SERVER_ERROR:
        return [*properties]
    text = text_of(response)[:_LONGEST]
    listed = [_WORD.split(found[0]) for found in _LIST.finditer(text)] if text else []
    return [each._replace(new=_listed(each, text, listed) or each.new) for each in properties]


def _listed(each: Property, text: str, listed: list[list[str]]) -> Any:
    if not isinstance(each.old, str) or plain(each.name) not in plain(text):
        return None
    values = next((words for words in listed if each.old in words), [])
    others = [word for word in values if word != each.old]
    signs = (HIGHEST.search, HIGH.search)
    return next((word for sign in signs for word in others if sign(word)), others[-1] if others else None)
