"""What a refusal says of each field, where it speaks of several: `{"errors": {"country": "ISO 3166-1", "day": "is in the past"}}`.

    told_apart(message, names)      pairs of a field's name and what is said of it, in the answer's order

Read as one message, what is told of one field would be put into all others. Validators write members called as the fields, objects that
have the field's name beside the message (`loc`, `field`, `path`, `pointer`), or a sentence for each.
"""

import re
from collections.abc import Collection, Iterator
from typing import Any

import orjson

MOST_CHARACTERS, MOST_OF_A_TEXT = 4000, 300
MOST_FIELDS = 20
_DEEPEST = 5
_NAMING = (
    "field",
    "param",
    "path",
    "propertyName",
    "property",
    "loc",
    "pointer",
    "instancePath",
    "dataPath",
    "attribute",
    "name",
)
_MESSAGES = ("message", "msg", "detail", "defaultMessage", "reason", "description", "error", "title")
# How a sentence goes on behind the name of the field that it is about.
_OF_ONE = r"[`'\"]?\s*(?::\s|=\s|\(|(?:must|should|has to|needs? to|is|are|cannot|can't|may|expects?|needs)\b)"
_END = re.compile(r"[;\n]|\.\s|\)(?=\s)")


def told_apart(message: str, names: Collection[str]) -> tuple[tuple[str, str], ...]:
    """The pairs; none where the answer is no JSON or tells of no field called so."""
    try:
        document = orjson.loads(message[:MOST_CHARACTERS])
    except orjson.JSONDecodeError:
        return ()
    known = {name for name in names if len(name) > 1}
    return tuple(dict.fromkeys(_told(document, known, 0)))[:MOST_FIELDS]


def _told(said: Any, names: Collection[str], depth: int) -> Iterator[tuple[str, str]]:
    if depth > _DEEPEST:
        return
    if isinstance(said, str):
        yield from _in_sentence(said[:MOST_OF_A_TEXT], names)
    elif isinstance(said, list):
        for one in said[:MOST_FIELDS]:
            yield from _told(one, names, depth + 1)
    elif isinstance(said, dict):
        named = next((name for key in _NAMING if (name := _last_of(said.get(key), names))), "")
        message = next((said[key] for key in _MESSAGES if isinstance(said.get(key), str)), "")
        if named and message:
            yield named, message[:MOST_OF_A_TEXT]
            return
        for key, one in said.items():
            texts = _texts(one)
            name = _last_of(key, names)
            if name and texts and key not in _MESSAGES:
                yield name, "; ".join(texts)[:MOST_OF_A_TEXT]
            else:
                yield from _told(one, names, depth + 1)


def _last_of(path: Any, names: Collection[str]) -> str:
    """The field that a path of any notation ends in (`["body", "day"]`, `/body/day`, `recipient.kind`, `rows[0].day`), if there is one."""
    parts = path if isinstance(path, list) else re.split(r"[./\[\]#]+", path) if isinstance(path, str) else ()
    named = [str(one) for one in parts if str(one) and not str(one).isdigit()]
    return named[-1] if named and named[-1] in names else ""


def _texts(said: Any) -> list[str]:
    """The sentences that a member has for its field: one, or a list of nothing else."""
    if isinstance(said, str):
        return [said]
    return said if isinstance(said, list) and all(isinstance(one, str) for one in said) else []


def _in_sentence(sentence: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        begun = re.search(rf"(?<![\w.-]){re.escape(name)}(?={_OF_ONE})", sentence)
        if begun is not None:
            yield name, _END.split(sentence[begun.end() :].lstrip(" `'\"(:="), maxsplit=1)[0]
