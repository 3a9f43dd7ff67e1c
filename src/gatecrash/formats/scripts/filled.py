"""Objects that a script fills behind their declaration, as if they had been written out there: nothing is run.

folded(code)     `const f = new FormData(); f.append('q', x)` becomes `const f = new FormData({"q": x});`

Known are plain objects (`o.q = x`, `o['q'] = x`), and `append` and `set` of FormData, URLSearchParams and Headers. What is set
under a condition is taken for set: the request that has most says most.
"""

import json
import re

from gatecrash.formats.scripts.literals import Script, script_of
from gatecrash.formats.scripts.structure import LONGEST

_MOST, _BEHIND = 100, 2_000
_EMPTY = re.compile(
    r"(?<![\w$.])(?:var|let|const)\s++(?P<name>[A-Za-z_$][\w$]*+)\s*+=\s*+(?:(?P<object>\{)"
    # Minifiers leave the brackets out.
    r"|new\s++(?:FormData|URLSearchParams|Headers)(?:\s*+\(|(?P<bare>(?=\s*+[;,}\n]))))"
)


def folded(code: str) -> str:
    """The code with such objects filled; the same code where there are none."""
    if _EMPTY.search(code) is None:
        return code
    script, found, place = script_of(code), [], 0
    for declared in list(_EMPTY.finditer(script.code))[:_MOST]:
        is_bare = declared["bare"] is not None
        closed = declared.end() if is_bare else script.matching(declared.end() - 1)
        members = _set_behind(script, declared["name"], closed)
        if not members or declared.end() < place:
            continue
        inside = _joined(code[declared.end() : closed], members, declared["object"])
        found += [code[place : declared.end()], f"({inside})" if is_bare else inside]
        place = closed
    return "".join([*found, code[place:]])


def _joined(inside: str, members: list[str], is_object: str | None) -> str:
    held = inside.strip()
    if not is_object:
        held = held.removeprefix("{").removesuffix("}").strip()
    written = ", ".join(filter(None, (held.rstrip(","), *members)))
    return written if is_object else "{" + written + "}"


def _set_behind(script: Script, name: str, begin: int) -> list[str]:
    """The members that are set before the name is declared anew."""
    end = min(len(script.code), begin + _BEHIND)
    again = re.search(rf"(?<![\w$.])(?:var|let|const)\s++{re.escape(name)}(?![\w$])", script.code[begin:end])
    end = begin + again.start() if again else end
    sets = re.compile(
        rf"(?<![\w$.]){re.escape(name)}\s*+(?:\.\s*+(?P<call>append|set)\s*+\(|\.\s*+(?P<key>[A-Za-z_$][\w$]*+)\s*+=(?![=>])|(?P<at>\[))"
    )
    found = []
    for one in sets.finditer(script.code, begin, end):
        if one["key"]:
            found += _member(script, one["key"], one.end(), script.expression(one.end()))
            continue
        closed = script.matching(one.end() - 1, end)
        parts = script.parts(one.end(), closed)
        key = script.text(*parts[0]) if parts else None
        if one["at"]:
            assigned = re.compile(r"\]\s*+=(?![=>])").match(script.code, closed)
            parts = [*parts[:1], (assigned.end(), script.expression(assigned.end()))] if assigned else []
        if key is not None and parts[1:]:
            found += _member(script, key, *parts[1])
    return found


def _member(script: Script, key: str, begin: int, end: int) -> list[str]:
    """As it is written in an object; none of a value that is longer than what is read, for the half of a text breaks a script."""
    return [f"{json.dumps(key)}: {script.source[begin:end].strip()}"] if end - begin < LONGEST else []
