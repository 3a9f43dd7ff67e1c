"""Objects of the tenants that are changed: by whoever asks, by their owners, or by all who share them."""

import json
import threading

from gatecrash.core.message import Response
from tests.in_memory import InMemory
from tests.range.place import Given, answer, flaw, miss, twin
from tests.range.tenants_store import OWNERS, PEOPLE, SIGNED, asked, below, caller, missing, unauthorized, written

LOCK = threading.Lock()
DATABASE = InMemory(isolation_level=None)
DATABASE.execute("CREATE TABLE notes (place TEXT, id TEXT, owner TEXT, note TEXT, PRIMARY KEY (place, id, owner))")
BODY = b'{"note": "Leave it at the back door", "urgent": true}'
NOTE = "Leave it at the back door"
NUMBERS = {"31": "ann", "32": "ben"}


def note(place: str, number: str, owner: str) -> str:
    with LOCK:
        row = DATABASE.execute(
            "SELECT note FROM notes WHERE place = ? AND id = ? AND owner = ?", (place, number, owner)
        ).fetchone()
    return row[0] if row else NOTE if owner == "ann" else "Ring twice"


def write(place: str, number: str, owner: str, text: object) -> None:
    with LOCK:
        DATABASE.execute(
            "INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)", (place, number, owner, json.dumps(text)[1:-1])
        )


def sent(given: Given) -> object:
    return given.values["note"]


def orders(given: Given, place: str, *, may_read: bool, may_write: bool) -> Response:
    """An order is its owner's. may_read, may_write: whether anybody else who is signed in may, too."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer([{"id": int(number)} for number, owner in NUMBERS.items() if owner == name])
    owner = NUMBERS.get(path[1], "")
    if not owner or (given.request.method == "GET" and not may_read and owner != name):
        return missing()
    if given.request.method == "GET":
        return answer({"id": int(path[1]), "note": note(place, path[1], owner)})
    if not may_write and owner != name:
        return answer({"error": "forbidden"}, 403)
    write(place, path[1], owner, sent(given))
    return answer({"ok": True})


@flaw("idor", request=written("PUT", "/orders/31", BODY))
def anybody_writes(given: Given) -> Response:
    return orders(given, "anybody_writes", may_read=True, may_write=True)


@flaw("idor", request=written("PATCH", "/orders/31", BODY))
def read_is_guarded_and_write_is_not(given: Given) -> Response:
    return orders(given, "read_is_guarded", may_read=False, may_write=True)


@flaw("idor", request=written("PUT", "/users/ann@example.com/address", b'{"address": "Elm Street 5"}', tokens=SIGNED))
def named_after_its_owner(given: Given) -> Response:
    """Read one level above where it is written."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    owner = next((key for key in OWNERS if len(path) > 1 and PEOPLE[key]["email"] == path[1]), "")
    if not owner:
        return missing()
    if given.request.method == "GET":
        if path[2:] or owner != name:
            return answer({"error": "method not allowed"}, 405)
        return answer({"email": path[1], "address": note("named_after", path[1], owner)})
    write("named_after", path[1], owner, given.values["address"])
    return answer({"ok": True})


def addresses(given: Given, place: str, *, by: str = "id", field: str = "mail", believes: bool) -> Response:
    """What is everybody's own, set by a request that says whose. by: how. believes: whether that is looked at."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if given.request.method == "GET":
        return answer({by: PEOPLE[name][by], field: note(place, field, name)}) if len(path) == 1 else missing()
    named = next((key for key in OWNERS if PEOPLE[key][by] == given.values[by]), name)
    write(place, field, named if believes else name, given.values[field])
    return answer({"ok": True})


MAIL = b'{"id": 7, "mail": "Leave it at the back door"}'


@flaw("idor", request=written("POST", "/me/mail", MAIL, tokens=SIGNED))
def address_of_whoever_is_named(given: Given) -> Response:
    return addresses(given, "whoever", believes=True)


@twin("idor", request=written("POST", "/me/mail", MAIL, tokens=SIGNED))
def own_address_whoever_is_named(given: Given) -> Response:
    return addresses(given, "own_mail", believes=False)


PROFILE_OF_ANN = b'{"email": "ann@example.com", "city": "Leave it at the back door", "phone": "+442079460101"}'


@flaw("idor", request=written("PUT", "/profile", PROFILE_OF_ANN, tokens=SIGNED))
def profile_of_whoever_is_named(given: Given) -> Response:
    return addresses(given, "profile", by="email", field="city", believes=True)


@twin("idor", request=written("PUT", "/profile", PROFILE_OF_ANN, tokens=SIGNED))
def own_profile_whoever_is_named(given: Given) -> Response:
    return addresses(given, "own_profile", by="email", field="city", believes=False)


@twin("idor", request=written("PUT", "/orders/31", BODY))
def owners_write(given: Given) -> Response:
    return orders(given, "owners_write", may_read=False, may_write=False)


@twin("idor", request=written("PUT", "/orders/31", BODY))
def says_ok_and_keeps_nothing(given: Given) -> Response:
    """Refuses nobody, and changes the owner's order for the owner only."""
    name, path = caller(given.request), below(given.request)
    if given.request.method != "GET" and len(path) > 1 and name and NUMBERS.get(path[1]) != name:
        return answer({"ok": True})
    return orders(given, "says_ok", may_read=False, may_write=True)


@twin("idor", request=written("PUT", "/orders/31", BODY))
def everybody_has_one_of_that_number(given: Given) -> Response:
    """Numbers are counted for each caller, so that the same address is another object to another one."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer([{"id": 31}])
    if given.request.method == "GET":
        return answer({"id": int(path[1]), "note": note("everybody", path[1], name)})
    write("everybody", path[1], name, sent(given))
    return answer({"ok": True})


@twin("idor", request=written("PUT", "/pages/31", BODY))
def a_wiki(given: Given) -> Response:
    """All who are signed in write the same pages, and list them."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer([{"id": 31}, {"id": 32}])
    if given.request.method == "GET":
        return answer({"id": int(path[1]), "note": note("a_wiki", path[1], "ann")})
    write("a_wiki", path[1], "ann", sent(given))
    return answer({"ok": True})


WRITTEN: set[str] = set()


@twin("idor", request=written("PUT", "/pages/31", BODY))
def a_wiki_that_lists_what_was_written(given: Given) -> Response:
    """The list of the others has a page only once one of them has written it; its maker has it from the start."""
    place, name, path = "a_wiki_that_lists", caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer([{"id": 31}, {"id": 32}] if name == "ann" or place in WRITTEN else [{"id": 32}])
    if given.request.method == "GET":
        return answer({"id": int(path[1]), "note": note(place, path[1], "ann")})
    WRITTEN.update({place} if name != "ann" else ())
    write(place, path[1], "ann", sent(given))
    return answer({"ok": True})


SIGNED_PAGE = b'{"note": "Leave it at the back door", "creator": "ann@example.com", "modifier": "ann@example.com"}'


def signed_page(given: Given, place: str, *, listed: bool) -> Response:
    """A page that tells who made it and who changed it last; all who are signed in may write it. listed: and list and read it."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer([{"id": 31}, {"id": 32}] if listed else [{"id": 31 if name == "ann" else 32}])
    if given.request.method == "GET":
        mail = PEOPLE["ann"]["email"]
        told = {"id": int(path[1]), "creator": mail, "modifier": mail, "note": note(place, path[1], "ann")}
        return answer(told) if listed or name == "ann" else missing()
    write(place, path[1], "ann", sent(given))
    return answer({"ok": True})


@twin("idor", request=written("PUT", "/pages/31", SIGNED_PAGE, tokens=SIGNED))
def a_wiki_that_tells_who_made_its_pages_and_who_changed_them(given: Given) -> Response:
    return signed_page(given, "a_wiki_that_tells", listed=True)


@flaw("idor", request=written("PUT", "/pages/31", SIGNED_PAGE, tokens=SIGNED))
def a_diary_that_tells_who_made_its_pages_and_who_changed_them(given: Given) -> Response:
    """Only its owner reads it."""
    return signed_page(given, "a_diary_that_tells", listed=False)


def shared(given: Given, place: str, who: dict[str, object]) -> Response:
    """A document of Ann's that Ben works on as well: it says so itself, and nothing lists it."""
    name, path = caller(given.request), below(given.request)
    if name not in ("ann", "ben"):
        return unauthorized()
    if len(path) < 2:
        return missing()
    if given.request.method != "GET":
        write(place, path[1], "ann", sent(given))
    mail = PEOPLE["ann"]["email"]
    told = {"id": int(path[1]), "owner_id": 7, "owner_email": mail, "note": note(place, path[1], "ann"), **who}
    return answer(told) if path[1] == "31" else missing()


@twin("idor", request=written("PUT", "/documents/31", BODY, tokens=SIGNED))
def a_document_with_collaborators(given: Given) -> Response:
    return shared(given, "collaborators", {"collaborators": [8]})


@twin("idor", request=written("PUT", "/documents/31", BODY, tokens=SIGNED))
def a_document_with_members(given: Given) -> Response:
    members = [{"id": PEOPLE[name]["id"], "email": PEOPLE[name]["email"]} for name in ("ann", "ben")]
    return shared(given, "members", {"members": members})


@twin("idor", request=asked("/documents/31", tokens=SIGNED))
def a_document_with_readers(given: Given) -> Response:
    return shared(given, "readers", {"shared_with": [PEOPLE["ben"]["email"]], "phone": PEOPLE["ann"]["phone"]})


@twin("idor", request=asked("/documents/31", tokens=SIGNED))
def a_document_for_friends(given: Given) -> Response:
    """Whether Ben is a friend of Ann's is told nowhere."""
    return shared(given, "friends", {"visible_to": "friends", "phone": PEOPLE["ann"]["phone"]})


@flaw("idor", request=asked("/documents/31", tokens=SIGNED))
def a_document_for_its_owner(given: Given) -> Response:
    return shared(given, "owner", {"visible_to": "owner", "friends": "public", "phone": PEOPLE["ann"]["phone"]})


@flaw("idor", request=written("PUT", "/documents/31", BODY, tokens=SIGNED))
def a_document_with_other_collaborators(given: Given) -> Response:
    return shared(given, "others", {"collaborators": [9], "members": [{"email": PEOPLE["eva"]["email"]}], "copies": 8})


def made_for_a_team(given: Given, place: str, team: int) -> Response:
    """A plan that ann made for a team, which its list is too long to show; whoever is signed in writes it."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer([{"id": 40, "team_id": team}])
    if given.request.method != "GET":
        write(place, path[1], "ann", sent(given))
    made = {"id": int(path[1]), "team_id": team, "created_by": 7, "note": note(place, path[1], "ann")}
    return answer(made) if path[1] == "31" else missing()


@twin("idor", request=written("PUT", "/plans/31", BODY, tokens=SIGNED))
def a_plan_for_the_team_of_both(given: Given) -> Response:
    return made_for_a_team(given, "team_of_both", 5)


@flaw("idor", request=written("PUT", "/plans/31", BODY, tokens=SIGNED))
def a_plan_for_a_team_of_one(given: Given) -> Response:
    return made_for_a_team(given, "team_of_one", 6)


@twin("idor", request=written("PUT", "/orders/31", BODY), also=("auth",))
def written_by_anybody_at_all(given: Given) -> Response:
    """Nobody is asked who he is: that is another finding."""
    name, path = caller(given.request), below(given.request)
    if given.request.method == "GET" and name != "ann":
        return missing()
    if len(path) < 2:
        return answer([{"id": 31}])
    if given.request.method == "GET":
        return answer({"id": int(path[1]), "note": note("anybody_at_all", path[1], "ann")})
    write("anybody_at_all", path[1], "ann", sent(given))
    return answer({"ok": True})


@miss("idor", request=written("PUT", "/orders/31", BODY))
def never_read_back(given: Given) -> Response:
    if given.request.method == "GET":
        return missing()
    return orders(given, "never_read_back", may_read=False, may_write=True)


COMMENTS: dict[str, list[str]] = {}
# No other place shows it: what is read back is then this.
COMMENT = "Bring the long ladder"
COMMENTED = b'{"note": "Bring the long ladder", "urgent": true}'


def commented(given: Given, place: str, *, public: bool) -> Response:
    """An article, named after its author, with what was said below it. public: whether others read it."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer([{"id": int(number)} for number, owner in NUMBERS.items() if owner == name])
    if path[1] not in NUMBERS or not (public or NUMBERS[path[1]] == name or given.request.method != "GET"):
        return missing()
    with LOCK:
        said = COMMENTS.setdefault(place + path[1], [COMMENT])
        if given.request.method != "GET":
            said.append(str(sent(given)))
        return answer({"id": int(path[1]), "author_id": PEOPLE[NUMBERS[path[1]]]["id"], "notes": said[-30:]})


@twin("idor", request=written("POST", "/articles/31/notes", COMMENTED, tokens=SIGNED))
def comments_below_an_article(given: Given) -> Response:
    """Whoever reads an article may say something below it; what others said stays."""
    return commented(given, "article", public=True)


@flaw("idor", request=written("POST", "/lists/31/notes", COMMENTED, tokens=SIGNED))
def notes_on_anothers_list(given: Given) -> Response:
    """Nobody but its owner reads the list, and anybody writes on it."""
    return commented(given, "list", public=False)
