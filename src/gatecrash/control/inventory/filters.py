"""Which endpoints are wanted and in which order, as SQL over one table; and the cursor that says where a page ended.

A cursor holds the sort keys of the last row shown, never a count of rows: whatever is added, removed or changed between two
pages, no row that stayed in its place is shown twice or left out.
"""

import base64
import binascii
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from django.db import connection

from gatecrash.control import wall
from gatecrash.control.bulk_sql import select
from gatecrash.control.inventory.bulk import ENDPOINTS
from gatecrash.control.inventory.mapping import DOCUMENTED, SHADOW, STATUSES, TYPE_BITS
from gatecrash.control.inventory.shares import ALL, Shares
from gatecrash.control.inventory.views import WEEK

Status = Literal["consistent", "partial", "missing", "no_traffic"]
Public = Literal["only", "without", "any"]
DocumentState = Literal["documented", "shadow", "unused", "none"]
Badge = Literal["new", "changed", "unused"]

NO_AUTHENTICATION = "none"
DEFAULT_SORT = ("host", "path", "method")
_STATUS_NUMBERS = {name or "no_traffic": number for number, name in enumerate(STATUSES)}
_IDLE = "requests + undetected = 0"


class InvalidSort(ValueError):
    """A sort key that there is not."""


class InvalidCursor(ValueError):
    """A cursor that no page gave, or one of a list in another order."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which endpoints are wanted; None lets all pass.

    type: a type's JSON name, or `none` for endpoints without any valid authentication ("No authentication"). path: text
    within the path or the operation, without case. seen_since: UNIX seconds. public: None leaves intentionally public
    endpoints out of the alarms (status missing, type none) and nowhere else.
    """

    status: Status | None = None
    type: str | None = None
    host: str | None = None
    method: str | None = None
    protocol: str | None = None
    path: str | None = None
    seen_since: int | None = None
    public: Public | None = None
    document: DocumentState | None = None
    badge: Badge | None = None

    @property
    def is_alarm(self) -> bool:
        """Whether they ask for endpoints that nobody protects."""
        return self.status == "missing" or self.type == NO_AUTHENTICATION

    @property
    def is_of_no_index(self) -> bool:
        """Whether they ask for columns of no index, and for none of an index: every row must be looked at."""
        narrowed = (self.host, self.status, self.type, self.document)
        if any(one is not None for one in narrowed) or self.public not in (None, "any") or self.badge == "changed":
            return False
        return self.badge is not None or any(one is not None for one in (self.path, self.protocol, self.seen_since))


@dataclass(slots=True)
class Condition:
    """A WHERE clause of the current client, and its parameters."""

    sql: str = "client_id = %s"
    params: list[Any] = field(default_factory=lambda: [wall.required()])

    def add(self, sql: str, *params: object) -> None:
        """Narrow it."""
        self.sql += f" AND {sql}"
        self.params += params

    def without_index(self) -> "Condition":
        """The same, its client hidden from SQLite's indexes, so that it reads the table through."""
        return Condition(f"+{self.sql}", self.params)


def condition(wanted: Filters, now: int) -> Condition:
    """The endpoints that are wanted, at a UNIX second."""
    found = Condition()
    if wanted.host is not None:
        found.add("host = %s", wanted.host.lower())
    if wanted.method is not None:
        found.add("method = %s", wanted.method.upper())
    if wanted.protocol is not None:
        found.add("protocol = %s", wanted.protocol)
    if wanted.status is not None:
        found.add("status = %s", _STATUS_NUMBERS[wanted.status])
    if wanted.type == NO_AUTHENTICATION:
        found.add("status = %s", _STATUS_NUMBERS["missing"])
    elif wanted.type is not None:
        found.add("types & %s <> 0", TYPE_BITS[wanted.type])
    if wanted.path is not None:
        _add_text(found, wanted.path)
    if wanted.seen_since is not None:
        found.add("last_seen >= %s", wanted.seen_since)
    _add_public(found, wanted, now)
    _add_states(found, wanted, now)
    return found


def reads_through(wanted: Filters) -> bool:
    """Whether SQLite had better read its table through than look up, by an index, each endpoint of the client where it lies.

    Reading on takes a fifth of the time a row. It has to where no index holds what is asked for, and pays where a fifth of
    all endpoints are the client's; the last number given stands for how many there are.
    """
    if connection.vendor != "sqlite" or not wanted.is_of_no_index:
        return False
    [(much,)] = select(
        f"SELECT COUNT(*) * 5 >= (SELECT MAX(number) FROM {ENDPOINTS}) FROM {ENDPOINTS} WHERE client_id = %s",  # noqa: S608 - our names
        [wall.required()],
    )
    return bool(much)


def _add_text(found: Condition, text: str) -> None:
    """Text within path or operation. SQLite's LIKE knows no case, PostgreSQL has a word of its own for that."""
    like = "ILIKE" if connection.vendor == "postgresql" else "LIKE"
    pattern = "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    found.add(f"(path {like} %s ESCAPE '\\' OR operation {like} %s ESCAPE '\\')", pattern, pattern)


def _add_public(found: Condition, wanted: Filters, now: int) -> None:
    public = wanted.public or ("without" if wanted.is_alarm else "any")
    if public != "any":
        found.add("public_until > %s" if public == "only" else "public_until <= %s", now)


def _add_states(found: Condition, wanted: Filters, now: int) -> None:
    if wanted.document == "unused":
        found.add(f"document = %s AND {_IDLE}", DOCUMENTED)
    elif wanted.document == "documented":
        found.add(f"document = %s AND NOT ({_IDLE})", DOCUMENTED)
    elif wanted.document is not None:
        found.add("document = %s", SHADOW if wanted.document == "shadow" else 0)
    if wanted.badge == "unused":
        found.add(_IDLE)
    elif wanted.badge is not None:
        found.add("first_seen > %s" if wanted.badge == "new" else "changed_at > %s", now - WEEK)


@dataclass(frozen=True, slots=True)
class Sort:
    """An order: (name, descending) of each key, the endpoint's number last, so that it is total."""

    keys: tuple[tuple[str, bool], ...]
    shares: Shares

    @classmethod
    def parse(cls, text: str | None, shares: Shares) -> "Sort":
        """From `-requests,host`: a minus sorts downwards. Raises InvalidSort."""
        names = text.split(",") if text else list(DEFAULT_SORT)
        keys = tuple((name.removeprefix("-"), name.startswith("-")) for name in names)
        unknown = [name for name, _ in keys if name not in SORT_KEYS]
        if unknown or len({name for name, _ in keys}) < len(keys):
            raise InvalidSort(
                f"sort by each of {', '.join(SORT_KEYS)} once at most, with a minus before it for downwards"
            )
        return cls(keys, shares)

    @property
    def expressions(self) -> list[str]:
        """The SQL of each key, the number last."""
        return [*(self._expression(name) for name, _ in self.keys), "number"]

    @property
    def is_hidden(self) -> bool:
        """Whether `order_by` may hide an index of this order from the database."""
        return self.order_by(indexed=True) != self.order_by(indexed=False)

    def order_by(self, *, indexed: bool) -> str:
        """The words behind ORDER BY. indexed: whether the database is to read the rows in the order of their index.

        That is right for all endpoints. Behind a filter that few rows pass it would look at each row in turn, and no
        database can foresee how few: there the order is hidden from it, so that it filters first and sorts then.
        """
        parts = self._parts()
        first, down = self.keys[0]
        if connection.vendor == "postgresql" and indexed and first in _ROUGH:
            parts.insert(0, (_ROUGH[first], down))
        elif connection.vendor == "postgresql" and indexed and first == "coverage" and self.shares == ALL:
            parts[0] = (_SHARE, down)
        elif connection.vendor == "postgresql" and first == "host":
            host, down = parts[0]
            if not indexed:
                parts[0] = (host.replace("host", "(host || '')", 1), down)
            elif tuple(name for name, _ in self.keys[:2]) == DEFAULT_SORT[:2]:
                parts.insert(1, (_BEGINNING, parts[1][1]))
        elif first == "host" and not indexed:
            parts[0] = ("+host", down)
        return ", ".join(f"{sql} DESC" if down else sql for sql, down in parts)

    def after(self, found: Condition, cursor: str) -> None:
        """Narrow the condition to the rows behind a cursor. Raises InvalidCursor."""
        values = self._decode(cursor)
        parts = list(self._parts())
        found.add(f"{parts[0][0]} {'<=' if parts[0][1] else '>='} %s", values[0])  # where an index may begin
        ways, params = [], []
        for place in range(len(parts)):
            equal = [f"{sql} = %s" for sql, _ in parts[:place]]
            sql, down = parts[place]
            ways.append("(" + " AND ".join([*equal, f"{sql} {'<' if down else '>'} %s"]) + ")")
            params += values[: place + 1]
        found.add(f"({' OR '.join(ways)})", *params)

    def cursor(self, values: list[Any]) -> str:
        """The cursor behind a row. values: of `expressions`."""
        return base64.urlsafe_b64encode(msgspec.json.encode([self._name, *values])).decode().rstrip("=")

    def _decode(self, cursor: str) -> list[Any]:
        try:
            name, *values = msgspec.json.decode(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)), type=list)
        except (binascii.Error, ValueError) as error:
            raise InvalidCursor("this is no cursor that a list gave") from error
        kinds = [*(str if key in _TEXTS else int for key, _ in self.keys), int]
        if name != self._name or [type(value) for value in values] != kinds or not all(map(_is_small, values)):
            raise InvalidCursor("this cursor is of a list in another order; begin again without it")
        return values

    @property
    def _name(self) -> str:
        return ",".join(f"-{name}" if down else name for name, down in self.keys)

    def _parts(self) -> list[tuple[str, bool]]:
        return [*((self._expression(name), down) for name, down in self.keys), ("number", False)]

    def _expression(self, name: str) -> str:
        if name == "coverage":
            return f"({self.shares.coverage})"
        # By bytes on both databases: a language's order is slower, and another one on each machine.
        ours = ' COLLATE "C"' if name in _TEXTS and connection.vendor == "postgresql" else ""
        return SORT_KEYS[name] + ours


SORT_KEYS = {
    "host": "host",
    "path": "path",
    "method": "method",
    "protocol": "protocol",
    "status": "status",
    "coverage": "",
    "requests": "requests",
    "authenticated": "authenticated",
    "refused": "refused",
    "first_seen": "COALESCE(first_seen, 0)",
    "last_seen": "last_seen",
}
_BEGINNING = 'left(path, 200) COLLATE "C"'  # what migration 0004 put into the index
# What migration 0007 indexes: measures that order as their columns do and seldom change, and the share itself.
_ROUGH = {"requests": "requests_scale", "last_seen": "seen_minute"}
_SHARE = "coverage_share"
_TEXTS = frozenset({"host", "path", "method", "protocol"})


def _is_small(value: object) -> bool:
    """Whether a database takes the value: PostgreSQL refuses NUL and numbers over 64 bits."""
    return "\x00" not in value if isinstance(value, str) else isinstance(value, int) and abs(value) < 2**63
