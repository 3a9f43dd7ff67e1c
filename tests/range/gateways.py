"""Applications behind a gateway that tells them who has signed in, reached by anybody who writes the gateway's headers."""

from gatecrash.core.message import Response
from tests.range.guards import STAFF, TOKEN, signed, staff, unauthorized
from tests.range.place import Given, answer, flaw, twin

SECRET = b"7d0b5b1e"
_LOOPS = 5


@flaw("auth", request=signed)
def believes_the_gateways_word(given: Given) -> Response:
    named = given.request.first(b"X-Forwarded-User")
    return staff() if named or given.request.first(b"Authorization") == TOKEN else unauthorized()


@flaw("auth", request=signed)
def believes_another_gateways_word(given: Given) -> Response:
    named = given.request.first(b"Remote-User")
    return staff() if named or given.request.first(b"Authorization") == TOKEN else unauthorized()


@flaw("auth", request=signed)
def believes_to_have_asked_itself(given: Given) -> Response:
    """A guard that does not look at a request that has been with it often enough, by a header that anybody can write."""
    been_there = (given.request.first(b"X-Middleware-Subrequest") or b"").split(b":").count(b"middleware") >= _LOOPS
    return staff() if been_there or given.request.first(b"Authorization") == TOKEN else unauthorized()


@twin("auth", request=signed)
def ends_its_own_loops(given: Given) -> Response:
    """A request that has been with it often enough is answered with the end of a loop, and nothing else."""
    been_there = (given.request.first(b"X-Middleware-Subrequest") or b"").split(b":").count(b"middleware") >= _LOOPS
    if been_there:
        return answer({"loop": "ended", "staff": []})
    return staff() if given.request.first(b"Authorization") == TOKEN else unauthorized()


@twin("auth", request=signed)
def believes_the_gateway_alone(given: Given) -> Response:
    """Only who knows the gateway's secret is believed."""
    named = given.request.first(b"X-Forwarded-User") and given.request.first(b"X-Gateway") == SECRET
    return staff() if named or given.request.first(b"Authorization") == TOKEN else unauthorized()


@twin("auth", request=signed)
def greets_by_the_header(given: Given) -> Response:
    """Says the name that the header has, and gives nothing to it."""
    if given.request.first(b"Authorization") == TOKEN:
        return staff()
    return answer({"hello": (given.request.first(b"X-Forwarded-User") or b"stranger").decode(), "staff": []})


@twin("auth", request=signed)
def strangers_are_asked_to_sign_in(given: Given) -> Response:
    if given.request.first(b"Authorization") == TOKEN:
        return staff()
    return answer({"error": "please sign in", "staff": len(STAFF["staff"])})
