"""The tenant wall: no statement touches a tenant's rows unless it was said whose they are.

    with wall.client("cl_…"):            one client's rows, and no other's
    with wall.system("roll windows"):    every client's rows, for jobs that say why

Two guards, because one alone leaves a gap. The manager in `tenant.py` narrows every queryset, related access included.
The guard here looks at each statement just before it goes to the database, raw SQL included: a statement that names a
tenant table outside both contexts is refused, and inside a client's context it must mention `client_id` and carry the
client's identifier among its parameters.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from gatecrash.core.errors import InternalError


class TenantWallError(InternalError):
    """A statement reached for tenant rows without saying whose, or for those of another client."""


class _System(str):
    """Why a job may see every client; distinct from a client's identifier."""

    __slots__ = ()


_scope: ContextVar[str | None] = ContextVar("gatecrash_wall", default=None)
_tables: set[str] = set()
_verdicts: dict[str, bool | None] = {}
_VERDICTS_KEPT = 4096
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Statements on the schema and on transactions hold no rows; Django's migrations need them. All others are judged, however
# they begin: with a comment, a bracket, EXPLAIN.
_NO_ROWS = re.compile(
    r"\s*(CREATE|ALTER|DROP|PRAGMA|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|SHOW|ANALYZE|VACUUM)\b", re.IGNORECASE
)

Execute = Callable[[str, Any, bool, dict[str, Any]], Any]


@contextmanager
def client(client_id: str) -> Iterator[None]:
    """Work on one client's rows. Raises TenantWallError where the identifier is empty."""
    if not client_id:
        raise TenantWallError("wall.client() needs a client's identifier")
    token = _scope.set(str(client_id))
    try:
        yield
    finally:
        _scope.reset(token)


@contextmanager
def system(why: str) -> Iterator[None]:
    """Work across clients; `why` stands in the code so that a reader can judge it."""
    token = _scope.set(_System(why))
    try:
        yield
    finally:
        _scope.reset(token)


def current() -> str | None:
    """The client whose rows may be touched now; None in a system context. Raises TenantWallError outside both."""
    scope = _scope.get()
    if scope is None:
        raise TenantWallError("tenant rows were reached for outside wall.client() and wall.system()")
    return None if isinstance(scope, _System) else scope


def required() -> str:
    """The client in whose context we are. Raises TenantWallError in a system context and outside."""
    client_id = current()
    if client_id is None:
        raise TenantWallError("this needs one client's context, not the system's")
    return client_id


def check(client_id: str) -> None:
    """Raise TenantWallError unless this client's rows may be touched now."""
    allowed = current()
    if allowed is not None and allowed != client_id:
        raise TenantWallError("a row of another client was about to be written")


def register(*tables: str) -> None:
    """Put tables behind the wall."""
    _tables.update(table.lower() for table in tables)
    _verdicts.clear()


def tables() -> frozenset[str]:
    """Every table behind the wall."""
    return frozenset(_tables)


def install(connection: Any, **_: object) -> None:
    """Guard a database connection; called at every (re)connect, so it must not pile up."""
    if guard not in connection.execute_wrappers:
        connection.execute_wrappers.append(guard)


def guard(execute: Execute, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Django's execute wrapper: judge the statement, then run it."""
    text = str(sql)  # psycopg also takes its own Composed
    verdict = _verdicts.get(text, ...)
    if verdict is ...:
        verdict = _judge(text)
    if verdict is not None:
        _enforce(text, verdict, params, many)
    return execute(sql, params, many, context)


def _judge(sql: str) -> bool | None:
    """None: no tenant rows in it. Else whether it mentions `client_id`."""
    words = {word.lower() for word in _WORD.findall(sql)}
    verdict = None if words.isdisjoint(_tables) or _NO_ROWS.match(sql) else "client_id" in words
    if len(_verdicts) >= _VERDICTS_KEPT:
        _verdicts.clear()
    _verdicts[sql] = verdict
    return verdict


def _enforce(sql: str, mentions_client: bool, params: Any, many: bool) -> None:
    """Raise TenantWallError where the statement does not keep to the current client."""
    client_id = current()
    if client_id is None:
        return
    if not mentions_client:
        raise TenantWallError(f"a statement on tenant rows does not mention client_id: {sql[:200]}")
    rows = params if many else (params,)
    if not all(_carries(row, client_id) for row in rows):
        raise TenantWallError(f"a statement on tenant rows is not bound to the current client: {sql[:200]}")


def _carries(params: Collection[object] | Mapping[str, object] | None, client_id: str) -> bool:
    """Whether the client's identifier is among a statement's parameters."""
    if params is None:
        return False
    values = params.values() if isinstance(params, Mapping) else params
    return client_id in values or any(_is_column_of(value, client_id) for value in values)


def _is_column_of(value: object, client_id: str) -> bool:
    """Whether a parameter is a column of this client's identifier and no other (bulk inserts on PostgreSQL)."""
    return isinstance(value, list) and bool(value) and all(item == client_id for item in value)
