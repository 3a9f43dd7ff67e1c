"""Whether what refuses a path is the place itself, and nothing in front of it.

Servers of files answer 403 to whatever would leave their folder, as a firewall does to whatever looks like an attack. A
firewall reads the whole address; a server of files has no interest in a parameter that it does not know. An application
that keeps everybody to his own folder refuses any other word there, too, which nobody takes for an attack.
"""

from collections.abc import Generator

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.outcomes.refused import block
from gatecrash.core.testing.probe import Answer, Dialogue, TestRequest
from gatecrash.core.testing.verdict import safe

# As no firewall would let it pass that looks for paths at all.
_REFUSED = b"/../../../../../../etc/passwd"


def nothing_found_at(inquiry: Inquiry, type_: str) -> Dialogue:
    """Safe, too, where the path alone must not leave its folder: such a path is let through in a parameter that nothing reads."""
    if inquiry.blocked and (yield from _is_let_through(inquiry)):
        return safe(type_, inquiry.situation.point, f"the place itself refuses such paths: {inquiry.blocked}")
    return (yield from inquiry.nothing_found(type_))


def forget_what_any_word_meets(inquiry: Inquiry, point: Point) -> Generator[TestRequest, Answer, None]:
    """What was refused at a point as any word is there was refused by the application: it blocked nothing."""
    refused, inquiry.blocked = inquiry.blocked, ""
    try:
        request = rewrite(inquiry.situation.baseline.request, point, inquiry.mark(10).encode())
    except UserError:
        inquiry.blocked = refused
        return
    yield from inquiry.submit(request, "a word", purpose="control")
    inquiry.blocked = "" if inquiry.blocked == refused else refused


def _is_let_through(inquiry: Inquiry) -> Generator[TestRequest, Answer, bool]:
    """Whether such a path in a parameter of a fresh name changes nothing; asked for at paths alone."""
    request = inquiry.situation.baseline.request
    if inquiry.situation.point[0] not in ("path", "uri") or not is_safe(request):
        return False
    sign = b"&" if b"?" in request.target else b"?"
    target = request.target + sign + inquiry.mark(8).encode() + b"=" + _REFUSED
    answer = response_of((yield from ask(msgspec.structs.replace(request, target=target), "control")))
    if block(answer) is not None or answer.status == inquiry.good.status:
        return block(answer) is None
    # What has gone since it was recorded is answered otherwise without the parameter, too.
    return response_of((yield from ask(request, "control"))).status == answer.status
