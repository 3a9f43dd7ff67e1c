"""Routes that a script tells the router of its application, as it is written in Angular, Vue, React and Svelte alike:
`{path: "orders/:id", component: …}`.

routes_in(code)     as paths, "/" in front, with 1 for what is a parameter; each once
"""

import re
from itertools import islice

_MOST = 200
_ROUTE = re.compile(r"[{,]\s{0,9}[\"']?path[\"']?\s{0,3}:\s{0,3}([\"'`])(?!\w+://)(/?[\w:][\w/:.?-]{0,80})\1")
_PARAMETER = re.compile(r":\w+\??")


def routes_in(code: str) -> list[str]:
    """In the order of the script; those that take anything (`*`) name nothing."""
    found = (each[2] for each in islice(_ROUTE.finditer(code), _MOST))
    return list(dict.fromkeys("/" + _PARAMETER.sub("1", each).lstrip("/").rstrip("/") for each in found))
