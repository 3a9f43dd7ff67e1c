"""Which members of data the scripts of a page write into it as markup: `box.innerHTML += "<h3>" + note.title + "</h3>"`.

The scripts are read, not run, and only what leaves no doubt counts: a member that is put together with markup, by itself, as a text
between elements, in the statement that writes markup or in a variable or a function that this statement names; or that is written
alone. A member that anything is done to elsewhere (it is written as text, handed to what escapes, set) is none, and neither are
those of scripts with something that cleans markup as a whole, or with tags of templates, which may.

members_of(['box.innerHTML = `<b>${note.title}</b>`'])    frozenset({("title",)})
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Final

from gatecrash.core.testing.oracles.scripts.script import CODE, DOUBLE, REGEX, SINGLE, TEMPLATE, spans

LONGEST: Final = 300_000
Members = tuple[str, ...]
"""The names that lead to a member from the variable it is taken from; the last two, where there are more."""

_SINK: Final = re.compile(
    r"\.(?:inner|outer)HTML\s*+\+?=(?!=)|\.insertAdjacentHTML\s*+\(\s*+\"\d+\"\s*+,"
    # jQuery reads markup where the DOM's own methods of these names write texts.
    r"|(?<![\w$.])(?:(?:\$|jQuery)\([^()]{0,80}+\)|\$[\w$]++)\.(?:html|append|prepend|before|after|replaceWith)\s*+\("
    r"|(?<![\w$.])(?:\$|jQuery)\((?=\(*+\"\d++\"\s*+\+)"
)
# One of these stands in every script that does.
_MAY_WRITE: Final = re.compile(r"HTML|\.(?:html|append|prepend|before|after|replaceWith)\b|\$\(|jQuery\(")
# What a script caught is no data, and the title of the document is a place to write to.
_MEMBER: Final = r"(?<![\w$.])(?!(?:err|error|ex|exception|document)\b)[A-Za-z_$][\w$]*+((?:\??\.[A-Za-z_$][\w$]*+)++)"
# Not called, compared, or followed by anything but more of the concatenation; `|| ""` says what stands in its place.
_PART: Final = re.compile(
    rf"\"(?P<text>\d++)\"|{_MEMBER}\s*+(?:(?:\|\||\?\?)\s*+\"\d++\"\s*+)?(?=\)*+\s*+(?:\+(?![+=])|[;,:)}}\n]|\Z))"
)
_JOINED: Final = re.compile(r"(?:\+|\A)\s*+\(*+\s*+\Z")
_NUMBER: Final = re.compile(r'"(\d++)"')
_NAMES: Final = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*+")
_CLEANS_ALL: Final = re.compile(r"purif|sanit|\.setHTML\b|trustedTypes|\bxss\s*+\(", re.IGNORECASE)
_TREATED: Final = re.compile(
    r"(?:(?:textContent|innerText)\s*+\+?=|createTextNode\(|\.text\(|\b\w{0,30}(?:esc|clean|strip|encode|safe|plain)\w{0,30}\()"
    rf"\s*+(?:\"\d++\"\s*+\+\s*+)?\(*+\s*+{_MEMBER}",
    re.IGNORECASE,
)
_SET: Final = re.compile(rf"{_MEMBER}\s*+\+?=(?![=>])")
# `({ title, id: number }) =>`, `const { title } = note`
_TAKEN_APART: Final = re.compile(r"\{([\w$\s,:=\"]{1,300}+)\}\s*+(?:=(?![=>])|\)\s*+(?:=>|\{))")
_ONE_TAKEN: Final = re.compile(r"\s*+([A-Za-z_$][\w$]*+)\s*+(?::\s*+([A-Za-z_$][\w$]*+)\s*+)?(?:=.*)?", re.DOTALL)
_STOP: Final = re.compile(r"[()\[\]{};]|\n(?!\s{0,80}[.+?:|&])")
_TAG: Final = re.compile(r"<(?:/|!--)?([A-Za-z][\w-]*+)?|>")
# A word of the language, which a value stands behind.
_BEFORE_VALUES: Final = re.compile(r"(?<![\w$])(?:return|case|typeof|in|of|await|yield|else)\s*+\Z")
# What stands in these is no markup.
_RAW: Final = frozenset({"textarea", "title", "style", "script", "noscript", "iframe", "xmp", "template"})
_MOST_SINKS, _MOST_NAMES, _LONGEST_PART, _STEPS = 100, 40, 20_000, 2


def members_of(scripts: Iterable[str]) -> frozenset[Members]:
    """The members that the scripts of one page write as markup."""
    codes = [code for code in scripts if len(code) <= LONGEST]
    if not any(map(_MAY_WRITE.search, codes)) or any(map(_CLEANS_ALL.search, codes)):
        return frozenset()
    read = [_plain(code) for code in codes]
    if any(tagged for _, _, tagged in read):
        return frozenset()
    plain, texts = _put_together(read)
    plain = _as_members(plain)
    found = {members for region in _regions(plain) for members in _written(region, texts)}
    treated = {_tail(each[1])[-1] for pattern in (_TREATED, _SET) for each in pattern.finditer(plain)}
    return frozenset(members for members in found if members[-1] not in treated)


def texts_in(scripts: Iterable[str]) -> frozenset[str]:
    """The texts that the scripts hold, and the pieces of their templates: addresses that are asked for are among them."""
    return frozenset(text for code in scripts if len(code) <= LONGEST for text in _plain(code)[1] if text)


def _plain(code: str) -> tuple[str, list[str], bool]:
    """The code with the number of each text in its place, templates as concatenations; the texts; whether a template has a tag."""
    pieces: list[str] = []
    texts: list[str] = []
    tagged = False
    for span in spans(code):
        text = code[span.begin : span.end]
        if span.kind == CODE:
            pieces.append(text)
        elif span.kind in (SINGLE, DOUBLE):
            pieces.append(f'"{len(texts)}"')
            texts.append(text)
        elif span.kind == TEMPLATE:
            opens = code[span.begin - 1] == "`"
            tagged = tagged or (opens and _is_tag(code[max(0, span.begin - 40) : span.begin - 1]))
            pieces.append(f'{"(" if opens else ")+"}"{len(texts)}"{"+(" if code.startswith("${", span.end) else ")"}')
            texts.append(text)
        else:
            pieces.append(" _pattern_ " if span.kind == REGEX else " ")
    return "".join(pieces), texts, tagged


def _is_tag(before: str) -> bool:
    """Whether what stands right before a template is a function that is handed its pieces (ECMA-262, section 13.3.11)."""
    return before[-1:].isalnum() and _BEFORE_VALUES.search(before) is None


def _put_together(read: list[tuple[str, list[str], bool]]) -> tuple[str, list[str]]:
    """Several scripts as one, with their texts."""
    texts: list[str] = []
    whole: list[str] = []
    for plain, own, _ in read:
        whole.append(_NUMBER.sub(partial(_moved, len(texts)), plain))
        texts += own
    return ";\n".join(whole), texts


def _moved(places: int, number: re.Match[str]) -> str:
    return f'"{int(number[1]) + places}"'


def _as_members(plain: str) -> str:
    """The code with the members that are taken apart written as such: `{ title }` makes `_taken_.title` of `title`, unless that is a
    variable or a parameter elsewhere.
    """
    taken: dict[str, str] = {}
    for found in islice(_TAKEN_APART.finditer(plain), _MOST_NAMES):
        for part in found[1].split(","):
            one = _ONE_TAKEN.fullmatch(part)
            if one is not None:
                taken[one[2] or one[1]] = one[1]
    for name, member in islice(taken.items(), _MOST_NAMES):
        word = rf"(?<![\w$.]){re.escape(name)}(?![\w$])"
        listed = rf"\([^(){{}}]{{0,200}}{word}[^(){{}}]{{0,200}}\)"
        if not re.search(
            rf"\bfunction\b[^(){{}}]{{0,80}}{listed}|{listed}\s*=>|{word}\s*=>|\b(?:const|let|var)\s+{word}", plain
        ):
            plain = re.sub(rf"{word}(?!\s*[:=(])", f"_taken_.{member}", plain)
    return plain


def _regions(plain: str) -> Iterator[str]:
    """The statements that write markup, and those of the variables and functions that they name."""
    todo = [_until_end(plain, sink.end()) for sink in islice(_SINK.finditer(plain), _MOST_SINKS)]
    known: set[str] = set()
    for _ in range(_STEPS + 1):
        yield from todo
        names = {name for region in todo for name in _NAMES.findall(region)} - known
        known |= names
        todo = [region for name in sorted(names)[:_MOST_NAMES] for region in _made_of(plain, name)]


def _made_of(plain: str, name: str) -> Iterator[str]:
    """What a variable is given, and what stands in a function."""
    word = re.escape(name)
    for found in islice(re.finditer(rf"(?<![\w$.]){word}\s*\+?=(?![=>])", plain), _MOST_SINKS):
        yield _until_end(plain, found.end())
    for found in islice(re.finditer(rf"\bfunction\s+{word}\s*\([^()]{{0,200}}\)\s*\{{", plain), 1):
        yield _until_end(plain, found.end(), within=True)


def _until_end(plain: str, begin: int, *, within: bool = False) -> str:
    """Up to the end of the statement, or within a function of its body."""
    depth = 0
    for stop in _STOP.finditer(plain, begin, begin + _LONGEST_PART):
        if stop[0] in "([{":
            depth += 1
        elif stop[0] in ")]}":
            depth -= 1
        if depth < 0 or (depth == 0 and not within and stop[0] in (";", "\n") and plain[begin : stop.start()].strip()):
            return plain[begin : stop.start()]
    return plain[begin : begin + _LONGEST_PART]


def _written(region: str, texts: list[str]) -> Iterator[Members]:
    """The members that stand between elements; one that is all that is written."""
    inside, raw, markup = False, "", False
    for part in _PART.finditer(region):
        if part["text"] is not None:
            inside, raw, seen = _after(texts[int(part["text"])], inside, raw)
            markup = markup or seen
            continue
        alone = not region[: part.start()].strip() and not region[part.end() :].strip()
        joined = markup and _JOINED.search(region, max(0, part.start() - 40), part.start()) is not None
        if (alone or joined) and not inside and not raw:
            yield _tail(part[2])


def _after(text: str, inside: bool, raw: str) -> tuple[bool, str, bool]:
    """Whether what follows stands inside a tag, and the element whose content is no markup; whether the text has a tag."""
    seen = False
    for found in _TAG.finditer(text):
        if found[0] == ">":
            inside = False
        elif found[1]:
            inside = seen = True
            name, closes = found[1].lower(), found[0].startswith("</")
            raw = "" if closes and name == raw else name if not closes and not raw and name in _RAW else raw
    return inside, raw, seen


def _tail(path: str) -> Members:
    return tuple(re.findall(r"[\w$]+", path))[-2:]
