"""How a draft gets to the target: in its sender's name, with the token that its page hands out to him; a form that signs in, or
makes an account, as a visitor sends it, behind the page that it stands on.

Sent in the session of somebody signed in, such a form would end that session: applications begin a new one with each login. Where
the page sends visitors elsewhere, its form is for who is signed in already, and asks him for a name and a password again.
"""

from collections.abc import Collection

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.forms.pages import sent_from
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.entrance import fields, registers_into
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.accounts.behind_page import asked_behind
from gatecrash.node.scan.drafts.form_page import with_its_token
from gatecrash.node.test.beforehand.admission import admitted
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.request import Errand


async def sent_as_meant(traffic: Traffic, baseline_id: str, draft: Draft) -> tuple[Draft, Answer]:
    """The draft as it was sent in the end, and its answer. Raises LoginFailed."""
    if not _is_for_visitors(draft.request):
        return await admitted(traffic, baseline_id, await with_its_token(draft, Errand(traffic, baseline_id).own))

    async def as_a_visitor(request: Request) -> Answer:
        return await traffic.send(request, baseline_id)

    answer, page = await asked_behind(draft.request, as_a_visitor)
    if _sends_visitors_to_sign_in(page) and _sends_visitors_to_sign_in(answer.exchange):
        return await admitted(traffic, baseline_id, await with_its_token(draft, Errand(traffic, baseline_id).own))
    if page is not None:
        traffic.forms.sources.see(page)  # whatever its token is called, it stands there as it was sent
        draft = msgspec.structs.replace(draft, request=answer.exchange.request)
    return draft, answer


def _sends_visitors_to_sign_in(asked: Exchange | None) -> bool:
    response = None if asked is None else asked.response
    return response is not None and FIRST_REDIRECT <= response.status < FIRST_ERROR and refusal(response) is not None


def own_credentials(traffic: Traffic, draft: Draft) -> Collection[bytes]:
    """What the draft was sent with, where that is in the name of the profile's first user: as whom all is sent that does not say."""
    profile, session = traffic.sessions.profile, traffic.sessions.own(draft.request, draft.sender)
    if profile is None or session is None or session.identity != profile.identities[0]:
        return ()
    try:
        return session.values(draft.request.host).values()
    except LoginFailed:  # sent as a visitor, for whom nobody had to be signed in
        return ()


def _is_for_visitors(form: Request) -> bool:
    """Whether it is a page's form for whoever is not signed in yet. What a description has names no page."""
    return sent_from(form) is not None and (signs_in(form) or (registers_into(form) and bool(fields(form))))
