"""Two tenants' data in SQLite, who is asking, and how the API of the tenants answers."""

import sqlite3
import threading
from collections.abc import Callable

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.callers.oneself import OWNED
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from tests.in_memory import InMemory
from tests.range.jwt_tokens import CLAIMS, STRONG, in_time, issued, opened, with_word
from tests.range.place import answer, posted

LOCK = threading.Lock()
UUIDS = ("6f1c2d1e-8b1f-4b7e-9d51-0a4a4f3f6b11", "b3c1a9d2-52ab-4c0f-8c34-5d1c4e2f7a22")
OWNERS = ("ann", "ben", "eva", "max")
ORDERS = [
    (31, UUIDS[0], "ann", "north", "groceries", "desk lamp", 129, "Elm Street 5, leave at the back door"),
    (32, UUIDS[1], "ben", "south", "holiday", "oak shelf", 340, "Harbour Road 9, ring twice"),
    (33, "", "eva", "south", "garden", "rose bush", 58, "Mill Lane 2, beside the gate"),
    (30, "", "max", "north", "kitchen", "copper pan", 77, "Hill Way 8, second floor"),
]
COLUMNS = ("id", "uuid", "owner", "tenant", "name", "item", "total", "address")
PEOPLE = {
    "ann": {"id": 7, "name": "Ann Marsh", "email": "ann@example.com", "phone": "+44 20 7946 0101", "rank": "customer"},
    "ben": {"id": 8, "name": "Ben Frost", "email": "ben@example.com", "phone": "+44 20 7946 0102", "rank": "customer"},
    "eva": {"id": 9, "name": "Eva Stone", "email": "eva@example.com", "phone": "+44 20 7946 0103", "rank": "customer"},
    "max": {"id": 6, "name": "Max Field", "email": "max@example.com", "phone": "+44 20 7946 0104", "rank": "customer"},
    "ida": {"id": 1, "name": "Ida Crown", "email": "ida@example.com", "phone": "+44 20 7946 0100", "rank": "manager"},
}
SECRETS = {"ann": 1_204, "ben": 88, "eva": 310, "max": 5_120, "ida": 9}

OPAQUE = {
    "ann": "Bearer 3f9a0c77de114b02",
    "ben": "Bearer 81b2e6d0957c4fa3",
    "ida": "Bearer c4d07a1f62e84b95",
    "eva": "Bearer 5e20b9f7a3d1486c",
}
SIGNED = {
    name: "Bearer "
    + issued({**CLAIMS, "sub": str(PEOPLE[name]["id"]), "email": PEOPLE[name]["email"], "role": "user"}, STRONG)
    for name in OWNERS
}
BY_TOKEN = {token: name for table in (OPAQUE, SIGNED) for name, token in table.items()}


def _made() -> sqlite3.Connection:
    made = InMemory(isolation_level=None)
    made.execute(
        "CREATE TABLE orders (id INTEGER, uuid TEXT, owner TEXT, tenant TEXT, name TEXT, item TEXT, total INTEGER, address TEXT)"
    )
    made.execute(
        "CREATE TABLE fields (place TEXT, owner TEXT, field TEXT, value TEXT, PRIMARY KEY (place, owner, field))"
    )
    made.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ORDERS)
    return made


DATABASE = _made()


def rows(statement: str, *values: object) -> list[tuple]:
    with LOCK:
        return DATABASE.execute(statement, values).fetchall()


def orders(where: str, *values: object) -> list[dict]:
    """Orders as the API shows them."""
    found = rows(f"SELECT {', '.join(COLUMNS)} FROM orders WHERE {where}", *values)
    return [dict(zip(COLUMNS, row, strict=True)) for row in found]


def caller(request: Request) -> str:
    """Who is asking; empty for nobody. Signed tokens are verified, not only known."""
    value = (request.first(b"Authorization") or b"").decode("latin-1")
    name = BY_TOKEN.get(value, "")
    if name and value in SIGNED.values():
        in_time(with_word(value.removeprefix("Bearer "), STRONG))
        assert opened(value.removeprefix("Bearer "))[1]["sub"] == str(PEOPLE[name]["id"])
    return name


def below(request: Request) -> list[str]:
    """The segments of the path behind the place's own."""
    return [part for part in request.path.decode("latin-1").split("/")[3:] if part]


def unauthorized() -> Response:
    return answer({"error": "please sign in"}, 401)


def missing() -> Response:
    return answer({"error": "not found"}, 404)


def asked(path: str, *, tokens: dict[str, str] = OPAQUE, name: str = "ann") -> Callable[[str], Request]:
    """The baseline: this caller asks for what is at the path behind the place's own."""

    def request(place: str) -> Request:
        return Request("GET", (place + path).encode(), ((b"Authorization", tokens[name].encode()),))

    return request


def written(
    method: str, path: str, body: bytes, *, tokens: dict[str, str] = OPAQUE, name: str = "ann"
) -> Callable[[str], Request]:
    """The same for a changing request with a JSON body."""

    def request(place: str) -> Request:
        post = posted(place + path, body, b"application/json", ((b"Authorization", tokens[name].encode()),))
        return Request(method, post.target, post.headers, post.body)

    return request


def _identity(name: str, token: str, rank: int, known: tuple[str, ...] = ()) -> ProfileIdentity:
    return ProfileIdentity(name=name, rank=rank, values=(Placed(("header", "AUTHORIZATION"), token),), known=known)


def called(name: str) -> tuple[str, ...]:
    teams = {"ann": ("5", "6"), "ben": ("5",)}.get(name, ())
    of_his = (str(PEOPLE[name]["id"]), str(PEOPLE[name]["email"]), f"{OWNED}holder={name}")
    return *of_his, *(f"together team={team}" for team in teams)


# What a record shows of a role by the application's own word: nobody else was let in below it.
ROLES = {"ida": tuple(f"role=warden/{each}" for each in ("pitches", "guests", "tents"))}
# Callers with signed tokens stand above those with opaque ones, so that each has one of its own kind beside it.
PROFILE = AuthProfile(
    id="prof_range",
    name="The tenants",
    identities=(
        *(_identity(name, OPAQUE[name], 0) for name in OPAQUE if name != "ida"),
        _identity("ida", OPAQUE["ida"], 10, ROLES["ida"]),
        *(_identity(f"{name}, signed", SIGNED[name], 5, called(name)) for name in ("ann", "ben")),
    ),
    recorded=True,
)
