"""The fields of a page's forms, and what they hold.

form_fields(text)["user_id"]    ["7"]: one entry for each field of that name; what a list offers is none
"""

from gatecrash.core.testing.oracles.pages.markup import RAW, START, tokens

_FIELDS = frozenset({"input", "select", "textarea", "button"})


def form_fields(text: str) -> dict[str, list[str]]:
    """The values of all fields with a name, by their names; an empty text for a field that holds nothing."""
    fields: dict[str, list[str]] = {}
    for token in tokens(text):
        attributes = {each.name: each.value for each in token.attributes}
        name = attributes.get("name", "")
        if token.kind == START and token.name in _FIELDS and name:
            fields.setdefault(name, []).append(attributes.get("value", ""))
        elif token.kind == RAW and token.name == "textarea" and name:
            fields[name][-1] = text[token.begin : token.end]
    return fields
