"""Tokens beside another credential that lets the caller in as well."""

from gatecrash.core.message import Request, Response
from tests.range.jwt_called import of_claims, unchecked
from tests.range.jwt_tokens import TOKENS, account, bearer, guarded, in_time, opened, sound, unauthorized
from tests.range.place import Given, answer, flaw, twin


def beside_a_cookie(path: str) -> Request:
    request = bearer("hs256")(path)
    return Request("GET", path.encode(), (*request.headers, (b"Cookie", f"access_token={TOKENS['hs256']}".encode())))


@flaw("auth", request=beside_a_cookie)
def either_lets_in(given: Given) -> Response:
    """A token in the header, which is not verified, or one in the cookie, which is."""
    value = given.request.first(b"Authorization")
    if value is not None:
        try:
            return (
                account()
                if in_time(opened(value.decode().removeprefix("Bearer "))[1])["sub"] == "ann"
                else unauthorized()
            )
        except Exception:  # noqa: BLE001 -- whatever is wrong with it, the cookie may still be good
            pass
    return guarded(sound)(Given(Request("GET", b"/", tuple(p for p in given.request.headers if p[0] == b"Cookie"))))


@twin("auth", request=beside_a_cookie)
def either_lets_in_soundly(given: Given) -> Response:
    value = given.request.first(b"Authorization")
    first = guarded(sound)(Given(Request("GET", b"/", ((b"Authorization", value),)))) if value else unauthorized()
    cookies = tuple(pair for pair in given.request.headers if pair[0] == b"Cookie")
    return first if first.status == 200 else guarded(sound)(Given(Request("GET", b"/", cookies)))


def in_a_cookie_of_its_own(path: str) -> Request:
    return Request("GET", path.encode(), ((b"Cookie", f"lang=en; ballot={TOKENS['hs256']}".encode()),))


def _ballot(given: Given) -> str:
    return (given.request.first(b"Cookie") or b"").decode().rpartition("ballot=")[2]


@flaw("auth", request=in_a_cookie_of_its_own)
def a_cookie_of_its_own_that_nobody_verifies(given: Given) -> Response:
    """A token that no login was seen to issue, in a cookie that is not named as a session."""
    return of_claims(_ballot(given), unchecked, unauthorized())


@twin("auth", request=in_a_cookie_of_its_own)
def a_cookie_of_its_own_that_is_verified(given: Given) -> Response:
    return of_claims(_ballot(given), sound, unauthorized())


@twin("auth", request=in_a_cookie_of_its_own)
def a_cookie_of_its_own_that_is_taken_apart(given: Given) -> Response:
    """Tells what its token says, whoever it is of."""
    try:
        header, claims = opened(_ballot(given))[:2]
    except Exception:  # noqa: BLE001 -- whatever is wrong with it
        return answer({"error": "that is no token"}, 400)
    return answer({"header": header, "claims": claims, "verified": False})


@twin("auth", request=in_a_cookie_of_its_own)
def a_cookie_of_its_own_that_is_not_read(_given: Given) -> Response:
    return answer({"votes": [{"title": "Longer breaks", "count": 361}, {"title": "More clay", "count": 50}]})
