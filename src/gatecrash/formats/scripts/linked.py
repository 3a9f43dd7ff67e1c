"""Scripts that import from each other, each with what the others say about it (ECMA-262, 16.2): nothing is run.

linked({"/assets/a.js": code, "/assets/b.js": code})     the same scripts, in their order

Bundlers put what asks the server into one file, and what it is asked for into others, which import it by names of one letter. A
name that is imported is declared ahead as the text or the object of texts that it is where it is exported; a call of what is
imported, or of what is made of an imported class, also by a framework (`injected`), is repeated where that is exported, with what
it is given as far as it is written out.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import urljoin

from gatecrash.formats.scripts.filled import folded
from gatecrash.formats.scripts.injected import Held, held_in
from gatecrash.formats.scripts.literals import Script

_MOST_CALLS, _LONGEST, _LONGEST_CALL = 300, 3_000_000, 4_000
_IMPORT = re.compile(
    r"""(?<![\w$.])import\s*+(?:[\w$]++\s*+,\s*+)?\{(?P<names>[^{}]*+)\}\s*+from\s*+(?P<sign>["'`])(?P<address>[^"'`\n]++)(?P=sign)"""
)
_EXPORT = re.compile(r"(?<![\w$.])export\s*+\{(?P<names>[^{}]*+)\}(?!\s*+from)")
_NAMED = re.compile(r"(?<![\w$])(?P<name>[A-Za-z_$][\w$]*+)(?:\s++as\s++(?P<other>[A-Za-z_$][\w$]*+))?")
_UNTOLD = "undefined"


class _Import(NamedTuple):
    """One imported name. local: its name here. source: the script that exports it. name: its name there."""

    local: str
    source: str
    name: str


def linked(codes: Mapping[str, str]) -> list[str]:
    """The codes by their addresses; as they are where they import nothing, or are very long together."""
    exports = {address: _exports(code) for address, code in codes.items()}
    imports = {address: list(_imports(address, code, exports)) for address, code in codes.items()}
    if not any(imports.values()) or sum(map(len, codes.values())) > _LONGEST:
        return list(codes.values())
    scripts = {address: Script(folded(code)) for address, code in codes.items()}
    calls: dict[str, list[str]] = {address: [] for address in codes}
    ahead: dict[str, list[str]] = {address: [] for address in codes}
    for address, several in imports.items():
        held = held_in(scripts[address]) if several else []
        for each in several:
            told = scripts[each.source].declared(each.name, len(scripts[each.source].code))
            if told is not None:
                ahead[address].append(f"const {each.local} = {told};")
            calls[each.source] += _calls(scripts[address], each)
            calls[each.source] += _calls_of_made(scripts[address], each)
            calls[each.source] += _calls_of_held(scripts[address], each, held)
    return [
        "\n".join((*ahead[address], code, *(f";{each}" for each in dict.fromkeys(calls[address][:_MOST_CALLS]))))
        for address, code in codes.items()
    ]


def _exports(code: str) -> dict[str, str]:
    """What is exported, by the name that others import it by: what it is called here."""
    lists = _EXPORT.finditer(code)
    return {each["other"] or each["name"]: each["name"] for one in lists for each in _NAMED.finditer(one["names"])}


def _imports(address: str, code: str, exports: Mapping[str, dict[str, str]]) -> Iterator[_Import]:
    for found in _IMPORT.finditer(code):
        source = urljoin(address, found["address"])
        exported = exports.get(source, {})
        for each in _NAMED.finditer(found["names"]):
            if each["name"] in exported:
                yield _Import(each["other"] or each["name"], source, exported[each["name"]])


def _calls(script: Script, imported: _Import) -> Iterator[str]:
    """`save({…})` and `notes.save({…})`, also of what a framework wraps (`unref(notes).save({…})`)."""
    name = re.escape(imported.local)
    for call in re.finditer(
        rf"(?<![\w$.])(?:{name}|[\w$]++\({name}\))(?P<method>\s*+\.\s*+[A-Za-z_$][\w$]*+)?\s*+\(", script.code
    ):
        if script.scopes.is_declared(imported.local, call.start()):
            continue
        if given := _all_given(script, call.end()):
            yield f"{imported.name}{(call['method'] or '').strip()}({given})"


def _calls_of_made(script: Script, imported: _Import) -> Iterator[str]:
    """`const notes = new Client("notes"); notes.save({…})`, where the class is imported."""
    for made in re.finditer(
        rf"(?<![\w$.])(?P<thing>[A-Za-z_$][\w$]*+)\s*+=\s*+new\s++{re.escape(imported.local)}(?![\w$.])(?P<open>\s*+\()?",
        script.code,
    ):
        thing, told = made["thing"], _all_given(script, made.end()) if made["open"] else ""
        if script.scopes.is_declared(imported.local, made.start()):
            continue
        own = script.scopes.value_of(thing, made.end())
        for call in re.finditer(rf"(?<![\w$.]){re.escape(thing)}\s*+\.\s*+([A-Za-z_$][\w$]*+)\s*+\(", script.code):
            given = _all_given(script, call.end())
            if given and script.scopes.value_of(thing, call.start()) == own:
                yield f"{{const {thing} = new {imported.name}({told}); {thing}.{call[1]}({given})}}"


def _calls_of_held(script: Script, imported: _Import, held: list[Held]) -> Iterator[str]:
    """`notes = inject(Notes)` and `this.notes.save({…})`, where the class is imported."""
    for each in held:
        if each.name != imported.local or script.scopes.is_declared(imported.local, each.at):
            continue
        calls = "".join(f"held$.{name}({_joined(script, given)});" for name, given in each.calls.items())
        yield f"{{const held$ = new {imported.name}; {calls}}}"


def _all_given(script: Script, begin: int) -> str:
    """What a call is given, as source that means the same elsewhere; empty where nothing of it is written out."""
    last = min(len(script.code), begin + _LONGEST_CALL)
    return _joined(script, script.parts(begin, script.matching(begin - 1, last)))


def _joined(script: Script, places: list[tuple[int, int]]) -> str:
    given = [_given(script, place) for place in places]
    return ", ".join(given) if any(each != _UNTOLD for each in given) else ""


def _given(script: Script, place: tuple[int, int]) -> str:
    """What is written out, as source that means the same elsewhere."""
    if script.members(*place) or script.text(*place) is not None:
        return json.dumps(script.value(*place, "data"))
    return _UNTOLD
