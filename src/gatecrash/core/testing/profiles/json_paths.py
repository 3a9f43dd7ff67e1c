"""JSON paths. Their library is loaded at the first one: it compiles for a tenth of a second, and most runs have none."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gatecrash.core.errors import InvalidPattern

if TYPE_CHECKING:
    from jsonpath import CompoundJSONPath, JSONPath


@lru_cache(maxsize=64)
def compile_path(expression: str) -> "JSONPath | CompoundJSONPath":
    """The path, to look into documents with. Raises InvalidPattern where it is none."""
    import jsonpath

    try:
        return jsonpath.compile(expression)
    except (jsonpath.JSONPathError, RecursionError) as error:
        why = str(error).partition("\n")[0]
        raise InvalidPattern(f"{expression!r} is no JSON path such as $.data.token: {why}") from error


def first_at(expression: str, document: Any) -> object:
    """What stands first at the path; None where nothing does, or the path cannot be walked."""
    import jsonpath

    try:
        found = compile_path(expression).findall(document)
    except (InvalidPattern, jsonpath.JSONPathError, RecursionError):
        return None
    return found[0] if found else None
