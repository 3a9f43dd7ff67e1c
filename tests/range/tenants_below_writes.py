"""Notes below an account that are changed: whose account it is is looked at, and whose note it is may not be."""

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import PEOPLE, SIGNED, asked, below, caller, missing, unauthorized, written
from tests.range.tenants_writes import BODY, note, sent, write

OWNERS = {"31": "ann", "32": "ben", "33": "ann"}
_WRITTEN = written("PUT", "/accounts/7/notes/31", BODY, tokens=SIGNED)
_ASKED = asked("/accounts/7/notes/31", tokens=SIGNED)


def shown(place: str, number: str, owner: str) -> dict[str, object]:
    return {"id": int(number), "account_id": PEOPLE[owner]["id"], "note": note(place, number, owner)}


def notes(
    given: Given, place: str, *, may_read: bool = True, may_write: bool = True, counted: bool = False
) -> Response:
    """A note is its account's. may_read, may_write: whether a number of another account is taken below one's
    own. counted: whether each account counts its notes itself.
    """
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2 or path[1] != str(PEOPLE[name]["id"]):
        return answer({"error": "not your account"}, 403)
    if len(path) < 4:
        own = ["31"] if counted else [number for number, owner in OWNERS.items() if owner == name]
        return answer([shown(place, number, name) for number in own])
    owner = name if counted else OWNERS.get(path[3], "")
    reads = given.request.method == "GET"
    if not owner or (owner != name and not (may_read if reads else may_write)):
        return missing()
    if not reads:
        write(place, path[3], owner, sent(given))
    return answer(shown(place, path[3], owner))


@flaw("idor", request=_WRITTEN)
def account_is_looked_at_and_any_note_written(given: Given) -> Response:
    return notes(given, "any_note")


@flaw("idor", request=_ASKED)
def account_is_looked_at_and_any_note_shown(given: Given) -> Response:
    """Nothing in it is private; its list says whose it is."""
    return notes(given, "any_note_shown", may_write=False)


@twin("idor", request=_WRITTEN)
def notes_that_all_read_and_their_owner_writes(given: Given) -> Response:
    return notes(given, "owner_writes", may_write=False)


@twin("idor", request=_WRITTEN)
def note_is_looked_at_too(given: Given) -> Response:
    return notes(given, "looked_at_too", may_read=False, may_write=False)


@twin("idor", request=_WRITTEN)
def notes_counted_within_an_account(given: Given) -> Response:
    """Below the other's account the number is a note of his own, which no test may touch."""
    return notes(given, "counted_within", counted=True)


@twin("idor", request=_ASKED)
def notes_of_ones_own_alone(given: Given) -> Response:
    return notes(given, "own_alone", counted=True)
