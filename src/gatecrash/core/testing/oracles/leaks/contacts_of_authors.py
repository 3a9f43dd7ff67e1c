"""How to reach those who write in public, beside what they write: an author's whole record, where his name was meant.

A post, a comment or a review of a JSON answer counts that has a text and an author, who is a record of his own or members
called so (`author_email`). Of him must be told how to reach him, and something more that readers have no use for: another
way to reach him, where he lives or was born, an address of the network, or what of his things is called (`vehicle_id`). An
e-mail address alone is what he signs with in many places. Colleagues, who are told with their departments, reach each other;
whoever sells or offers something wants to be reached; and editors of articles are published.
"""

import re
from collections.abc import Collection, Iterator

import orjson

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.oracles.body import content_of
from gatecrash.core.testing.oracles.leaks.leaks import CONTACTS, Leak

_SPEECH = re.compile(
    r"(?:posts?|comments?|threads?|topics?|discussions?|reviews?|questions?|answers?|repl(?:y|ies)|feed|timeline|tweets?|shouts?"
    r"|community|testimonials?|ratings?)",
    re.IGNORECASE,
)
_AUTHOR = re.compile(r"(?:author|writer|poster|commenter|reviewer|user|(?:posted|written|created)_?by)", re.IGNORECASE)
_MAIL, _PHONE = re.compile(r"e_?mail(?:_?address)?", re.IGNORECASE), re.compile(r"(?:tele)?phone|mobile", re.IGNORECASE)
_TEXT = re.compile(r"text|body|content|message|comment|title|subject|review", re.IGNORECASE)
_KEPT = re.compile(
    r"address|street|zip_?code|post(?:al)?_?code|birth|^dob$|(?:^|_)ip(?:_|$|addr)|^lat(?:itude)?$|^iban$|balance|last_?(?:login|seen_?ip)",
    re.IGNORECASE,
)
# A thing of his, and nothing that his name leads to.
_THING = re.compile(
    r"(?!(?:user|author|account|profile|member|person|avatar|picture|image|photo|media|role|team|tenant|group|org|compan|city|country|post|comment"
    r"|thread|parent|external|public|android|hybrid|_))(?:[a-z]{3,20}_(?:id|uuid|guid)|[a-z]{4,20}(?:id|uuid|guid))",
    re.IGNORECASE,
)
_AT_WORK = re.compile(r"department|job|position|manager|employee|staff|office|extension|company", re.IGNORECASE)
_LEAST_OTHERS = 2
_MOST_VALUES = 20_000


def contacts_of_authors(request: Request, response: Response, own: Collection[str]) -> Leak | None:
    """Which kind of data of several authors an answer tells; None where it tells none. own: what its reader is called."""
    content = content_of(response) or b""
    if b"@" not in content and b"hone" not in content and b"obile" not in content:
        return None
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    words = request.path.decode("latin-1").split("/")
    found: dict[str, str] = {}
    for author in _authors(document, in_speech=any(map(_SPEECH.fullmatch, words))):
        contact = _contact(author)
        more = _more(author)
        if contact and more and contact.lower() not in own and not any(map(_AT_WORK.search, author)):
            found[contact] = more
    if len(found) < _LEAST_OTHERS:
        return None
    return Leak(CONTACTS, f"how to reach authors, and their {min(found.values())}")


def _authors(document: object, *, in_speech: bool) -> Iterator[dict[str, str]]:
    """The authors of what is said, each by the names and values of his members. in_speech: whether the address says that people speak."""
    todo = [(document, in_speech)]
    for _ in range(_MOST_VALUES):
        if not todo:
            return
        value, speaks = todo.pop()
        if isinstance(value, list):
            todo += [(each, speaks) for each in value if isinstance(each, dict | list)]
        elif isinstance(value, dict):
            below = ((name, each) for name, each in value.items() if isinstance(each, dict | list))
            todo += [(each, speaks or _SPEECH.fullmatch(name) is not None) for name, each in below]
            if speaks and any(isinstance(each, str) and _TEXT.fullmatch(name) for name, each in value.items()):
                yield from _told_of(value)


def _told_of(post: dict[str, object]) -> Iterator[dict[str, str]]:
    """Whoever a record names as its author: in a record of his own, or by members that begin with the word."""
    beside: dict[str, str] = {}
    for name, value in post.items():
        if isinstance(value, dict) and _AUTHOR.fullmatch(name):
            yield {each: str(told) for each, told in value.items() if _is_told(told)}
        elif _is_told(value) and (said := _AUTHOR.match(name)) and name[said.end() :]:
            beside[name[said.end() :].lstrip("_")] = str(value)
    yield beside


def _is_told(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""


def _contact(author: dict[str, str]) -> str:
    """How to reach somebody: by mail, else by telephone."""
    mail = next(
        (value for name, value in author.items() if _MAIL.fullmatch(name) and "@" in value and "*" not in value), ""
    )
    return mail or next((value for name, value in author.items() if _PHONE.search(name) and "*" not in value), "")


def _more(author: dict[str, str]) -> str:
    """The name of what else is told of somebody that readers have no use for."""
    is_both = any(map(_MAIL.fullmatch, author)) and any(map(_PHONE.search, author))
    if is_both:
        return "telephone number"
    return next(
        (name for name in author if not _MAIL.fullmatch(name) and (_KEPT.search(name) or _THING.fullmatch(name))), ""
    )
