"""Difference with meaning: answers are compared by what they say, not by their bytes.

An answer is read into facts: a JSON answer's values with their paths, an HTML page's tags and texts, a text's lines, the
status and the headers that matter. What moves by itself (times, tokens, advertisements) is not in every sample of the
same question, so it drops out of all conclusions; what an answer echoes of a payload is put back before it is read.
"""

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from urllib.parse import quote, quote_plus

import msgspec
import orjson

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import content_of, media_type, text_of
from gatecrash.core.testing.oracles.remembering import remembered
from gatecrash.core.testing.oracles.text_parts import (
    BETWEEN,
    MOST_FACTS,
    Fact,
    Group,
    Part,
    masked,
    parts_of_page,
    parts_of_text,
    plain_values,
)

__all__ = ["Fact"]

# Numbers, identifiers and tokens, which a created thing has anew each time; `=` begins a JSON scalar that is no text. Ten
# digits of a random token may read as a moment.
_MOVING = re.compile(
    r"=?-?\d+(?:\.\d+)?|<time>|(?=[^ ]*\d)[a-z0-9_.~+/=-]{8,}|(?=[^ ]*<time>)(?:[a-z0-9_.~+/=-]|<time>){8,}"
)
_KEPT = re.compile("[A-Za-z0-9]+")
_LONG = re.compile("[A-Za-z0-9]{4,}")
_DIGITS = re.compile(r"\d+")
# Answers with less than this share of steady facts have too little in common to compare others with, unless there are MANY.
_MOST, MANY, _LEAST_KEPT = 0.5, 5, 2
# Facts that say how an answer is made up, and nothing of its content.
MARKUP = ("status", "header ", "cookie ", "tag ")
_HEADERS = (b"Location", b"Content-Disposition", b"WWW-Authenticate")


class Reading(msgspec.Struct, frozen=True):
    """What one answer says. kind: `json`, `html`, `text`, `empty`, or `opaque` where the content is not text."""

    status: int
    kind: str
    facts: frozenset[Fact]


def read(response: Response, echoes: Mapping[str, str] | None = None) -> Reading:
    """Read an answer; echoes are texts that were sent and what to read in their place, however they were escaped."""
    return read_told(told(response), echoes)


class Told(msgspec.Struct, frozen=True):
    """What one answer says before any echo is put back. text: its values, shortened and without case.

    facts, groups: what each of these values is the fact of, and behind them those that say it several times.
    """

    facts: tuple[Fact, ...]
    groups: tuple[Group, ...]
    text: str
    reading: Reading


def read_told(told: Told, echoes: Mapping[str, str] | None) -> Reading:
    """What an answer says with the echoes put back; as it was read, where it shows none of them."""
    if echoes:
        text = told.text
        for sent in echoes:
            if _may_show(sent, text):
                return _put_back(told, _variants(echoes))
    return told.reading


@remembered
def told(response: Response) -> Told:
    """Divide an answer into what it says."""
    kind, facts, parts = _content(response)
    facts += [
        ("header " + name.decode().lower(), value.decode("utf-8", "replace"))
        for name in _HEADERS
        for value in response.all(name)
    ]
    facts += [
        ("cookie set", value.partition(b"=")[0].decode("utf-8", "replace")) for value in response.all(b"Set-Cookie")
    ]
    facts = facts[: MOST_FACTS - len(parts)]
    values = plain_values([value for _, value in facts])
    facts = [(where, said) for (where, _), (_, said) in zip(facts, values, strict=True)]
    groups = [part.once if times == 1 else part.said(times) for part, times in parts.items()]
    text = BETWEEN.join([*[plain for plain, _ in values], *[part.plain for part in parts]])
    return Told(tuple(facts), tuple(groups), text, _reading(response.status, kind, facts, groups))


def _reading(status: int, kind: str, facts: Iterable[Fact], groups: Iterable[Group]) -> Reading:
    return Reading(status, kind, frozenset(chain((("status", str(status)),), facts, chain.from_iterable(groups))))


def _put_back(told: Told, variants: Sequence[tuple[str, str]]) -> Reading:
    """What an answer says with the echoes put back in the values that show one."""
    facts, groups = list(told.facts), list(told.groups)
    for index, value in _showing(told.text, [sent for sent, _ in variants]).items():
        for sent, instead in variants:
            value = value.replace(sent, instead)
        said, group = masked(value), index - len(facts)
        if group < 0:
            facts[index] = (facts[index][0], said)
        else:
            groups[group] = tuple([(where, said) for where, _ in groups[group]])
    return _reading(told.reading.status, told.reading.kind, facts, groups)


def _showing(text: str, texts: Iterable[str]) -> dict[int, str]:
    """The values that hold any of these texts, by their number."""
    found: dict[int, str] = {}
    for each in texts:
        number = end = 0
        while (at := text.find(each, end)) >= 0:
            begin = text.rfind(BETWEEN, 0, at) + 1
            number += text.count(BETWEEN, end, begin)
            end = text.find(BETWEEN, at)
            end = len(text) if end < 0 else end
            found[number] = text[begin:end]
    return found


def stable(readings: Sequence[Reading]) -> frozenset[Fact]:
    """The facts that every one of these readings has."""
    kinds = _distinct(readings)
    return frozenset.intersection(*kinds) if kinds else frozenset()


def steadiness(readings: Sequence[Reading]) -> float:
    """Which share (0 to 1) of what is said is in every reading: 1 for answers that say the same; markup says nothing."""
    if len(_distinct(readings)) == 1:
        return 1.0
    union = {fact for fact in _any(readings) if not fact[0].startswith(MARKUP)}
    return len(stable(readings) & union) / len(union) if union else 1.0


def is_steady(readings: Sequence[Reading]) -> bool:
    """Whether other answers can be compared with these: most of what they say stays, or enough of it did in many of them.

    A page may move in most of its parts (advertisements, proposals, counters) and still say the same in the others: where
    one answer more took nothing of that away, little of it was there by chance.
    """
    if len(readings) == 1 or steadiness(readings) >= _MOST or len(_distinct_but_for_numbers(readings)) == 1:
        return True
    kept = stable(readings)
    said = [fact for fact in kept if not fact[0].startswith(MARKUP)]
    return len(readings) >= MANY and len(said) >= _LEAST_KEPT and kept == stable(readings[:-1])


def _distinct_but_for_numbers(readings: Sequence[Reading]) -> set[frozenset[Fact]]:
    return {frozenset((where, _DIGITS.sub("#", said)) for where, said in facts) for facts in _distinct(readings)}


def says_all_of(reading: Reading, facts: frozenset[Fact]) -> bool:
    """Whether an answer says everything that was expected of it."""
    return facts <= reading.facts


def says_anything(facts: frozenset[Fact]) -> bool:
    """Whether there is more than a status: an empty answer says nothing that could be compared."""
    return any(where != "status" and not where.startswith(("header", "cookie")) for where, _ in facts)


def same_but_for_numbers(good: Reading, other: Reading) -> bool:
    """Whether two answers have the same status and parts, and differ only in values that are numbers, times or tokens."""
    if (good.status, good.kind) != (other.status, other.kind):
        return False
    apart = good.facts ^ other.facts
    if not _are_numbers(apart):
        return False
    # All that stands there, also what both say.
    places = {where for where, _ in apart}
    mine, theirs = ([fact for fact in each.facts if fact[0] in places] for each in (good, other))
    both_have = {where for where, _ in mine} == {where for where, _ in theirs}
    return both_have and _are_numbers(mine) and _are_numbers(theirs)


def counts_otherwise(good: Reading, other: Reading) -> bool:
    """Whether two answers say the same, but for numbers that stand in the same places, beside what both say."""
    mine, theirs = good.facts - other.facts, other.facts - good.facts
    return bool(mine) and {where for where, _ in mine} == {where for where, _ in theirs} and _are_numbers(mine | theirs)


def _are_numbers(facts: Iterable[Fact]) -> bool:
    return all(_MOVING.fullmatch(value) for _, value in facts)


def telling(ones: Sequence[Reading], others: Sequence[Reading]) -> frozenset[Fact]:
    """The facts that are in all of the ones and in none of the others, and the other way round.

    What the others say anew at a place where the ones say something else each time tells nothing: a counter, a token.
    """
    kept, all_of_them = stable(ones), _any(ones)
    anew = stable(others) - all_of_them
    if anew and len(kept) < len(all_of_them):
        moving = {_place_of(fact) for fact in all_of_them - kept}
        anew = frozenset(fact for fact in anew if _place_of(fact) not in moving)
    return (kept - _any(others)) | anew


def said_by_ones_alone(ones: Sequence[Reading], others: Sequence[Reading]) -> frozenset[Fact]:
    """The facts that are in all of the ones and in none of the others.

    Not those at a place where the others say something else each time: there it may be chance that the ones agree.
    """
    said = _any(others)
    moving = {_place_of(fact) for fact in said - stable(others)}
    return frozenset(fact for fact in stable(ones) - said if _place_of(fact) not in moving)


def _place_of(fact: Fact) -> str:
    """Where a fact stands: the path in a document; in a text, whose parts have none, what is left of it without numbers."""
    where, said = fact
    return where if where.startswith("$") else _DIGITS.sub("#", said)


def _any(readings: Iterable[Reading]) -> frozenset[Fact]:
    return frozenset[Fact]().union(*_distinct(readings))


def _distinct(readings: Iterable[Reading]) -> list[frozenset[Fact]]:
    """The facts of each, those of one remembered reading once."""
    return list({id(reading.facts): reading.facts for reading in readings}.values())


def _content(response: Response) -> tuple[str, list[Fact], dict[Part, int]]:
    """The kind of an answer, its facts, and the parts in which it says the others."""
    content = content_of(response)
    if content is None:
        return "opaque", [("bytes", str(hash(response.body)))], {}
    if not content.strip():
        return "empty", [], {}
    kind = media_type(response)
    start = content.lstrip()[:1]
    if kind.endswith("json") or start in (b"{", b"["):
        try:
            return "json", _json_facts(orjson.loads(content)), {}
        except orjson.JSONDecodeError:
            pass
    text = text_of(response)
    if "html" in kind or "xml" in kind or (not kind and start == b"<"):
        return "html", [], parts_of_page(text)
    if b"\x00" in content[:1024]:
        return "opaque", [("bytes", str(hash(content)))], {}
    return "text", [], parts_of_text(text)


def _json_facts(document: object) -> list[Fact]:
    """Every scalar with its path, and every empty container, without recursion: depth is the answer's choice."""
    facts: list[Fact] = []
    todo: list[tuple[str, object]] = [("", {"$": document})]
    while todo and len(facts) < MOST_FACTS:
        path, value = todo.pop()
        if isinstance(value, dict):
            below = [(f"{path}.{name}" if path else name, each) for name, each in value.items()]
        else:
            assert isinstance(value, list)
            facts.append((f"{path} length", str(len(value))))
            below = [(f"{path}[{index}]", each) for index, each in enumerate(value)]
        for where, each in below:
            if isinstance(each, str):
                facts.append((where, each))
            elif isinstance(each, dict | list) and each:
                todo.append((where, each))
            else:
                facts.append((where, f"={each!r}"))
    return facts


def _may_show(sent: str, text: str) -> bool:
    """Whether the text may hold the echo in any escape: all of them keep ASCII letters and digits as they are.

    Most answers hold none, and making the escapes of each payload was a sixth of the whole engine's time.
    """
    first = _LONG.search(sent)
    if first is not None and first[0].casefold() not in text:
        return False
    runs = _KEPT.findall(sent)
    return not runs or max(runs, key=len).casefold() in text


def _variants(echoes: Mapping[str, str]) -> list[tuple[str, str]]:
    """Every echo as answers escape it: as it is, for HTML, for URLs, for JSON and with backslashes; longest first."""
    variants: dict[str, str] = {}
    for sent, instead in echoes.items():
        if sent.isascii() and sent.isalnum():  # as most that are shown: no escape changes them
            variants.setdefault(sent.casefold(), instead.casefold())
            continue
        sent, instead = sent.replace(BETWEEN, " "), instead.replace(BETWEEN, " ")
        for escape in (
            str,
            html.escape,
            _double_quotes_alone,
            _percent_escaped,
            _form_escaped,
            _json_escaped,
            _backslashed,
            _quotes_as_numbers,
        ):
            variants.setdefault(escape(sent).casefold(), escape(instead).casefold())
    return sorted(((sent, instead) for sent, instead in variants.items() if sent), key=lambda pair: -len(pair[0]))


def _double_quotes_alone(text: str) -> str:
    """As for attributes in double quotes."""
    return html.escape(text, quote=False).replace('"', "&quot;")


def _percent_escaped(text: str) -> str:
    return quote(text, errors="surrogateescape")


def _form_escaped(text: str) -> str:
    return quote_plus(text, errors="surrogateescape")


def _json_escaped(text: str) -> str:
    return json.dumps(text)[1:-1]


def _backslashed(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'").replace('"', '\\"')


def _quotes_as_numbers(text: str) -> str:
    return html.escape(text, quote=False).replace("'", "&#39;").replace('"', "&#34;")
