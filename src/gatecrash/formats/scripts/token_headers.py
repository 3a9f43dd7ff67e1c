"""Headers that a page's scripts send a token against forged requests in, read out of their text: nothing is run.

headers_in("fetch(to, {method: 'POST', headers: {'X-CSRFToken': token()}})")      ["X-CSRFToken"]
headers_in("axios.defaults.headers.common['X-CSRF-TOKEN'] = meta.content")        ["X-CSRF-TOKEN"]

What stands in one is another with each session and not written out, so it is the name alone that a script tells
(OWASP, Cross-Site Request Forgery Prevention, "Employing custom request headers").
"""

import re

from gatecrash.core.testing.forms.tokens import is_called_token

_MOST = 5
_LONGEST = 40
# A member with a hyphen, which no field of a body is called by; what is set by name; a client's own setting; and any text that
# begins as headers of applications do.
_NAMED = re.compile(
    r"""["'](?P<member>[A-Za-z]\w*+(?:-\w++)++)["']\s*+:"""
    r"""|(?:setRequestHeader|headers\s*+\.\s*+(?:set|append))\s*+\(\s*+["'](?P<set>[\w-]++)["']\s*+,"""
    r"""|headers(?:\s*+\.\s*+\w++){0,2}+\s*+\[\s*+["'](?P<put>[\w-]++)["']\s*+\]\s*+="""
    r"""|[hH]eaderName["']?\s*+[:=]\s*+["'](?P<setting>[\w-]++)["']"""
    r"""|["'](?P<text>[Xx]-[\w-]++)["']"""
)


def headers_in(code: str) -> list[str]:
    """Their names as they are written, in the order of the script; a bounded number."""
    named = (found[found.lastgroup or 0] for found in _NAMED.finditer(code))
    called = dict.fromkeys(name for name in named if len(name) <= _LONGEST and is_called_token(name))
    return list({name.lower(): name for name in called}.values())[:_MOST]
