"""What the navigation of a site leads its reader to: it stands on all pages alike, so that none of them is the list of what is his.

A site that greets whoever is signed in links his name to the page that its other members know him by (`/members/7/ann`). The
page of his settings bears that link as every page does, and leads another member to his own in its place.
"""

from collections.abc import Generator

from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.authorization.openness.access import Access, nowhere
from gatecrash.core.testing.authorization.owners.page_links import links_to
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.probe import Answer, TestRequest

_PAGE = "text/html"


def is_led_to_everywhere(access: Access, address: bytes) -> Generator[TestRequest, Answer, bool]:
    """Whether the owner is led to the object's page even where nothing is, and it holds nothing that people keep to themselves.

    address: what a page links to where it shows the object. One request, where the object is a page; none where it is not.
    """
    if media_type(access.good) != _PAGE or is_private(access.good):
        return False
    missing = response_of((yield from ask(nowhere(access.request, access.situation), "control")))
    return media_type(missing) == _PAGE and links_to(text_of(missing), address)
