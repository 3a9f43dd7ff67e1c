"""Where an uploaded file is handed out that was given a name of the application's own.

Nothing of the name that it was sent under is left but its extension, if that. The page that the upload leads to, or the one whose
form sent it, shows the file: at an address that no recorded page spoke of, as a picture, or under the same extension.
"""

from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.following import own_target
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.pages.markup import START, tokens
from gatecrash.core.testing.probe import Situation

_MOST_SHOWN = 2
_LONGEST = 200_000


def showing_page(request: Request, upload: Exchange) -> bytes | None:
    """The page that a browser shows behind an upload: where its answer leads, or the form's own page."""
    target = landing_of(request, response_of(upload))
    return target or own_target(request, (request.first(b"Referer") or b"").decode("latin-1"))


def shown_anew(situation: Situation, page: Exchange, extension: str) -> list[bytes]:
    """The addresses on a page that may be a renamed file's, those with its extension first."""
    ending = f".{extension}".lower()
    found: dict[bytes, bool] = {}
    for target, is_source in _addresses(page):
        name = target.partition(b"?")[0].rpartition(b"/")[2].decode("latin-1")
        ends_so = name.lower().endswith(ending)
        if not (ends_so or is_source) or destroys(Request("GET", target)) is not None:
            continue
        if not any(known.may_say(name) for known in situation.pages):
            found.setdefault(target, ends_so)
    return sorted(found, key=lambda target: not found[target])[:_MOST_SHOWN]


def _addresses(page: Exchange) -> Iterator[tuple[bytes, bool]]:
    """The addresses at the same host that a page shows or links to, and whether each is one that a browser loads by itself."""
    for token in tokens(text_of(response_of(page))[:_LONGEST]):
        if token.kind != START:
            continue
        for each in token.attributes:
            if each.name in ("src", "href", "data") and each.value:
                target = own_target(page.request, _whole(page.request, each.value))
                if target is not None:
                    yield target, each.name != "href"


def _whole(request: Request, address: str) -> str:
    """The address as the page's own reads it (RFC 3986, section 5.2)."""
    try:
        return address if urlsplit(address).netloc else urljoin(request.path.decode("latin-1"), address)
    except ValueError:
        return ""
