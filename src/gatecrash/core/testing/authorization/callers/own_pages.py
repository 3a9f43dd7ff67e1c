"""The pages of a record that tell whether somebody is signed in, the likeliest first: what tells a caller about himself, then
what no visitor was seen to read, then what names no object, which may be somebody else's.
"""

from collections.abc import Iterable

from gatecrash.core.testing.authorization.callers.oneself import asks_about_oneself
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.effects.sign_in import shows_a_login
from gatecrash.core.testing.known.page import Page


def likeliest_own(pages: Iterable[Page]) -> list[Page]:
    """All of them in that order, else as they come; none by which people sign in."""
    return sorted((page for page in pages if not shows_a_login(page.request)), key=_distance)


def _distance(page: Page) -> tuple[bool, bool, bool]:
    is_open = page.visited or page.request.path == b"/"
    names_one = any(each.sure for each in named_objects(page.request))
    return not asks_about_oneself(page.request), is_open, names_one
