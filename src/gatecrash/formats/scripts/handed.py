"""What a page's scripts hand to methods that ask the server, whichever of them has the method: `texts.read("en")` of
`read(name) { return http.get("/texts?file=" + name) }`.

handed(codes)     those of the scripts that have such methods, with what each is given in its place: code to be read in turn

Bundles keep what asks the server in one file, and what is asked for in others. Nothing is run, and no classes are known: a
method is told by a name that is declared once in all of the scripts, and what it is given is the first text that is written
out for it.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from gatecrash.formats.scripts.literals import Script

_MOST, _LONGEST = 100, 4_000
_GIVEN = re.compile(
    r"\.\s*+(?P<name>[A-Za-z_$][\w$]*+)\s*+\(\s*+(?P<sign>[\"'`])(?P<text>[\w.~/-]{1,80}+)(?P=sign)\s*+[,)]"
)
_METHOD = re.compile(
    r"(?<=[{};\s])(?P<name>[A-Za-z_$][\w$]*+)\s*+\(\s*+(?P<first>[A-Za-z_$][\w$]*+)(?:\s*+,[^(){}]{0,200}+)?\s*+\)\s*+\{"
)
_ASKS = re.compile(r"(?:(?<![\w$])fetch|\.\s*+(?:get|getJSON|request))\s*+\(")
# Words that stand before brackets as methods do, and what objects of all kinds can do.
_OTHERS = frozenset(
    {
        "if", "for", "while", "switch", "catch", "with", "function", "constructor",
        "get", "post", "put", "patch", "delete", "request", "open", "send", "set", "has", "add", "append", "on", "emit",
    }
)  # fmt: skip


def handed(codes: Sequence[str]) -> Iterator[str]:
    """Bounded in what is filled of each; a script without such methods yields nothing."""
    given: dict[str, str] = {}
    for code in codes:
        for found in _GIVEN.finditer(code):
            given.setdefault(found["name"], found["text"])
    methods = [list(_METHOD.finditer(code)) if given else [] for code in codes]
    often = Counter(each["name"] for several in methods for each in several)
    for code, several in zip(codes, methods, strict=True):
        known = [
            one for one in several if one["name"] in given and often[one["name"]] == 1 and one["name"] not in _OTHERS
        ]
        filled = _filled(Script(code), known[:_MOST], given) if known else ""
        if filled:
            yield filled


def _filled(script: Script, methods: list[re.Match[str]], given: dict[str, str]) -> str:
    """The script with a name of its own for the first parameter of each, declared ahead; empty where none of them asks."""
    ahead, pieces, place = [], [], 0
    for number, method in enumerate(methods):
        begin, end = method.end(), script.matching(method.end() - 1, min(len(script.code), method.end() + _LONGEST))
        is_code = script.code[begin - 1] == "{" and begin >= place
        if not is_code or not _ASKS.search(script.code, begin, end):
            continue
        name = f"handed${number}"
        ahead.append(f"const {name} = {json.dumps(given[method['name']])};\n")
        pieces += [script.source[place:begin], _renamed(script, method["first"], name, begin, end)]
        place = end
    return "".join([*ahead, *pieces, script.source[place:]]) if ahead else ""


def _renamed(script: Script, parameter: str, name: str, begin: int, end: int) -> str:
    """What stands between two places, but for texts with the same word in them."""
    pieces, place = [], begin
    for found in re.compile(rf"(?<![\w$.]){re.escape(parameter)}(?![\w$])").finditer(script.code, begin, end):
        pieces += [script.source[place : found.start()], name]
        place = found.end()
    return "".join([*pieces, script.source[place:end]])
