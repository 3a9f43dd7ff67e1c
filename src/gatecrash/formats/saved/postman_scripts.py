"""What the scripts of a saved request keep of its answer: `pm.environment.set("order_id", pm.response.json().order.id)`.

Collections chain their requests so: what one answers is a variable of the next. Statements of this kind are read, with the
names that scripts give to the answer and to parts of it; nothing is run, and what is computed in another way is not known.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gatecrash.formats.descriptions.document import as_list, as_object
from gatecrash.formats.draft import Taught

_MOST_CHARACTERS, _MOST_STATEMENTS = 20_000, 400
_ANSWER = r"(?:pm\.response\.json\(\)|JSON\.parse\((?:responseBody|pm\.response\.text\(\))\))"
_STEPS = r"((?:\??\.[A-Za-z_$][\w$]*+(?!\()|(?:\?\.)?\[(?:\d{1,3}|\"[^\"]{1,60}\"|'[^']{1,60}')\])*+)"
_VALUE = rf"({_ANSWER}|[A-Za-z_$][\w$]*+){_STEPS}(?:\.toString\(\))?"
_NAMED = re.compile(rf"(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*+)\s*+=\s*+{_VALUE}\s*+")
_TAKEN_APART = re.compile(
    rf"(?:const|let|var)\s+\{{\s*+([\w$]+(?:\s*+,\s*+[\w$]+)*+)\s*+,?\s*+\}}\s*+=\s*+{_VALUE}\s*+"
)
_KEPT = re.compile(
    r"(?:pm\.(?:environment|collectionVariables|globals|variables)\.set|postman\.set(?:Environment|Global)Variable)"
    rf"\(\s*+[\"']([\w.-]{{1,80}})[\"']\s*+,\s*+(?:String\()?{_VALUE}\)"
)
_STEP = re.compile(r"\.([A-Za-z_$][\w$]*+)|\[(\d+)\]|\[\"([^\"]+)\"\]|\['([^']+)'\]")

Steps = tuple[str, ...]


def taught_by(item: Mapping[str, Any]) -> tuple[Taught, ...]:
    """What a saved request's own test scripts keep of its answer."""
    scripts = (as_object(event) for event in as_list(item.get("event")))
    found: list[Taught] = []
    for script in scripts:
        if script.get("listen") == "test":
            lines = as_object(script.get("script")).get("exec")
            text = "\n".join(map(str, lines)) if isinstance(lines, list) else str(lines or "")
            found += _kept(text[:_MOST_CHARACTERS])
    return tuple(dict.fromkeys(found))


def _kept(text: str) -> Iterator[Taught]:
    names: dict[str, Steps] = {}
    for statement in re.split(r"[;\n]", text)[:_MOST_STATEMENTS]:
        statement = statement.strip()
        apart, named = _TAKEN_APART.fullmatch(statement), _NAMED.fullmatch(statement)
        if apart is not None and (steps := _steps(apart[2], apart[3], names)) is not None:
            names |= {name.strip(): (*steps, name.strip()) for name in apart[1].split(",")}
        elif named is not None and (steps := _steps(named[2], named[3], names)) is not None:
            names[named[1]] = steps
        for kept in _KEPT.finditer(statement):
            steps = _steps(kept[2], kept[3], names)
            if steps:
                yield Taught(kept[1], steps)


def _steps(root: str, behind: str, names: Mapping[str, Steps]) -> Steps | None:
    """The way from the answer to a value; None where it does not begin at the answer."""
    before = () if root.endswith(")") else names.get(root)
    return None if before is None else (*before, *(next(filter(None, found)) for found in _STEP.findall(behind)))
