"""An API whose ordinary callers may ask for what those who manage it do: their token, or what they are told of
themselves, says who they are.
"""

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, miss, twin
from tests.range.tenants_store import PEOPLE, SIGNED, asked, below, missing, unauthorized, written

# Of no identity of the range's profile, so that nobody else can be asked.
UNSIGNED = "Bearer 7be05a9f31cc4d68"
TOKENS = {"eva": SIGNED["eva"], "max": UNSIGNED, "ida": "Bearer 90c1f2ab77e3d05c"}
USERS = [{name: person[name] for name in ("id", "name", "email")} for person in PEOPLE.values()]
BALANCES = [{"id": person["id"], "email": person["email"], "balance": 40 + person["id"]} for person in PEOPLE.values()]


def caller(request: Request) -> str:
    told = (request.first(b"Authorization") or b"").decode("latin-1")
    return next((name for name, token in TOKENS.items() if token == told), "")


def oneself(name: str, role: str = "customer") -> Response:
    return answer({"id": PEOPLE[name]["id"], "email": PEOPLE[name]["email"], "role": role})


def reads(path: str, name: str = "eva"):
    return asked(path, tokens=TOKENS, name=name)


def changes(method: str, path: str, body: bytes = b'{"text": "late"}', name: str = "eva"):
    return written(method, path, body, tokens=TOKENS, name=name)


def given_to(given: Given, path: list[str], content: object, role: str = "customer") -> Response:
    """The content at one path, and at `me` who is asking; nothing elsewhere."""
    name = caller(given.request)
    if not name:
        return unauthorized()
    here = below(given.request)
    return answer(content) if here == path else oneself(name, role) if here == ["me"] else missing()


@flaw("auth", request=reads("/admin/users"))
def a_list_by_token(given: Given) -> Response:
    return given_to(given, ["admin", "users"], USERS)


@flaw("auth", request=reads("/admin/users", "max"))
def a_list_by_what_he_is_told(given: Given) -> Response:
    return given_to(given, ["admin", "users"], USERS)


@flaw("auth", request=reads("/admin/users"))
def a_list_that_begins_with_the_caller(given: Given) -> Response:
    first = sorted(USERS, key=lambda user: user["id"] != PEOPLE["eva"]["id"])
    return given_to(given, ["admin", "users"], first)


@flaw("auth", request=reads("/management/users/all"))
def below_management(given: Given) -> Response:
    """That it is not for everybody its balances say."""
    return given_to(given, ["management", "users", "all"], {"users": BALANCES})


@flaw("auth", request=changes("POST", "/admin/users/8/notes"))
def a_change(given: Given) -> Response:
    return given_to(given, ["admin", "users", "8", "notes"], {"id": 8, "text": "late", "by": "console"})


@flaw("auth", request=changes("DELETE", "/admin/notes/3"))
def a_deletion(given: Given) -> Response:
    """What is gone may be asked to go again."""
    return given_to(given, ["admin", "notes", "3"], {"deleted": 3, "by": "console"})


@twin("auth", request=reads("/admin/users", "ida"))
def for_a_manager(given: Given) -> Response:
    return given_to(given, ["admin", "users"], USERS, "manager")


@twin("auth", request=reads("/admin/users", "max"))
def for_those_of_an_unknown_rank(given: Given) -> Response:
    return given_to(given, ["admin", "users"], USERS, "captain")


@twin("auth", request=reads("/admin/orders"))
def his_own_alone(given: Given) -> Response:
    own = {"user": PEOPLE["eva"]["email"], "item": "rose bush", "total": 58}
    return given_to(given, ["admin", "orders"], {"orders": [own]})


@twin("auth", request=reads("/admin/orders"))
def nothing_for_him(given: Given) -> Response:
    return given_to(given, ["admin", "orders"], {"orders": [], "total": 0, "ok": True})


@twin("auth", request=reads("/management/devices/all"))
def what_he_manages_himself(given: Given) -> Response:
    devices = [{"id": 4, "model": "lamp"}, {"id": 5, "model": "lock"}]
    return given_to(given, ["management", "devices", "all"], {"devices": devices})


@twin("auth", request=reads("/admin/console"))
def one_frame_for_all_paths(given: Given) -> Response:
    return answer({"app": "console", "script": "/console.js"}) if caller(given.request) else unauthorized()


@twin("auth", request=changes("POST", "/admin/users/8/notes"))
def accepted_wherever_it_is_sent(given: Given) -> Response:
    return answer({"queued": "one message"}, 202) if caller(given.request) else unauthorized()


@twin("auth", request=changes("POST", "/admin/users/8/notes", name="ida"))
def a_managers_change(given: Given) -> Response:
    return given_to(given, ["admin", "users", "8", "notes"], {"id": 8, "text": "late", "by": "console"}, "manager")


@miss("auth", request=reads("/everyone/all"))
def nothing_in_the_path(given: Given) -> Response:
    return given_to(given, ["everyone", "all"], USERS)
