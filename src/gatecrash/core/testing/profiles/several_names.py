"""The names of somebody who signs up with several of them, and signs in by one: `{"name": "Ann", "email": "ann@shop.example", …}`.

Taken for two, he would be asked for his own things as another, and get them.
"""

import re
from collections.abc import Mapping
from typing import Final

# What somebody is called, as others may be, too; and what the next sign-in may know him by.
_CALLED: Final = re.compile(r"(?:full|first|last|display|real|given|family|sur)?[-_]?name", re.IGNORECASE)
_SIGNS_IN_BY: Final = re.compile(
    r"user[-_]?name|user|login|nick(?:[-_]?name)?|handle|e?[-_]?mail(?:[-_]?address)?|(?:mobile|phone)(?:[-_]?number)?",
    re.IGNORECASE,
)


def to_sign_in_by(fields: list[str]) -> list[str]:
    """The names of fields, the likeliest first: where that is what somebody is called, those that he signs in by, if there are any."""
    if not fields or _CALLED.fullmatch(fields[0]) is None:
        return fields
    return [field for field in fields if _SIGNS_IN_BY.fullmatch(field)] or fields


def names_beside(body: Mapping[str, object], name: str) -> set[str]:
    """By what else, in lower case, he may sign in the next time who signs in, or up, by a name."""
    values = (value for field, value in body.items() if isinstance(value, str) and _SIGNS_IN_BY.fullmatch(field))
    return {value.strip().lower() for value in values} - {"", name}
