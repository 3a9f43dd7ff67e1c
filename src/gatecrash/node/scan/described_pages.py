"""What a site's pages showed beside a description of its API, less what the description has: one operation is tested once."""

from collections.abc import Iterable, Iterator

from gatecrash.core.message import Exchange, Request
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.known_values import segments

_Place = tuple[str, tuple[str | None, ...]]


def undescribed(pages: Iterable[Exchange], described: Iterable[Draft]) -> Iterator[Exchange]:
    """The pages, forms and calls whose method and path no described request has; where a description leaves a part of a path open,
    any value is meant.
    """
    known = {_place_of(each) for each in described}
    longest = max((len(path) for _, path in known), default=0)
    for page in pages:
        if len(segments(page.request)) > longest or not any(_is_at(page.request, place) for place in known):
            yield page


def _place_of(draft: Draft) -> _Place:
    open_at = {int(hole.point[1]) for hole in draft.holes if hole.point[0] == "path" and hole.point[1].isdigit()}
    path = (None if at in open_at else part for at, part in enumerate(segments(draft.request)))
    return draft.request.method.upper(), tuple(path)


def _is_at(request: Request, place: _Place) -> bool:
    method, path = place
    parts = segments(request)
    if request.method.upper() != method or len(parts) != len(path):
        return False
    return all(part in (None, own) for part, own in zip(path, parts, strict=True))
