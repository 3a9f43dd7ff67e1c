"""What is written into the fields of a page: values of each field's kind, and the account that the caller is signed in by.

written(fields, account)        what is written where; fields that stay as they are are left out
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import msgspec

from gatecrash.core.testing.profiles.entrance import Account
from gatecrash.core.words.named import Words


class Field(msgspec.Struct, frozen=True):
    """A field as the page shows it. words: what it is called, in names, labels and hints. group: of radio buttons that exclude each
    other.
    """

    at: int
    words: str
    type: str
    value: str
    group: str = ""
    least: str = ""
    most: str = ""
    choices: tuple[str, ...] = ()


NOBODY = Account(user="gatecrash_guest", mail="gatecrash.guest@example.com", password="Gc-visitor-7391!")  # noqa: S106 - opens nothing
"""Who is signed in as nobody: what is sent in this name is held back."""
_MAIL = Words(r"e-?mail", re.IGNORECASE)
_USER = Words(r"user|login|nick|handle|account", re.IGNORECASE)
_PASSWORD = Words(r"passw|pwd|passphrase", re.IGNORECASE)
_ADDRESS = re.compile(r"\burl\b|link|website|homepage|avatar|image|picture|callback|webhook", re.IGNORECASE)
_NUMBER = Words(
    r"amount|quantity|price|number|count|age\b|rating|year|month|zip|postal|\bid\b|mobile|phone|card", re.IGNORECASE
)
_LONG_NUMBERS = ((re.compile(r"card", re.IGNORECASE), "4111111111111111"), (re.compile(r"mobile|phone", re.IGNORECASE), "5551234567"))  # fmt: skip
_WORD = "tea"
_FIXED = {"color": "#336699", "time": "10:00", "week": "2030-W05", "month": "2030-05"}


def written(fields: Sequence[Field], account: Account = NOBODY) -> Iterator[tuple[Field, str]]:
    """Each field that is empty with its value; of radio buttons the first. Where a password is asked for more than once, an account
    is made, or a password changed: that is nobody's, and what is sent of it is held back.
    """
    passwords = sum(each.type == "password" for each in fields)
    whose = NOBODY if passwords > 1 else account
    chosen = {each.group for each in fields if each.group and each.value}
    for field, behind in zip_longest(fields, fields[1:]):
        is_name = (
            behind is not None and behind.type == "password" and field.type in ("text", "email") and not field.value
        )
        value = whose.mail if is_name and not _USER.search(field.words) else _value_for(field, whose)
        if value is not None and field.group not in chosen:
            chosen |= {field.group} - {""}
            yield field, value


def _value_for(field: Field, account: Account) -> str | None:
    if field.type in ("range", "reset") or field.value:
        return None
    if field.type in ("checkbox", "radio", "file"):
        return "1"
    if field.type == "select":
        return next((each for each in field.choices if each), None)
    return _FIXED.get(field.type) or _typed(field, account)


def _typed(field: Field, account: Account) -> str:
    if field.type == "password" or _PASSWORD.search(field.words):
        return account.password
    if field.type == "email" or _MAIL.search(field.words):
        return account.mail
    if field.type in ("date", "datetime-local"):
        return "2030-05-01" + ("T10:00" if field.type == "datetime-local" else "")
    if field.type == "number":
        return field.least or "1"
    if field.type == "tel":
        return "5551234567"
    if field.type == "url" or _ADDRESS.search(field.words):
        return "http://127.0.0.1/"
    if _USER.search(field.words):
        return account.user
    if _NUMBER.search(field.words):
        return next((value for named, value in _LONG_NUMBERS if named.search(field.words)), "1")
    return _WORD
