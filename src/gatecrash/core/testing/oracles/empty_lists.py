"""Whether an answer is a list without one entry, which gives nothing away and has nothing to lose."""

import re
from typing import Final

import orjson

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import content_of, media_type

# One line, which tells no number and no address.
_COLUMNS: Final = re.compile(rb"[^\n\d@]*+")
_COUNT: Final = re.compile(
    r"(?:total|count|page|pages|size|limit|offset|per[-_]?page|page[-_]?size|unread|number|code|status|success|ok|message|msg|has[-_]?(?:more|next)"
    r"|first|last|empty)(?:[-_]?(?:items|elements|results|count|pages))?",
    re.IGNORECASE,
)


def gives_an_empty_list(response: Response) -> bool:
    """Whether an answer in JSON holds an empty list, and beside it no more than counts, flags and words of success; or
    one in CSV the names of columns and no row.
    """
    if media_type(response) == "text/csv":
        return _COLUMNS.fullmatch((content_of(response) or b"").strip()) is not None
    try:
        document = orjson.loads(content_of(response) or b"")
    except orjson.JSONDecodeError:
        return False
    lists, others = 0, list[tuple[str, object]]()
    todo: list[tuple[str, object]] = [("", document)]
    while todo:
        name, value = todo.pop()
        if isinstance(value, dict):
            todo += [(str(key), below) for key, below in value.items()]
        elif isinstance(value, list) and value:
            return False
        elif isinstance(value, list):
            lists += 1
        else:
            others.append((name, value))
    return bool(lists) and all(value in (None, 0, "") or _COUNT.fullmatch(name) for name, value in others)
