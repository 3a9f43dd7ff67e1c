"""What a script does to a text before it is sent, as far as it is the same every time (ECMA-262, 19.2.6; HTML, 8.3).

ENCODES                           `encodeURIComponent(`, `btoa(` and their like, up to the bracket
converted("btoa", "tea")          "dGVh"
KEEPS                             a call behind a value that leaves it mostly as it is: `.trim()`, `.toString()`
"""

import base64
import re
from urllib.parse import quote

ENCODES = re.compile(r"(?:window\s*+\.\s*+)?(encodeURIComponent|encodeURI|escape|btoa|String)\s*+\(")
KEEPS = re.compile(r"\.\s*+(?:trim|toString|normalize|replace|replaceAll)\s*+\(")
# What each leaves as it is beside letters and digits.
_LEFT = {"encodeURIComponent": "-_.!~*'()", "encodeURI": "-_.!~*'();/?:@&=+$,#", "escape": "@*_+-./"}


def converted(by: str, text: str) -> str:
    """The text as that function returns it."""
    if by == "btoa":
        return base64.b64encode(text.encode("latin-1", "replace")).decode()
    return quote(text, safe=_LEFT[by]) if by in _LEFT else text
