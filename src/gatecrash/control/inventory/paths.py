"""Which templates of documents and pins an endpoint's path matches. A parameter there matches any one segment.

/users/{id}        matches /users/{user_id} and /users/me, and no longer path
/files/{name}.csv  matches /files/{name}.csv and /files/report.csv
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from gatecrash.core.inventory.documents import DocumentPaths

_PARAMETER = re.compile(r"\{[^{}/]*\}")
_Pattern = tuple[str, re.Pattern[str]]


@lru_cache(maxsize=20_000)
def pattern(template: str) -> re.Pattern[str]:
    """A template as a pattern of whole paths; linear in the path's length, for a parameter ends at the next slash."""
    parts = [re.escape(part) for part in _PARAMETER.split(template)]
    return re.compile("[^/]+".join(parts), re.DOTALL)


def shape(template: str) -> str:
    """A template with its parameters' names left out: what two of the same shape have in common."""
    return _PARAMETER.sub("{}", template)


class Templates:
    """Templates by host, method and number of segments. The empty host stands for every host, the empty method too."""

    def __init__(self) -> None:
        """Hold none."""
        self._exact: set[tuple[str, str, str]] = set()
        self._patterns: dict[tuple[str, str, int], list[_Pattern]] = {}

    def add(self, host: str, method: str, template: str) -> None:
        """Add one."""
        self._exact.add((host, method, template))
        self._patterns.setdefault((host, method, template.count("/")), []).append((template, pattern(template)))

    def match(self, host: str, method: str, path: str) -> str | None:
        """The template of an endpoint's path, or None: the path itself, else the one with the fewest parameters."""
        places = [(h, m) for h in (host, "") for m in (method, "")]
        if any((*place, path) in self._exact for place in places):
            return path
        found = [
            template
            for place in places
            for template, one in self._patterns.get((*place, path.count("/")), ())
            if one.fullmatch(path)
        ]
        return min(found, key=lambda template: (len(_PARAMETER.findall(template)), template), default=None)


class Documented:
    """What a client's uploaded documents say of paths."""

    def __init__(self, documents: Iterable[DocumentPaths]) -> None:
        """Compile them."""
        self._hosts: set[str] = set()
        self.templates = Templates()
        for document in documents:
            self._hosts.add(document.host)
            for method, template in document.operations:
                self.templates.add(document.host, method, document.base_path + template)

    def covers(self, host: str) -> bool:
        """Whether a document speaks of this host."""
        return host in self._hosts or "" in self._hosts
