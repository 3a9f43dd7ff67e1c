"""The forms of a page, as a browser would send them: where each one leads, what it holds, and what else may be chosen in it.

for form in forms_on(text):
    form.action        as it is written; empty for the page's own address
    form.fields        {"role": "editor", "csrf": "…"}
    form.choices       {"role": ["reader", "editor"], "active": ["1", ""]}: what may stand in a field that offers a choice
    form.button        ("go", "Send"): the first button that sends it, where that has a name
    form.written       {"email": {"name": "email", "type": "email", "required": ""}}: the attributes of what is filled in or chosen
    form.files         ["picture"]: the fields that take a file
    form.stays         whether a browser sends it nowhere, as its page's script does what is done
    form.pressed       whether its buttons send it: {True}, {False} where a script alone hears them, or both
    form.other_ways    [Way("/preview", "POST", None)]: where other buttons send it (HTML, 4.10.18.6: formaction)

What htmx sends in a form's place (`hx-post`) is read as the form's own action.
"""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from gatecrash.core.testing.oracles.pages.markup import END, RAW, START, Token, tokens

_MOST, _LONGEST = 200, 200
_UNSENT = frozenset({"submit", "button", "image", "reset", "file"})
_SENDING = frozenset({"submit", "image"})
_CHOSEN = frozenset({"checkbox", "radio"})
_STAYS = re.compile(r"preventDefault\s*+\(|return\s++false\s*+;?\s*+$")


class Way(NamedTuple):
    """Where a button sends its form, with the button's own name and value where it has a name."""

    action: str
    method: str
    button: tuple[str, str] | None


class PageForm:
    """One form. method: in capitals. enctype: in small letters, empty where none is written."""

    __slots__ = (
        "action",
        "button",
        "choices",
        "enctype",
        "fields",
        "files",
        "is_stopped",
        "method",
        "other_ways",
        "pressed",
        "written",
    )

    def __init__(self, action: str, method: str, enctype: str = "") -> None:
        self.action = action
        self.method = method
        self.enctype = enctype
        self.fields: dict[str, str] = {}
        self.choices: dict[str, list[str]] = {}
        self.button: tuple[str, str] | None = None
        self.written: dict[str, dict[str, str]] = {}
        self.files: list[str] = []
        self.other_ways: list[Way] = []
        self.is_stopped = False
        self.pressed: set[bool] = set()

    @property
    def stays(self) -> bool:
        """Whether a browser sends it nowhere: a script of the page alone hears its buttons, or ends the sending."""
        return not self.action and (self.is_stopped or self.pressed == {False})


def forms_on(text: str) -> list[PageForm]:
    """The forms of a page, in order; a bounded number."""
    found: list[PageForm] = []
    for form in _forms(text):
        found.append(form)
        if len(found) >= _MOST:
            break
    return found


def _forms(text: str) -> Iterator[PageForm]:
    form: PageForm | None = None
    select = ""
    for token in tokens(text):
        attributes = {each.name: each.value for each in token.attributes}
        if token.kind == START and token.name == "form":
            if form is not None:
                yield form
            enctype = attributes.get("enctype", "").lower()
            form, select = PageForm(*_led(attributes), enctype), ""
            form.is_stopped = _STAYS.search(attributes.get("onsubmit", "")) is not None
        elif form is None:
            continue
        elif token.kind == END and token.name == "form":
            yield form
            form = None
        elif token.kind == START and token.name == "select":
            select = attributes.get("name", "")
        elif token.kind == END and token.name == "select":
            select = ""
        elif token.kind == START and token.name == "option" and select:
            value = attributes.get("value", _said_behind(text, token.end))
            _offer(form, select, value, is_chosen="selected" in attributes)
        else:
            _field(form, token, attributes, text)
    if form is not None:
        yield form


def _led(attributes: dict[str, str]) -> tuple[str, str]:
    """Where a form leads, and by which method."""
    for method in ("get", "post", "put", "patch", "delete"):
        address = attributes.get(f"hx-{method}") or attributes.get(f"data-hx-{method}")
        if address:
            return address, method.upper()
    return attributes.get("action", ""), attributes.get("method", "get").upper()


def _field(form: PageForm, token: Token, attributes: dict[str, str], text: str) -> None:
    name = attributes.get("name", "")
    if token.kind == START and (_sends(token, attributes) or "onclick" in attributes):
        form.pressed.add(_sends(token, attributes))
    if attributes.get("formaction") and _sends(token, attributes) and token.kind == START:
        button = (name, attributes.get("value", "")) if name else None
        form.other_ways.append(Way(attributes["formaction"], attributes.get("formmethod", form.method).upper(), button))
        return
    if not name:
        return
    kind = attributes.get("type", "text").lower()
    if token.kind == START and token.name == "input" and kind in _CHOSEN:
        _offer(form, name, attributes.get("value", "on"), is_chosen="checked" in attributes)
        if kind == "checkbox" and "" not in form.choices[name]:
            form.choices[name].append("")
    elif token.kind == START and token.name == "input" and kind not in _UNSENT:
        form.fields[name] = attributes.get("value", "")
        form.written[name] = attributes
    elif token.kind == RAW and token.name == "textarea":
        form.fields[name] = _written_in(text[token.begin : token.end])
    elif token.kind == START and token.name == "textarea":
        form.fields[name] = ""
        form.written[name] = attributes
    elif token.kind == START and kind == "file":
        form.files.append(name)
        form.written[name] = attributes
    elif token.kind == START and _sends(token, attributes) and form.button is None:
        form.button = (name, attributes.get("value", ""))


def _sends(token: Token, attributes: dict[str, str]) -> bool:
    if token.name == "button":
        return attributes.get("type", "submit").lower() == "submit"
    return token.name == "input" and attributes.get("type", "").lower() in _SENDING


def _written_in(text: str) -> str:
    """What stands in an area of text: its character references are read, and a line's end right at its beginning is none of it
    (HTML, 13.2.5.2 and 13.2.6.4.7).
    """
    return html.unescape(text.removeprefix("\r").removeprefix("\n"))


def _said_behind(text: str, begin: int) -> str:
    """What an option says is its value, where none is written."""
    return " ".join(html.unescape(text[begin : begin + _LONGEST].partition("<")[0]).split())


def _offer(form: PageForm, name: str, value: str, *, is_chosen: bool) -> None:
    """A value that may stand in a field; a browser sends the chosen one."""
    choices = form.choices.setdefault(name, [])
    if value not in choices:
        choices.append(value)
    if is_chosen:
        form.fields[name] = value
