"""Requests for forgotten passwords that are answered with what sets one, and some that only look like it."""

import secrets

from gatecrash.core.message import Request, Response
from tests.range.asked import sending
from tests.range.place import Given, answer, flaw, twin

KNOWN = "ann@example.org"


def asking(path: str) -> Request:
    return sending(email=KNOWN)(f"{path}/forgot")


def setting(path: str) -> Request:
    return sending(email=KNOWN, code="1", password="quiet-river-8")(f"{path}/reset")


def setting_by_token(path: str) -> Request:
    return sending(token="1", password="quiet-river-8")(f"{path}/reset")


def setting_with_both(path: str) -> Request:
    return sending(token="1", code="2", password="quiet-river-8")(f"{path}/reset")


def is_set(given: Given) -> bool:
    return given.request.path.endswith(b"/reset")


def wrong() -> Response:
    return answer({"error": "that is not what we sent"}, 400)


def is_known(given: Given) -> bool:
    return given.values.get("email") == KNOWN


@flaw("auth", request=asking, beside=(setting_by_token,), also=("info",))
def tells_it_in_the_answer(given: Given) -> Response:
    if is_set(given):
        return wrong()
    if not is_known(given):
        return answer({"error": "nobody has this address"}, 404)
    return answer({"status": "sent", "token": secrets.token_hex(8)})


@twin("auth", request=asking, beside=(setting_with_both,), also=("info",), apart=True)
def names_the_attempt_alone(given: Given) -> Response:
    """What came by mail is asked for beside it."""
    if is_set(given):
        return wrong()
    return answer({"status": "sent", "token": secrets.token_hex(8)}) if is_known(given) else answer({}, 404)


@twin("auth", request=asking, beside=(setting,), also=("info",))
def says_by_number_what_was_done(given: Given) -> Response:
    if is_set(given):
        return wrong()
    return answer({"code": 1200, "status": "sent"}) if is_known(given) else answer({"code": 1404}, 404)


@twin("auth", request=asking, beside=(setting_by_token,))
def gives_everybody_one(given: Given) -> Response:
    """It names the attempt, whoever was meant; what came by mail stands in a link."""
    if is_set(given):
        return wrong()
    return answer({"status": "sent", "token": secrets.token_hex(8)})
