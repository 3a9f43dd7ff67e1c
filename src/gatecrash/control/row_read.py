"""Reading one tenant row by its key, without building the statement anew each time.

Django spends most of such a read on compiling it: a test run has some forty columns, and a poll is this one read. The
statement of a model is therefore compiled once per database kind and kept; it still goes through the wall, which sees
client and key among its parameters as with any other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, models

Convert = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True, slots=True)
class _Plan:
    """A compiled statement with what turns its row into an instance. converters: (place, functions, expression)."""

    sql: str
    names: tuple[str, ...]
    converters: tuple[tuple[int, tuple[Convert, ...], Any], ...]


_plans: dict[tuple[type[models.Model], str], _Plan] = {}


def read(rows: models.QuerySet, client_id: str, key: object) -> Any:
    """The row of this client and key, or None. rows: the model's plain queryset, for the first call to compile."""
    known = (rows.model, connection.vendor)
    plan = _plans.get(known)
    if plan is None:
        plan = _plans[known] = _compile(rows)
    with connection.cursor() as cursor:
        cursor.execute(plan.sql, (client_id, key))
        row = cursor.fetchone()
    return None if row is None else rows.model.from_db(rows.db, plan.names, _converted(plan, row))


def _compile(rows: models.QuerySet) -> _Plan:
    """Compile for two marked parameters, and see that Django put them in this order and added none."""
    query = rows.filter(client_id="the client").filter(pk="the key" if _is_text(rows.model) else 0).query
    compiler = query.get_compiler(connection=connection)
    sql, params = compiler.as_sql()
    assert len(params) == 2, params
    assert params[0] == "the client", params
    expressions = [column[0] for column in compiler.select]
    converters = compiler.get_converters(expressions)
    names = tuple(field.attname for field in rows.model._meta.concrete_fields)  # noqa: SLF001 - Django documents _meta
    assert len(names) == len(expressions), names
    return _Plan(sql, names, tuple((place, tuple(found), field) for place, (found, field) in converters.items()))


def _is_text(model: type[models.Model]) -> bool:
    return isinstance(model._meta.pk, models.CharField)  # noqa: SLF001 - Django documents _meta


def _converted(plan: _Plan, row: Sequence[Any]) -> list[Any]:
    values = list(row)
    for place, functions, expression in plan.converters:
        for function in functions:
            values[place] = function(values[place], expression, connection)
    return values
