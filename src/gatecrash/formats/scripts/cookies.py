"""Cookies that a page's scripts set by `document.cookie`, read out of their text (HTML, 3.1.4; RFC 6265, 5.2).

cookies_in(code)     [b"theme=dark; path=/shop"]: as a header Set-Cookie would have them
"""

import re

from gatecrash.formats.scripts.literals import script_of

_SET = re.compile(r"(?<![\w$])document\s*+\.\s*+cookie\s*+=(?!=)\s*+")
_ENDED = re.compile(r";\s*+(?:max-age\s*+=\s*+(?:0|-)|expires\s*+=[^;]* 19[67]\d )", re.IGNORECASE)
_MOST = 50


def cookies_in(code: str) -> list[bytes]:
    """In their order; what deletes a cookie is none."""
    if "cookie" not in code:
        return []
    script = script_of(code)
    texts = (script.text(each.end(), script.expression(each.end())) for each in _SET.finditer(script.code))
    # A name that is not written out is no text, and a header holds no line.
    whole = (each for each in texts if each is not None and re.match(r"[^=;,\s]+=", each) and each.isprintable())
    return [each.encode("latin-1", "replace") for each in whole if _ENDED.search(each) is None][:_MOST]
