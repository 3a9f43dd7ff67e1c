"""Tokens beside another credential that lets the caller in as well."""

from gatecrash.core.message import Request, Response
from tests.range.jwt_tokens import TOKENS, account, bearer, guarded, in_time, opened, sound, unauthorized
from tests.range.place import Given, flaw, twin


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
