"""Tokens that stand among a call's own values: in a link, in an argument of a query, in a member of a body."""

import json
from collections.abc import Callable

from gatecrash.core.message import Request, Response
from tests.range.jwt_tokens import TOKENS, account, in_time, opened, sound, unauthorized
from tests.range.place import Given, answer, flaw, posted, twin

JSON = b"application/json"


def link(path: str) -> Request:
    return Request("GET", f"{path}?lang=en&token={TOKENS['hs256']}".encode())


def argument(path: str) -> Request:
    query = f'{{ me(token: "{TOKENS["hs256"]}") {{ name mail }} }}'
    return posted(path, json.dumps({"query": query}).encode(), JSON)


def member(path: str) -> Request:
    call = {"jsonrpc": "2.0", "id": 1, "method": "account.read", "params": {"session": TOKENS["hs256"]}}
    return posted(path, json.dumps(call).encode(), JSON)


def linked(given: Given) -> str:
    return given.values["token"]


def argued(given: Given) -> str:
    return json.loads(given.request.body)["query"].split('"')[1]


def called(given: Given) -> str:
    return json.loads(given.request.body)["params"]["session"]


def unchecked(token: str) -> dict[str, object]:
    return in_time(opened(token)[1])


def of_claims(token: str, verify: Callable[[str], dict[str, object]], refused: Response) -> Response:
    """The account of whom a token names; whatever is wrong with it refuses."""
    try:
        return account() if verify(token)["sub"] == "ann" else refused
    except Exception:  # noqa: BLE001 -- as guards do
        return refused


IN_WORDS = answer({"errors": [{"message": "the token is invalid"}], "data": {"me": None}})
FAILED = answer({"jsonrpc": "2.0", "id": 1, "error": {"code": -32001, "message": "no such session"}})


@flaw("auth", request=link)
def a_link_of_which_nobody_looks_at_the_signature(given: Given) -> Response:
    return of_claims(linked(given), unchecked, unauthorized())


@flaw("auth", request=argument, also=("graphql",))
def an_argument_of_which_nobody_looks_at_the_signature(given: Given) -> Response:
    return of_claims(argued(given), unchecked, IN_WORDS)


@flaw("auth", request=member)
def a_member_of_which_nobody_looks_at_the_signature(given: Given) -> Response:
    return of_claims(called(given), unchecked, FAILED)


@twin("auth", request=link)
def a_link_that_is_verified(given: Given) -> Response:
    return of_claims(linked(given), sound, unauthorized())


@twin("auth", request=argument, also=("graphql",))
def an_argument_that_is_verified(given: Given) -> Response:
    return of_claims(argued(given), sound, IN_WORDS)


@twin("auth", request=member)
def a_member_that_is_verified(given: Given) -> Response:
    return of_claims(called(given), sound, FAILED)


@twin("auth", request=link)
def a_token_that_is_kept_as_it_is(given: Given) -> Response:
    """Nobody reads it here; what it is good for is another service's business."""
    return answer({"kept": len(linked(given)) > 0, "plan": "gold"})


@twin("auth", request=link)
def a_token_that_is_taken_apart_to_be_shown(given: Given) -> Response:
    """A page for developers: it shows any token's claims, and that it verified none."""
    try:
        header, claims, *_ = opened(linked(given))
    except Exception:  # noqa: BLE001 -- whatever is no token
        return answer({"error": "not a token"}, 400)
    return answer({"header": header, "claims": claims, "verified": False})
