"""Values of a changing request that a test may replace by a mark, to see whether the object keeps it: a text, a number
of things, a yes/no value, or one of a few words. The mark does no harm, and the old value puts it back.

for field in markable(request):
    field.shown(response)              whether an answer shows what was sent
    field.shows(response, "other")     whether it shows another value in its place
"""

import re
from random import Random
from typing import NamedTuple

from gatecrash.core.inventory.called_credentials import of_a_call
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.testing.forms.tokens import is_form_token
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.operations.graphql import argument_of, operation_of, says_what_is_called
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.places.walked_points import walked

_LEAST_TEXT = 3
_LITERAL = re.compile(rb"[+-]?\d+(?:\.\d+)?|true|false|null")
_NUMBER = re.compile(rb"\d{1,6}")
# How many of something: one more or less is what such requests are for.
_COUNTS = re.compile(
    r"quantity|qty|^amount_of|(?<!ac)(?<!dis)count|^seats$|^guests$|rating|stars|priority|servings|estimate|^(?:story_?)?points$|hours|minutes"
    r"|^(?:weight|height|width|size|progress|percent(?:age)?|position|score)$|threshold"
    r"|limit$|^price(?:_?per_?\w+)?$",
    re.IGNORECASE,
)
# What is so or is not, and a moment later is so again: nobody loses anything by it.
_TOGGLES = re.compile(
    r"(?:is_?)?(?:done|complete|completed|finished|checked|ticked|read|seen|starred|favou?rited?|pinned|flagged|muted|collapsed"
    r"|archived|important|subscribed|public|private|visible|hidden|shared|listed|unlisted|searchable|anonymous|frozen|paused)",
    re.IGNORECASE,
)
_TELEPHONE = re.compile(r"phone|mobile|(?:^|_)(?:tel|cell|fax)(?:$|_)", re.IGNORECASE)
_DIALLED = re.compile(r"\+?(?:[ ()/.-]*\d){7,15}")
# A line may begin there as JSON writes it.
_BEGINS = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
_CONTRARY = {"true": "false", "false": "true"}
# Free texts first: a mark in them is taken by every check of form.
_FREE = (
    "note",
    "text",
    "comment",
    "description",
    "title",
    "message",
    "bio",
    "address",
    "street",
    "name",
    "city",
    "email",
)
_NEVER = ("password", "passwd", "token", "secret", "role", "status", "type", "currency", "country", "date", "id")


class Markable(NamedTuple):
    """One field. name: as the object calls it. is_text: whether any text may stand there; else a number, or what is so or not.

    choice: the other word to send where only a few are taken.
    """

    point: Point
    name: str
    value: str
    is_text: bool
    choice: str = ""

    @property
    def contrary(self) -> str:
        """What it is where it is not so, or the other word of a few; empty for texts and numbers."""
        return self.choice or ("" if self.is_text else _CONTRARY.get(self.value, ""))

    @property
    def is_number(self) -> bool:
        """Whether it says how many of something."""
        return not self.is_text and not self.contrary

    @property
    def is_limit(self) -> bool:
        """Whether it bounds what somebody may do: where those above him set it, `auth` tells who else may."""
        return self.is_number and self.name.lower().endswith("limit")

    @property
    def is_dialled(self) -> bool:
        """Whether it is a telephone's number, which checks of its form take nothing else for."""
        return _TELEPHONE.search(self.name) is not None and _DIALLED.fullmatch(self.value) is not None

    def mark(self, random: Random) -> str:
        """A text of its kind that was never there. Of a telephone's numbers it is one of those that the North American plan keeps for
        fiction (555-0100 to 555-0199), at which nobody is called.
        """
        if not self.is_dialled:
            return fresh_letters(random, 8)
        return f"{'+1' * self.value.startswith('+')}{random.randint(201, 999)}55501{random.randint(0, 99):02}"

    @property
    def freedom(self) -> tuple[bool, int]:
        """Free texts first: they sort before all else."""
        words = (number for number, word in enumerate(_FREE) if word in self.name.lower())
        return not self.is_text, next(words, len(_FREE))

    def shown(self, response: Response) -> bool:
        """Whether an answer shows what was sent."""
        return self.shows(response, self.value)

    def shows(self, response: Response, value: str) -> bool:
        """Whether an answer shows a text anywhere, and not within a longer word, or the very field holds a number; what is so is
        written in capitals by some.
        """
        if self.is_text:
            return re.search(rf"{_BEGINS}{re.escape(value)}(?![A-Za-z0-9])", text_of(response)) is not None
        told = (leaf.value for leaf in leaves(response) if leaf.path and leaf.path[-1] == self.name)
        return any((each.lower() == value.lower() if self.contrary else _plain(each) == value) for each in told)

    def stands_in(self, response: Response) -> bool:
        """Whether an answer has a field of that name, whatever it holds."""
        return any(leaf.path[-1:] == (self.name,) for leaf in leaves(response))

    def is_counted_in(self, response: Response) -> bool:
        """Whether an answer counts the like of it: a field of that name with a number."""
        told = (leaf for leaf in leaves(response) if leaf.path and leaf.path[-1] == self.name)
        return self.is_number and any(leaf.value.isdigit() for leaf in told)


def markable(request: Request, besides: Point) -> list[Markable]:
    """The fields of the body that may be marked: texts that nothing depends on, numbers that count.

    besides: what names the object, with what it is made of.
    """
    variables = operation_of(request) is not None
    callers = {one.point for one in of_a_call(request)} if request.body else ()
    fields = [
        _read(request, each)
        for each in (walked(request) if request.body else ())
        if each.point[0] == "post" and len(each.point) > 2
        and not each.container and not (besides and each.point[: len(besides)] == besides)
        and each.point not in callers and not says_what_is_called(request, each.point) and not is_form_token(each.point)
        and (not variables or "variables" in each.point or "graphql" in each.point[:-1])
    ]  # fmt: skip
    return [each for each in fields if each is not None]


def _read(request: Request, found: Found) -> Markable | None:
    name = argument_of(request, found.point[-1])
    # Of XML as answers are read, without the prefix that the client chose for a namespace.
    name = name.rpartition(":")[2] if found.point[1] == "xml" else name
    value = found.value.decode("utf-8", "replace")
    is_word = len(value) >= _LEAST_TEXT and _LITERAL.fullmatch(found.value) is None
    is_word = is_word or (_TELEPHONE.search(name) is not None and _DIALLED.fullmatch(value) is not None)
    is_text = is_word and not name.isdigit() and not _is_bound(name)
    counts = _COUNTS.search(name) is not None and _NUMBER.fullmatch(found.value) is not None
    if is_text or counts or (_TOGGLES.fullmatch(name) is not None and value in _CONTRARY):
        return Markable(found.point, name, value, is_text)
    return None


def _plain(number: str) -> str:
    """A whole number as it was sent: `2.0` and `2.00` are 2."""
    whole, dot, rest = number.partition(".")
    return whole if dot and not rest.strip("0") else number


def _is_bound(name: str) -> bool:
    return any(name.lower() == word or name.lower().endswith("_" + word) for word in _NEVER) or "passw" in name.lower()
