"""Objects that a test has made by a recorded request, in the name of whoever sends its baseline, so that what was there before stays as it is."""

import re
from collections.abc import Generator, Iterable

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.made_by_forms import Links
from gatecrash.core.testing.authorization.makers import Made
from gatecrash.core.testing.authorization.objects import Named
from gatecrash.core.testing.authorization.properties import body_of, made_unique, sending
from gatecrash.core.testing.dialogues.asking import ask, response_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.refused import is_good, is_taken
from gatecrash.core.testing.pages import landing_of
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_LETTERS = "bcdfghjklmnpqrstvwxz"


def may_make(situation: Situation) -> bool:
    """Whether the policy lets a test make something."""
    return "POST" not in {method.upper() for method in situation.policy.methods_excluded}


def in_name_of(request: Request, maker: Made) -> Request:
    """What made an object, in the name of whoever sent the request."""
    headers = tuple(pair for pair in request.headers if not pair[0].lower().startswith(b"content-"))
    changed: Request = msgspec.structs.replace(
        request,
        method=maker.request.method,
        target=maker.request.target,
        headers=(*headers, *maker.request.headers),
        body=maker.request.body,
    )
    return changed


def is_shown(response: Response, new: str) -> bool:
    """Whether a good answer holds an identifier as a word of its own."""
    return is_good(response) and re.search(rf"(?<![\w-]){re.escape(new)}(?![\w-])", text_of(response)) is not None


def made_anew(situation: Situation, maker: Made, old: str) -> Generator[TestRequest, Answer, str]:
    """The identifier of an object that its owner has just made by a request whose answer says it; empty where none is made."""
    asked = in_name_of(situation.baseline.request, maker)
    new = maker.identifier(response_of((yield from ask(asked, "control"))))
    body, known = body_of(asked), {"", old, *(each.was for each in situation.makers)}
    # SQLite hands out anew the number of what was deleted last; the next one is another. What was made for the record may be there still,
    # and its owner's cart is shown to him instead of a second one.
    if new in known and body is not None:
        mark = "".join(situation.random.choice(_LETTERS) for _ in range(6))
        new = maker.identifier(response_of((yield from ask(sending(asked, made_unique(body, mark)), "control"))))
    return "" if new in known else new


def made_by_form(
    situation: Situation, maker: Made, named: Named, lists: Iterable[Request]
) -> Generator[TestRequest, Answer, str]:
    """The same by a form: the redirect that answers it names the object, or one of the lists has one more afterwards.

    named: an object of its kind, as the baseline names it. lists: pages that may show the new one.
    """
    request = situation.baseline.request
    links = Links.of(request, named)
    before: list[tuple[Request, frozenset[str]]] = []
    known: frozenset[str] = frozenset()
    for place in lists:
        shown = links.in_page(response_of((yield from ask(place, "control"))))
        again = links.in_page(response_of((yield from ask(place, "control"))))
        known |= shown | again
        # What a page draws by lot is not what the form makes.
        before += [(place, shown)] if shown == again else []
    asked = in_name_of(request, maker)
    answer = response_of((yield from ask(asked, "control")))
    if not is_taken(answer):
        return ""
    told = links.in_address(landing_of(asked, answer) or b"")
    is_told = bool(told) and told != named.value and told not in known
    for place, shown in before:
        more = links.in_page(response_of((yield from ask(place, "control")))) - shown
        if (told in more) if is_told else len(more) == 1:
            return told if is_told else min(more)
    return told if is_told and (yield from _leads_elsewhere(asked, links, told)) else ""


def _leads_elsewhere(asked: Request, links: Links, told: str) -> Generator[TestRequest, Answer, bool]:
    """Whether a form leads to another object the second time: whoever is led to his one cart is led there again. No list has said more."""
    landing = landing_of(asked, response_of((yield from ask(asked, "control"))))
    return links.in_address(landing or b"") != told
