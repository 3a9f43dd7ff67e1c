"""Passwords that callers set: anybody's, their own, or whatever the address says."""

import json

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, miss, page, posted, text, twin
from tests.range.tenants_store import PEOPLE, SIGNED, below, caller, missing, unauthorized, written

BODY = b'{"password": "lamp-oil-and-rope"}'
# What was set, by place and owner: nothing of it lets anybody in.
SET: dict[tuple[str, str], object] = {}


def named(given: Given) -> str:
    """Whose account the address names; empty for nobody's."""
    path = below(given.request)
    return next((name for name, each in PEOPLE.items() if len(path) > 1 and str(each["id"]) == path[1]), "")


def done(given: Given, place: str, name: str) -> Response:
    SET[place, name] = given.values["password"]
    return text("", 204)


@flaw("idor", request=written("PUT", "/users/7/password", BODY, tokens=SIGNED))
def anybody_sets(given: Given) -> Response:
    if not caller(given.request):
        return unauthorized()
    return done(given, "anybody_sets", named(given)) if named(given) else missing()


@flaw("idor", request=written("POST", "/users/7/reset", BODY, tokens=SIGNED))
def anybody_resets(given: Given) -> Response:
    """It says what it did, and whether there is such a user."""
    if not caller(given.request):
        return unauthorized()
    if not named(given):
        return answer({"error": "no such user"})
    done(given, "anybody_resets", named(given))
    return answer({"message": "password changed"})


IN_BODY = b'{"email": "ann@example.com", "new_password": "lamp-oil-and-rope"}'


def written_down(given: Given) -> str:
    """Whose account the body names; empty for nobody's."""
    return next((name for name, each in PEOPLE.items() if each["email"] == given.values.get("email")), "")


@flaw("idor", also=("auth",), request=written("POST", "/password", IN_BODY, tokens=SIGNED))
def anybody_sets_whom_the_body_names(given: Given) -> Response:
    if not caller(given.request):
        return unauthorized()
    name = written_down(given)
    return answer({"changed": name}) if name else missing()


@twin("idor", also=("auth",), request=written("POST", "/password", IN_BODY, tokens=SIGNED))
def owners_set_by_the_body(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    return answer({"changed": name}) if written_down(given) == name else missing()


@twin("idor", also=("auth",), request=written("POST", "/password", IN_BODY, tokens=SIGNED))
def whatever_the_body_names(given: Given) -> Response:
    """The session says whose it is."""
    return answer({"changed": True}) if caller(given.request) else unauthorized()


@twin("idor", request=written("PUT", "/users/7/password", BODY, tokens=SIGNED))
def owners_set(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    return done(given, "owners_set", name) if named(given) == name else answer({"error": "not yours"}, 403)


@twin("idor", request=written("PUT", "/users/7/password", BODY, tokens=SIGNED))
def own_whatever_is_named(given: Given) -> Response:
    """The session says whose it is; what the address names is not looked at."""
    name = caller(given.request)
    return done(given, "own_whatever_is_named", name) if name else unauthorized()


@twin("idor", request=written("PUT", "/users/7/password", BODY, tokens=SIGNED))
def nothing_for_others(given: Given) -> Response:
    """Nothing is changed for others, and they are told nothing of it."""
    name = caller(given.request)
    if not name:
        return unauthorized()
    return done(given, "nothing_for_others", name) if named(given) == name else text("", 204)


@miss("idor", request=written("PUT", "/users/7/password", BODY, tokens=SIGNED))
def anybody_sets_without_a_word(given: Given) -> Response:
    """Done for anybody who is signed in, and answered alike for accounts that do not exist."""
    return done(given, "anybody_sets_without_a_word", named(given)) if caller(given.request) else unauthorized()


ENTERED = b"token=3f9a51c07d&email=ann%40example.com&password=lamp-oil-and-rope"
FORM = "<form method=post><input type=hidden name=token value=3f9a51c07d><input name=email><input type=password name=password></form>"


def entering(place: str) -> Request:
    return posted(
        place + "/enter",
        ENTERED,
        b"application/x-www-form-urlencoded",
        ((b"Authorization", SIGNED["ann"].encode()),),
    )


@twin("idor", request=entering)
def a_visitors_session_signs_in(given: Given) -> Response:
    """A login that keeps the session, and refuses whoever comes without one; its form is everybody's."""
    if given.request.method == "GET":
        return page(FORM)
    if not caller(given.request):
        return unauthorized()
    return text("", 302, (b"Location", b"/orders" if written_down(given) else b"/again"))


@flaw("idor", request=entering)
def a_form_sets_whom_it_names(given: Given) -> Response:
    """The same request where who has not signed in is shown another form."""
    if given.request.method == "GET":
        return page(FORM.replace("email", "login"))
    if not caller(given.request):
        return unauthorized()
    return text("", 302, (b"Location", b"/orders" if written_down(given) else b"/again"))


def mutation(field: str) -> bytes:
    document = f"mutation Set($who: String!, $word: String!) {{ {field}(email: $who, password: $word) {{ done }} }}"
    return json.dumps(
        {"query": document, "variables": {"who": "ann@example.com", "word": "lamp-oil-and-rope"}}
    ).encode()


def resolved(given: Given, field: str, *, of_anybody: bool, by_session: bool = False) -> Response:
    """What a mutation is answered. of_anybody: whom the argument names; by_session: it is not looked at."""
    name, wanted = caller(given.request), str(given.values["variables"]["who"])
    if not name:
        return answer({"data": {field: None}, "errors": [{"message": "not authenticated"}]})
    known = any(each["email"] == wanted for each in PEOPLE.values())
    if by_session or (known and (of_anybody or PEOPLE[name]["email"] == wanted)):
        return answer({"data": {field: {"done": True}}})
    return answer({"data": {field: None}, "errors": [{"message": "no such account"}]})


@flaw("idor", request=written("POST", "/graphql", mutation("changePassword"), tokens=SIGNED))
def anybody_sets_by_a_mutation(given: Given) -> Response:
    return resolved(given, "changePassword", of_anybody=True)


@twin("idor", request=written("POST", "/graphql", mutation("changePassword"), tokens=SIGNED))
def owners_set_by_a_mutation(given: Given) -> Response:
    return resolved(given, "changePassword", of_anybody=False)


@twin("idor", request=written("POST", "/graphql", mutation("changePassword"), tokens=SIGNED))
def whatever_a_mutation_names(given: Given) -> Response:
    return resolved(given, "changePassword", of_anybody=False, by_session=True)


@twin("idor", request=written("POST", "/graphql", mutation("signIn"), tokens=SIGNED))
def a_mutation_that_signs_in(given: Given) -> Response:
    """Sent in an older session: who has the password is let in, whoever he was before."""
    return resolved(given, "signIn", of_anybody=True)
