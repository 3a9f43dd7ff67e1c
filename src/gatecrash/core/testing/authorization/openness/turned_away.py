"""Whether the redirect that answers a change is where visitors are sent from the page of its form, too: then it shows
nothing done.

Some sites lead whoever is not signed in to the front page and not to the login, and lead there behind a change as well.
"""

from collections.abc import Generator

from gatecrash.core.message import Response, reading
from gatecrash.core.testing.asking import ask, ask_raw, response_of
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.forms.pages import form_page_of
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest


def visitors_land_there(situation: Situation, good: Response) -> Generator[TestRequest, Answer, bool]:
    """Whether a visitor who asks for the page that a change was sent from is sent where its good answer leads, and its caller is not."""
    request = situation.baseline.request
    landing, form = landing_of(request, good), form_page_of(request, situation.pages)
    if landing is None or form is None or is_safe(request):
        return False
    page = reading(request, form)
    if destroys(page):
        return False
    bare = without_credentials(page, situation.credentials)
    if landing_of(page, response_of((yield from ask_raw(bare, "control")))) != landing:
        return False
    return is_good(response_of((yield from ask(page, "control"))))
