"""What a page's scripts read from its own fields, written into them: nothing is run.

with_values(code, text)     `getElementById('q').value` becomes "tea", where a field of that id holds tea

Known are the readers of the DOM, jQuery's `$('#q').val()`, names that hold an element, and functions of the application's own
that do nothing else. `new FormData(form)` becomes one of an object with the form's names and values. An empty field is read as
somebody would fill it in.
"""

import html
import json
import re
from typing import NamedTuple

from gatecrash.core.testing.oracles.pages.forms import forms_on
from gatecrash.core.testing.oracles.pages.markup import RAW, START, tokens
from gatecrash.formats.descriptions.sample_text import text_for

_LONGEST, _MOST = 1_000_000, 500
_FIELDS = frozenset({"input", "textarea", "select"})
_UNREAD = frozenset({"submit", "button", "image", "reset", "file", "checkbox", "radio", "password"})
_ID = r"getElementById\s*+\(\s*+{it}\s*+\)"
_QUERY = r"querySelector\s*+\(\s*+{query}\s*+\)"
_TEXT = r"(?:'(?P<one>[^'\n]{1,80})'|\"(?P<two>[^\"\n]{1,80})\")"
_BY_ID = rf"document\s*+\.\s*+{_ID.format(it=_TEXT)}"
_BY_QUERY = rf"document\s*+\.\s*+{_QUERY.format(query=_TEXT.replace('one', 'qone').replace('two', 'qtwo'))}"
_ELEMENT = rf"(?:{_BY_ID}|{_BY_QUERY})"
_VALUE = r"\s*+\.\s*+value(?![\w$])(?!\s*+=(?!=))"
_READ = re.compile(_ELEMENT + _VALUE)
_JQUERY = re.compile(rf"(?<![\w$])(?:\$|jQuery)\s*+\(\s*+{_TEXT}\s*+\)\s*+\.\s*+val\s*+\(\s*+\)")
_HOLDS = re.compile(rf"(?<![\w$.])(?:var|let|const)\s++(?P<name>[A-Za-z_$][\w$]*+)\s*+=\s*+{_ELEMENT}\s*+(?=[;,\n])")
_ASKED_FOR = (
    r"document\s*+\.\s*+(?:getElementById|querySelector)\s*+\(\s*+(?P<given>[A-Za-z_$][\w$]*+)\s*+\)\s*+\.\s*+value"
)
_HELPER = re.compile(
    r"(?:function\s++(?P<name>[A-Za-z_$][\w$]*+)\s*+\(\s*+(?P<one>[A-Za-z_$][\w$]*+)\s*+\)\s*+\{\s*+return\s++"
    r"|(?:var|let|const)\s++(?P<arrow>[A-Za-z_$][\w$]*+)\s*+=\s*+\(?\s*+(?P<two>[A-Za-z_$][\w$]*+)\s*+\)?\s*+=>\s*+)"
    + _ASKED_FOR
)
_FORM_DATA = re.compile(r"new\s++FormData\s*+\((?P<given>[^()]*+(?:\([^()]*+\)[^()]*+)?)\)")
_WORD = re.compile(r"'#?([\w-]++)'|\"#?([\w-]++)\"")


class _Fields(NamedTuple):
    """Values by id, and by name; the forms' values by id, and in their order."""

    by_id: dict[str, str]
    by_name: dict[str, str]
    forms: list[tuple[str, dict[str, str]]]


def with_values(code: str, text: str) -> str:
    """The code as it would read the page as it is. text: the page's markup."""
    if ".value" not in code and ".val(" not in code and "FormData" not in code:
        return code
    fields = _fields_of(text[:_LONGEST])
    for held in list(_HOLDS.finditer(code))[:_MOST]:
        value = _value_of(held, fields)
        if value is not None:
            pieces = re.split(rf"(?<![\w$.]){re.escape(held['name'])}{_VALUE}", code)
            code = json.dumps(value).join(pieces)
    for helper in list(_HELPER.finditer(code))[:_MOST]:
        code = _called_out(code, helper["name"] or helper["arrow"], fields)
    code = _READ.sub(lambda read: _written(read, fields), code)
    code = _JQUERY.sub(lambda read: _written(read, fields), code)
    return _FORM_DATA.sub(lambda made: _filled(made, fields), code)


def _called_out(code: str, name: str, fields: _Fields) -> str:
    calls = re.compile(rf"(?<![\w$.])(?<!function ){re.escape(name)}\s*+\(\s*+{_TEXT}\s*+\)")
    return calls.sub(lambda read: _written(read, fields), code)


def _written(read: re.Match[str], fields: _Fields) -> str:
    value = _value_of(read, fields)
    return read[0] if value is None else json.dumps(value)


def _value_of(read: re.Match[str], fields: _Fields) -> str | None:
    """What the element that a match names holds; None where the page has none."""
    found = read.groupdict()
    name = found.get("one") or found.get("two")
    if name is not None:
        return fields.by_id.get(name.removeprefix("#"))
    query = found.get("qone") or found.get("qtwo") or ""
    if query.startswith("#"):
        return fields.by_id.get(query[1:])
    named = re.fullmatch(r"\w*\[name=['\"]?([\w.-]+)['\"]?\]", query)
    if named is not None:
        return fields.by_name.get(named[1])
    return next(iter(fields.by_name.values()), None) if query in _FIELDS and len(fields.by_name) == 1 else None


def _filled(made: re.Match[str], fields: _Fields) -> str:
    """The form that is named, or the only one that the page has."""
    given = made["given"].strip()
    if not given or not fields.forms:
        return made[0]
    named = _WORD.search(given)
    values = next((each for name, each in fields.forms if named is not None and name == (named[1] or named[2])), None)
    if values is None and len(fields.forms) == 1:
        values = fields.forms[0][1]
    return made[0] if values is None else f"new FormData({json.dumps(values)})"


def _fields_of(text: str) -> _Fields:
    by_id: dict[str, str] = {}
    by_name: dict[str, str] = {}
    ids: list[str] = []
    for token in tokens(text):
        attributes = {each.name: each.value for each in token.attributes}
        if token.kind == START and token.name == "form":
            ids.append(attributes.get("id", attributes.get("name", "")))
        if token.kind not in (START, RAW) or token.name not in _FIELDS:
            continue
        if attributes.get("type", "text").lower() in _UNREAD:
            continue
        written = text[token.begin : token.end].strip() if token.kind == RAW else ""
        value = html.unescape(written) or attributes.get("value", "") or by_id.get(attributes.get("id", ""), "")
        for names, known in ((attributes.get("id"), by_id), (attributes.get("name"), by_name)):
            if names:
                known[names] = value or _made_up(names)
    forms = [{name: value or _made_up(name) for name, value in form.fields.items()} for form in forms_on(text)]
    return _Fields(by_id, by_name, list(zip(ids, forms, strict=False)))


def _made_up(name: str) -> str:
    return text_for({}, name)
