"""A described form is sent with the token that its page hands out to whoever sends it now: the one that it was read with is
another session's, and a refusal for that says nothing of the form.
"""

from collections.abc import Awaitable, Callable

import msgspec

from gatecrash.core.message import Request, reading
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.forms.pages import sent_from
from gatecrash.core.testing.forms.tokens import is_form_token
from gatecrash.core.testing.forms.values import with_tokens_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.draft import Draft

Send = Callable[[Request, str], Awaitable[Answer]]
"""Sends a request in the session of the identity that is named; empty for the first."""


async def with_its_token(draft: Draft, send: Send) -> Draft:
    """The draft with the tokens of the page that it says it is sent from; as it is where it has none, or names no page."""
    request = draft.request
    page = None if is_safe(request) else sent_from(request)
    if page is None or not any(is_form_token(each.point) for each in walked(request) if not each.container):
        return draft
    asked = reading(request, page)
    if destroys(asked) is not None:
        return draft
    answer = await send(asked, draft.sender)
    return msgspec.structs.replace(draft, request=with_tokens_of(answer.exchange, request))
