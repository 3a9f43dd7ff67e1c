"""The forms of a page, as a browser would send them: where each one leads, what it holds, and what else may be chosen in it.

for form in forms_on(text):
    form.action        as it is written; empty for the page's own address
    form.fields        {"role": "editor", "csrf": "…"}
    form.choices       {"role": ["reader", "editor"], "active": ["1", ""]}: what may stand in a field that offers a choice
"""

from collections.abc import Iterator

from gatecrash.core.testing.oracles.markup import END, RAW, START, Token, tokens

_MOST = 200
_UNSENT = frozenset({"submit", "button", "image", "reset", "file"})
_CHOSEN = frozenset({"checkbox", "radio"})


class PageForm:
    """One form. method: in capitals."""

    __slots__ = ("action", "choices", "fields", "method")

    def __init__(self, action: str, method: str) -> None:
        self.action = action
        self.method = method
        self.fields: dict[str, str] = {}
        self.choices: dict[str, list[str]] = {}


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
            form, select = PageForm(attributes.get("action", ""), attributes.get("method", "get").upper()), ""
        elif form is None:
            continue
        elif token.kind == END and token.name == "form":
            yield form
            form = None
        elif token.kind == START and token.name == "select":
            select = attributes.get("name", "")
        elif token.kind == END and token.name == "select":
            select = ""
        elif token.kind == START and token.name == "option" and select and "value" in attributes:
            _offer(form, select, attributes["value"], is_chosen="selected" in attributes)
        else:
            _field(form, token, attributes, text)
    if form is not None:
        yield form


def _field(form: PageForm, token: Token, attributes: dict[str, str], text: str) -> None:
    name = attributes.get("name", "")
    if not name:
        return
    kind = attributes.get("type", "text").lower()
    if token.kind == START and token.name == "input" and kind in _CHOSEN:
        _offer(form, name, attributes.get("value", "on"), is_chosen="checked" in attributes)
        if kind == "checkbox" and "" not in form.choices[name]:
            form.choices[name].append("")
    elif token.kind == START and token.name == "input" and kind not in _UNSENT:
        form.fields[name] = attributes.get("value", "")
    elif token.kind == RAW and token.name == "textarea":
        form.fields[name] = text[token.begin : token.end]


def _offer(form: PageForm, name: str, value: str, *, is_chosen: bool) -> None:
    """A value that may stand in a field; a browser sends the chosen one."""
    choices = form.choices.setdefault(name, [])
    if value not in choices:
        choices.append(value)
    if is_chosen:
        form.fields[name] = value
