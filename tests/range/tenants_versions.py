"""Functions of the tenants' manager in two versions of an API: what the newer one refuses to customers, the old one gives them, or not."""

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import PEOPLE, asked, below, caller, missing, unauthorized

TILLS = {"tills": [{"till": 4, "sum": 812.4, "opened": "08:02"}, {"till": 7, "sum": 95.1, "opened": "09:40"}]}


def told(given: Given, *, old: str, newer: str) -> Response:
    """old, newer: whom each version lets in, `all` or the `manager`; the newer one may be for `nobody`."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if path not in (["v1", "tills"], ["v2", "tills"]):
        return missing()
    who = old if path[0] == "v1" else newer
    if who == "nobody" or (who == "manager" and PEOPLE[name]["rank"] != "manager"):
        return answer({"error": "not for you"}, 403)
    return answer(TILLS)


OLD = {"request": asked("/v1/tills", name="ida"), "beside": (asked("/v2/tills", name="ida"),)}


@flaw("auth", **OLD, also=("idor",))
def forgotten_in_the_old_one(given: Given) -> Response:
    return told(given, old="all", newer="manager")


@twin("auth", **OLD)
def for_everybody_in_both(given: Given) -> Response:
    return told(given, old="all", newer="all")


@twin("auth", **OLD)
def refused_in_both(given: Given) -> Response:
    return told(given, old="manager", newer="manager")


@twin("auth", **OLD)
def newer_one_for_nobody_yet(given: Given) -> Response:
    return told(given, old="all", newer="nobody")


NEWER = {"request": asked("/v2/tills", name="ida")}


@flaw("auth", **NEWER)
def read_below_the_old_one(given: Given) -> Response:
    return told(given, old="all", newer="manager")


@twin("auth", **NEWER)
def kept_below_the_old_one_too(given: Given) -> Response:
    return told(given, old="manager", newer="manager")


@twin("auth", **NEWER)
def own_till_below_the_old_one(given: Given) -> Response:
    own = {"tills": [{"till": 9, "sum": 14.0, "opened": "10:15"}, {"till": 11, "sum": 7.5, "opened": "11:00"}]}
    is_old = below(given.request) == ["v1", "tills"]
    ranks = (PEOPLE[name]["rank"] for name in (caller(given.request),) if name)
    return answer(own) if is_old and next(ranks, "manager") != "manager" else told(given, old="all", newer="manager")
