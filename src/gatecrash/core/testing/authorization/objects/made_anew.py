"""Objects that a test has made by a recorded request, in the name of whoever sends its baseline, so that what was there
before stays as it is.
"""

import re
from collections.abc import Generator, Iterable

import msgspec

from gatecrash.core.inventory.called_credentials import called_by_the_same
from gatecrash.core.message import Exchange, Request, Response, is_of_body
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.fields.properties import made_unique
from gatecrash.core.testing.authorization.fields.sent_objects import body_of, sending
from gatecrash.core.testing.authorization.objects.made_by_forms import Links
from gatecrash.core.testing.authorization.objects.named import asking_for, listing
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.operations.questions import called
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good, is_taken
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_READINGS = 2
_BETWEEN = re.compile(r"[/?&=]")


def may_make(situation: Situation) -> bool:
    """Whether the policy lets a test make something."""
    return "POST" not in {method.upper() for method in situation.policy.methods_excluded}


def in_name_of(request: Request, maker: Made) -> Request:
    """What made an object, in the name of whoever sent the request."""
    headers = tuple(pair for pair in request.headers if not is_of_body(pair[0]))
    changed: Request = msgspec.structs.replace(
        request,
        method=maker.request.method,
        target=maker.request.target,
        headers=(*headers, *maker.request.headers),
        body=maker.request.body,
    )
    return called_by_the_same(request, changed)


def is_shown(response: Response, new: str) -> bool:
    """Whether a good answer holds an identifier as a word of its own."""
    return is_good(response) and re.search(rf"(?<![\w-]){re.escape(new)}(?![\w-])", text_of(response)) is not None


def is_gone(place: Request, new: str) -> Generator[TestRequest, Answer, bool]:
    """Whether its owner does not read an object any more, twice: a session that is lost for a moment, or a server
    behind a balancer that lags, shows nothing once.
    """
    for _ in range(_READINGS):
        if is_shown(response_of((yield from ask(place, "control"))), new):
            return False
    return True


def made_anew(situation: Situation, maker: Made, old: str) -> Generator[TestRequest, Answer, tuple[str, ...]]:
    """The identifier of an object that its owner has just made by a request whose answer says it, and that of a second
    one where only this tells that the first was not there before. Empty where none is made.
    """
    recorded = in_name_of(situation.baseline.request, maker)
    if maker.chosen is not None:
        called = maker.was + fresh_letters(situation.random, 6)
        asked = rewrite(recorded, maker.chosen, called.encode())
        return (called,) if is_taken(response_of((yield from ask(asked, "control")))) else ()
    before = yield from _listed(recorded, maker)
    asked, known = recorded, {"", old, *(each.was for each in situation.makers)}
    held = yield from _held(recorded, maker)
    answer, body = response_of((yield from ask(asked, "control"))), body_of(asked)
    more = maker.shown(answer) - held if held is not None and is_good(answer) else frozenset()
    if held is not None and len(more) == 1 and held <= maker.shown(answer) and known.isdisjoint(more):
        return (min(more),)
    new = maker.identifier(answer)
    # SQLite hands out anew the number of what was deleted last; the next one is another. What was made for the record may be there still.
    if new in known and body is not None:
        asked = sending(asked, made_unique(body, fresh_letters(situation.random, 6)))
        new = maker.identifier(response_of((yield from ask(asked, "control"))))
    if new in known:
        return ()
    if before is not None and new not in before and new in ((yield from _listed(recorded, maker)) or ()):
        return (new,)
    # Whoever is shown the cart that he has filled meanwhile is shown it again.
    again = maker.identifier(response_of((yield from ask(recorded, "control"))))
    if again == new:
        return ()
    return (new,) if again in known else (new, again)


def one_made_anew(situation: Situation, maker: Made, named: Named) -> Generator[TestRequest, Answer, str]:
    """The same for a baseline that deletes, which deletes the second one at once. named: where it names what it deletes."""
    new, *others = (yield from made_anew(situation, maker, named.value)) or ("",)
    for asked in (asking_for(situation.baseline.request, named, each) for each in others):
        if asked is not None:
            yield from ask(asked, "confirm")
    return new


def _held(maker: Request, made: Made) -> Generator[TestRequest, Answer, frozenset[str] | None]:
    """What the thing above shows that was made below it, where the answer to the maker was that thing; None where it was not."""
    place = made.shown_in()
    shown = response_of((yield from ask(listing(maker, place), "control"))) if place else None
    return made.shown(shown) if shown is not None and is_good(shown) else None


def _listed(maker: Request, made: Made) -> Generator[TestRequest, Answer, frozenset[str] | None]:
    """What stands in the list at the address where such objects are made; None where that is none."""
    if operation_of(maker) is not None or called(maker):
        return None
    shown = response_of((yield from ask(listing(maker, maker.target), "control")))
    if not is_good(shown):
        return None
    return frozenset(leaf.value for leaf in leaves(shown) if leaf.path and leaf.path[-1] == made.path[-1])


def made_by_form(
    situation: Situation, maker: Made, named: Named, lists: Iterable[Request], identity: str | None = None
) -> Generator[TestRequest, Answer, str]:
    """The same by a form: the redirect that answers it names the object, or one of the lists has one more afterwards.

    named: an object of its kind, as the baseline names it. lists: pages that may show the new one. identity: who makes it, in the
    place of the baseline's own.
    """
    request = situation.baseline.request
    links = Links.of(request, named)
    before: list[tuple[Request, frozenset[str]]] = []
    known: frozenset[str] = frozenset()
    for place in lists:
        shown = links.in_page(response_of((yield from _asked(place, identity))))
        again = links.in_page(response_of((yield from _asked(place, identity))))
        known |= shown | again
        # What a page draws by lot is not what the form makes.
        before += [(place, shown)] if shown == again else []
    asked = in_name_of(request, maker)
    answer = response_of((yield from _asked(asked, identity)))
    if not is_taken(answer):
        return ""
    landing = (landing_of(asked, answer) or b"").decode("latin-1")
    told = links.in_address(landing.encode("latin-1"))
    is_told = bool(told) and told != named.value and told not in known
    for place, shown in before:
        more = links.in_page(response_of((yield from _asked(place, identity)))) - shown
        # Others may make some at the same moment: the way on names the one, in whatever it calls it.
        more = more if len(more) == 1 else more & frozenset(_BETWEEN.split(landing))
        if (told in more) if is_told else len(more) == 1:
            return told if is_told else min(more)
    return told if is_told and (yield from _leads_elsewhere(asked, links, told, identity)) else ""


def _leads_elsewhere(
    asked: Request, links: Links, told: str, identity: str | None
) -> Generator[TestRequest, Answer, bool]:
    """Whether a form leads to another object the second time: whoever is led to his one cart is led there again. No list has said more."""
    landing = landing_of(asked, response_of((yield from _asked(asked, identity))))
    return links.in_address(landing or b"") != told


def _asked(request: Request, identity: str | None) -> Generator[TestRequest, Answer, Exchange]:
    return (yield from ask(request, "control") if identity is None else ask_as(request, identity, "control"))
