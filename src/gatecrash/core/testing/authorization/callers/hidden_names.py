"""Whom the forms of a page about its reader send along without showing it: `<input type="hidden" name="member_id" value="7">`.

hidden_names(response)      what the hidden fields for users hold, in lower case
"""

import re
from typing import Final

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.pages.markup import START, tokens
from gatecrash.core.words.named import Words

_USER: Final = Words(
    r"(?:user|account|customer|member|employee|patient|student|profile|person)[-_]?(?:id|uid|uuid|no|number)",
    re.IGNORECASE,
)
_LARGEST: Final = 500_000
_LONGEST: Final = 64


def hidden_names(response: Response) -> frozenset[str]:
    """What they hold. A field that holds several values on one page lists others, and tells nothing of its reader."""
    text = text_of(response) if media_type(response) == "text/html" else ""
    if len(text) > _LARGEST or "hidden" not in text:
        return frozenset()
    held: dict[str, set[str]] = {}
    for token in tokens(text):
        given = {each.name.lower(): each.value for each in token.attributes} if token.kind == START else {}
        name, value = given.get("name", ""), given.get("value", "").strip().lower()
        is_hidden = token.name == "input" and given.get("type", "").lower() == "hidden"
        if is_hidden and 0 < len(value) <= _LONGEST and _USER.fullmatch(name):
            held.setdefault(name, set()).add(value)
    return frozenset(min(values) for values in held.values() if len(values) == 1)
