"""A described form is sent with the token that its page hands out to whoever sends it now: the one that it was read with is
another session's, and a refusal for that says nothing of the form.
"""

from collections.abc import Awaitable, Callable

import msgspec

from gatecrash.core.message import Exchange, Request, reading
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.forms.pages import sent_from
from gatecrash.core.testing.forms.tokens import is_called_token, is_form_token, is_random, is_token_header
from gatecrash.core.testing.forms.values import handed_out, value_for
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.draft import Draft

Send = Callable[[Request, str], Awaitable[Answer]]
"""Sends a request in the session of the identity that is named; empty for the first."""


async def with_its_token(draft: Draft, send: Send) -> Draft:
    """The draft with what the page that it says it is sent from hands out now in the place of its tokens; as it is where it
    has none, or names no page.
    """
    request = draft.request
    page = None if is_safe(request) else sent_from(request)
    guarded = any(map(_is_token, walked(request)))
    asked = None if page is None or not guarded else reading(request, page)
    if asked is None or destroys(asked) is not None:
        return draft
    shown = (await send(asked, draft.sender)).exchange
    return msgspec.structs.replace(draft, request=filled_in(request, msgspec.structs.replace(shown, request=asked)))


def filled_in(form: Request, page: Exchange) -> Request:
    """A form with what its page hands out in the place of its tokens; as it is where the page has none."""
    path, own = form.path.decode("latin-1"), page.request.path.decode("latin-1")
    handed = () if page.response is None else handed_out(page.response)
    called = [field.name for field in handed if is_called_token(field.name)]
    for point in [each.point for each in walked(form) if _is_token(each)]:
        names = (point[-1], *called) if point[0] == "header" else (point[-1],)
        value = None if page.response is None else value_for(page.response, names, path, own)
        form = form if value is None else rewrite(form, point, value.encode())
    return form


def _is_token(found: Found) -> bool:
    """By its name, or as a long random value in a field of a form. What a script sends in a header its page calls as it likes."""
    if found.point[0] == "header":
        return is_token_header(found.point)
    in_body = found.point[0] == "post" and len(found.point) > 1
    random = in_body and is_random(found.value.decode("utf-8", "replace"))
    return not found.container and (random or is_form_token(found.point))
