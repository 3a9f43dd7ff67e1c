"""Pages that a library in the browser reads as its template: what stands there in double braces is run as an expression.

in_template(answer, text)   whether the text stands, as a browser reads it, where such a library evaluates it
has_template(answer)        whether a page has such a part at all

AngularJS does so below an element with `ng-app` (Developer Guide, Bootstrap), Vue below the element that an application is
mounted on, where its markup is its template (Vue Guide, "In-DOM Root Component Template"). Neither reads what stands
below `ng-non-bindable` or `v-pre`. Both read a page's texts and attributes as the browser has understood them, so escapes
of HTML keep nothing from them.
"""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.pages.markup import END, RAW, START, TEXT, Token, tokens

# Files of AngularJS; those of Angular from version 2 on are called otherwise, and read no page.
_ANGULARJS = re.compile(
    r"(?:^|/)angular(?:js)?(?:[-.@]v?1\.[\w.-]{0,20})?(?:\.min)?\.js(?:[?#]|$)|(?:^|/)angularjs[/@]1\.", re.IGNORECASE
)
# The builds that hold a compiler: `vue.runtime.js` has none.
_VUE = re.compile(
    r"(?:^|/)vue(?:@[\w.-]{1,20})?(?:\.global|\.esm-browser)?(?:\.prod|\.min)?(?:\.js)?(?:[?#]|$)", re.IGNORECASE
)
_APPS = frozenset({"ng-app", "data-ng-app", "x-ng-app", "ng:app"})
_KEPT_OUT = {"angularjs": frozenset({"ng-non-bindable", "data-ng-non-bindable"}), "vue": frozenset({"v-pre"})}
_MOUNTED = re.compile(r"""(?:\bel\s*+:|\.(?:\$?mount)\()\s*+["']#([\w-]{1,64})["']""")
# Another template than the page's, or other signs than the usual ones.
_OWN_TEMPLATE = re.compile(r"\btemplate\s*+:|\brender\s*+[:(]|startSymbol|delimiters")
# HTML, section 13.1.2.
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)


class _Library(NamedTuple):
    """What reads a page. roots: identifiers of the elements that Vue is mounted on."""

    name: str
    roots: frozenset[str] = frozenset()


class _Element:
    """The element that a walk through a page is within, until its own end: those of the same name are counted."""

    def __init__(self) -> None:
        """Within none."""
        self._name, self._open = "", 0

    def __bool__(self) -> bool:
        return self._open > 0

    def starts(self, name: str) -> None:
        self._name, self._open = name, int(name not in _VOID)

    def passes(self, token: Token) -> None:
        """Another element starts or ends."""
        if self._open and token.name == self._name:
            self._open += {START: 1, END: -1}.get(token.kind, 0)


def has_template(answer: Response) -> bool:
    """Whether a page has a part that a library reads as its template."""
    return any(True for _ in _read_by_a_library(text_of(answer)))


def in_template(answer: Response, text: str) -> bool:
    """Whether a text stands whole where a library reads the page."""
    page = text_of(answer)
    for token in _read_by_a_library(page):
        if token.kind == TEXT and text in html.unescape(page[token.begin : token.end]):
            return True
        if any(text in each.value for each in token.attributes):
            return True
    return False


def _read_by_a_library(page: str) -> Iterator[Token]:
    """Texts and start tags that a library reads as parts of its template."""
    read = list(tokens(page))
    library = _library(page, read)
    if library is None:
        return
    root, kept_out = _Element(), _Element()
    for token in read:
        names = {each.name for each in token.attributes} if token.kind == START else set()
        if token.kind == START and not root and _is_root(token, library):
            root.starts(token.name)
        else:
            root.passes(token)
        if root and not kept_out and names & _KEPT_OUT[library.name]:
            kept_out.starts(token.name)
        else:
            kept_out.passes(token)
        if root and not kept_out and token.kind in (START, TEXT):
            yield token


def _library(page: str, read: list[Token]) -> _Library | None:
    sources = [
        each.value for token in read if token.kind == START and token.name == "script" for each in token.attributes
    ]
    own = "\n".join(page[token.begin : token.end] for token in read if token.kind == RAW and token.name == "script")
    if _OWN_TEMPLATE.search(own):
        return None
    if any(map(_ANGULARJS.search, sources)):
        return _Library("angularjs")
    roots = frozenset(_MOUNTED.findall(own))
    return _Library("vue", roots) if roots and any(map(_VUE.search, sources)) else None


def _is_root(token: Token, library: _Library) -> bool:
    if library.name == "angularjs":
        return any(each.name in _APPS for each in token.attributes)
    return any(each.name == "id" and each.value in library.roots for each in token.attributes)
