"""What a site means its visitors to send: a form that a page shows to whoever comes.

An address may be called after what people keep (`/orders`, `/report`), and what is sent there may still be everybody's to send:
a guest orders, a neighbour reports. Where the page of the form is given to visitors with the form in it, its author meant them
to use it. That says nothing in the parts of a site that are for some, where the page may have been forgotten as well, and of
what is done to an object that the form names: whose it is decides there.
"""

from collections.abc import Generator
from urllib.parse import unquote, urlsplit

from gatecrash.core.message import Request, Response, reading
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.addresses.sections import in_part_for_some
from gatecrash.core.testing.asking import ask_raw, response_of
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.authorization.openness.everybodys import names_an_object
from gatecrash.core.testing.authorization.openness.exposure import Stake, stake_of
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.forms.pages import form_page_of
from gatecrash.core.testing.operations.one_script import spoken_path
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.oracles.pages.forms import PageForm, forms_on
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_FORMS = (b"application/x-www-form-urlencoded", b"multipart/form-data")


def stake_beside_offers(situation: Situation, good: Response) -> Generator[TestRequest, Answer, Stake]:
    """The stake of what is answered without credentials, lowered where a page offers its visitors to send it and the answer
    holds nothing that people keep to themselves. One question, where it is surely somebody's and was sent by a form.
    """
    stake = stake_of(situation, good)
    if stake is not Stake.SURE or is_private(good, strictly=True) or not (yield from _is_offered(situation)):
        return stake
    return Stake.PERHAPS


def _is_offered(situation: Situation) -> Generator[TestRequest, Answer, bool]:
    """Whether the page that a form was sent from shows visitors that form."""
    request = situation.baseline.request
    kind = (request.first(b"Content-Type") or b"").lower()
    if request.method.upper() != "POST" or not kind.startswith(_FORMS) or _is_for_some(request):
        return False
    form = form_page_of(request, situation.pages)
    named = names_an_object(request) or any(each.sure for each in named_objects(request))
    if form is None or named:
        return False
    page = reading(request, form)
    if destroys(page):
        return False
    given = response_of((yield from ask_raw(without_credentials(page, situation.credentials), "control")))
    return is_good(given) and any(_leads_to(each, page, request) for each in forms_on(text_of(given)))


def _is_for_some(request: Request) -> bool:
    """Whether it stands in a part of the site that is for some, or is its front page."""
    return in_part_for_some(spoken_path(request).encode("latin-1") + b"/here")


def _leads_to(form: PageForm, page: Request, request: Request) -> bool:
    """Whether a form of the page sends what the request sends, to where it was sent."""
    path = unquote(urlsplit(form.action).path)
    own = path in ("", ".") and page.path == request.path
    there = own or request.path.decode("latin-1").endswith("/" + path.lstrip("./"))
    sent = {str(found.point[-1]) for found in walk(request).points if found.point[0] == "post" and not found.container}
    return there and form.method == "POST" and set(form.fields) <= sent
