"""Text for a schema: by its format, its pattern, or by what its name says, within its lengths."""

import re
from collections.abc import Mapping
from typing import Any

from gatecrash.core.words.names import parted, plain
from gatecrash.formats.descriptions.pattern_text import fitting
from gatecrash.formats.descriptions.said_choices import choice_said
from gatecrash.formats.descriptions.said_examples import example_said, is_free
from gatecrash.formats.descriptions.said_forms import IBAN, IS_BORN, form_said

MOST_CHARACTERS = 4096

# Fixed, so that the same document gives the same requests: runs are compared, and identical baselines found, by them.
FORMATS = {
    "date-time": "2026-01-15T10:30:00Z",
    "date": "2026-01-15",
    "time": "10:30:00Z",
    "duration": "P1D",
    "email": "user@example.com",
    "idn-email": "user@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "iri": "https://example.com/",
    "uri-reference": "/example",
    "uri-template": "/example/{id}",
    "uuid": "3f2b8c1e-5d47-4a6b-9c0e-1a2b3c4d5e6f",
    "byte": "ZXhhbXBsZQ==",
    "binary": "example",
    "password": "Example-Password-1",
    "json-pointer": "/example",
    "regex": "^example$",
    "int32": "1",
    "int64": "1",
    "phone": "+12025550123",
}
# What ends comes after what begins, and nobody is born today.
LATER = {
    FORMATS["date-time"]: "2026-01-17T10:30:00Z",
    FORMATS["date"]: "2026-01-17",
    FORMATS["time"]: "11:30:00Z",
}
_BORN = {FORMATS["date"]: "1990-05-17", FORMATS["date-time"]: "1990-05-17T10:30:00Z"}
_ENDS = re.compile(
    r"(?:^|[^a-z])(?:to|until|till|thru|through|ends?|ended|ending|finish(?:es|ed)?|stops?|(?:check[^a-z]?)?out|returns?|returned|due|expir\w+|deadline)"
    r"(?:$|[^a-z])"
)
_SHOWS_TO_ALL = re.compile(
    r"(?:(?:is|make|set|mark)_)?(?:public|publicly_\w+|(?:publicly_)?(?:visible|listed|searchable|discoverable)|world_readable|shared)"
    r"(?:_(?:to|with|for)_(?:all|everyone|everybody|public|world))?"
)
_DATED = re.compile(r"^date[^a-z](?:from|to|until|till|of|start|end|begin)|^check[^a-z]?(?:in|out)$")
YEAR = "2024"
ROWS = 50
"""How many rows of a list are asked for, where it can be said."""
_PAGE_SIZE = re.compile(
    r"(?:page[-_]?|row[-_]?|query[-_]?)?limit|(?:page|batch)[-_]?size|(?:(?:items|results|rows|entries)[-_]?)?per[-_]?page|max[-_]?results",
    re.IGNORECASE,
)
# What a name ends in, without case and signs; the first that fits.
_NAMES = (
    (("email", "mail"), FORMATS["email"]),
    (("uuid", "guid"), FORMATS["uuid"]),
    (("url", "uri", "href", "callback", "webhook", "website", "homepage"), FORMATS["uri"]),
    (("xml",), "<example>1</example>"),
    (("orderby", "sortby", "sortfield", "sortcolumn", "ordercolumn", "sort"), "id"),
    (("password", "passwd", "passphrase", "pwd"), FORMATS["password"]),
    # The same once more, as the form of a new account wants it.
    (("passwordconfirmation", "passwordconfirm", "passwordrepeat", "passwordagain", "password2"), FORMATS["password"]),
    (("phone", "phonenumber", "mobile"), FORMATS["phone"]),
    (("createdat", "updatedat", "timestamp", "datetime"), FORMATS["date-time"]),
    (("date", "birthday"), FORMATS["date"]),
    (("currency", "currencycode"), "EUR"),
    (("iban",), IBAN),
    (("cardnumber", "creditcard", "ccnumber"), "4111111111111111"),
    (("cvv", "cvc"), "123"),
    (("zip", "zipcode", "postcode", "postalcode", "plz"), "10115"),
    (("country", "countrycode"), "DE"),
    (("language", "locale", "lang"), "en"),
    (("scheme", "protocol"), "http"),
    (("hostname",), FORMATS["hostname"]),
    (("apiversion", "version"), "1"),
    (("debug", "verbose"), "true"),  # a switch, in documents that call everything a text
    (("amount", "quantity", "qty", "price", "stars", "rating", "days", "minutes", "latitude", "longitude"), "1"),
    (("year",), YEAR),
    (("id", "number", "count", "page", "limit", "size", "offset"), "1"),
)


def asks_how_many(name: str) -> bool:
    """Whether a parameter says how many rows a page has: one alone would show less of a list than most tests need."""
    return _PAGE_SIZE.fullmatch(name) is not None


def asks_which_year(name: str) -> bool:
    """Whether a number is a year's: `year`, `buildYear`, `published_year`; not `per_year`."""
    return re.search(r"(?:^|[^a-z])(?<!per.)year$", _words(name)) is not None


def text_for(schema: Mapping[str, Any], name: str = "") -> str:
    """A text that the schema accepts, the same each time."""
    least, most = _length(schema.get("minLength"), 0), _length(schema.get("maxLength"), MOST_CHARACTERS)
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        found = fitting(pattern, least)
        if found is not None and len(found) <= most:
            return found
    said = _said(schema.get("description"), name) if is_free(schema) else None
    if said is not None:
        return said
    known = FORMATS["byte"] if _is_base64(schema) else FORMATS.get(str(schema.get("format")))
    text = _in_its_time(known if known is not None else _by_name(name), name)
    if len(text) < least:
        text += "a" * (min(least, MOST_CHARACTERS) - len(text))
    return text[:most]


def _said(description: Any, name: str) -> str | None:
    """What the words give for a text: an example, a choice, or its form."""
    return example_said(description) or choice_said(description, name) or form_said(description, name)


def _is_base64(schema: Mapping[str, Any]) -> bool:
    """Whether a text is base64 (JSON Schema, "contentEncoding"), be it in words alone."""
    said = schema.get("description")
    in_words = "format" not in schema and isinstance(said, str) and re.search(r"\bbase-?64\b", said, re.IGNORECASE)
    return schema.get("contentEncoding") in ("base64", "base64url") or bool(in_words)


def shows_to_all(name: str) -> bool:
    """Whether a yes/no value of that name makes what is sent everybody's: what nobody else is shown stays its owner's."""
    return _SHOWS_TO_ALL.fullmatch(_words(name)) is not None


def _by_name(name: str) -> str:
    if asks_how_many(name):
        return str(ROWS)
    bare = plain(name)
    for endings, text in _NAMES:
        if bare.endswith(endings) and (len(endings[0]) > 2 or _ends_as_word(name)):
            return text
    return FORMATS["date"] if _DATED.search(_words(name)) else "example"


def _in_its_time(text: str, name: str) -> str:
    """A date that comes after the other where its name says that something ends then, and long ago where somebody is born."""
    if text not in LATER:
        return text
    words = _words(name)
    if IS_BORN.search(words):
        return _BORN.get(text, text)
    return LATER[text] if _ENDS.search(words) else text


def _words(name: str) -> str:
    return parted(name).lower()


def _ends_as_word(name: str) -> bool:
    """Whether the last two letters are a word of their own (`userId`, `user_id`), not the end of one (`paid`)."""
    if any(name.lower().endswith(ending) for ending in ("number", "count", "page", "limit", "size", "offset")):
        return True
    return name.lower() == "id" or name.endswith(("Id", "ID", "_id", "-id"))


def _length(value: Any, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else otherwise
