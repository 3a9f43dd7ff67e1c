"""The state of a page that its form sends back: `__VIEWSTATE` of ASP.NET, `javax.faces.ViewState` of JSF.

Whether it is bound to the session of whom the page was shown to is the application's choice. Another site knows the
state that its own account is shown, and no other: a request that is taken with that is bound to nobody.

sent = yield from with_anothers_state(situation)    the baseline with the state that another identity is shown; None where there is none
"""

from collections.abc import Generator

from gatecrash.core.message import Request, reading
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.asking import ask_as, response_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.oracles.pages.form_fields import form_fields
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_STATES = frozenset({"__VIEWSTATE", "__EVENTVALIDATION", "javax.faces.ViewState", "jakarta.faces.ViewState"})


def with_anothers_state(situation: Situation) -> Generator[TestRequest, Answer, Request | None]:
    """The baseline with the page's state as the other identity is given it; unchanged where it holds none, None where he is given none."""
    request: Request = situation.baseline.request
    if b"VIEWSTATE" not in request.body and b"ViewState" not in request.body:
        return request
    points = [found.point for found in walk(request).points if found.point[0] == "post" and found.point[-1] in _STATES]
    fields: dict[str, list[str]] = {}
    for other in situation.identities[1:2] if points else ():
        page = response_of((yield from ask_as(reading(request, request.target), other.name, "control")))
        fields = form_fields(text_of(page)) if is_good(page) else {}
    for point in points:
        shown = fields.get(point[-1], [""])[0]
        if not shown:
            return None
        request = rewrite(request, point, shown.encode())
    return request
