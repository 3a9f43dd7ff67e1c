"""Objects that forms of pages make: no answer says which, but a redirect or a link of a page that was not there before.

is_form_answer(request, response)       whether an exchange may be one that made something
makes_what_is_deleted(asked, request)   whether it makes such an object as a request deletes
deletes_by_form(request)                whether a POST asks by its address to delete one
links = Links.of(request, named)        how pages name such objects
links.in_page(response)                 the identifiers that a page links to or has in its forms
links.in_address(target)                the one of an address
links.offered(response, value)          where a page leads with one of them
"""

import re
from typing import Final, NamedTuple
from urllib.parse import unquote

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.named import list_above
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.words.deeds import DELETES, MAKES
from gatecrash.core.words.names import parted

_FORMS: Final = (b"application/x-www-form-urlencoded", b"multipart/form-data")
_LEADS_ON: Final = (301, 302, 303)
_WORDS: Final = re.compile(r"[a-z]+")
# What is done to something, and what scripts are called.
_DOES: Final = (
    DELETES
    | MAKES
    | frozenset(
        {"save", "submit", "insert", "store", "do", "action"}
        | {"php", "asp", "aspx", "jsp", "jsf", "html", "htm", "cgi", "pl", "api", "v"}
    )
)
_NUMBER: Final = re.compile(r"(?:(?!\d)[\w-])*+\d[\w-]*+")
_LEADS: Final = re.compile(r"\b(?:href|action)\s*=\s*[\"']?([^\"'<>\s]{1,500})", re.IGNORECASE)
_VALUE: Final = r"([\w-]{1,64})"
_QUOTE: Final = r"[\"']?"


def is_form_answer(request: Request, response: Response) -> bool:
    """Whether a form was sent and answered as sites do that keep it: by the way to another page, or by a page."""
    kind = (request.first(b"Content-Type") or b"").lower()
    if request.method.upper() != "POST" or not kind.startswith(_FORMS):
        return False
    return response.status in _LEADS_ON or (response.status < 300 and media_type(response) == "text/html")


def makes_what_is_deleted(asked: Request, request: Request) -> bool:
    """Whether both addresses name the same kind of thing, and the first no single one: `/notes/new` and `/notes/5/delete`."""
    last = asked.path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1")
    thing = _thing(request)
    return bool(thing) and not _NUMBER.fullmatch(last) and _thing(asked) == thing


def deletes_by_form(request: Request) -> bool:
    """Whether the address of a POST says that something is deleted: `/notes/5/delete`, `/delete_note.php`."""
    ends = "/".join(request.path.decode("latin-1").rstrip("/").split("/")[-3:])
    return request.method.upper() == "POST" and not DELETES.isdisjoint(_words(ends))


def _thing(request: Request) -> str:
    words = [word for word in _words(request.path.decode("latin-1")) if word not in _DOES]
    return singular(words[-1]) if words else ""


def _words(text: str) -> list[str]:
    return _WORDS.findall(parted(text).lower())


class Links(NamedTuple):
    """How pages name objects of the kind that a request names."""

    pattern: re.Pattern[str]

    @classmethod
    def of(cls, request: Request, named: Named) -> "Links":
        """By the address that the request has before its identifier, by a parameter, or by a hidden field of a form."""
        place, name = named.point[0], re.escape(named.point[-1])
        if place == "path":
            above = re.escape(list_above(request, named.point).decode("latin-1"))
            return cls(re.compile(rf"{above}/{_VALUE}(?=[/\"'?#&\s>]|$)"))
        if place == "get":
            return cls(re.compile(rf"[?&;]{name}={_VALUE}(?=[\"'&#\s>]|$)"))
        named_before = rf"name={_QUOTE}{name}(?![\w-]){_QUOTE}[^<>]*?\bvalue={_QUOTE}{_VALUE}"
        return cls(re.compile(rf"<input\b[^<>]*?\b{named_before}", re.IGNORECASE))

    def in_page(self, response: Response) -> frozenset[str]:
        """The identifiers that a page holds."""
        return frozenset(self.pattern.findall(text_of(response)))

    def in_address(self, target: bytes) -> str:
        """The identifier of an address that a redirect leads to; empty where it names none."""
        found = self.pattern.search(unquote(target.decode("latin-1")))
        return found[1] if found and _NUMBER.fullmatch(found[1]) else ""

    def offered(self, response: Response, value: str) -> frozenset[str]:
        """The addresses of a page's links and forms that name this object."""
        leads = {unquote(address) for address in _LEADS.findall(text_of(response))}
        return frozenset(each for each in leads if value in self.pattern.findall(each))
