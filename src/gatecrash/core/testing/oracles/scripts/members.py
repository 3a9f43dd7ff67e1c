"""Which members of data the scripts of a page write into it as markup: `box.innerHTML += "<h3>" + note.title + "</h3>"`.

The scripts are read, not run, and only what leaves no doubt counts: a member that is put together with markup, by itself, as a text
between elements (`values`), where markup is written (`sinks`); or that is written alone. A member that anything is done to elsewhere
(it is written as text, handed to what escapes, set) is none, and neither are those of scripts with something that cleans markup as
a whole.

Whose member it is, its name alone does not tell: libraries write what they are given as well. What else is asked of the same object is
told beside it; in a script of a bundler, and for names that objects of browsers have too, no other proof is at hand.

draws_of(['box.innerHTML = `<b>${note.title}</b>`'])    Draws((Draw(("title",), …),), …)
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from gatecrash.core.testing.oracles.scripts.doubts import Uses
from gatecrash.core.testing.oracles.scripts.scopes import Scopes
from gatecrash.core.testing.oracles.scripts.sinks import INERT, Sinks, getter_of
from gatecrash.core.testing.oracles.scripts.tokens import TEXT, Tokens, tokens_of
from gatecrash.core.testing.oracles.scripts.values import Member, Values, Whole

LONGEST: Final = 1_000_000
Members = tuple[str, ...]
"""The names that lead to a member from the variable it is taken from; the last two, where there are more."""

# One of these stands in every script that does.
_MAY_WRITE: Final = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|__html|bypassSecurityTrustHtml|unsafeHTML"
    r"|\.(?:html|append|prepend|before|after|replaceWith)\b|\$\(|jQuery\("
)
_CLEANS_ALL: Final = re.compile(
    r"purif|\.setHTML\b|createPolicy\(\s*+[\"'`]default|\bxss\s*+\(|filterXSS", re.IGNORECASE
)
# Compilers of Angular name these in what every application of it has.
_MAY_CLEAN: Final = re.compile(r"sanit|purif", re.IGNORECASE)
_OF_ANGULAR: Final = re.compile(r"\bng-version\b|ngModule")
_LONG_LINE: Final = re.compile(r"[^\n]{300}")
_OF_BUNDLES: Final = re.compile(
    r"\A(?:import(?:\{|\*as )|\(\(\)=>\{|\(self\.webpackChunk|\"use strict\";\()|webpackChunk"
)
_FEW_BLANKS: Final = 0.1
_TAG: Final = re.compile(r"<(?:/|!--)?([A-Za-z][\w-]*+)?|>")
# GraphQL, one of whose texts is not closed.
_OPENS_DOCUMENT: Final = re.compile(r"\s{0,99}(?:query\b|\{)[^\"]{0,999}\"\Z")
# Objects of browsers and libraries have members of these names.
_OF_OTHERS: Final = frozenset(
    {
        "value",
        "data",
        "detail",
        "result",
        "response",
        "responseText",
        "innerHTML",
        "outerHTML",
        "textContent",
        "innerText",
        "html",
    }
)
_MOST_SINKS: Final = 400
_REMEMBERED: Final = 16


class Draw(NamedTuple):
    """members: what is written. beside: which other members are asked of the same object. alone_is_enough: the name is proof enough,
    because people read the script, and nothing else has such a member.
    """

    members: Members
    beside: frozenset[str]
    alone_is_enough: bool = True


class Draws(NamedTuple):
    """written: as markup. doubtful: members that something else is done to, with what is asked of the same object."""

    written: tuple[Draw, ...] = ()
    doubtful: tuple[Draw, ...] = ()


def draws_of(scripts: Iterable[str]) -> Draws:
    """What the scripts of one page write as markup, and what else they do with members."""
    codes = [code for code in scripts if len(code) <= LONGEST]
    if not any(map(_MAY_WRITE.search, codes)) or any(map(_cleans_all, codes)):
        return Draws()
    # People's scripts name each other's functions and variables; what a bundler made stands for itself.
    packed = [code for code in codes if is_packed(code)]
    by_hand = ";\n".join(code for code in codes if not is_packed(code))
    return _sure([_draws(by_hand, packed=False), *(_draws(code, packed=True) for code in packed)])


def is_packed(code: str) -> bool:
    """Whether a bundler wrote the script: on long lines, with a blank only where none can be left out."""
    if _OF_BUNDLES.search(code):
        return True
    return _LONG_LINE.search(code) is not None and sum(map(code.count, " \t\n")) <= _FEW_BLANKS * len(code)


def texts_in(scripts: Iterable[str]) -> frozenset[str]:
    """The texts that the scripts hold, and the pieces of their templates: addresses that are asked for are among them."""
    return frozenset(text for code in scripts if len(code) <= LONGEST for text in _texts(code))


@lru_cache(_REMEMBERED)
def _texts(code: str) -> frozenset[str]:
    tokens = tokens_of(code)
    texts = frozenset(text for kind, text in zip(tokens.kinds, tokens.texts, strict=True) if kind == TEXT and text)
    return texts | frozenset(_put_together(tokens))


def _put_together(tokens: Tokens) -> Iterator[str]:
    """Documents that a script puts values into: `{ notes(like: "${word}") { title } }` with empty ones."""
    for place, kind in enumerate(tokens.kinds):
        if kind == TEXT and _OPENS_DOCUMENT.match(tokens.texts[place]) and tokens.is_sign(place + 1, "+"):
            parts = tokens.parts(place, tokens.end_of(place), "+")
            yield "".join(
                tokens.texts[begin] for begin, end in parts if end == begin + 1 and tokens.kinds[begin] == TEXT
            )


def _cleans_all(code: str) -> bool:
    if _CLEANS_ALL.search(code):
        return True
    return _OF_ANGULAR.search(code) is None and _MAY_CLEAN.search(code) is not None


def _sure(read: Sequence[Draws]) -> Draws:
    doubtful = tuple(each for draws in read for each in draws.doubtful)
    certain = {each.members[-1] for each in doubtful if each.alone_is_enough}
    written = tuple(each for draws in read for each in draws.written if each.members[-1] not in certain)
    return Draws(written, tuple(each for each in doubtful if not each.alone_is_enough))


@lru_cache(_REMEMBERED)
def _draws(code: str, *, packed: bool) -> Draws:
    tokens = tokens_of(code)
    scopes = Scopes(tokens)
    values = Values(tokens, scopes)
    found: list[Member] = []
    for sink in islice(Sinks(tokens, scopes, packed=packed).found(), _MOST_SINKS):
        getter = getter_of(scopes, sink)
        values.unwraps = sink.is_getter
        begins = list(values.returns(getter)) if getter is not None else [] if sink.is_getter else [sink.begin]
        for begin in begins:
            found += (member for whole in values.read(begin) for member in _written(whole))
    uses = Uses(tokens, scopes, values, packed=packed)
    doubtful = uses.read(frozenset(member.place for member in found))
    return Draws(
        tuple({_draw(member, uses, packed=packed): None for member in found}),
        tuple({_draw(use.member, uses, packed=packed): None for use in doubtful}),
    )


def _draw(member: Member, uses: Uses, *, packed: bool) -> Draw:
    beside = member.beside | uses.shapes.get(member.owner, set())
    name = member.names[-1]
    # In a bundle the name before is as often that of a component's property.
    return Draw(
        member.names[-1:] if packed else member.names[-2:], beside - {name}, not packed and name not in _OF_OTHERS
    )


def _written(whole: Whole) -> list[Member]:
    """The members that stand between elements; one that is all that is written."""
    inside, raw, markup = False, "", False
    found: list[Member] = []
    is_alone = len([part for part in whole if part != ""]) == 1
    for part in whole:
        if isinstance(part, str):
            inside, raw, seen = _after(part, inside, raw)
            markup = markup or seen
        elif part is not None and (is_alone or markup) and not inside and not raw:
            found.append(part)
    return found


def _after(text: str, inside: bool, raw: str) -> tuple[bool, str, bool]:
    """Whether what follows stands inside a tag, and the element whose content is no markup; whether the text has a tag."""
    seen = False
    for found in _TAG.finditer(text):
        if found[0] == ">":
            inside = False
        elif found[1]:
            inside = seen = True
            name, closes = found[1].lower(), found[0].startswith("</")
            raw = "" if closes and name == raw else name if not closes and not raw and name in INERT else raw
    return inside, raw, seen
