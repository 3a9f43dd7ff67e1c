"""The forms of a site that change something: each kind of them once, with the page that it stands on.

forms = Forms()
forms.put(request, page)   kept where it is of a new kind
forms.put_seen(request)    likewise, as a script was seen to send it
forms.untried()            the next kind that may be sent; None at the end
forms.release(queue)       the others of a kind, where their pages turned out to be exercises

A form stands on many pages, and in each row of a list, where a number alone tells them apart: one of them is enough. Numbered
exercises do something else under each number, so all of theirs are kept.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from gatecrash.core.message import Request
from gatecrash.core.testing.forms.tokens import is_called_token, is_random
from gatecrash.node.scan.crawl_queue import Queue, fields_of

MOST_FORMS = 200
_MOST_ALIKE = 1_500
_NUMBER_ALONE = re.compile(rb"(?<![\w-])\d+(?![\w-])")
# Written into addresses for who has no cookie yet (Jakarta Servlet, section 7.1.3).
_SESSION_IN_PATH = re.compile(rb";jsessionid=[^/;]*", re.IGNORECASE)

Kind = tuple[bytes, ...]


class Form(NamedTuple):
    """A form that changes something. page: where it stands; None where that is the answer to another form."""

    request: Request
    page: Request | None


class Forms:
    """What was found and is still to be sent, or is left as a draft."""

    def __init__(self) -> None:
        self.kept: dict[Kind, Form] = {}
        self._tried: set[Kind] = set()
        self._alike: dict[Kind, Form] = {}
        self._seen: defaultdict[Kind, list[frozenset[bytes]]] = defaultdict(list)

    def is_full(self, beyond: int) -> bool:
        """Whether no more are taken. beyond: how many exercises are read, each of which may have one."""
        return len(self.kept) >= MOST_FORMS + beyond

    def put(self, form: Form) -> None:
        """Keep it where it is of a new kind, and remember it where it is one like others on a page of its own."""
        kind = kind_of(form.request)
        if self._is_known_better(kind):
            return
        if kind not in self._tried:
            first = self.kept.setdefault(kind, form)
            if first is form or first.page is None or form.page is None or first.page.target == form.page.target:
                return
        if form.page is not None and len(self._alike) < _MOST_ALIKE:
            self._alike.setdefault(itself(form.request), form)

    def put_seen(self, form: Form) -> None:
        """Keep what a script was seen to send. What its code says of the same call, and no field more, is known worse."""
        kind = kind_of(form.request)
        self._seen[kind[:2]].append(frozenset(kind[2:]))
        for other in [each for each in self.kept if each[:2] == kind[:2] and set(each[2:]) <= set(kind[2:])]:
            del self.kept[other]
        self.kept[kind] = form

    def release(self, queue: Queue) -> None:
        """Keep those of a kind that stand on pages of exercises."""
        for key, form in list(self._alike.items()):
            if form.page is not None and queue.is_exercise(form.page):
                del self._alike[key]
                self.kept.setdefault(key, form)

    def untried(self, is_sent: Callable[[Request], bool]) -> Kind | None:
        """The next of which that holds, and which was not tried yet: what makes something before what writes over what is there, which
        may be what was made.
        """
        left = [kind for kind, form in self.kept.items() if kind not in self._tried and is_sent(form.request)]
        return min(left, key=lambda kind: kind[0] != b"POST", default=None)

    def take(self, kind: Kind) -> Form:
        """Take a kind for tried; it stays until it is dropped."""
        self._tried.add(kind)
        return self.kept[kind]

    @property
    def were_tried(self) -> bool:
        """Whether any was."""
        return bool(self._tried)

    def drop(self, kind: Kind) -> None:
        """It was sent and answered: no draft any more."""
        self.kept.pop(kind)

    def move(self, meant: Callable[[Request], Request]) -> None:
        """Where each goes after all."""
        for kind, form in list(self.kept.items()):
            moved = meant(form.request)
            if moved is not form.request:
                del self.kept[kind]
                if not self._is_known_better(kind_of(moved)):
                    self.kept.setdefault(kind_of(moved), form._replace(request=moved))

    def _is_known_better(self, kind: Kind) -> bool:
        return any(fields.issuperset(kind[2:]) for fields in self._seen.get(kind[:2], ()))


def same_among(form: Request, others: Iterable[Request]) -> Request:
    """The form as a page shows it now: the one with the same number, else another of its kind; the old one where the page has neither."""
    others = list(others)
    for key in (itself, kind_of):
        found = next((each for each in others if key(each) == key(form)), None)
        if found is not None:
            return found
    return form


def address_of(request: Request) -> bytes:
    """Path and query without what is another each time: the session in a path, and the values of tokens."""
    pairs = [each.partition("=") for each in (request.query or b"").decode("latin-1").split("&")]
    asked = "&".join(
        name if is_called_token(name) or is_random(value) else name + sign + value for name, sign, value in pairs
    )
    return bare_path(request) + b"?" + asked.encode("latin-1")


def bare_path(request: Request) -> bytes:
    """The path without a session in it."""
    return _SESSION_IN_PATH.sub(b"", request.path)


def kind_of(form: Request) -> Kind:
    """Equal for forms that a number alone tells apart. A number behind a word is of another page's name (`/lesson2`)."""
    return form.method.encode(), _NUMBER_ALONE.sub(b"0", address_of(form)), *sorted(fields_of(form))


def itself(form: Request) -> Kind:
    """Equal for one form, whatever it is filled in with."""
    return form.method.encode(), address_of(form), *sorted(fields_of(form))
