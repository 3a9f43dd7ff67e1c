"""Whether what a signed token (JWT) holds is looked at only once its signature was: then nothing that is written there gets further.

    sealed = yield from is_sealed(situation)

The token is sent with another signature, once for all that it holds. Where that is refused, so is every token of which
another part was changed, whatever it says. Not so what finds the key that a signature is checked with, and is read before:
members of the header (RFC 7515, section 4.1), and the claims that name the issuer (RFC 7523, section 3).
"""

from collections.abc import Generator

from gatecrash.core.errors import UserError
from gatecrash.core.message import Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_ERROR, FIRST_SERVER_ERROR
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.operations.questions import is_question
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import read as read_answer
from gatecrash.core.testing.oracles.difference import same_but_for_numbers
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.oracles.outcomes.told_errors import gives_nothing
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_SIGNATURE = "jwt_signature"
_PARTS = frozenset({"jwt_header", "jwt_payload", _SIGNATURE})
_FIND_THE_KEY = frozenset({"kid", "jku", "jwk", "x5u", "x5c", "x5t", "iss", "sub", "client_id"})
SEALED = "the token is refused with another signature, and so it is with anything else in it"


def is_sealed(situation: Situation) -> Generator[TestRequest, Answer, bool]:
    """Whether the situation's point is in such a token."""
    point, good = situation.point, situation.baseline.response
    if "jwt" not in point or _FIND_THE_KEY.intersection(point) or good is None or good.status >= FIRST_ERROR:
        return False
    part = next((place for place, step in enumerate(point) if step in _PARTS), None)
    if part is None:
        return False
    signature = Point((*point[:part], _SIGNATURE))
    return (
        yield from situation.memory.once(f"sealed {signature}", lambda: _refuses_another(situation, signature, good))
    )


def _refuses_another(situation: Situation, signature: Point, good: Response) -> Generator[TestRequest, Answer, bool]:
    """Whether the token is refused with another signature."""
    request = situation.baseline.request
    known = read(request, signature)
    if not known:
        return False
    other = fresh_letters(situation.random, len(known))
    try:
        answer = yield TestRequest(rewrite(request, signature, other.encode()), "control")
    except UserError:
        return False
    response = answer.exchange.response
    if response is None or response.status >= FIRST_SERVER_ERROR:
        return False
    if response.status >= FIRST_ERROR or refusal(response, good) is not None or _fails(response, good):
        return True
    reads = is_safe(request) or is_question(request) or only_queries(request)
    echoes = {other: known.decode("latin-1")}
    return reads and not same_but_for_numbers(read_answer(good), read_answer(response, echoes))


def _fails(response: Response, good: Response) -> bool:
    """Whether a call failed that did not: its error is told under a good status (JSON-RPC, XML-RPC, GraphQL)."""
    return gives_nothing(text_of(response)) and not gives_nothing(text_of(good))
