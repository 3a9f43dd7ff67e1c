"""What whoever wrote a profile called its identities: by their variables, and by the names that they sign in with."""

import re
from typing import Any, Final

import orjson

from gatecrash.core.testing.profiles.profile import ProfileIdentity
from gatecrash.core.testing.profiles.template import fill, references

LEAST_NAME: Final = 3
_NAMES: Final = re.compile(r"(?:user|login|account|member|customer)?_?(?:name|id)?|e-?mail", re.IGNORECASE)


def written_names(identity: ProfileIdentity) -> set[str]:
    """What whoever wrote an identity down called it: by variables that are named as names are."""
    return {
        value.strip().lower()
        for name, value in identity.variables
        if _NAMES.fullmatch(name) and len(value) >= LEAST_NAME
    }


def login_names(identity: ProfileIdentity) -> set[str]:
    """The names that an identity signs in with, where its login puts them together: `${user}@example.com`."""
    values = dict(identity.variables)
    fields: list[tuple[str, Any]] = []
    for step in identity.login:
        fields += step.form or ()
        fields += [("user", step.basic[0])] if step.basic else []
        todo: list[Any] = [orjson.loads(step.json)] if step.json else []
        while todo:
            here = todo.pop()
            if isinstance(here, dict):
                fields += here.items()
                todo += here.values()
    told = ((name, text) for name, text in fields if isinstance(text, str) and _NAMES.fullmatch(name))
    named = [text for _, text in told if (used := list(references(text))) and set(used) <= values.keys()]
    return {name for text in named if len(name := fill(text, values).strip().lower()) >= LEAST_NAME}
