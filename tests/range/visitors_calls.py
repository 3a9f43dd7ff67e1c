"""GraphQL that asks nobody who calls: what visitors send to every site and read on it, beside what is somebody's."""

import json
import re
from collections.abc import Callable
from functools import partial

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, posted, twin
from tests.range.tenants_graph import UNBOUNDED, asked
from tests.range.tenants_store import caller
from tests.range.visitors import BORN, people

FLAW, TWIN = partial(flaw, "auth", also=UNBOUNDED), partial(twin, "auth", also=UNBOUNDED)
LETTERS = asked(
    "mutation ($input: LetterInput!) { subscribeNewsletter(input: $input) { email state } }",
    input={"email": "ann@example.com", "wanted": "weekly"},
)
SAID = asked("mutation ($text: String!) { sendFeedback(text: $text) { state text } }", text="It shines all night")
PARCEL = asked(
    "mutation ($number: String!, $gate: String!) { redirectParcel(number: $number, gate: $gate) { number state } }",
    number="LX-3101",
    gate="back door",
)
FIELD = re.compile(r"\{\s*(\w+)\(")


def done(given: Given, who: Callable[[Given], object] = lambda given: True) -> Response:
    """What is told of what was sent. who: who calls, where anybody does."""
    body = json.loads(given.request.body)
    found = FIELD.search(body.get("query", ""))
    if found is None:
        return answer({"errors": [{"message": "Syntax Error: Unexpected Name"}]}, 400)
    if not who(given):
        return answer({"errors": [{"message": "not authenticated"}], "data": None})
    sent = body.get("variables") or {}
    told = {name: value for name, value in {**sent, **(sent.get("input") or {})}.items() if isinstance(value, str)}
    return answer({"data": {found[1]: {**told, "state": "taken"}}})


def is_known(given: Given) -> object:
    return caller(given.request)


@FLAW(request=PARCEL)
def parcel_led_elsewhere_by_anybody(given: Given) -> Response:
    return done(given)


@TWIN(request=LETTERS)
def letters_for_whoever_wants_them(given: Given) -> Response:
    return done(given)


@TWIN(request=SAID)
def said_by_whoever_likes(given: Given) -> Response:
    return done(given)


@TWIN(request=PARCEL)
def parcel_led_elsewhere_by_who_is_known(given: Given) -> Response:
    return done(given, is_known)


def unasked(document: str) -> Callable[[str], Request]:
    """A query that nobody's credentials come along with."""
    return lambda path: posted(path, json.dumps({"query": document}).encode(), b"application/json")


PEOPLE, WRITERS = unasked("{ customers { name email birth_date } }"), unasked("{ authors { name email birth_date } }")
RECOMMENDING = unasked("{ customers { name email since } }")


def listed(given: Given, **own: tuple[str, str]) -> Response:
    """Two people under the name of the field that is asked for."""
    query = json.loads(given.request.body).get("query", "")
    found = re.match(r"\{\s*(customers|authors)\s*\{[\w ]+\}\s*\}$", query)
    if found is None:
        return answer({"errors": [{"message": "Syntax Error: Unexpected Name"}]}, 400)
    return answer({"data": {found[1]: people(**own)}})


@FLAW(request=PEOPLE)
def customers_for_anybody(given: Given) -> Response:
    return listed(given, birth_date=BORN)


@TWIN(request=WRITERS)
def writers_for_anybody(given: Given) -> Response:
    return listed(given, birth_date=BORN)


@TWIN(request=RECOMMENDING)
def customers_who_recommend_it(given: Given) -> Response:
    return listed(given, since=("2019", "2021"))


LIKED = asked("mutation ($id: ID!) { likePost(id: $id) { id likes } }", id="7")
COUNTED = asked(
    "mutation ($what: String!, $page: String!) { trackEvent(what: $what, page: $page) }", what="view", page="/a"
)
MEMBER = asked("query ($who: String!) { user(name: $who) { username bio avatar } }", who="ben")
RENAMED = asked(
    "mutation ($id: ID!, $title: String!) { renamePost(id: $id, title: $title) { id title } }", id="7", title="Rowing"
)
CARD = {"username": "ben", "bio": "I row and I read", "avatar": "/a/7.png"}
SAYS: dict[str, object] = {"likePost": {"id": "7", "likes": 4}, "trackEvent": True, "user": CARD}


def said(given: Given) -> Response:
    """The same to everybody."""
    found = FIELD.search(json.loads(given.request.body).get("query", ""))
    if found is None or found[1] not in SAYS:
        return answer({"errors": [{"message": "Syntax Error: Unexpected Name"}]}, 400)
    return answer({"data": {found[1]: SAYS[found[1]]}})


@FLAW(request=RENAMED)
def renamed_by_anybody(given: Given) -> Response:
    return done(given)


@TWIN(request=LIKED)
def liked_by_every_visitor(given: Given) -> Response:
    return said(given)


@TWIN(request=COUNTED)
def counted_of_every_visitor(given: Given) -> Response:
    return said(given)


@TWIN(request=MEMBER)
def what_a_member_says_of_himself(given: Given) -> Response:
    return said(given)
