"""A form that makes an account or signs in, sent as a visitor sends it: behind the page that it stands on, in the session that
the page begins, with what the page hands out in it.

sent, page = await asked_behind(form, send)     page: None where the form names none, as a description's login does
has_let_in(sent, page)                          whether the answer to a login may have let somebody in, and with what
"""

from collections.abc import Awaitable, Callable

import msgspec

from gatecrash.core.message import Exchange, Request, reading, with_header, without_header
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.forms.pages import sent_from
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.cookie_jar import CookieJar
from gatecrash.node.scan.drafts.form_page import filled_in

Send = Callable[[Request], Awaitable[Answer]]


async def asked_behind(form: Request, send: Send) -> tuple[Answer, Exchange | None]:
    """The answer to a form, and its page as it was shown before."""
    target = None if is_safe(form) else sent_from(form)
    visitor = msgspec.structs.replace(form, headers=without_header(form.headers, b"Cookie"))
    asked = None if target is None else reading(visitor, target)
    if asked is None or destroys(asked) is not None:
        return await send(form), None
    page = msgspec.structs.replace((await send(asked)).exchange, request=asked)
    if page.response is None or page.response.status >= FIRST_ERROR:
        return await send(form), None
    jar = CookieJar()
    jar.take(form.host, page.response)
    cookies = b"; ".join(name.encode("latin-1") + b"=" + value for name, value in jar.of(form.host))
    dressed = filled_in(visitor, page)
    if cookies:
        dressed = msgspec.structs.replace(dressed, headers=with_header(dressed.headers, b"Cookie", cookies))
    return await send(dressed), page


def has_let_in(sent: Exchange, page: Exchange | None) -> bool:
    """Whether a cookie says from now on who asks: the login's own, or its page's where the login did not send whoever came back to it."""
    if sent.response is None:
        return False
    if page is None or page.response is None:
        return sent.response.first(b"Set-Cookie") is not None
    given = (*sent.response.all(b"Set-Cookie"), *page.response.all(b"Set-Cookie"))
    back = (landing_of(sent.request, sent.response) or b"").partition(b"?")[0] == page.request.path
    return bool(given) and not back and refusal(sent.response) is None
