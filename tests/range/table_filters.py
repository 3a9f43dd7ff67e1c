"""Filters of tables, as pandas' `query` reads them: comparisons, sums, members, calls of methods, and with `@` what the
code around them knows. No function of one's own, no call of Python's, no lambda.
"""

import ast
import builtins
import operator
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from gatecrash.core.message import Response
from tests.range.code import QUICK
from tests.range.place import Given, flaw, text, twin

ROWS = [{"age": 3, "town": "Bern"}, {"age": 7, "town": "Basel"}]
# What a module that imports pandas has, as far as it matters: the library's own modules lead on to everything.
AROUND = {"pd": SimpleNamespace(core=SimpleNamespace(frame=SimpleNamespace(com=SimpleNamespace(builtins=builtins))))}
LOCAL = "around_"
OPERATORS: dict[type, Any] = {
    ast.Gt: operator.gt, ast.Lt: operator.lt, ast.GtE: operator.ge, ast.LtE: operator.le, ast.Eq: operator.eq,
    ast.NotEq: operator.ne, ast.Mult: operator.mul, ast.Add: operator.add, ast.Sub: operator.sub,
}  # fmt: skip


def evaluated(node: ast.AST, names: Mapping[str, Any]) -> Any:
    """What a part of the filter comes to."""
    match node:
        case ast.Expression(body):
            return evaluated(body, names)
        case ast.Constant(value):
            return value
        case ast.Name(name):
            return names[name]
        case ast.Attribute(value, name):
            return getattr(evaluated(value, names), name)
        case ast.Call(ast.Attribute() as method, given, []):
            return evaluated(method, names)(*(evaluated(one, names) for one in given))
        case ast.Compare(left, [sign], [right]) | ast.BinOp(left, sign, right):
            return OPERATORS[type(sign)](evaluated(left, names), evaluated(right, names))
    raise ValueError("not supported")


def rows(given: str, around: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows that the filter keeps; raises KeyError with what it came to, where that is no yes or no, as pandas does."""
    tree = ast.parse(given.replace("@", LOCAL), mode="eval")
    local = {LOCAL + name: value for name, value in around.items()}
    kept = []
    for row in ROWS:
        found = evaluated(tree, row | local)
        if not isinstance(found, bool):
            raise KeyError(found)
        kept += [row] if found else []
    return kept


def told(given: str, around: Mapping[str, Any]) -> Response:
    """The rows, or the error."""
    try:
        return text(str(rows(given, around)))
    except Exception as error:  # noqa: BLE001 - whatever the filter ran into
        return text(f"{type(error).__name__}: {error}", 400)


def silent(given: str, around: Mapping[str, Any]) -> Response:
    """The rows, or that it cannot be read."""
    try:
        return text(str(rows(given, around)))
    except Exception:  # noqa: BLE001 - whatever it ran into
        return text("no filter", 400)


@flaw("rce", value="age > 4", ways=QUICK)
def filter_of_a_table(given: Given) -> Response:
    """What is around it can be named."""
    return told(given.q, AROUND)


@twin("rce", value="age > 4", ways=QUICK)
def filter_of_a_table_alone(given: Given) -> Response:
    return told(given.q, {})


@twin("rce", value="age > 4", ways=QUICK)
def filter_of_a_table_and_numbers(given: Given) -> Response:
    return told(given.q, {"limit": 5})


@flaw("rce", value="age > 4", ways=QUICK, slow=True)
def silent_filter_of_a_table(given: Given) -> Response:
    return silent(given.q, AROUND)


@twin("rce", value="age > 4", ways=QUICK, slow=True)
def silent_filter_of_a_table_alone(given: Given) -> Response:
    return silent(given.q, {})


def defined(given: str, names: Mapping[str, Any]) -> Response:
    """Says whether code can be defined: nothing of it is called."""
    try:
        tree = ast.parse(given)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                exec(compile(ast.Module([node], []), "given", "exec"), dict(names))
    except Exception:  # noqa: BLE001 - whatever it ran into
        return text("errors: 1")
    return text("errors: 0")


@flaw("rce", value="def add(a, b):\n  return a + b", ways=QUICK, slow=True)
def checked_functions(given: Given) -> Response:
    """Defined to see whether they can be: what stands beside their parameters is carried out."""
    return defined(given.q, {})


@twin("rce", value="def add(a, b):\n  return a + b", ways=QUICK, slow=True)
def parsed_functions(given: Given) -> Response:
    try:
        ast.parse(given.q)
    except (SyntaxError, ValueError):
        return text("errors: 1")
    return text("errors: 0")


@twin("rce", value="def add(a, b):\n  return a + b", ways=QUICK, slow=True)
def functions_without_builtins(given: Given) -> Response:
    return defined(given.q, {"__builtins__": {}})
