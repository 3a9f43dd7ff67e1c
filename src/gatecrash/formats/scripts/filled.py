"""Objects that a script fills behind their declaration, as if they had been written out there: nothing is run.

folded(code)     `const f = new FormData(); f.append('q', x)` becomes `const f = new FormData({"q": x});`

Known are plain objects (`o.q = x`, `o['q'] = x`), also those that a thing has of its own (`this.o = {}, this.o.q = x`), and
`append` and `set` of FormData, URLSearchParams and Headers. Where each gives a new one, as with Angular's HttpParams, all of the
calls become one object (`new HttpParams().set('q', x)`). What is set under a condition is taken for set: the request that has
most says most.
"""

import json
import re
from collections.abc import Iterator

from gatecrash.formats.scripts.literals import Script, script_of
from gatecrash.formats.scripts.structure import LONGEST

_MOST, _BEHIND = 100, 2_000
_EMPTY = re.compile(
    r"(?<![\w$.])(?:(?:var|let|const)\s++|(?P<own>this\s*+\.\s*+))(?P<name>[A-Za-z_$][\w$]*+)\s*+=\s*+(?:(?P<object>\{)"
    # Minifiers leave the brackets out.
    r"|new\s++(?:FormData|URLSearchParams|Headers)(?:\s*+\(|(?P<bare>(?=\s*+[;,}\n]))))"
)
_CHAIN = re.compile(
    r"(?<![\w$.])(?:new\s++[A-Za-z_$][\w$.]*+(?:\s*+\(\s*+\))?|(?<![\w$)\]])\(\s*+new\s++[A-Za-z_$][\w$.]*+\s*+\))"
    r"(?=\s*+\.\s*+(?:set|append)\s*+\()"
)
_LINK = re.compile(r"\s*+\.\s*+(?:set|append)\s*+\(")
_PAIR = 2

Change = tuple[int, int, str]


def folded(code: str) -> str:
    """The code with such objects filled; the same code where there are none."""
    if _EMPTY.search(code) is None and _CHAIN.search(code) is None:
        return code
    script, pieces, place = script_of(code), [], 0
    for begin, end, written in sorted((*_filled(script), *_chained(script))):
        if begin >= place:
            pieces += [code[place:begin], written]
            place = end
    return "".join([*pieces, code[place:]])


def _filled(script: Script) -> Iterator[Change]:
    """What stands within the brackets of each object that is filled behind them."""
    for declared in list(_EMPTY.finditer(script.code))[:_MOST]:
        is_bare = declared["bare"] is not None
        closed = declared.end() if is_bare else script.matching(declared.end() - 1)
        members = _set_behind(script, declared, closed)
        if members:
            inside = _joined(script.source[declared.end() : closed], members, declared["object"])
            yield declared.end(), closed, f"({inside})" if is_bare else inside


def _chained(script: Script) -> Iterator[Change]:
    """What is made and filled in one expression, of names that are written out."""
    for made in list(_CHAIN.finditer(script.code))[:_MOST]:
        members, end = [], made.end()
        while (link := _LINK.match(script.code, end)) is not None:
            closed = script.matching(link.end() - 1)
            parts = script.parts(link.end(), closed)
            key = script.text(*parts[0]) if len(parts) == _PAIR else None
            if key is None:
                break
            members += _member(script, key, *parts[1])
            end = closed + 1
        if members:
            yield made.start(), end, "{" + ", ".join(members) + "}"


def _joined(inside: str, members: list[str], is_object: str | None) -> str:
    held = inside.strip()
    if not is_object:
        held = held.removeprefix("{").removesuffix("}").strip()
    written = ", ".join(filter(None, (held.rstrip(","), *members)))
    return written if is_object else "{" + written + "}"


def _set_behind(script: Script, declared: re.Match[str], begin: int) -> list[str]:
    """The members that are set before the name is declared anew."""
    end, name = min(len(script.code), begin + _BEHIND), re.escape(declared["name"])
    anew = rf"this\s*+\.\s*+{name}\s*+=(?![=>])" if declared["own"] else rf"(?:var|let|const)\s++{name}(?![\w$])"
    again = re.search(rf"(?<![\w$.]){anew}", script.code[begin:end])
    end = begin + again.start() if again else end
    of = rf"this\s*+\.\s*+{name}" if declared["own"] else name
    sets = re.compile(
        rf"(?<![\w$.]){of}\s*+(?:\.\s*+(?P<call>append|set)\s*+\(|\.\s*+(?P<key>[A-Za-z_$][\w$]*+)\s*+=(?![=>])|(?P<at>\[))"
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
