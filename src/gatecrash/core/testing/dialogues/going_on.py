"""Going through the forms behind a form, as its user does: each is sent from the page that the one before it led to.

page = yield from gone_on(situation, exchange)     the page at the end, or the one that broke on the way; None where the way is another

The values of hidden fields are those of the pages as they are now: tokens, and what was said before, which some sites
hand from page to page.
"""

import re
from collections.abc import Generator

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request, Response, reading
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.statuses import FIRST_SERVER_ERROR
from gatecrash.core.testing.asking import ask, ask_raw, response_of
from gatecrash.core.testing.authorization.objects.made_anew import in_name_of
from gatecrash.core.testing.dialogues.following import gives_session, known_again
from gatecrash.core.testing.forms.stages import holds_next, place_of
from gatecrash.core.testing.forms.values import value_for
from gatecrash.core.testing.known.objects import Made
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_GOES_ON = re.compile(r"<(?:form|script|input|button)\b", re.IGNORECASE)


def gone_on(situation: Situation, exchange: Exchange) -> Generator[TestRequest, Answer, Exchange | None]:
    """The page at the end of all steps, after this answer to the first of them; one that broke before, for nobody gets further."""
    last: Exchange | None = None
    own, request, answer, is_raw = situation.baseline.request, exchange.request, response_of(exchange), False
    for step in (*situation.onward, None):
        landing = landing_of(request, answer)
        is_next = step is not None and place_of(step) in holds_next(request, answer)
        if landing is None and not is_next:
            # The last form may be answered by a page, or by an error that what was said before makes there.
            return last if step is None else None
        # A session that is kept in its cookie is another one after each step, and not to be brought up to date on its way.
        is_raw, own = is_raw or gives_session(answer), known_again(own, answer)
        if landing is None:
            form, landing = answer, request.target
        else:
            page = yield from (ask_raw if is_raw else ask)(reading(own, landing), "control")
            form = response_of(page)
            if step is None:
                return page
            if not is_good(form) or _is_dead_end(form):
                return page if form.status >= FIRST_SERVER_ERROR or is_good(form) else None
            own = known_again(own, form)
        if step is None:
            return None
        request = _filled(in_name_of(own, Made(step, ())), form, landing)
        last = yield from (ask_raw if is_raw else ask)(request, "control")
        answer = response_of(last)
    return None


def _is_dead_end(page: Response) -> bool:
    """Whether a page has nothing to go on with: what was said before ended it early, as an error in its middle does."""
    return renders(page) and _GOES_ON.search(text_of(page)) is None


def _filled(request: Request, page: Response, target: bytes) -> Request:
    """A step's form with what the page before it has in its hidden fields."""
    path, own = request.path.decode("latin-1"), target.partition(b"?")[0].decode("latin-1")
    for each in walked(request):
        if each.point[0] != "post" or each.container:
            continue
        value = value_for(page, (each.point[-1],), path, own)
        if value is not None:
            try:
                request = rewrite(request, each.point, value.encode("utf-8", "surrogateescape"))
            except UserError:
                continue
    return request
