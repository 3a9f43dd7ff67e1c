"""Keys of tokens that another answer of the service tells: its settings, as its client reads them."""

import base64

from gatecrash.core.message import Request, Response
from tests.range.jwt_tokens import CLAIMS, account, in_time, issued, presented, unauthorized, with_word
from tests.range.place import Given, answer, flaw, page, twin

KEY, SCRIPTED, KEPT = b"Otter-71-Lantern-Quay", b"nR4x.Quince_Harbour+88", b"Walrus/52-Marzipan-Dock"
ELSEWHERE = b"c0ffee-91-Gondola-Thimble"
SIGNED = {key: issued(CLAIMS, key) for key in (KEY, SCRIPTED, KEPT, ELSEWHERE)}


def settings(place: str) -> Request:
    return Request("GET", f"{place}/settings".encode())


def bearing(key: bytes):
    return lambda place: Request("GET", f"{place}/me".encode(), ((b"Authorization", f"Bearer {SIGNED[key]}".encode()),))


def asks_for_settings(given: Given) -> bool:
    return given.request.path.endswith(b"/settings")


def whose(given: Given, key: bytes) -> Response:
    try:
        in_time(with_word(presented(given.request), key))
    except Exception:  # noqa: BLE001 -- whatever is wrong with the token
        return unauthorized()
    return account()


@flaw("auth", request=bearing(KEY), beside=(settings,))
def key_told_in_settings(given: Given) -> Response:
    if asks_for_settings(given):
        return answer({"region": "north", "auth": {"jwtSecret": KEY.decode(), "minutes": 30}})
    return whose(given, KEY)


@flaw("auth", request=bearing(SCRIPTED), beside=(settings,))
def key_told_in_a_script(given: Given) -> Response:
    if asks_for_settings(given):
        return page(f"<script>const config = {{region: 'north', signingKey: '{SCRIPTED.decode()}'}};</script>")
    return whose(given, SCRIPTED)


@twin("auth", request=bearing(ELSEWHERE), beside=(settings,))
def key_of_something_else_told(given: Given) -> Response:
    """A key for everybody: of a map, with which nothing is signed here."""
    if asks_for_settings(given):
        return answer({"region": "north", "mapKey": base64.b64encode(b"everybody's map").decode()})
    return whose(given, ELSEWHERE)


@twin("auth", request=bearing(KEPT), beside=(settings,))
def tokens_that_were_issued_alone(given: Given) -> Response:
    """The key is told, and a token that was never issued is no better for it."""
    if asks_for_settings(given):
        return answer({"auth": {"jwt_secret": KEPT.decode()}})
    return whose(given, KEPT) if presented(given.request) == SIGNED[KEPT] else unauthorized()
