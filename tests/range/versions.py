"""Lists of people in two versions of an API: what the newer one keeps, the old one still tells, or tells as the newer one does."""

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, twin

TOKEN = (b"Authorization", b"Bearer 91f0c4d2be7755aa03d1")
NAMES = ("ann marsh", "ben okoro", "ida lind")
WHOLE = [{"id": at, "name": name, "phone": f"+44 20 7946 01{at:02}"} for at, name in enumerate(NAMES, 11)]
BARE = [{"id": each["id"], "name": each["name"]} for each in WHOLE]


def version(number: int):
    return lambda place: Request("GET", f"{place}/v{number}/members".encode(), (TOKEN,))


OLD, NEWER = version(1), (version(2),)


def told(given: Given, old: object, newer: object) -> Response:
    """What each version tells whoever is signed in."""
    if given.request.first(TOKEN[0]) != TOKEN[1]:
        return answer({"error": "sign in"}, 401)
    path = given.request.path
    if path.endswith(b"/v1/members"):
        return answer(old)
    if not path.endswith(b"/v2/members"):
        return answer({"error": "no such page"}, 404)
    return answer(newer) if newer is not None else answer({"error": "not for members"}, 403)


@flaw("auth", request=OLD, beside=NEWER)
def kept_by_the_newer(given: Given) -> Response:
    return told(given, WHOLE, {"members": BARE})


@flaw("auth", request=OLD, beside=NEWER)
def refused_by_the_newer(given: Given) -> Response:
    return told(given, WHOLE, None)


@twin("auth", request=OLD, beside=NEWER)
def told_by_both(given: Given) -> Response:
    """The newer version has another form, and as much in it."""
    return told(given, WHOLE, {"members": [{"id": each["id"], "contact": each} for each in WHOLE]})


@twin("auth", request=OLD, beside=NEWER)
def kept_by_both(given: Given) -> Response:
    return told(given, BARE, {"members": BARE})


@twin("auth", request=OLD, beside=NEWER)
def emptied(given: Given) -> Response:
    """The newer version is not in use yet: it lists nobody."""
    return told(given, WHOLE, {"members": []})
