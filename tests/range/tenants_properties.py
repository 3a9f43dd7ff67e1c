"""Objects whose requests may set too much: bound whole to a row, or by a list of what may be set."""

import itertools
import json
import threading
from collections.abc import Callable

from gatecrash.core.message import Request, Response
from tests.in_memory import InMemory
from tests.range.place import Given, answer, flaw, miss, twin
from tests.range.tenants_store import OPAQUE, PEOPLE, SIGNED, below, caller, missing, unauthorized, written

LOCK = threading.Lock()
DATABASE = InMemory(isolation_level=None)
DATABASE.execute("CREATE TABLE kept (place TEXT, id INTEGER, object TEXT, PRIMARY KEY (place, id))")
ANN = {"id": 7, "name": "Ann Marsh", "email": "ann@example.com", "city": "York", "role": "customer", "balance": 40}
COUNT = itertools.count(100)
BODY = b'{"name": "Ann Marsh", "city": "York"}'
WITH_ROLE = b'{"name": "Ann Marsh", "city": "York", "role": "customer"}'
NEW = b'{"name": "New Person", "email": "new@example.com", "password": "sesame-street"}'
DEFAULTS = {"role": "customer", "is_admin": False, "balance": 0}
CLAIM = b'{"title": "Train to York", "amount": 44}'
RETURNING, ORDER = {"id": 7, "note": "Ring twice", "status": "return_pending"}, b'{"note": "Ring once"}'
UNDECIDED = {"status": "pending", "approved_by": None}
Takes = Callable[[dict], dict]


def kept(place: str, number: int, first: dict | None = None) -> dict | None:
    with LOCK:
        row = DATABASE.execute("SELECT object FROM kept WHERE place = ? AND id = ?", (place, number)).fetchone()
    return json.loads(row[0]) if row else (dict(first) if first else None)


def keep(place: str, number: int, document: dict) -> None:
    with LOCK:
        DATABASE.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (place, number, json.dumps(document)))


def all_kept(place: str) -> list[dict]:
    with LOCK:
        return [json.loads(row[0]) for row in DATABASE.execute("SELECT object FROM kept WHERE place = ?", (place,))]


def sent(given: Given) -> dict:
    return {name: value for name, value in given.values.items() if name != "q"}


def changing(given: Given, place: str, becomes: Callable[[dict], dict], first: dict = ANN) -> Response:
    """One's own object: read by GET, else changed. becomes: the object as it is kept, of the old one. first: before all."""
    if not caller(given.request):
        return unauthorized()
    document = kept(place, 7, first)
    if given.request.method == "GET":
        return answer(document)
    keep(place, 7, becomes(document))
    return answer({"ok": True})


def changed(given: Given, place: str, takes: Takes) -> Response:
    """One's own object: read by GET, changed by PUT and PATCH. takes: what of the request is kept."""
    return changing(given, place, lambda document: {**document, **takes(sent(given))})


def created(given: Given, place: str, takes: Takes, *, readable: bool = True, first: dict = DEFAULTS) -> Response:
    """New objects: made by POST, read by their number. takes: what of the request is kept. first: what the application sets."""
    path = below(given.request)
    if not caller(given.request):
        return unauthorized()
    if given.request.method == "GET":
        found = kept(place, int(path[1])) if readable and len(path) > 1 and path[1].isdigit() else None
        return answer(found) if found else missing()
    number = next(COUNT)
    document = {"id": number, **first, **takes(sent(given))}
    keep(place, number, document)
    return answer({name: value for name, value in document.items() if name != "password"}, 201)


def columns(*names: str) -> Takes:
    return lambda given: {name: value for name, value in given.items() if name in names}


ROW = columns("name", "email", "city", "role", "balance")
NEW_ROW = columns("name", "email", "password", "role", "is_admin", "balance")


@flaw("mass_assignment", request=written("PATCH", "/me", BODY))
def every_column(given: Given) -> Response:
    return changed(given, "every_column", ROW)


@flaw("mass_assignment", request=written("PUT", "/me", BODY))
def put_whole(given: Given) -> Response:
    return changed(given, "put_whole", ROW)


@flaw("mass_assignment", request=written("PATCH", "/me", BODY))
def strict_about_unknown_ones(given: Given) -> Response:
    """Refuses what the row does not have, and one of what it has."""
    if given.request.method != "GET" and not sent(given).keys() <= {"name", "city", "role"}:
        return answer({"error": "unknown property"}, 400)
    return changed(given, "strict_about_unknown_ones", ROW)


def breaking(given: Given, place: str, takes: Takes) -> Response:
    """Cannot show a role that it does not know, whoever kept it."""
    done = changed(given, place, takes)
    known = (kept(place, 7, ANN) or {})["role"] in ("customer", "clerk")
    return done if known or done.status != 200 else answer({"error": "what went wrong is logged"}, 500)


@flaw("mass_assignment", request=written("PATCH", "/me", BODY))
def breaks_over_a_role_that_it_keeps(given: Given) -> Response:
    return breaking(given, "breaks_over_a_role_that_it_keeps", ROW)


@twin("mass_assignment", request=written("PATCH", "/me", BODY))
def breaks_over_a_role_that_it_does_not_keep(given: Given) -> Response:
    if given.request.method != "GET" and "role" in sent(given):
        return answer({"error": "what went wrong is logged"}, 500)
    return breaking(given, "breaks_over_a_role", columns("name", "city"))


def listing_roles(given: Given, place: str, takes: Takes, status: int = 400) -> Response:
    """Refuses a role that is not on its list, which it tells."""
    if given.request.method != "GET" and sent(given).get("role", "customer") not in ("customer", "keeper"):
        return answer({"error": "role: one of customer, keeper"}, status)
    return changed(given, place, takes)


@flaw("mass_assignment", request=written("PATCH", "/me", BODY))
def a_role_of_a_list(given: Given) -> Response:
    return listing_roles(given, "a_role_of_a_list", ROW, 422)


@twin("mass_assignment", request=written("PATCH", "/me", BODY))
def a_role_of_a_list_that_is_not_kept(given: Given) -> Response:
    return listing_roles(given, "a_role_of_a_list_that_is_not_kept", columns("name", "city"))


@twin("mass_assignment", request=written("PATCH", "/me", BODY))
def a_role_of_a_list_for_others(given: Given) -> Response:
    if given.request.method != "GET" and sent(given).get("role") == "keeper":
        return answer({"error": "not for you"}, 403)
    return listing_roles(given, "a_role_of_a_list_for_others", columns("name", "city"))


def form(path: str) -> Request:
    headers = ((b"Authorization", OPAQUE["ann"].encode()), (b"Content-Type", b"application/x-www-form-urlencoded"))
    return Request("PUT", path.encode() + b"/me", headers, b"name=Ann+Marsh&city=York")


@flaw("mass_assignment", request=form)
def by_a_form(given: Given) -> Response:
    return changed(given, "by_a_form", ROW)


@flaw("mass_assignment", request=written("POST", "/users", NEW))
def new_with_a_role(given: Given) -> Response:
    return created(given, "new_with_a_role", NEW_ROW)


@flaw("mass_assignment", request=written("POST", "/users", NEW))
def new_and_not_readable(given: Given) -> Response:
    """Only the answer shows what was made."""
    return created(given, "new_and_not_readable", NEW_ROW, readable=False)


@flaw("mass_assignment", request=written("PATCH", "/me", BODY))
def told_in_its_answer(given: Given) -> Response:
    """Cannot be read by itself; the answer to the change shows the whole."""
    if given.request.method == "GET":
        return missing()
    done = changed(given, "told_in_its_answer", ROW)
    return done if done.status != 200 else answer({"user": kept("told_in_its_answer", 7, ANN)})


@flaw("mass_assignment", request=written("POST", "/claims", CLAIM))
def approved_by_who_claims(given: Given) -> Response:
    """Somebody else decides, of whom the claim tells."""
    return created(given, "claimed", columns("title", "amount", "status"), first=UNDECIDED)


@twin("mass_assignment", request=written("POST", "/claims", CLAIM))
def decided_by_others_alone(given: Given) -> Response:
    return created(given, "decided", columns("title", "amount"), first=UNDECIDED)


@twin("mass_assignment", request=written("POST", "/tasks", CLAIM))
def state_of_ones_own_task(given: Given) -> Response:
    """Nobody decides on a task: whoever has it calls it what he likes."""
    return created(given, "tasks", columns("title", "amount", "status"), first={"status": "pending", "done_at": None})


@twin("mass_assignment", request=written("POST", "/tasks", CLAIM))
def ticked_off_by_its_owner(given: Given) -> Response:
    """What one has done and looked at again; nobody else is told of."""
    return created(given, "ticked", columns("title", "done", "verified"), first={"done": False, "verified": False})


@twin("mass_assignment", request=written("POST", "/tasks", CLAIM))
def points_of_ones_own_task(given: Given) -> Response:
    """How much work a task is, and how it will be done."""
    first = {"points": 0, "plan": "by train"}
    return created(given, "pointed", columns("title", "points", "plan"), first=first)


@flaw("mass_assignment", request=written("POST", "/tasks", CLAIM))
def verified_by_who_did_it(given: Given) -> Response:
    """A task tells who looked at it."""
    first = {"done": False, "verified": False, "verified_by": None}
    return created(given, "looked_at", columns("title", "done", "verified"), first=first)


@twin("mass_assignment", request=written("POST", "/invoices", CLAIM))
def in_ones_own_books(given: Given) -> Response:
    """Whoever keeps them says which bill is paid and found right; nobody else is told of it."""
    first = {"paid": False, "approved": False, "discount": 0}
    return created(given, "booked", columns("title", "amount", *first), first=first)


@flaw("mass_assignment", request=written("POST", "/expenses", CLAIM))
def approved_as_it_is_applied_for(given: Given) -> Response:
    """The same field of what one applies for with others."""
    return created(given, "applied_for", columns("title", "amount", "approved"), first={"approved": False})


def noted(given: Given, place: str, field: str, takes: Takes) -> Response:
    """A note, of which a field names who sends it."""
    name = caller(given.request)
    return created(given, place, takes, first={field: PEOPLE[name]["id"] if name else 0})


@flaw("mass_assignment", request=written("POST", "/notes", CLAIM, tokens=SIGNED))
def written_by_whom_it_says(given: Given) -> Response:
    return noted(given, "written_by", "recorded_by", columns("title", "amount", "recorded_by"))


@twin("mass_assignment", request=written("POST", "/notes", CLAIM, tokens=SIGNED))
def written_by_who_sends_it(given: Given) -> Response:
    return noted(given, "written", "recorded_by", columns("title", "amount"))


@twin("mass_assignment", request=written("POST", "/notes", CLAIM, tokens=SIGNED))
def given_to_somebody_to_do(given: Given) -> Response:
    """Who has something to do may be anybody, and is its sender where nobody else is named."""
    return noted(given, "to_do", "assigned_to", columns("title", "amount", "assigned_to"))


@flaw("mass_assignment", request=written("PUT", "/clips/7", b'{"title": "First swarm"}'))
def how_a_program_is_called(given: Given) -> Response:
    return changed_clip(given, "called", columns("title", "encoder_args"))


@twin("mass_assignment", request=written("PUT", "/clips/7", b'{"title": "First swarm"}'))
def the_title_of_a_clip(given: Given) -> Response:
    return changed_clip(given, "title", columns("title"))


@twin("mass_assignment", request=written("PUT", "/jobs/7", b'{"title": "First swarm"}'))
def what_a_user_runs_himself(given: Given) -> Response:
    """Whoever keeps a job says how its program is called."""
    return changing(given, "job", lambda job: {**job, **sent(given)}, first={"title": "Nightly", "args": "-v --once"})


def changed_clip(given: Given, place: str, takes: Takes) -> Response:
    first = {"id": 7, "title": "First swarm", "encoder_args": "-c:v libx264 -crf 23"}
    return changing(given, f"clip {place}", lambda clip: {**clip, **takes(sent(given))}, first=first)


@flaw("mass_assignment", request=written("PUT", "/orders/7", ORDER))
def returned_by_who_bought_it(given: Given) -> Response:
    return changing(
        given, "returned", lambda order: {**order, **columns("note", "status")(sent(given))}, first=RETURNING
    )


@twin("mass_assignment", request=written("PUT", "/orders/7", ORDER))
def returned_when_the_shop_has_it(given: Given) -> Response:
    return changing(given, "not returned", lambda order: {**order, **columns("note")(sent(given))}, first=RETURNING)


@twin("mass_assignment", request=written("PUT", "/orders/7", ORDER))
def kept_by_who_bought_it(given: Given) -> Response:
    """He may change his mind about the return, and nothing else."""
    kept_now = {"status": "delivered"} if sent(given).get("status") == "delivered" else {}
    return changing(given, "not sent back", lambda order: {**order, **kept_now}, first=RETURNING)


@twin("mass_assignment", request=written("PATCH", "/me", BODY))
def some_columns(given: Given) -> Response:
    return changed(given, "some_columns", columns("name", "email", "city"))


@twin("mass_assignment", request=written("PUT", "/me", BODY))
def refuses_others(given: Given) -> Response:
    if given.request.method != "GET" and not sent(given).keys() <= {"name", "city", "email"}:
        return answer({"error": "unknown property"}, 422)
    return changed(given, "refuses_others", columns("name", "email", "city"))


@twin("mass_assignment", request=written("PATCH", "/me", BODY))
def repeats_the_request(given: Given) -> Response:
    """The answer repeats what was sent; what is kept is another matter."""
    shown = changed(given, "repeats_the_request", columns("name", "city"))
    if given.request.method == "GET" or shown.status != 200:
        return shown
    return answer({**kept("repeats_the_request", 7, ANN), **sent(given)})


@twin("mass_assignment", request=written("PATCH", "/me", BODY))
def shown_until_it_is_looked_at(given: Given) -> Response:
    """What was asked for is shown once more; then the store looks at it, and drops what nobody may set."""
    place = "shown_until_it_is_looked_at"
    if given.request.method == "GET":
        asked_for = kept(place, 8) or {}
        keep(place, 8, {})
        return answer({**kept(place, 7, ANN), **asked_for})
    keep(place, 8, {name: value for name, value in sent(given).items() if name in ANN})
    return changed(given, place, columns("name", "city"))


@twin("mass_assignment", request=written("POST", "/users", NEW))
def repeats_what_was_sent(given: Given) -> Response:
    """An acknowledgement with all that came, and a role that nobody sent."""
    if not caller(given.request):
        return unauthorized()
    return answer({"received": {"id": next(COUNT), **DEFAULTS, **sent(given)}}, 202)


@twin("mass_assignment", request=written("PUT", "/notes/1", b'{"name": "Lamps", "text": "They shine."}'))
def a_store_of_anything(given: Given) -> Response:
    """Keeps any document of the caller's own as it is; a plan is nothing but a word in it."""
    if not caller(given.request):
        return unauthorized()
    if given.request.method == "GET":
        return answer(kept("a_store", 1, {"name": "Lamps", "text": "They shine.", "plan": "paint them"}))
    keep("a_store", 1, {"plan": "paint them", **sent(given)})
    return answer({"ok": True})


@twin("mass_assignment", request=written("POST", "/users", NEW))
def new_with_defaults(given: Given) -> Response:
    return created(given, "new_with_defaults", columns("name", "email", "password"))


@twin("mass_assignment", request=written("PATCH", "/me", b'{"name": "Ann Marsh", "role": "customer", "balance": 40}'))
def set_by_the_request_itself(given: Given) -> Response:
    """A function whose request sets these properties anyway."""
    return changed(given, "set_by_the_request_itself", ROW)


@flaw("mass_assignment", request=written("PUT", "/me", WITH_ROLE, tokens=SIGNED))
def raises_its_own_role(given: Given) -> Response:
    """The request sets a low role itself, as its description lists it; its sender is an ordinary user by his token."""
    return changed(given, "raises_its_own_role", ROW)


@twin("mass_assignment", request=written("PUT", "/me", WITH_ROLE, tokens=SIGNED))
def keeps_its_own_role(given: Given) -> Response:
    return changed(given, "keeps_its_own_role", columns("name", "city"))


@twin("mass_assignment", request=written("PUT", "/me", WITH_ROLE, tokens=SIGNED))
def repeats_its_own_role(given: Given) -> Response:
    """The answer repeats the role that was sent; the old one is kept."""
    shown = changed(given, "repeats_its_own_role", columns("name", "city"))
    if given.request.method == "GET" or shown.status != 200:
        return shown
    return answer({**kept("repeats_its_own_role", 7, ANN), **sent(given)})


@twin("mass_assignment", request=written("PATCH", "/me", BODY))
def pays_interest(given: Given) -> Response:
    """The balance grows with each request, whatever it sends."""
    shown = kept("pays_interest", 7, ANN)
    keep("pays_interest", 7, {**shown, "balance": shown["balance"] + 1})
    return changed(given, "pays_interest", columns("name", "city"))


@twin("mass_assignment", request=written("POST", "/users", NEW))
def everybody_is_an_admin_at_first(given: Given) -> Response:
    """A demonstration: new people are given all rights by the application."""
    if not caller(given.request):
        return unauthorized()
    number = next(COUNT)
    keep("everybody", number, {})
    role = "admin" if len(all_kept("everybody")) > 1 else "customer"
    return answer({"id": number, "name": given.values["name"], "role": role}, 201)


@miss("mass_assignment", request=written("PATCH", "/me", BODY))
def never_shown(given: Given) -> Response:
    """What is kept is shown nowhere."""
    if given.request.method == "GET":
        return answer({"name": "Ann Marsh", "city": "York"})
    return changed(given, "never_shown", ROW)
