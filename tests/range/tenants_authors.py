"""An API in which what is written says who wrote it: in the request, or by the token alone."""

import itertools
from collections.abc import Callable

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, miss, twin
from tests.range.tenants_store import PEOPLE, SIGNED, below, caller, missing, unauthorized, written

NUMBERS = itertools.count(1)
MADE: dict[str, dict[int, dict]] = {}


def ann_writes(path: str, method: str = "POST", **fields: object):
    sent = ", ".join(f'"{name}": {value}' for name, value in fields.items())
    return written(method, path, f"{{{sent}}}".encode(), tokens=SIGNED)


def kept(place: str, content: dict) -> Response:
    number = next(NUMBERS)
    MADE.setdefault(place, {})[number] = {"id": number, **content}
    return answer({"id": number}, 201)


def shown(given: Given, place: str) -> Response:
    path, made = below(given.request), MADE.get(place, {})
    if len(path) == 1:
        return answer({path[0]: list(made.values())[-20:]})
    found = made.get(int(path[1])) if len(path) == 2 and path[1].isdigit() else None
    return missing() if found is None else answer(found)


def asked_for(given: Given, place: str, keep) -> Response:
    """The list, one of it, or something new as `keep` has it."""
    name = caller(given.request)
    if not name:
        return unauthorized()
    return shown(given, place) if given.request.method == "GET" else kept(place, keep(name, given.values))


REVIEW = {"author_id": 7, "product": 3, "text": '"It shines all night"'}


@flaw("idor", request=ann_writes("/reviews", **REVIEW))
def the_author_as_sent(given: Given) -> Response:
    return asked_for(
        given, "the_author_as_sent", lambda _, sent: {"author_id": sent["author_id"], "text": sent["text"]}
    )


@flaw("idor", request=ann_writes("/orders", userId=7, item=3, note='"leave it at the door"'))
def the_buyer_as_sent(given: Given) -> Response:
    return asked_for(given, "the_buyer_as_sent", lambda _, sent: {"userId": sent["userId"], "note": sent["note"]})


REMARK = {"author": '"ann@example.com"', "text": '"Sow it in October"'}
FEEDBACK = {"UserId": 7, "comment": '"It shines all night"'}


@flaw("idor", request=ann_writes("/remarks", method="PUT", **REMARK))
def put_below_the_address_as_sent(given: Given) -> Response:
    """A PUT that makes another each time, as its answer says."""
    return asked_for(given, "put_below_the_address_as_sent", lambda _, sent: dict(sent))


@twin("idor", request=ann_writes("/remarks", method="PUT", **REMARK))
def put_below_the_address_by_the_token(given: Given) -> Response:
    place = "put_below_the_address_by_the_token"
    return asked_for(given, place, lambda name, sent: {**sent, "author": PEOPLE[name]["email"]})


def said_by_anybody(given: Given, place: str, keep) -> Response:
    """Feedback, which visitors send as well: `keep` has whom it is of, by who sends it and whom that one names."""
    if given.request.method == "GET":
        return shown(given, place)
    number = PEOPLE.get(caller(given.request), {}).get("id")
    return kept(place, {"UserId": keep(number, given.values.get("UserId")), "comment": given.values["comment"]})


@flaw("idor", request=ann_writes("/feedback", **FEEDBACK))
def feedback_of_whomever_it_names(given: Given) -> Response:
    return said_by_anybody(given, "feedback_of_whomever_it_names", lambda _, named: named)


@twin("idor", request=ann_writes("/feedback", **FEEDBACK))
def feedback_of_who_sends_it(given: Given) -> Response:
    return said_by_anybody(given, "feedback_of_who_sends_it", lambda number, _: number)


@twin("idor", request=ann_writes("/feedback", author='"ann@example.com"', comment='"It shines all night"'))
def feedback_that_is_signed_by_hand(given: Given) -> Response:
    """Visitors write below it who they are, and whoever is signed in sees what he may change."""
    place = "feedback_that_is_signed_by_hand"
    if given.request.method == "GET":
        return shown(given, place)
    return kept(place, {"author": given.values["author"], "comment": given.values["comment"]})


@twin("idor", request=ann_writes("/reviews", **REVIEW))
def the_author_by_the_token(given: Given) -> Response:
    return asked_for(
        given, "the_author_by_the_token", lambda name, sent: {"author_id": PEOPLE[name]["id"], "text": sent["text"]}
    )


@twin("idor", request=ann_writes("/reviews", **REVIEW))
def others_are_refused(given: Given) -> Response:
    name = caller(given.request)
    if name and given.request.method == "POST" and given.values.get("author_id") != PEOPLE[name]["id"]:
        return answer({"error": "write in your own name"}, 403)
    return asked_for(
        given, "others_are_refused", lambda _, sent: {"author_id": sent["author_id"], "text": sent["text"]}
    )


@twin("idor", request=ann_writes("/reviews", **REVIEW))
def who_sent_it_is_told(given: Given) -> Response:
    """A secretary writes for others, and everybody sees that."""

    def keep(name: str, sent: dict) -> dict:
        return {"author_id": sent["author_id"], "text": sent["text"], "sent_by": PEOPLE[name]["email"]}

    return asked_for(given, "who_sent_it_is_told", keep)


@twin("idor", request=ann_writes("/tasks", user_id=7, title='"Sweep the hall"'))
def whom_it_is_for(given: Given) -> Response:
    """Who does it, not who asked for it: any of the team may be named."""
    return asked_for(given, "whom_it_is_for", lambda _, sent: {"user_id": sent["user_id"], "title": sent["title"]})


@twin("idor", request=ann_writes("/reviews", **REVIEW))
def only_repeated(given: Given) -> Response:
    """The answer says what was sent, and nobody reads it anywhere."""
    if not caller(given.request):
        return unauthorized()
    return missing() if given.request.method == "GET" else answer({"received": given.values}, 202)


@miss("idor", request=ann_writes("/reviews", **REVIEW))
def shown_to_nobody(given: Given) -> Response:
    """Kept as it was sent, for those alone who look through all reviews first."""
    if not caller(given.request):
        return unauthorized()
    return missing() if given.request.method == "GET" else answer({"state": "waits for a look"}, 202)


UNSIGNED = ann_writes("/entries", text='"Sow it in October"')


def signed_by(given: Given, place: str, writer: Callable[[int, dict], object]) -> Response:
    """What is written without a name is kept below the number that `writer` has, by who sends it and what else he sends."""
    return asked_for(
        given,
        place,
        lambda name, sent: {"writer_id": writer(int(str(PEOPLE[name]["id"])), sent), "text": sent["text"]},
    )


@flaw("mass_assignment", request=UNSIGNED)
def signed_by_whom_a_field_more_says(given: Given) -> Response:
    return signed_by(given, "signed_by_whom_a_field_more_says", lambda own, sent: sent.get("writer_id", own))


@twin("mass_assignment", request=UNSIGNED)
def signed_by_who_is_known(given: Given) -> Response:
    return signed_by(given, "signed_by_who_is_known", lambda own, _: own)


@twin("mass_assignment", request=UNSIGNED)
def signed_by_an_editor_for_all(given: Given) -> Response:
    """Whoever sends it, it is kept below the name of the one who looks after the book."""
    return signed_by(given, "signed_by_an_editor_for_all", lambda *_: 7)


@twin("mass_assignment", request=UNSIGNED)
def a_field_more_is_refused(given: Given) -> Response:
    if caller(given.request) and "writer_id" in given.values:
        return answer({"error": "unknown field: writer_id"}, 422)
    return signed_by(given, "a_field_more_is_refused", lambda own, _: own)


@miss("mass_assignment", request=UNSIGNED)
def signed_by_somebody_told_apart(given: Given) -> Response:
    """Who wrote it is told as an object of its own, and taken from a number that nobody sends."""

    def keep(name: str, sent: dict) -> dict:
        number = sent.get("writer_id", PEOPLE[name]["id"])
        return {"writer": {"number": number}, "text": sent["text"]}

    return asked_for(given, "signed_by_somebody_told_apart", keep)
