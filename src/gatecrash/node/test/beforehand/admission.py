"""Who a described request is sent as: the lowest identity of a profile; where that one is refused, the lowest of the
others who is let in.

A description tells nobody's requests. What only a manager may do is refused to a customer, and tests of a refusal show
nothing; sent as the manager it has a good answer, and the customer is the one who must not have it. What a refused
request asked for was not done, so that a changing one is still done once. What sets a password holds its sender's: nobody
else sends it, who could not sign in with that.

What signs somebody in is sent in no session that came from a login of its own: many an application ends the session that a login
comes in, or gives it to somebody else, and all that is described behind it would be asked as another.
"""

from collections.abc import Iterator

import msgspec

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.callers.password_changes import sets_password
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.draft import Draft
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.request import Errand

MOST_OTHERS = 5
"""Who else is asked, of those that the profile names."""
_NOT_THERE = frozenset({404, 410})


async def admitted(traffic: Traffic, counted: str, draft: Draft) -> tuple[Draft, Answer]:
    """The draft with who was let in, and what came of it. counted: what it is counted under. Raises LoginFailed."""
    errand = Errand(traffic, counted)
    answer = await _signing_in(traffic, counted, draft)
    if answer is None:
        answer = await errand.own(draft.request, draft.sender)
    if not is_refused(draft, answer.exchange.response):
        return draft, answer
    # What was refused to somebody who is signed in tells of what stands beside it, whoever its tests are sent as.
    traffic.learn(msgspec.structs.replace(draft, response=answer.exchange.response))
    found: tuple[Draft, Answer] | None = None
    for sender in others(traffic, draft):
        try:
            seen = await errand.own(draft.request, sender)
        except LoginFailed:  # whoever needs the session is told why
            continue
        response = seen.exchange.response
        if response is None or refusal(response) is not None:
            continue
        if response.status not in _NOT_THERE:
            return sent_by(draft, sender), seen
        found = found or (sent_by(draft, sender), seen)
    return found or (draft, answer)


async def _signing_in(traffic: Traffic, counted: str, draft: Draft) -> Answer | None:
    """The answer to a login that came in no session; None for anything else, and for what only lets in who is signed in already."""
    session = traffic.sessions.own(draft.request, draft.sender)
    if session is None or not session.identity.login or not signs_in(draft.request):
        return None
    answer = await traffic.send(draft.request, counted)
    response = answer.exchange.response
    is_for_visitors = draft.public or response is None or refusal(response) is None
    return answer if is_for_visitors else None


def first_sender(traffic: Traffic, draft: Draft) -> str:
    """Who is asked first, of whom others could have the same things; empty for the first identity that the profile names."""
    known = traffic.sessions.identities(draft.request)
    lowest = min(known, key=lambda identity: identity.rank, default=None)
    return lowest.name if lowest is not None and lowest.rank < known[0].rank else ""


def is_refused(draft: Draft, response: Response | None) -> bool:
    """Whether its sender was not let in, and it is not for whoever has no session yet."""
    return response is not None and refusal(response) is not None and not draft.public and not signs_in(draft.request)


def others(traffic: Traffic, draft: Draft) -> Iterator[str]:
    """Who may be let in where the draft's sender is not, the lowest rank first; nobody for what sets a password, which is its sender's."""
    if sets_password(draft.request):
        return
    known = traffic.sessions.identities(draft.request, draft.sender)
    for each in sorted(known[1:], key=lambda identity: identity.rank)[:MOST_OTHERS]:
        yield each.name


def sent_by(draft: Draft, sender: str) -> Draft:
    """The draft as it is sent by who is named."""
    sent: Draft = msgspec.structs.replace(draft, sender=sender)
    return sent
